// The families built on LLaMA: what each reads of a configuration besides its tensors, windows and positions by layer,
// other spellings, exports, and fields that hold nonsense.
#include <gtest/gtest.h>

#include "core/arch/fields.hpp"
#include "core/files/config.hpp"
#include "tests/core/families/reading.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using reading::cannot_say;
using reading::exported;
using reading::read;
using reading::refusal;
using reading::type;
using testing_data::with;

constexpr std::array types{"llama", "mistral", "ministral", "qwen2",    "qwen3",   "gemma",   "gemma2", "gemma3_text",
                           "olmo",  "olmo2",   "olmo3",     "cohere",   "cohere2", "glm",     "glm4",   "stablelm",
                           "phi3",  "granite", "smollm3",   "nemotron", "exaone4", "ernie4_5"};

Field named(std::string_view key) {
    for (const FieldInfo& each : fields())
        if (each.key == key) return each.field;
    throw std::runtime_error("no field " + std::string(key));
}

// "w-w-w-": which of the first layers have a window.
std::string windows(const Architecture& arch, std::int64_t layers = 12) {
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    std::string letters;
    for (std::int64_t layer = 0; layer < std::min(layers, arch.layers); ++layer)
        letters += window && window->layers.contains(layer) ? 'w' : '-';
    return letters;
}

std::string rotated(const Architecture& arch, std::int64_t layers = 12) {
    std::string letters;
    for (std::int64_t layer = 0; layer < std::min(layers, arch.layers); ++layer)
        letters += arch.layer.attention.rotated.contains(layer) ? 'r' : '-';
    return letters;
}

json layer_types(const std::string& letters) {
    json list = json::array();
    for (char letter : letters) list.push_back(letter == 'w' ? "sliding_attention" : "full_attention");
    return list;
}

TEST(LlamaFamilies, EveryFieldAndOnlyTheImportantOnesGiveTheSameArchitecture) {
    std::size_t compared = 0;
    for (const std::string& id : testing_data::files_in("models")) {
        const json model = testing_data::golden_model(id);
        const std::string name = model["config"]["model_type"];
        if (std::find(types.begin(), types.end(), name) == types.end()) continue;
        Architecture every = read(model["config"]), few = read(model["config_sparse"]);
        // The one says what the other leaves to the rule: heads of dim / heads.
        for (Architecture* arch : {&every, &few}) {
            arch->layer.attention.head_dim = bindings(*arch, {})[Symbol::head_dim];
            arch->layer.attention.kv_heads = kv_heads(*arch);
            arch->carried = {};
        }
        EXPECT_EQ(every, few) << id;
        ++compared;
    }
    EXPECT_GE(compared, 30u);
}

TEST(LlamaFamilies, WindowsAreInTheLayersThatTheTypeHasThemIn) {
    EXPECT_EQ(windows(read(type("mistral"))), "wwwwwwwwwwww");
    EXPECT_EQ(windows(read(type("mistral", {{"sliding_window", nullptr}}))), "------------");
    EXPECT_EQ(windows(read(type("ministral"))), "wwwwwwwwwwww");
    EXPECT_EQ(windows(read(type("gemma2"))), "w-w-w-w-w-w-");
    EXPECT_EQ(windows(read(type("gemma3_text"))), "wwwww-wwwww-");
    EXPECT_EQ(windows(read(type("gemma3_text", {{"sliding_window_pattern", 3}}))), "ww-ww-ww-ww-");
    EXPECT_EQ(windows(read(type("olmo3"))), "www-www-www-");
    EXPECT_EQ(windows(read(type("cohere2"))), "www-www-www-");
    EXPECT_EQ(windows(read(type("cohere2", {{"sliding_window_pattern", 1}}))), "------------");
    EXPECT_EQ(windows(read(type("exaone4"))), "www-www-www-");
    EXPECT_EQ(windows(read(type("phi3"))), "------------");
    EXPECT_EQ(windows(read(type("phi3", {{"sliding_window", 2047}}))), "wwwwwwwwwwww");
    for (const char* name : {"llama", "gemma", "olmo2", "cohere", "glm", "glm4", "granite", "nemotron", "stablelm"})
        EXPECT_FALSE(read(type(name, {{"sliding_window", 4096}})).layer.attention.window) << name;
}

