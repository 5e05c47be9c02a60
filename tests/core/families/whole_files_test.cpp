// Whole multimodal files: text, tower and connector, tensor by tensor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <tuple>

#include "core/analysis/checkpoint_match.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/arch/computation.hpp"
#include "core/arch/family.hpp"
#include "core/files/architecture_json.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::read;
using reading::refusal;

// How many tensors there are of each name and shape, layers and experts left open.
json rows_of(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters) {
    static const std::regex counted(R"(\.(layers|layer|blocks|deepstack_merger_list)\.\d+\.)");
    static const std::regex experts(R"(\.experts\.\d+\.)");
    std::map<std::pair<std::string, std::vector<std::int64_t>>, std::int64_t> counts;
    for_each_tensor(arch, graph, parameters, std::nullopt, [&](const ParameterRow& row, const TensorPlace& place) {
        const std::string name = name_at(graph.stored[row.stored].name, place);
        ++counts[{std::regex_replace(std::regex_replace(name, counted, ".$1.{i}."), experts, ".experts.{e}."),
                  row.shape}];
        return true;
    });
    json rows = json::array();
    for (const auto& [row, count] : counts)
        rows.push_back({{"name", row.first}, {"shape", row.second}, {"count", count}});
    return rows;
}

Parameters counted(const Architecture& arch, const ModelGraph& graph) {
    const Result<Parameters> parameters = count_parameters(graph, bindings(arch, {}));
    EXPECT_TRUE(parameters);
    return *parameters;
}

class GoldenWhole : public testing::TestWithParam<std::string> {
  protected:
    json golden = testing_data::read_json_file(testing_data::golden_folder() / "whole" / (GetParam() + ".json"));
};

TEST_P(GoldenWhole, HasEveryTensorThatTransformersBuilds) {
    const Architecture arch = read(golden["config"]);
    ASSERT_TRUE(arch.whole);
    const ModelGraph graph = expand(arch);
    const Parameters parameters = counted(arch, graph);
    EXPECT_EQ(parameters.total, golden["total"]);
    EXPECT_GT(parameters.of(Component::tower) + parameters.of(Component::connector), 0);
    for (const Component component : components)
        EXPECT_EQ(*evaluate(component_formula(graph, component), bindings(arch, {})), parameters.of(component))
            << component_name(component);
    json expected = golden["tensors"];
    std::sort(expected.begin(), expected.end());
    json found = rows_of(arch, graph, parameters);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
}

TEST_P(GoldenWhole, IsTheTextAloneAndTowerAndConnector) {
    Architecture arch = read(golden["config"]);
    const ModelGraph graph = expand(arch);
    const Parameters whole = counted(arch, graph);
    arch.whole.reset();
    const ModelGraph alone = expand(arch);
    const Parameters text = counted(arch, alone);
    EXPECT_EQ(whole.total, text.total + whole.of(Component::tower) + whole.of(Component::connector));
    EXPECT_EQ(whole.active, text.active) << "a token of the text passes neither";
    EXPECT_EQ(graph.nodes.size(), alone.nodes.size());
}

TEST_P(GoldenWhole, ComesBackFromItsExportAndFromADocument) {
    const Architecture arch = read(golden["config"]);
    const Result<nlohmann::ordered_json> written = write_config(arch);
    ASSERT_TRUE(written) << sentence(written.error());
    const Architecture again = read(json(*written));
    ASSERT_TRUE(again.whole);
    const ModelGraph graph = expand(arch), back = expand(again);
    EXPECT_EQ(rows_of(again, back, counted(again, back)), rows_of(arch, graph, counted(arch, graph)));
    const Result<Architecture> saved = architecture_from_json(json(architecture_to_json(arch)));
    ASSERT_TRUE(saved) << sentence(saved.error());
    EXPECT_EQ(*saved, arch);
}

