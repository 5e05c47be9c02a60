// Configurations of types with tensors besides those of a transformer.
#include <gtest/gtest.h>

#include "core/files/config.hpp"
#include "tests/core/families/config_cases.hpp"

namespace headcount {
namespace {

using test::tensors_of;

TEST(Config, WhatBesidesAreMadeOfIsRefusedWhereItIsOfAnotherKind) {
    constexpr std::int64_t large = (std::int64_t{1} << 30) + 1;
    for (const auto& [type, field, wrong] : std::initializer_list<std::tuple<const char*, const char*, json>>{
             {"wav2vec2", "add_adapter", 1},
             {"hubert", "use_weighted_layer_sum", "true"},
             {"wav2vec2-bert", "use_intermediate_ffn_before_adapter", 1},
             {"sew-d", "relative_attention", 0},
             {"sew-d", "share_att_key", "false"},
             {"ernie", "use_task_id", 1},
             {"beit", "use_shared_relative_position_bias", 1},
             {"convbert", "num_groups", json::array({2})},
             {"sew", "squeeze_factor", json::array({4})},
             {"wavlm", "num_buckets", json::array({64})},
             {"wavlm", "max_bucket_distance", large},
             {"pop2piano", "composer_vocab_size", large},
             {"funnel", "block_sizes", 5},
             {"funnel", "block_sizes", json::array({4, 4.5})},
             {"funnel", "block_sizes", json::array({large})},
             {"tapas", "type_vocab_sizes", 5},
             {"speech_to_text", "conv_kernel_sizes", json::array({5, -5})}}) {
        const Result<Architecture> arch = read_config({{"model_type", type}, {field, wrong}}, "config.json");
        ASSERT_FALSE(arch) << type << ' ' << field << ' ' << wrong;
        EXPECT_EQ(arch.error().where, std::string("config.json, ") + field) << sentence(arch.error());
    }
}

TEST(Config, WholeNumbersOfWhatIsBesidesMayHaveAPoint) {
    for (const auto& [type, field, with_points, without] :
         std::initializer_list<std::tuple<const char*, const char*, json, json>>{
             {"funnel", "block_sizes", json::array({2.0, 1.0}), json::array({2, 1})},
             {"speech_to_text", "conv_kernel_sizes", json::array({3.0, 5.0}), json::array({3, 5})},
             {"sew-d", "position_buckets", 128.0, 128}}) {
        const Result<Architecture> arch = read_config({{"model_type", type}, {field, with_points}}, "config.json");
        const Result<Architecture> same = read_config({{"model_type", type}, {field, without}}, "config.json");
        ASSERT_TRUE(arch) << sentence(arch.error());
        ASSERT_TRUE(same) << sentence(same.error());
        EXPECT_EQ(tensors_of(*arch), tensors_of(*same)) << type;
        EXPECT_NE(tensors_of(*arch), tensors_of(*read_config({{"model_type", type}}, "config.json"))) << type;
    }
}

// A document says what is carried without a reader that would refuse it.
TEST(Families, ListNoEndOfBesidesWhateverIsCarried) {
    const std::int64_t endless = 9'000'000'000'000'000'000;
    for (const auto& [type, carried] : std::initializer_list<std::pair<const char*, json>>{
             {"funnel", {{"block_sizes", json::array({endless, -3, endless})}}},
             {"t5gemma", {{"encoder", {{"num_hidden_layers", endless}}}}},
             {"speech_to_text", {{"conv_kernel_sizes", json::array({-5, endless})}}}}) {
        Architecture arch = *read_config({{"model_type", type}}, "config.json");
        if (std::string_view(type) == "t5gemma") arch.encoder.reset();
        arch.carried = carried_from(carried);
        const std::vector<Extra> besides = arch.family->besides(arch);
        EXPECT_LT(besides.size(), 20'000u) << type;
        for (const Extra& beside : besides)
            for (const Expr& side : beside.weight) {
                const Result<std::int64_t> size = evaluate(side, bindings(arch, {}));
                EXPECT_TRUE(size && *size >= 0) << beside.name;
            }
    }
}

TEST(Families, NeedNoConvolutionsWhereTheirBesidesAreThese) {
    const auto problems = [](const char* type, const char* field, const char* text) {
        const Architecture arch = *read_config({{"model_type", type}}, "config.json");
        EXPECT_TRUE(validate(arch).empty()) << type;
        return validate(testing_data::with(arch, field, text)).size();
    };
    EXPECT_EQ(problems("speech_to_text", "convolutions", "none"), 0u);
    for (const char* type : {"bart", "switch_transformers", "whisper", "moonshine"})
        EXPECT_GE(problems(type, "ffn_layers", "0"), 1u);
    for (const char* type : {"moonshine", "whisper", "wav2vec2"}) EXPECT_GE(problems(type, "convolutions", "none"), 1u);
}

// 0.62 of 52 columns, as moonshine-base has it.
TEST(Config, HowManyColumnsMoonshineTurnsIsWrittenAgain) {
    for (const auto& [width, part] : {std::pair{416, 0.62}, {288, 0.9}, {288, 0.5}, {288, 1.0}}) {
        const Result<Architecture> read =
            read_config({{"model_type", "moonshine"}, {"hidden_size", width}, {"partial_rotary_factor", part}}, "");
        ASSERT_TRUE(read) << sentence(read.error());
        const Result<nlohmann::ordered_json> written = write_config(*read);
        ASSERT_TRUE(written) << sentence(written.error());
        EXPECT_EQ(read_config(json(*written), "")->layer.attention.rotary_dim, read->layer.attention.rotary_dim)
            << part;
    }
}

TEST(Config, RowsThatATypeHasBesidesAreNeverNone) {
    for (const auto& [type, field] : {std::pair{"prophetnet", "ngram"}, std::pair{"prophetnet", "num_buckets"},
                                      std::pair{"pegasus_x", "num_global_tokens"}}) {
        const Result<Architecture> arch = read_config({{"model_type", type}, {field, 0}}, "config.json");
        ASSERT_FALSE(arch) << field;
        EXPECT_EQ(arch.error().where, std::string("config.json, ") + field);
    }
}

}  // namespace
}  // namespace headcount