TEST(LlamaFamilies, QwensWindowsAreSwitchedOnAndStartBehindTheFirstLayers) {
    for (const char* name : {"qwen2", "qwen3"}) {
        json config = type(name, {{"num_hidden_layers", 6}, {"sliding_window", 32}, {"max_window_layers", 4}});
        EXPECT_FALSE(read(config).layer.attention.window) << name;
        config["use_sliding_window"] = true;
        EXPECT_EQ(windows(read(config)), "----ww") << name;
        EXPECT_EQ(read(config).layer.attention.window->size, 32) << name;
        config["layer_types"] = layer_types("w-w-w-");
        EXPECT_EQ(windows(read(config)), "w-w-w-") << name;
        EXPECT_EQ(windows(read(exported(read(config)))), "w-w-w-") << name;
    }
}

TEST(LlamaFamilies, LayerTypesComeBeforeThePattern) {
    for (const char* name : {"ministral", "gemma2", "gemma3_text", "olmo3", "cohere2", "exaone4"}) {
        // EXAONE 4 spells its pattern as LLLG.
        json config = type(name, {{"num_hidden_layers", 5}, {"sliding_window_pattern", "LLLG"}});
        config["layer_types"] = layer_types("-ww-w");
        EXPECT_EQ(windows(read(config)), "-ww-w") << name;
        json written = exported(read(config));
        EXPECT_EQ(written["layer_types"], config["layer_types"]) << name;
    }
}

TEST(LlamaFamilies, LayersWithoutPositionsAreThoseOfTheType) {
    EXPECT_EQ(rotated(read(type("cohere2"))), "rrr-rrr-rrr-");
    EXPECT_EQ(rotated(read(type("cohere2", {{"sliding_window", nullptr}}))), "------------");
    EXPECT_EQ(rotated(read(type("exaone4"))), "rrr-rrr-rrr-");
    EXPECT_EQ(rotated(read(type("exaone4", {{"sliding_window", nullptr}}))), "rrrrrrrrrrrr");
    EXPECT_EQ(rotated(read(type("smollm3"))), "rrr-rrr-rrr-");
    EXPECT_EQ(rotated(read(type("smollm3", {{"no_rope_layer_interval", 2}}))), "r-r-r-r-r-r-");
    json listed = type("smollm3", {{"num_hidden_layers", 4}, {"no_rope_layers", {0, 1, 1, 0}}});
    EXPECT_EQ(rotated(read(listed)), "-rr-");
    EXPECT_EQ(exported(read(listed))["no_rope_layers"], listed["no_rope_layers"]);
    listed["use_sliding_window"] = true;
    listed["sliding_window"] = 64;
    EXPECT_EQ(windows(read(listed)), "w--w") << "where there are no positions";
    EXPECT_EQ(rotated(read(type("gemma2"))), "rrrrrrrrrrrr");
}

TEST(LlamaFamilies, ThePartOfAHeadThatPositionsTurnIsReadWhereverItStands) {
    auto turned = [](const json& config) { return read(config).layer.attention.rotary_dim; };
    EXPECT_EQ(turned(type("stablelm")), 20);  // a quarter of 2560 / 32
    EXPECT_EQ(turned(type("nemotron")), 64);
    EXPECT_EQ(turned(type("glm")), 64);
    EXPECT_EQ(turned(type("glm4", {{"partial_rotary_factor", 0.25}})), 32);
    EXPECT_EQ(turned(type("phi3")), std::nullopt) << "all of it";
    EXPECT_EQ(turned(type("phi3", {{"partial_rotary_factor", 0.75}})), 72);
    EXPECT_EQ(turned(type("phi3", {{"rope_parameters", {{"partial_rotary_factor", 0.75}}}})), 72);
    EXPECT_EQ(turned(type("llama", {{"partial_rotary_factor", 0.5}})), std::nullopt) << "it has no such field";
}

TEST(LlamaFamilies, SpellingsOfRotaryPositionsAreCarriedWhicheverTheyAre) {
    const json nested{{"sliding_attention", {{"rope_theta", 1e4}}}, {"full_attention", {{"rope_theta", 1e6}}}};
    for (const auto& [name, field, value] : std::initializer_list<std::tuple<const char*, const char*, json>>{
             {"gemma3_text", "rope_parameters", nested},
             {"gemma3_text", "rope_local_base_freq", 10000},
             {"llama", "rope_theta", 500000.0},
             {"llama", "rope_scaling", {{"rope_type", "llama3"}, {"factor", 8.0}}},
             {"qwen2", "torch_dtype", "bfloat16"},
             {"qwen2", "dtype", "bfloat16"},
             {"olmo", "clip_qkv", 8.0},
             {"granite", "residual_multiplier", 0.22},
             {"gemma2", "attn_logit_softcapping", 50.0}})
        EXPECT_EQ(exported(read(type(name, {{field, value}})))[field], value) << name << ' ' << field;
}