// A file of weights in whatever form: as published, by the modules of transformers 5, with a vision_model inside.
TEST_P(GoldenWhole, MatchesEveryFormOfItsNames) {
    const Architecture arch = read(golden["config"]);
    const ModelGraph graph = expand(arch);
    const Parameters parameters = counted(arch, graph);
    for (const std::string_view form : {"", "model.", "inner"}) {
        Checkpoint file{.format = "safetensors"};
        for_each_tensor(arch, graph, parameters, std::nullopt, [&](const ParameterRow& row, const TensorPlace& place) {
            std::string name = name_at(graph.stored[row.stored].name, place);
            if (form == "inner") {
                const std::size_t at = name.find("vision_tower.");
                if (at != std::string::npos) name.insert(at + 13, "vision_model.");
            } else if (is_sense(graph.stored[row.stored].component) && !name.starts_with("model.")) {
                name.insert(0, form);
            }
            file.tensors.push_back({.name = std::move(name), .shape = row.shape, .elements = row.count});
            return true;
        });
        const Result<CheckpointMatch> match = match_checkpoint(file, arch, graph, parameters);
        ASSERT_TRUE(match);
        EXPECT_EQ(match->differences, 0) << form << " " << (match->rows.empty() ? "" : match->rows.front().name);
    }
}

INSTANTIATE_TEST_SUITE_P(Types, GoldenWhole, testing::ValuesIn(testing_data::files_in("whole")),
                         [](const auto& of) { return testing_data::test_name(of.param); });

json config_of(const std::string& type) {
    return testing_data::read_json_file(testing_data::golden_folder() / "whole" / (type + ".json"))["config"];
}

json llava() { return config_of("llava"); }

// Why the type's file is refused with another value at that place.
std::string refused_with(const std::string& type, const char* place, const json& value) {
    json config = config_of(type);
    config[json::json_pointer(place)] = value;
    return refusal(config);
}

TEST(WholeFiles, AreTheTextAloneWhereTheTowerIsNotKnown) {
    json config = llava();
    config["vision_config"]["model_type"] = "evergreen";
    EXPECT_FALSE(read(config).whole);
    config = llava();
    config["architectures"] = {"LlamaForCausalLM"};
    EXPECT_FALSE(read(config).whole);
}

TEST(WholeFiles, AreRefusedWhereATowersFieldCannotBe) {
    json config = llava();
    config["vision_config"]["hidden_size"] = "wide";
    EXPECT_NE(refusal(config).find("vision_config, hidden_size"), std::string::npos) << refusal(config);
    config = llava();
    config["vision_config"] = 5;
    EXPECT_NE(refusal(config).find("an object was expected"), std::string::npos) << refusal(config);
    config = llava();
    config["vision_config"]["hidden_size"] = std::int64_t{1} << 40;
    EXPECT_NE(refusal(config).find("is not known here"), std::string::npos) << refusal(config);
}

TEST(WholeFiles, AreRefusedWhereASizeFollowsThatCannotBe) {
    const auto expect = [](const std::string& type, const char* place, const json& value, const char* words) {
        const std::string said = refused_with(type, place, value);
        EXPECT_NE(said.find(words), std::string::npos) << type << ' ' << place << ": " << said;
    };
    expect("aya_vision", "/downsample_factor", std::int64_t{1} << 32, "downsample_factor");
    expect("qwen2_vl", "/vision_config/mlp_ratio", std::int64_t{1} << 34, "vision_config, mlp_ratio");
    expect("kimi_k25", "/vision_config/merge_kernel_size", {2, std::int64_t{1} << 40}, "merge_kernel_size");
    expect("llava", "/vision_feature_layer", json::array(), "no layer is listed");
    expect("llava", "/vision_feature_layer", "x", "lists no layers");
    expect("qwen3_vl", "/vision_config/deepstack_visual_indexes", 5, "lists no layers");
    expect("internvl", "/downsample_ratio", 2, "downsample_ratio");
    expect("llava", "/vision_config/patch_size", 57, "does not fit into an image");
    expect("glm_ocr", "/vision_config/num_heads", 1000, "does not divide width");
    expect("exaone4_5", "/vision_config/num_heads", 1000, "does not divide width");
    expect("llava", "/vision_config/num_attention_heads", 7, "does not divide width");
    expect("blip-2", "/qformer_config/num_hidden_layers", 1001, "layers are too many");
    expect("paddleocr_vl", "/vision_config/spatial_merge_size", "x", "spatial_merge_size");
    expect("aria", "/projector_patch_to_query_dict", {{"64", "x"}}, "projector_patch_to_query_dict");
}

