// Configurations of every known family: the published ones, absent and null fields, and fields that hold nonsense.
#include "core/files/config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "core/arch/validate.hpp"
#include "core/base/json_file.hpp"
#include "core/families/config_reader.hpp"
#include "core/files/open.hpp"
#include "tests/core/families/config_cases.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using test::tensors_of;

class FamilyConfig : public testing::TestWithParam<std::string> {
  protected:
    // With what files of the type have to say.
    json minimal() const {
        json config{{"model_type", GetParam()}};
        if (GetParam() == "dbrx") config["attn_config"] = {{"rope_theta", 500000}};
        if (GetParam() == "lfm2_moe") config["layer_types"] = std::vector<std::string>(32, "full_attention");
        return config;
    }
};

TEST_P(FamilyConfig, AbsentAndNullFieldsTakeTheDefaults) {
    Result<Architecture> absent = read_config(minimal(), "test");
    ASSERT_TRUE(absent) << sentence(absent.error());
    json nulls = minimal();
    Result<nlohmann::ordered_json> written = write_config(*absent);
    ASSERT_TRUE(written) << sentence(written.error());
    // Of some fields null says something: one key/value head for each head, no window, no bottleneck.
    std::set<std::string> meaningful{"model_type", "num_key_value_heads", "sliding_window", "q_lora_rank"};
    for (const char* type : {"ernie4_5", "internlm3", "iquestcoder", "ministral3", "paddleocr_vl_text", "seed_oss"})
        if (GetParam() == type) meaningful.insert("head_dim");
    if (GetParam() == "rwkv7")
        meaningful.insert({"decay_low_rank_dim", "a_low_rank_dim", "v_low_rank_dim", "gate_low_rank_dim"});
    if (GetParam() == "falcon_h1") meaningful.insert("mamba_d_ssm");
    if (GetParam() == "falcon") meaningful.insert({"multi_query", "parallel_attn"});
    for (const auto& [key, value] : written->items())
        if (!meaningful.contains(key) && !nulls.contains(key)) nulls[key] = nullptr;
    Result<Architecture> from_nulls = read_config(nulls, "test");
    ASSERT_TRUE(from_nulls) << sentence(from_nulls.error());
    for (const FieldInfo& field : fields())
        EXPECT_EQ(field_text(*from_nulls, field.field), field_text(*absent, field.field)) << field.key;
}

TEST_P(FamilyConfig, FieldsOfTheWrongTypeAreRefusedByName) {
    nlohmann::ordered_json written = *write_config(*read_config(minimal(), "test"));
    for (const auto& [key, value] : written.items()) {
        if (key == "architectures") continue;  // not read: the type says it all
        for (const json& wrong :
             {json::array({1}), json::object(), json("nonsense"), json(-7), json(0.5), json(true)}) {
            bool fine = (value.is_boolean() && wrong.is_boolean()) || (value.is_object() && wrong.is_object()) ||
                        (value.is_number_float() && wrong.is_number() && wrong.get<double>() >= 0) ||
                        (value.is_array() && value.empty() && wrong.is_array());
            const bool listed = key == "mlp_only_layers" || key == "cross_attention_layers" || key == "moe_topk";
            if (listed && wrong == json::array({1})) continue;  // the index of a layer, or a number for each
            if (fine) continue;
            json config = minimal();
            config[key] = wrong;
            Result<Architecture> arch = read_config(config, "config.json");
            ASSERT_FALSE(arch) << key << " = " << wrong;
            if (key == "model_type") continue;
            EXPECT_EQ(arch.error().where, "config.json, " + key) << wrong;
        }
    }
}

TEST_P(FamilyConfig, SizesOutOfRangeAreRefusedInWords) {
    nlohmann::ordered_json written = *write_config(*read_config(minimal(), "test"));
    for (const auto& [key, value] : written.items()) {
        if (!value.is_number_integer()) continue;
        for (const auto& [wrong, what] :
             std::initializer_list<std::pair<json, std::string>>{{0, "too small"},
                                                                 {-1, "negative"},
                                                                 {18446744073709551615u, "too large"},
                                                                 {4096.5, "not a whole number"}}) {
            json config = minimal();
            config[key] = wrong;
            Result<Architecture> arch = read_config(config, "config.json");
            if (key == "moe_layer_end_index" && wrong == -1) continue;  // the last
            if (wrong == 0 && arch) continue;  // there may be no shared experts, and no dense layers before the mixture
            ASSERT_FALSE(arch) << key << " = " << wrong;
            EXPECT_NE(arch.error().what.find(what), std::string::npos) << sentence(arch.error());
        }
    }
}