TEST(LlamaFamilies, NormsStandWhereTheTypeHasThem) {
    auto placement = [](const char* name) { return read(type(name)).norm.placement; };
    for (const char* name : {"olmo2", "olmo3", "exaone4"}) EXPECT_EQ(placement(name), NormPlacement::after) << name;
    for (const char* name : {"gemma2", "gemma3_text", "glm4"}) EXPECT_EQ(placement(name), NormPlacement::both) << name;
    for (const char* name : {"gemma", "olmo", "glm", "cohere"}) EXPECT_EQ(placement(name), NormPlacement::before);
    EXPECT_FALSE(read(type("olmo")).norm.scale);
    EXPECT_EQ(read(type("cohere")).layer.joining, Joining::parallel_shared);
    EXPECT_EQ(read(type("stablelm", {{"use_parallel_residual", true}})).layer.joining, Joining::parallel_shared);
    EXPECT_EQ(read(type("cohere", {{"use_qk_norm", true}})).layer.attention.qk_norm, QkNorm::each_head);
    EXPECT_EQ(read(type("olmo2")).layer.attention.qk_norm, QkNorm::across);
    EXPECT_EQ(read(type("qwen3")).layer.attention.qk_norm, QkNorm::per_head);
}

TEST(LlamaFamilies, EditsThatTheTypeHasWordsForSurviveAnExport) {
    for (const auto& [name, key, text] : std::initializer_list<std::tuple<const char*, const char*, const char*>>{
             {"mistral", "window", "none"},
             {"mistral", "window", "1000"},
             {"mistral", "head_dim", "256"},
             {"qwen2", "window", "77"},
             {"gemma2", "window_layers", "110"},
             {"gemma3_text", "window", "none"},
             {"gemma3_text", "layers", "4096"},
             {"olmo3", "window_layers", "0"},
             {"smollm3", "rotated_layers", "10"},
             {"stablelm", "rotary_dim", "40"},
             {"stablelm", "qk_norm", "each_head"},
             {"stablelm", "joining", "parallel_shared"},
             {"cohere", "qk_norm", "each_head"},
             {"nemotron", "ffn_bias", "true"},
             {"nemotron", "rotary_dim", "auto"},
             {"glm", "qkv_bias", "false"},
             {"phi3", "window", "2047"},
             {"gemma", "activation", "gelu"}}) {
        const Architecture edited = with(read(type(name)), key, text);
        Architecture back = read(exported(edited));
        EXPECT_EQ(field_text(back, named(key)), field_text(edited, named(key))) << name << ' ' << key;
    }
}

TEST(LlamaFamilies, AUsualSpellingOfTheActivationIsKept) {
    EXPECT_EQ(exported(read(type("gemma")))["hidden_act"], "gelu_pytorch_tanh");
    EXPECT_EQ(exported(read(type("gemma3_text")))["hidden_activation"], "gelu_pytorch_tanh");
    EXPECT_EQ(exported(read(type("nemotron")))["hidden_act"], "relu2");
}

TEST(LlamaFamilies, WhatAConfigurationCannotSayIsNamed) {
    for (const auto& [name, key, text] : std::initializer_list<std::tuple<const char*, const char*, const char*>>{
             {"llama", "qkv_bias", "true"},
             {"llama", "window", "4096"},
             {"llama", "qk_norm", "per_head"},
             {"mistral", "window_layers", "10"},
             {"qwen2", "qkv_bias", "false"},
             {"qwen2", "attention_output_bias", "true"},
             {"gemma2", "norm_placement", "before"},
             {"olmo", "norm_epsilon", "0.001"},
             {"olmo", "norm_scale", "true"},
             {"cohere2", "rotated_layers", "1"},
             {"stablelm", "head_dim", "100"},
             {"phi3", "qkv_bias", "true"},
             {"glm4", "gated", "false"},
             {"ernie4_5", "ffn_bias", "true"}})
        EXPECT_TRUE(cannot_say(read(type(name)), key, text));
}

TEST(LlamaFamilies, OnlyGemma3LetsTokensSeeLaterOnesWhereItsFileSaysSo) {
    const char* const field = "use_bidirectional_attention";
    const Architecture both_ways = read(type("gemma3_text", {{field, true}}));
    EXPECT_EQ(both_ways.layer.attention.mask, AttentionMask::full);
    EXPECT_EQ(exported(both_ways)[field], true);
    EXPECT_EQ(read(exported(both_ways)).layer.attention.mask, AttentionMask::full);
    for (const json& fields : {json::object(), json{{field, false}}, json{{field, nullptr}}}) {
        const Architecture one_way = read(type("gemma3_text", fields));
        EXPECT_EQ(one_way.layer.attention.mask, AttentionMask::causal) << fields;
        EXPECT_FALSE(exported(one_way).contains(field)) << fields;
    }
}