// The file with its text part's fields at the top.
json flat(json file) {
    json text = file["text_config"];
    file.erase("text_config");
    text.erase("model_type");
    for (const auto& [key, value] : text.items())
        if (!file.contains(key)) file[key] = value;
    return file;
}

TEST(WholeFiles, WithTheTextsFieldsAtTheTopAreTheSame) {
    for (const char* type : {"qwen2_vl", "qwen2_5_vl", "paddleocr_vl"}) {
        const Architecture nested = read(config_of(type)), arch = read(flat(config_of(type)));
        ASSERT_TRUE(arch.whole) << type;
        const ModelGraph graph = expand(arch), other = expand(nested);
        EXPECT_EQ(rows_of(arch, graph, counted(arch, graph)), rows_of(nested, other, counted(nested, other))) << type;
        EXPECT_EQ(bool(computation_of(arch)), bool(computation_of(nested))) << type;
        const Result<nlohmann::ordered_json> written = write_config(arch);
        ASSERT_TRUE(written) << sentence(written.error());
        EXPECT_TRUE(written->contains("text_config") && !written->contains("hidden_size")) << type;
        EXPECT_TRUE(read(json(*written)).whole) << type;
    }
    json config = flat(config_of("qwen2_vl"));
    config["num_hidden_layers"] = "x";
    EXPECT_NE(refusal(config).find("config.json, num_hidden_layers"), std::string::npos) << refusal(config);
}

TEST(WholeFiles, OfQwen25VlAsPublishedHasAllParameters) {
    const Architecture arch = read({{"model_type", "qwen2_5_vl"},
                                    {"hidden_size", 3584},
                                    {"intermediate_size", 18944},
                                    {"num_attention_heads", 28},
                                    {"num_hidden_layers", 28},
                                    {"num_key_value_heads", 4},
                                    {"tie_word_embeddings", false},
                                    {"vocab_size", 152064},
                                    {"rope_scaling", {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}}},
                                    {"vision_config",
                                     {{"depth", 32},
                                      {"hidden_size", 1280},
                                      {"intermediate_size", 3420},
                                      {"num_heads", 16},
                                      {"in_chans", 3},
                                      {"out_hidden_size", 3584},
                                      {"patch_size", 14},
                                      {"spatial_patch_size", 14},
                                      {"temporal_patch_size", 2}}}});
    EXPECT_EQ(counted(arch, expand(arch)).total, 8'292'166'656) << "Qwen/Qwen2.5-VL-7B-Instruct";
    EXPECT_TRUE(computation_of(arch)) << "of text alone, whose positions are those of plain text";
}

TEST(WholeFiles, OfAnEncoderAndADecoderAreTheDecoderAloneBesideOneThatIsNotKnown) {
    json config = config_of("vision-encoder-decoder-gpt2");
    config["encoder"]["model_type"] = "convnext";
    const Architecture arch = read(config);
    EXPECT_FALSE(arch.whole);
    EXPECT_EQ(arch.family->type, "gpt2");
    config["decoder"] = 5;
    EXPECT_NE(refusal(config).find("config.json, decoder"), std::string::npos) << refusal(config);
}

TEST(WholeFiles, OfAnEncoderAndADecoderHaveAMatrixBetweenWidthsThatDiffer) {
    const auto between = [](const Architecture& arch) { return counted(arch, expand(arch)).of(Component::connector); };
    const Architecture arch = read(config_of("vision-encoder-decoder-gpt2"));
    EXPECT_EQ(between(arch), 64 * 48 + 64);
    EXPECT_EQ(between(testing_data::with(arch, "dim", "48")), 0) << "as it is edited";
    const Architecture alike = read(config_of("vision-encoder-decoder-bert"));
    EXPECT_EQ(between(testing_data::with(alike, "dim", "128")), 128 * 64 + 128);
    EXPECT_EQ(between(read(config_of("vision-encoder-decoder-trocr"))), 0) << "it reads the encoder's width itself";
}

