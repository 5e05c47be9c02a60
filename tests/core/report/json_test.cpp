// The JSON documents have the fields that scripts rely on, and are exact.
#include "core/report/json.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/files/config.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::CountedArchitecture;
using testing_data::preset;
using testing_data::with;

TEST(CountJson, HasEveryPromisedField) {
    const CountedArchitecture counted(preset("llama-2-7b"));
    json document = *count_json(counted.architecture, counted.graph, counted.parameters, true);
    EXPECT_EQ(document["name"], "Llama 2 7B");
    EXPECT_EQ(document["tied"], false);
    const json& parameters = document["parameters"];
    EXPECT_EQ(parameters["total"], 6738415616);
    EXPECT_EQ(parameters["active"], 6738415616);
    EXPECT_EQ(parameters["active_multiplied"], 6607343616);
    EXPECT_EQ(parameters["by_component"], (json{{"embedding", 131072000},
                                                {"attention", 2147483648},
                                                {"feed_forward", 4328521728},
                                                {"norm", 266240},
                                                {"output", 131072000}}));
    EXPECT_EQ(parameters["layers"], 32);
    EXPECT_EQ(parameters["per_layer_each"], 202383360);
    EXPECT_EQ(parameters["per_layer"], json(std::vector<std::int64_t>(32, 202383360)));
}

TEST(CountJson, NamesTheTypeOfTheFileThatIsCountedAsAWhole) {
    const nlohmann::json file{
        {"model_type", "gemma3"}, {"text_config", json::object()}, {"vision_config", json::object()}};
    const CountedArchitecture whole(*read_config(file, "config.json"));
    ASSERT_TRUE(whole.architecture.whole);
    EXPECT_EQ((*count_json(whole.architecture, whole.graph, whole.parameters, true))["type"], "gemma3");
}

TEST(CountJson, RefusesAListOfMoreThanAMillionLayers) {
    const CountedArchitecture most(with(preset("gpt2"), "layers", "1000000"));
    const CountedArchitecture more(with(preset("gpt2"), "layers", "1000001"));
    EXPECT_TRUE(count_json(most.architecture, most.graph, most.parameters, true));
    EXPECT_FALSE(count_json(more.architecture, more.graph, more.parameters, true));
}

TEST(CountJson, ANameThatIsNotUtf8IsMadePrintable) {
    CountedArchitecture counted(preset("gpt2"));
    counted.architecture.name = "caf\xe9";
    std::string text = json_text(*count_json(counted.architecture, counted.graph, counted.parameters, true));
    EXPECT_TRUE(json::parse(text)["name"].get<std::string>().starts_with("caf"));
}

TEST(ModelJson, OfAModelInDoubtSaysSoOnceAndWithEachActivation) {
    const CountedArchitecture counted(preset("gpt2"));
    const std::vector<ActivationRow> rows = *activations(counted.graph, counted.bindings, {});
    for (const bool verified : {true, false}) {
        const json document =
            *model_json(counted.architecture, counted.graph, counted.parameters, rows, counted.bindings, verified);
        EXPECT_EQ(document["verified"], verified);
        ASSERT_FALSE(document["activations"].empty());
        for (const json& each : document["activations"]) EXPECT_EQ(each.contains("verified"), !verified) << each;
    }
}

json tensors_json(const CountedArchitecture& counted, std::optional<std::int64_t> layer = {}) {
    std::ostringstream out;
    EXPECT_TRUE(write_tensors_json(out, counted.architecture, counted.graph, counted.parameters, {.layer = layer}));
    return json::parse(out.str());
}

