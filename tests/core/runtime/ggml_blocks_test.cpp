// Blocks of every type of GGUF's, beside what llama.cpp's own package makes of them (golden/ggml_blocks.py).
#include "core/runtime/ggml_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/checkpoints/gguf.hpp"
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
        const UnpackBlock unpack = ggml_unpacking(name);
        ASSERT_NE(unpack, nullptr) << name;
        const std::vector<std::byte> blocks = bytes_of_hexadecimal(made["bytes"]);
        const std::size_t count = blocks.size() / static_cast<std::size_t>(type.bytes);
        std::vector<float> numbers(count * static_cast<std::size_t>(type.elements));
        for (std::size_t i = 0; i < count; ++i)
            unpack(&blocks[i * static_cast<std::size_t>(type.bytes)],
                   &numbers[i * static_cast<std::size_t>(type.elements)]);
        EXPECT_EQ(other_than(numbers, made["numbers"]), "") << name;
    }
}

TEST(GgmlBlocks, OfTypesThatNoFileHasAreNotKnown) {
    for (const char* name : {"Q8_1", "I8", "F32", "Q4_0_4_4", ""}) EXPECT_EQ(ggml_unpacking(name), nullptr) << name;
}

}  // namespace
}  // namespace headcount