// Published files say false at the top, which is the decoder's to say.
TEST(WholeFiles, OfAnEncoderAndADecoderAsPublishedHaveAllParameters) {
    const auto total = [](json encoder, json decoder) {
        decoder["is_decoder"] = decoder["add_cross_attention"] = true;
        const Architecture arch = read({{"model_type", "vision-encoder-decoder"},
                                        {"architectures", {"VisionEncoderDecoderModel"}},
                                        {"is_encoder_decoder", true},
                                        {"tie_word_embeddings", false},
                                        {"encoder", std::move(encoder)},
                                        {"decoder", std::move(decoder)}});
        EXPECT_TRUE(arch.tied && computation_of(arch)) << "of text alone";
        return counted(arch, expand(arch)).total;
    };
    EXPECT_EQ(total({{"model_type", "vit"}}, {{"model_type", "gpt2"}}), 239'195'904) << "vit-gpt2-image-captioning";
    EXPECT_EQ(total({{"model_type", "vit"}, {"image_size", 384}, {"qkv_bias", false}},
                    {{"model_type", "trocr"}, {"cross_attention_hidden_size", 768}}),
              333'921'792)
        << "microsoft/trocr-base-handwritten";
}

TEST(WholeFiles, OfDonutAreRefusedWhereAStageCannotBe) {
    for (const auto& [place, value, words] : std::initializer_list<std::tuple<const char*, json, const char*>>{
             {"/encoder/depths", json::array(), "encoder, depths"},
             {"/encoder/num_heads", {2, 4, 5}, "does not divide width"},
             {"/encoder/depths", {1, std::int64_t{1} << 29, 1}, "too large"},
             {"/encoder/embed_dim", 900'000, "encoder, embed_dim"}})
        EXPECT_NE(refused_with("vision-encoder-decoder-mbart", place, value).find(words), std::string::npos) << place;
}

TEST(WholeFiles, WithoutScoresForTokensAreNamedAsTransformersWritesThem) {
    for (const auto& [type, name, whole, bare] :
         {std::tuple("paddleocr_vl", "PaddleOCRVLModel", "mlp_AR.linear_1.weight", "projector.linear_1.weight"),
          {"instructblip", "InstructBlipModel", "language_model.model.decoder.embed_tokens.weight",
           "language_model.decoder.embed_tokens.weight"},
          {"kimi_k25", "Kimi_K25Model", "language_model.model.blocks.{i}.input_layernorm.weight",
           "language_model.blocks.{i}.input_layernorm.weight"},
          {"kimi_k25", "Kimi_K25Model", "mm_projector.proj.2.weight", "mm_projector.out_proj.weight"},
          {"kimi_k25", "Kimi_K25Model", "vision_tower.encoder.blocks.{n}.norm1.weight",
           "vision_tower.blocks.{n}.norm2.weight"},
          {"kimi_k25", "Kimi_K25Model", "vision_tower.encoder.final_layernorm.weight",
           "vision_tower.final_layernorm.weight"}}) {
        json config = config_of(type);
        const auto names = [&] {
            std::vector<std::string> all;
            for (const StoredTensor& each : expand(read(config)).stored) all.push_back(each.name);
            return all;
        };
        EXPECT_THAT(names(), testing::AllOf(testing::Contains(whole), testing::Not(testing::Contains(bare))));
        config["architectures"] = {name};
        EXPECT_THAT(names(), testing::AllOf(testing::Contains(bare), testing::Not(testing::Contains(whole))));
    }
}

// Its language model is one with its head in either class.
TEST(WholeFiles, OfBlip2HoldTheHeadByEitherName) {
    json config = config_of("blip-2");
    config["text_config"]["tie_word_embeddings"] = false;
    const auto total = [&](const char* name) {
        config["architectures"] = {name};
        const Architecture arch = read(config);
        return counted(arch, expand(arch)).total;
    };
    EXPECT_EQ(total("Blip2Model"), total("Blip2ForConditionalGeneration"));
}

// transformers 5 writes some names of Kimi K2.5 otherwise than its published files, which say an older version.
TEST(WholeFiles, NameTensorsAsTheVersionThatWroteThemDoes) {
    const auto written_by = [](const char* version) {
        json config = config_of("kimi_k25");
        config["transformers_version"] = version;
        return read(config);
    };
    const Architecture published = written_by("4.56.2"), newer = written_by("5.23.0");
    const ModelGraph graph = expand(published), renamed = expand(newer);
    const auto has = [](const ModelGraph& of, const std::string& name) {
        return std::ranges::any_of(of.stored, [&](const StoredTensor& each) { return each.name == name; });
    };
    EXPECT_TRUE(has(graph, "language_model.model.layers.{i}.input_layernorm.weight"));
    EXPECT_TRUE(has(renamed, "language_model.model.blocks.{i}.input_layernorm.weight"));
    for (const char* const name : {"mm_projector.pre_norm.weight", "vision_tower.patch_embed.proj.weight"})
        EXPECT_TRUE(has(graph, name) && !has(renamed, name)) << name;
    Checkpoint file{.format = "safetensors"};
    for_each_tensor(
        published, graph, counted(published, graph), std::nullopt,
        [&](const ParameterRow& row, const TensorPlace& place) {
            file.tensors.push_back(
                {.name = name_at(graph.stored[row.stored].name, place), .shape = row.shape, .elements = row.count});
            return true;
        });
    const Result<CheckpointMatch> match = match_checkpoint(file, newer, renamed, counted(newer, renamed));
    ASSERT_TRUE(match);
    EXPECT_EQ(match->differences, 0) << "weights are matched under either name";
}

TEST(WholeFiles, AreRefusedByThePartThatIsWrong) {
    const auto expect = [](const json& config, const char* words) {
        EXPECT_NE(refusal(config).find(words), std::string::npos) << words << ": " << refusal(config);
    };
    // The type's own 20 heads do not divide it.
    expect(
        {{"model_type", "glmasr"}, {"text_config", {{"hidden_size", 64}}}, {"audio_config", {{"hidden_size", 1001}}}},
        "audio_config, num_attention_heads");
    expect({{"model_type", "phi4_multimodal"}, {"vision_config", {{"num_hidden_layers", 1001}}}}, "vision_config");
    expect({{"model_type", "phi4_multimodal"}, {"audio_config", {{"num_blocks", 1001}}}}, "audio_config");
    expect({{"model_type", "encoder-decoder"}, {"encoder", {{"num_hidden_layers", 1001}}}},
           "encoder, num_hidden_layers");
    expect({{"model_type", "encoder-decoder"}, {"decoder", {{"cross_attention_hidden_size", 5}}}},
           "decoder, cross_attention_hidden_size");
    expect({{"model_type", "hrm_text"}, {"mlp_bias", true}, {"num_layers_per_stack", 8}}, "mlp_bias");
}

TEST(WholeFiles, HaveTheirTowerOnceWhereTheTextsLayersShareTheirWeights) {
    const Architecture apart = read(llava()), tied = testing_data::with(apart, "tied_layers", "true");
    const ModelGraph one = expand(apart), other = expand(tied);
    const Parameters before = counted(apart, one), after = counted(tied, other);
    EXPECT_EQ(after.of(Component::tower), before.of(Component::tower));
    EXPECT_EQ(after.of(Component::connector), before.of(Component::connector));
    EXPECT_LT(after.total, before.total);
    const auto senses = [](const ModelGraph& graph) {
        std::vector<std::string> names;
        for (const StoredTensor& each : graph.stored)
            if (is_sense(each.component)) names.push_back(each.name);
        return names;
    };
    EXPECT_EQ(senses(other), senses(one));
}

// Sizes of the text are symbols in it: an edit, however large, loses neither tower nor connector.
TEST(WholeFiles, KeepTowerAndConnectorThroughEveryEditOfTheText) {
    const Architecture wide = testing_data::with(read(config_of("aya_vision")), "dim", "4294967296");
    EXPECT_NE(component_formula(expand(wide), Component::tower), Expr(0));
    EXPECT_NE(component_formula(expand(wide), Component::connector), Expr(0));
}

TEST(WholeFiles, AreNoneWithinOthers) {
    json text = llava();
    for (const char* part : {"text_config", "llm_config"}) {
        const Architecture arch = read({{"model_type", "evergreen"}, {part, text}});
        EXPECT_FALSE(arch.whole) << part;
    }
}

TEST(WholeFiles, OfATypeThatIsNotKnownAreRefusedInADocument) {
    json saved(architecture_to_json(read(llava())));
    saved["whole"]["model_type"] = "evergreen";
    const Result<Architecture> opened = architecture_from_json(saved);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().where, "whole.model_type");
}

}  // namespace
}  // namespace headcount