TEST(TensorsJson, ListsEveryTensorOfThePublishedModels) {
    for (const std::string& id : testing_data::files_in("models")) {
        const CountedArchitecture counted(testing_data::golden_architecture(id));
        json model = testing_data::golden_model(id);
        if (tensor_count(counted.parameters, counted.architecture, counted.graph, {}) > 10'000)
            continue;  // to be quick
        std::map<std::string, json> listed;
        std::int64_t sum = 0;
        for (const json& tensor : tensors_json(counted)) {
            listed[tensor["name"]] = tensor["shape"];
            sum += tensor["count"].get<std::int64_t>();
            EXPECT_EQ(tensor["symbols"].size(), tensor["shape"].size());
        }
        EXPECT_EQ(sum, model["total"].get<std::int64_t>()) << id;
        std::size_t expected = 0;
        for (const json& tensor : model["tensors"]) {
            expected += tensor["count"].get<std::size_t>();
            std::string name = tensor["name"], last = name;
            if (std::size_t at = name.find("{i}"); at != std::string::npos)
                last = name.replace(at, 3, std::to_string(tensor["layers"].back()[1].get<int>()));
            for (const char* index : {"{e}", "{h}"})
                if (std::size_t at = last.find(index); at != std::string::npos) last.replace(at, 3, "0");
            EXPECT_EQ(listed[last], tensor["shape"]) << id << ": " << last;
        }
        EXPECT_EQ(listed.size(), expected) << id;
    }
}

TEST(TensorsJson, HasSymbolsAndComponents) {
    json list = tensors_json(CountedArchitecture(preset("llama-2-70b")), 7);
    EXPECT_EQ(list.size(), 9u);
    EXPECT_EQ(list[1], (json{{"name", "model.layers.7.self_attn.k_proj.weight"},
                             {"shape", {1024, 8192}},
                             {"symbols", {"h_kv·d_h", "d"}},
                             {"count", 8388608},
                             {"component", "attention"}}));
    EXPECT_EQ(list[8]["component"], "norm");
}

TEST(TensorsJson, RefusesMoreThanADocumentShouldHoldBeforeWritingAny) {
    const CountedArchitecture counted(with(preset("gpt2"), "layers", "1000000000000"));
    std::ostringstream out;
    Result<std::int64_t> written = write_tensors_json(out, counted.architecture, counted.graph, counted.parameters, {});
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().fix.find("--layer"), std::string::npos);
    EXPECT_TRUE(out.str().empty());
    EXPECT_EQ(tensors_json(counted, 999'999'999'999).size(), 12u);
}

TEST(ShapesJson, HasEveryPromisedField) {
    const CountedArchitecture counted(preset("llama-2-7b"), {.tokens = 100, .batch = 2});
    json list = shapes_json(counted.graph, *head_activations(counted.graph, counted.bindings, {}), counted.bindings);
    ASSERT_EQ(list.size(), 8u);
    EXPECT_EQ(list[4], (json{{"id", "layer.attention.head.scores"},
                             {"label", "Scores"},
                             {"block", "layer.attention.head"},
                             {"symbol", "S"},
                             {"rows", 100},
                             {"columns", 100},
                             {"rows_symbol", "T"},
                             {"columns_symbol", "T"},
                             {"elements", 10000},
                             {"bytes", 20000},
                             {"copies", 32 * 32 * 2},
                             {"meaning", "every query against every key, divided by the root of 128"}}));
}

TEST(ShapesJson, NamesTheBlockOfWhatIsInNoLayer) {
    const CountedArchitecture counted(preset("llama-2-7b"), {.tokens = 100, .batch = 2});
    json list = shapes_json(counted.graph, *activations(counted.graph, counted.bindings, {}), counted.bindings);
    EXPECT_EQ(list.back()["id"], "logits");
    EXPECT_EQ(list.back()["block"], "model");
    EXPECT_EQ(list.back()["columns_symbol"], "V");
}

TEST(PresetsJson, SaysNullWhereNoYearIsKnown) {
    const std::vector<PresetRow> rows{{"a", "A", "F", 2023, 7, "paper", ""},
                                      {"b", "B", "F", {}, 8, "worked example", "note"}};
    json list = presets_json(rows);
    EXPECT_EQ(list[0], (json{{"id", "a"},
                             {"name", "A"},
                             {"family", "F"},
                             {"year", 2023},
                             {"total", 7},
                             {"source", "paper"},
                             {"note", ""}}));
    EXPECT_EQ(list[1]["year"], nullptr);
}

}  // namespace
}  // namespace headcount