TEST(ConfigReader, QuotesAValueAsItWasWrittenUnlessItIsLong) {
    for (const auto& [value, shown] : std::initializer_list<std::pair<json, std::string>>{
             {"x", R"("x")"},
             {"", R"("")"},
             {-7, "-7"},
             {4096.5, "4096.5"},
             {true, "true"},
             {json::array({1}), "an array"},
             {json::object(), "an object"},
             {"\x1b[31mred\n\x7f", R"("\u001b[31mred\n\u007f")"},
             {"\u0085\u202e", R"("\u0085\u202e")"},
             {"ll\u00e4m\u00e4 \"2\"", "\"ll\u00e4m\u00e4 \\\"2\\\"\""},
             {std::string(38, 'a'), '"' + std::string(38, 'a') + '"'},
             {std::string(39, 'a'), '"' + std::string(35, 'a') + "...\""},
             {std::string(1'000'000, 'a'), '"' + std::string(35, 'a') + "...\""}})
        EXPECT_EQ(as_written(value), shown);
    std::string long_text = "a";
    for (int i = 0; i < 40; ++i) long_text += "\u00e9";
    EXPECT_EQ(as_written(long_text).size(), 40u) << "the cut halves a letter";
}

TEST(ConfigReader, SaysWhatStandsThereInsteadOfANumberAFlagOrAText) {
    for (const auto& [key, wrong, what] : std::initializer_list<std::tuple<const char*, json, std::string>>{
             {"hidden_size", "x", R"("x" is not a whole number)"},
             {"hidden_size", true, "true is not a whole number"},
             {"hidden_size", "4096", R"("4096" is a text, since it stands in quotes)"},
             {"rms_norm_eps", "1e-5", R"("1e-5" is a text, since it stands in quotes)"},
             {"tie_word_embeddings", "true", R"("true" is a text, since it stands in quotes)"},
             {"num_hidden_layers", "true", R"("true" is not a whole number)"},
             {"num_hidden_layers", "-2", R"("-2" is not a whole number)"},
             {"tie_word_embeddings", "1", R"("1" is neither true nor false)"},
             {"rms_norm_eps", "-1", R"("-1" is not a positive number)"},
             {"rms_norm_eps", "small", R"("small" is not a positive number)"},
             {"rms_norm_eps", -1, "-1 is not a positive number"},
             {"tie_word_embeddings", "yes", R"("yes" is neither true nor false)"},
             {"tie_word_embeddings", 1, "1 is neither true nor false"},
             {"hidden_act", 7, "7 is not text"},
             {"hidden_act", "sine\n", R"(unknown activation function "sine\n")"},
             {"model_type", "\x1bmamba", R"(model_type "\u001bmamba" is not known yet)"}}) {
        json config{{"model_type", "llama"}};
        config[key] = wrong;
        Result<Architecture> arch = read_config(config, "config.json");
        ASSERT_FALSE(arch) << key;
        EXPECT_EQ(arch.error().what, what);
    }
}

TEST_P(FamilyConfig, WhatTheFamilyHasAWordForSurvivesWritingAndReading) {
    Architecture arch = *read_config(minimal(), "test");
    for (const auto& [key, text] : {std::pair("dim", "512"),
                                    {"heads", "8"},
                                    {"layers", "3"},
                                    {"vocab", "1000"},
                                    {"context", "77"},
                                    {"ffn_dim", "1234"},
                                    {"tied", "true"},
                                    {"norm_epsilon", "0.001"}})
        arch = testing_data::with(arch, key, text);
    if (!validate(arch).empty()) arch = testing_data::with(arch, "kv_heads", "8");
    for (const char* activation : {"silu", "gelu", "gelu_tanh", "relu"}) {
        arch = testing_data::with(arch, "activation", activation);
        Result<nlohmann::ordered_json> written = write_config(arch);
        if (!written) {  // nothing is lost in silence: BLOOM's file has no word for another activation
            const std::string_view why = GetParam() == "helium"        ? "must be hidden_size"  // heads fill the width
                                         : GetParam() == "squeezebert" ? "groups do not divide "  // 1,234
                                                                       : "has no word for this choice of ";
            EXPECT_NE(written.error().what.find(why), std::string::npos) << sentence(written.error());
            continue;
        }
        Result<Architecture> back = read_config(json(*written), "test");
        ASSERT_TRUE(back) << sentence(back.error());
        EXPECT_EQ(tensors_of(*back), tensors_of(arch));
        EXPECT_TRUE(arch.patches || back->context == 77);  // an image has as many rows as its size makes
        EXPECT_EQ(back->norm, arch.norm);
        // Where every layer has experts, or none a feed-forward, there is no dense width to speak of.
        const bool experts = arch.layer.mixture && arch.layer.mixture->layers == LayerSet{};
        if (experts || arch.layer.feed_forward_layers == LayerSet::none())
            arch.layer.feed_forward.width = back->layer.feed_forward.width;
        EXPECT_EQ(back->layer.feed_forward, arch.layer.feed_forward);
    }
}

TEST_P(FamilyConfig, AnUnknownActivationIsRefusedByName) {
    json config = minimal();
    const nlohmann::ordered_json written = *write_config(*read_config(minimal(), "test"));
    for (const char* key : {"hidden_act", "activation_function", "activation", "hidden_activation"})
        if (written.contains(key)) config[key] = "quick_gelu_of_tomorrow";
    if (config == minimal()) GTEST_SKIP() << "its configuration does not choose";
    Result<Architecture> arch = read_config(config, "config.json");
    ASSERT_FALSE(arch);
    EXPECT_EQ(arch.error().what, "unknown activation function \"quick_gelu_of_tomorrow\"");
}

std::vector<std::string> family_types() {
    std::vector<std::string> types;
    for (const Family* family : families()) types.emplace_back(family->type);
    return types;
}

INSTANTIATE_TEST_SUITE_P(Families, FamilyConfig, testing::ValuesIn(family_types()),
                         [](const auto& of) { return testing_data::test_name(of.param); });

TEST(Families, AreFoundByTheirTypeAndNoOther) {
    for (const Family* family : families()) EXPECT_EQ(find_family(family->type), family);
    EXPECT_EQ(find_family(""), nullptr);
    EXPECT_EQ(find_family("LLAMA"), nullptr);
}

TEST(Families, HaveATreeInWhichEveryModuleHasItsParent) {
    for (const Family* family : families()) {
        int depth = -1, layers = 0, stacks = 0;
        bool base = family->base_path().empty();
        for (const Module& module : family->modules) {
            EXPECT_LE(module.depth, depth + 1) << family->type << ": " << module.name;
            EXPECT_EQ(module.depth == 0, module.name.empty()) << family->type << ": there is one root";
            depth = module.depth;
            layers += module.kind == ModuleKind::layer ? 1 : 0;
            stacks += is_stack(module.kind) ? 1 : 0;
            base = base || module.name == family->base_path();
        }
        // XLM lists each sub-block of its layers apart.
        EXPECT_TRUE(layers == std::max(stacks, 1) || (stacks == 0 && layers == 4)) << family->type;
        EXPECT_TRUE(base) << family->type;
    }
}

TEST(Config, OfAnUnknownTypeIsRefusedByItsName) {
    Result<Architecture> arch = read_config({{"model_type", "quixotic"}}, "config.json");
    ASSERT_FALSE(arch);
    EXPECT_EQ(arch.error().what, "model_type \"quixotic\" is not known yet");
    EXPECT_EQ(arch.error().where, "config.json");
    EXPECT_NE(arch.error().fix.find("llama"), std::string::npos) << "what is known is listed";
    EXPECT_FALSE(read_config(json::object(), "config.json"));
    EXPECT_FALSE(read_config({{"model_type", 7}}, "config.json"));
}

TEST(Config, NullKeyValueHeadsMeanOneForEachHead) {
    json config{{"model_type", "mistral"}, {"num_key_value_heads", nullptr}};
    EXPECT_EQ(kv_heads(*read_config(config, "test")), 32);
    config.erase("num_key_value_heads");
    EXPECT_EQ(kv_heads(*read_config(config, "test")), 8);
}

TEST(Config, LlamaHasBiasesOnlyWhereItSaysSo) {
    json config{{"model_type", "llama"}, {"attention_bias", true}, {"mlp_bias", true}};
    Architecture biased = *read_config(config, "test");
    EXPECT_TRUE(biased.layer.attention.qkv_bias && biased.layer.attention.output_bias &&
                biased.layer.feed_forward.bias);
    Result<nlohmann::ordered_json> written = write_config(biased);
    ASSERT_TRUE(written) << sentence(written.error());
    EXPECT_EQ(tensors_of(*read_config(json(*written), "test")), tensors_of(biased));
    config["model_type"] = "mistral";  // whose code never had any
    EXPECT_FALSE(read_config(config, "test")->layer.attention.qkv_bias);
}

TEST(Config, WhatTheFamilyHasNoWordForIsNamed) {
    Architecture gpt2 = *read_config({{"model_type", "gpt2"}}, "test");
    Result<nlohmann::ordered_json> written = write_config(testing_data::with(gpt2, "positions", "rope"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().what, "a gpt2 configuration has no word for this choice of positions");
    Architecture llama = *read_config({{"model_type", "llama"}}, "test");
    written = write_config(testing_data::with(llama, "qkv_bias", "true"));
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().what.find("qkv_bias"), std::string::npos);
}

TEST(Config, ImpossibleCombinationsAreRefusedWithTheFile) {
    Result<Architecture> arch = read_config({{"model_type", "llama"}, {"num_attention_heads", 30}}, "config.json");
    ASSERT_FALSE(arch);
    EXPECT_EQ(arch.error().what, "30 heads do not divide width 4096 evenly");
    EXPECT_EQ(arch.error().where, "config.json, num_attention_heads (heads)");
}

TEST(Config, ImpossibleCombinationsNameTheFilesOwnKey) {
    for (const auto& [config, where] : std::initializer_list<std::pair<json, std::string>>{
             {{{"model_type", "llama"}, {"num_key_value_heads", 7}}, "num_key_value_heads (kv_heads)"},
             {{{"model_type", "gpt2"}, {"n_head", 7}}, "n_head (heads)"},
             {{{"model_type", "gpt2"}, {"num_attention_heads", 7}}, "num_attention_heads (heads)"},
             {{{"model_type", "mpt"}, {"n_heads", 7}}, "n_heads (heads)"},
             {{{"model_type", "mixtral"}, {"num_experts_per_tok", 9}}, "num_experts_per_tok (experts_per_token)"},
             {{{"model_type", "mixtral"}, {"num_local_experts", 1}},
              "experts_per_token"},  // by default, no key says it
             {{{"model_type", "gptj"}, {"rotary_dim", 63}}, "rotary_dim"}}) {
        Result<Architecture> arch = read_config(config, "config.json");
        ASSERT_FALSE(arch) << config;
        EXPECT_EQ(arch.error().where, "config.json, " + where) << sentence(arch.error());
    }
}

TEST(Config, WholeNumbersMayHaveAPoint) {
    const auto read = [](const char* text) { return read_config(json::parse(text), "config.json"); };
    Result<Architecture> arch =
        read(R"({"model_type": "llama", "hidden_size": 512.0, "num_attention_heads": 8.0, "vocab_size": 1e4})");
    ASSERT_TRUE(arch) << sentence(arch.error());
    EXPECT_EQ(arch->dim, 512);
    EXPECT_EQ(arch->layer.attention.heads, 8);
    EXPECT_EQ(arch->vocab, 10'000);
    for (const auto& [text, what] : std::initializer_list<std::pair<const char*, const char*>>{
             {R"({"model_type": "llama", "hidden_size": 512.5})", "512.5 is not a whole number"},
             {R"({"model_type": "llama", "hidden_size": -512.0})", "-512.0 is negative"},
             {R"({"model_type": "llama", "hidden_size": 0.0})", "0.0 is too small"},
             {R"({"model_type": "llama", "hidden_size": 1e300})", "1e+300 is too large to be exact"}}) {
        arch = read(text);
        ASSERT_FALSE(arch) << text;
        EXPECT_EQ(arch.error().what, what);
    }
}

TEST(Config, AHeadThatWeightsHoldThoughTransformersTiesItIsSaid) {
    const auto said = [](const char* type, bool tied, const char* form = "gated-gelu") {
        const Result<Architecture> arch =
            read_config({{"model_type", type}, {"tie_word_embeddings", tied}, {"feed_forward_proj", form}}, "test");
        return std::ranges::any_of(notes_on(*arch), [](const std::string& note) {
            return note.starts_with("The output head of its own is counted, as weights of this type have it");
        });
    };
    for (const char* type : {"t5", "mt5", "umt5"}) {
        EXPECT_TRUE(said(type, false)) << type;
        EXPECT_FALSE(said(type, true)) << type;
        EXPECT_FALSE(said(type, false, "relu")) << type << " without gates is tied, as transformers has it";
    }
    EXPECT_FALSE(said("bart", false));
}

TEST(Config, AFormOfT5ThatIsNotKnownIsRefusedByItsClass) {
    const auto of = [](const char* type, const char* name, bool tied = true) {
        return read_config({{"model_type", type},
                            {"architectures", {name}},
                            {"feed_forward_proj", "gated-gelu"},
                            {"tie_word_embeddings", tied}},
                           "test");
    };
    for (const char* known : {"T5ForConditionalGeneration", "T5WithLMHeadModel", "T5Model"}) {
        ASSERT_TRUE(of("t5", known)) << known;
        EXPECT_TRUE(of("t5", known)->encoder) << known;
    }
    ASSERT_TRUE(of("t5", "T5EncoderModel", false));
    EXPECT_FALSE(of("t5", "T5EncoderModel", false)->encoder);
    EXPECT_EQ(note_on_difference(*of("t5", "T5EncoderModel", false)), "");
    for (const char* other : {"T5ForMultipleChoice", "MT5EncoderModel"}) EXPECT_FALSE(of("t5", other)) << other;
    EXPECT_FALSE(of("t5", "T5Model", false)) << "which has no head, where the file's weights would be one";
    EXPECT_EQ(of("longt5", "LongT5EncoderModel").error().fix, "give LongT5ForConditionalGeneration");
}

TEST(Config, WhatTransformersHasOtherwiseIsSaidWhereItIsOtherwise) {
    const auto said = [](const json& config) { return note_on_difference(*read_config(config, "test")); };
    EXPECT_NE(said({{"model_type", "longcat_flash"}}), "");
    EXPECT_EQ(said({{"model_type", "longcat_flash"}, {"zero_expert_num", 0}}), "");
    EXPECT_EQ(said({{"model_type", "olmo_hybrid"}}), "");
    EXPECT_EQ(said({{"model_type", "kimi_k25"}, {"text_config", {{"model_type", "deepseek_v3"}}}}), "");
    EXPECT_EQ(said({{"model_type", "deepseek_v3"}}), "");
    json file{{"model_type", "t5"}, {"feed_forward_proj", "gated-gelu"}, {"tie_word_embeddings", false}};
    EXPECT_NE(said(file), "");
    file["transformers_version"] = "5.23.0";
    EXPECT_NE(said(file), "");
    file["transformers_version"] = "4.24.0.dev0";
    EXPECT_EQ(said(file), "") << "whose head was its own in every version that could have written it";
}

TEST(Config, PositionsThatATypeDoesNotHaveAreNoOthers) {
    EXPECT_EQ(read_config({{"model_type", "xlm-roberta"}, {"position_embedding_type", "rotary"}}, "f").error().what,
              "\"rotary\" positions are not known in a model of this type");
    EXPECT_TRUE(read_config({{"model_type", "esm"}, {"position_embedding_type", "rotary"}}, "f"));
}

TEST(Config, ModelsWithAnEncoderAreRefused) {
    const json sizes{
        {"hidden_size", 768}, {"num_hidden_layers", 12}, {"num_attention_heads", 12}, {"vocab_size", 30522}};
    for (const char* type : {"dia", "mobilebert", "speecht5", "moonshine_streaming"}) {
        json config = sizes;
        config["model_type"] = type;
        Result<Architecture> arch = read_config(config, "config.json");
        ASSERT_FALSE(arch) << type;
        EXPECT_EQ(arch.error().where, "config.json, model_type");
        EXPECT_NE(sentence(arch.error()).find("Headcount shows decoders, encoders like BERT"), std::string::npos);
    }
    json config = sizes;
    config["model_type"] = "newcomer";
    config["is_encoder_decoder"] = true;
    EXPECT_EQ(read_config(config, "config.json").error().where, "config.json, is_encoder_decoder");
    config["is_encoder_decoder"] = false;
    EXPECT_TRUE(read_config(config, "config.json"));
    EXPECT_FALSE(
        read_config({{"model_type", "pictures"}, {"text_config", {{"model_type", "mobilebert"}}}}, "config.json"));
}

}  // namespace
}  // namespace headcount