TEST(LlamaFamilies, ListsOfLayersThatAreNoneAreSentences) {
    for (const auto& [name, field, value, words] :
         std::initializer_list<std::tuple<const char*, const char*, json, std::string>>{
             {"gemma2", "layer_types", "sliding_attention", "\"sliding_attention\" is not a list"},
             {"gemma2", "layer_types", layer_types("w-w"), "3 entries do not fit 26 layers"},
             {"gemma2", "layer_types", json::array(), "0 entries do not fit 26 layers"},
             {"gemma2", "layer_types", json(26, "linear_attention"),
              "\"linear_attention\" is a kind of layer that is not known here"},
             {"gemma2", "layer_types", json(26, 7), "7 is a kind of layer that is not known here"},
             {"gemma2", "layer_types", json(100'000, "full_attention"), "100,000 entries are too many"},
             {"qwen2", "layer_types", json::object(), "an object is not a list"},
             {"smollm3", "no_rope_layers", {1, 1, 1, 0}, "4 entries do not fit 36 layers"},
             {"smollm3", "no_rope_layer_interval", 0, "0 is too small"},
             {"smollm3", "no_rope_layer_interval", 1'000'000, "1,000,000 is too large"},
             {"gemma3_text", "sliding_window_pattern", -1, "-1 is negative"},
             {"gemma3_text", "sliding_window_pattern", "often", "\"often\" is not a whole number"},
             {"cohere2", "sliding_window_pattern", std::int64_t{1} << 62, "4,611,686,018,427,387,904 is too large"},
             {"mistral", "sliding_window", 0, "0 is too small"},
             {"mistral", "sliding_window", "4096", "\"4096\" is a text, since it stands in quotes"},
             {"qwen2", "use_sliding_window", 1, "1 is neither true nor false"},
             {"gemma", "use_bidirectional_attention", true, "attention to later tokens"},
             {"gemma2", "hidden_activation", "sine", "unknown activation function \"sine\""},
             {"stablelm", "partial_rotary_factor", 0, "cannot be turned"},
             {"nemotron", "norm_eps", "small", "\"small\" is not a positive number"}}) {
        const std::string said = refusal(type(name, {{field, value}}));
        EXPECT_NE(said.find(words), std::string::npos) << name << ' ' << field << ": " << said;
        EXPECT_NE(said.find(field), std::string::npos) << said;
    }
}

TEST(LlamaFamilies, FirstLayersWithoutAWindowAreToldApartOrRefused) {
    for (const char* name : {"qwen2", "qwen3", "qwen2_moe"}) {
        json config =
            type(name, {{"use_sliding_window", true}, {"num_hidden_layers", 48}, {"max_window_layers", 5000}});
        if (config["model_type"] != "qwen2_moe") {
            EXPECT_EQ(windows(read(config)), "------------") << "no layer is behind so many";
        }
        config["num_hidden_layers"] = 9000;
        const std::string said = refusal(config);
        EXPECT_NE(said.find("5,000 layers are too many to be told apart: config.json, max_window_layers"),
                  std::string::npos)
            << said;
        config["max_window_layers"] = 4096;
        EXPECT_EQ(refusal(config), "");
    }
}

TEST(LlamaFamilies, HugeSizesAreReadOrRefusedAndNothingElse) {
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const char* name : types)
        for (const char* field : {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
                                  "head_dim", "intermediate_size", "vocab_size", "sliding_window"})
            for (std::int64_t size : {huge, huge - 1, std::int64_t{1} << 40}) {
                Result<Architecture> arch = read_config(type(name, {{field, size}}), "config.json");
                if (arch) {
                    EXPECT_NO_THROW(static_cast<void>(write_config(*arch))) << name << ' ' << field;
                }
            }
}

TEST(LlamaFamilies, NormsOnBothSidesOfAnEditedModelHaveNamesOfTheirOwn) {
    for (const char* name : types) {
        const Architecture both = with(read(type(name)), "norm_placement", "both");
        if (!validate(both).empty()) continue;  // side by side there is nothing between
        std::set<std::string> names;
        for (const StoredTensor& tensor : expand(both).stored)
            if (tensor.layer.value_or(0) == 0) {
                EXPECT_TRUE(names.insert(tensor.name).second) << name << ' ' << tensor.name;
            }
    }
}

}  // namespace
}  // namespace headcount
