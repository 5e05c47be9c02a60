// Matrices as GPTQ, AWQ, compressed-tensors, bitsandbytes, fp8 and MXFP4 store them, beside what those packages restore
// them to (golden/restored.py).
#include "core/runtime/restored.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/checkpoints/safetensors.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/hexadecimal.hpp"

namespace headcount {
namespace {

using namespace testing_data;

// A case of the golden file: the tensors as a checkpoint lists them, and their bytes.
class QuantizedCase {
  public:
    explicit QuantizedCase(const nlohmann::json& golden) : golden_(golden) {
        nlohmann::ordered_json header;
        std::size_t end = 0;
        for (const auto& [name, tensor] : golden["tensors"].items()) {
            bytes_[name] = bytes_of_hexadecimal(tensor["bytes"]);
            header[name] = {{"dtype", tensor["dtype"]},
                            {"shape", tensor["shape"]},
                            {"data_offsets", {end, end + bytes_[name].size()}}};
            end += bytes_[name].size();
        }
        const Result<SafetensorsHeader> read = read_safetensors_header(header.dump(), "golden", 0);
        if (!read) throw std::runtime_error(sentence(read.error()));
        for (const CheckpointTensor& each : read->tensors) tensors[each.name] = each;
    }

    Result<std::optional<std::vector<float>>> restored() const {
        const StoredParts parts{.find = [this](const std::string& name) -> const CheckpointTensor* {
                                    const auto found = tensors.find(name);
                                    return found != tensors.end() ? &found->second : nullptr;
                                },
                                .bytes = [this](const CheckpointTensor& tensor) -> Result<std::vector<std::byte>> {
                                    return bytes_.at(tensor.name);
                                }};
        return restored_numbers(parts, quantization_of(carried_from({{"quantization_config", golden_["config"]}})),
                                golden_["name"], golden_["shape"].get<std::vector<std::int64_t>>());
    }

    std::map<std::string, CheckpointTensor> tensors;

  private:
    const nlohmann::json& golden_;
    std::map<std::string, std::vector<std::byte>> bytes_;
};

nlohmann::json cases() { return read_json_file(golden_folder() / "restored.json"); }

TEST(RestoredNumbers, AreThoseOfTheQuantizersOwnCode) {
    const nlohmann::json all = cases();
    EXPECT_GE(all.size(), 20u);
    for (const nlohmann::json& golden : all) {
        const auto made = QuantizedCase(golden).restored();
        ASSERT_TRUE(made) << golden["kind"] << ": " << sentence(made.error());
        ASSERT_TRUE(*made) << golden["kind"];
        EXPECT_EQ(other_than(**made, golden["numbers"]), "") << golden["kind"];
    }
}

// Whichever part has another shape, or is cut short in its header: a sentence that names it, and never numbers.
TEST(RestoredNumbers, OfPartsThatDoNotGoTogetherAreASentence) {
    const nlohmann::json all = cases();
    for (const nlohmann::json& golden : all)
        for (const auto& [name, tensor] : QuantizedCase(golden).tensors) {
            if (name.find("quant_state") != std::string::npos || name.ends_with("weight_shape")) continue;
            QuantizedCase odd(golden);
            CheckpointTensor& changed = odd.tensors[name];
            changed.shape = {5, 7}, changed.elements = 35, changed.bytes = 35 * changed.type.bytes;
            const auto made = odd.restored();
            EXPECT_TRUE(!made || !*made) << golden["kind"] << " " << name;
            if (!made) {
                EXPECT_FALSE(made.error().where.empty()) << golden["kind"] << " " << name;
            }
        }
}

nlohmann::json case_of(const std::string& kind) {
    for (const nlohmann::json& golden : cases())
        if (golden["kind"] == kind) return golden;
    throw std::runtime_error("no case " + kind);
}

// 64 inputs in three groups: which group an input is in would be a guess.
TEST(RestoredNumbers, OfGroupsThatDoNotDivideTheInputsAreASentence) {
    const nlohmann::json golden = case_of("awq");
    QuantizedCase odd(golden);
    const std::string module = "model.layers.0.mlp.up_proj";
    odd.tensors[module + ".scales"].shape = {3, 24};
    odd.tensors[module + ".qzeros"].shape = {3, 3};
    const auto made = odd.restored();
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where, module + ".scales");
}

TEST(RestoredNumbers, OfAStackOfEightBitsAreASentenceAndNotReadWithoutTheirScales) {
    nlohmann::json golden = case_of("float-quantized-8-tensor");
    golden["shape"] = {2, 12, 64};
    golden["tensors"][golden["name"].get<std::string>()]["shape"] = golden["shape"];
    const auto made = QuantizedCase(golden).restored();
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().where, golden["name"].get<std::string>());
}

TEST(RestoredNumbers, WithoutTheirScalesAreASentence) {
    for (const char* kind : {"gptq-4", "awq", "pack-quantized-4-group", "int-quantized-8-channel"}) {
        const nlohmann::json golden = case_of(kind);
        QuantizedCase cut(golden);
        std::erase_if(cut.tensors, [](const auto& each) { return each.first.find("scale") != std::string::npos; });
        const auto made = cut.restored();
        ASSERT_FALSE(made) << kind;
        EXPECT_EQ(made.error().what, "the scales of quantized numbers are missing") << kind;
    }
}

TEST(RestoredNumbers, AreNoneWhereAMatrixIsStoredAsItIs) {
    nlohmann::json plain = cases().front();
    plain["tensors"] = {{plain["name"], {{"dtype", "F32"}, {"shape", {1, 1}}, {"bytes", "00000000"}}}};
    const auto made = QuantizedCase(plain).restored();
    ASSERT_TRUE(made);
    EXPECT_FALSE(*made);
}

}  // namespace
}  // namespace headcount
