// Blocks of every type of GGUF's, beside what llama.cpp's own package makes of them (golden/ggml_blocks.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checkpoints/gguf.hpp"
#include "core/runtime/stored_numbers.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/hexadecimal.hpp"

namespace headcount {
namespace {

using namespace testing_data;

StorageType type_named(const std::string& name) {
    for (std::uint32_t i = 0;; ++i) {
        const Result<StorageType> type = ggml_type(i);
        if (type && type->name == name) return *type;
    }
}

TEST(GgmlBlocks, AreUnpackedBitByBitAsByGgml) {
    const nlohmann::json golden = read_json_file(golden_folder() / "ggml_blocks.json");
    EXPECT_GE(golden.size(), 23u);
    for (const auto& [name, made] : golden.items()) {
        const StorageType type = type_named(name);
        const std::vector<std::byte> blocks = bytes_of_hexadecimal(made["bytes"]);
        CheckpointTensor tensor{.name = name, .type = type, .bytes = std::ssize(blocks)};
        tensor.elements = tensor.bytes / type.bytes * type.elements;
        std::vector<float> numbers(static_cast<std::size_t>(tensor.elements));
        FileBytes file{std::span(blocks)};
        const std::optional<Error> error = read_numbers(file, tensor, 0, numbers);
        ASSERT_FALSE(error) << sentence(*error);
        EXPECT_EQ(other_than(numbers, made["numbers"]), "") << name;
    }
}

TEST(GgmlBlocks, OfTypesThatNoFileHasAreNotKnown) {
    for (const char* name : {"Q8_1", "I8", "Q4_0_4_4", ""}) EXPECT_FALSE(is_read({name})) << name;
}

}  // namespace
}  // namespace headcount
