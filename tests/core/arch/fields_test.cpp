// Every field by name: what is set is read back, and what cannot be set is refused in words.
#include "core/arch/fields.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/arch/validate.hpp"

namespace headcount {
namespace {

// Texts that differ from the defaults, for every field.
std::map<Field, std::vector<std::string>> texts() {
    std::map<Field, std::vector<std::string>> all;
    for (const FieldInfo& field : fields()) {
        std::vector<std::string>& some = all[field.field];
        if (field.kind == FieldKind::number)
            some = {std::to_string(std::max<std::int64_t>(field.least, 1)), "96", "9223372036854775807"};
        if (field.kind == FieldKind::ratio) some = {"1", "1.3", "0.125", "12.000000001"};
        if (field.kind == FieldKind::real) some = {"0", "1e-05", "1e-12", "0.5"};
        if (field.kind == FieldKind::flag) some = {"true", "false"};
        for (std::string_view choice : field.choices) some.emplace_back(choice);
        if (field.kind == FieldKind::layers) some = {"1", "0", "000|1", "111110"};
        if (field.kind == FieldKind::convolutions) some = {"512x10/5", "512x10/5,64x3/2", "dx3/1,2dx3/2"};
        if (field.absence == Absence::rule) some.emplace_back("auto");
        if (field.absence == Absence::none) some.emplace_back("none");
    }
    return all;
}

TEST(Fields, EveryFieldReadsBackWhatWasSet) {
    for (const auto& [field, some] : texts()) {
        ASSERT_FALSE(some.empty()) << info(field).key;
        for (const std::string& text : some) {
            Result<Architecture> set = with_field(Architecture{}, info(field).key, text);
            ASSERT_TRUE(set) << info(field).key << "=" << text << ": " << sentence(set.error());
            EXPECT_EQ(field_text(*set, field), text) << info(field).key;
            Result<Architecture> again = with_field(*set, field, *field_text(*set, field));
            ASSERT_TRUE(again);
            EXPECT_EQ(*again, *set) << info(field).key;
        }
    }
}

TEST(Fields, AChoiceHasThePlaceOfItsWordAndAFlagIsOneOrZero) {
    for (const FieldInfo& field : fields()) {
        for (std::size_t i = 0; i < field.choices.size(); ++i)
            EXPECT_EQ(field_place(*with_field(Architecture{}, field.field, field.choices[i]), field.field),
                      static_cast<int>(i))
                << field.key;
        if (field.kind != FieldKind::flag) continue;
        EXPECT_EQ(field_place(*with_field(Architecture{}, field.field, "true"), field.field), 1) << field.key;
        EXPECT_EQ(field_place(*with_field(Architecture{}, field.field, "false"), field.field), 0) << field.key;
    }
}

TEST(Fields, EveryActivationHasAllItsNames) {
    for (const ActivationInfo& each : activation_functions) {
        for (const std::string_view name : {each.key, each.label, each.short_label, each.function, each.gated})
            EXPECT_FALSE(name.empty()) << each.key;
        EXPECT_TRUE(each.hidden.starts_with(std::string(each.function) + "(U)")) << each.hidden;
        EXPECT_TRUE(each.gated_hidden.starts_with(std::string(each.function) + "(G)")) << each.gated_hidden;
    }
    DenseFeedForward feed_forward;
    EXPECT_EQ(feed_forward_name(feed_forward), "SwiGLU");
    feed_forward = {.gated = false, .activation = Activation::gelu_tanh};
    EXPECT_EQ(feed_forward_name(feed_forward), "GELU");
}

TEST(Fields, SettingAFieldToItsOwnTextChangesNothing) {
    Architecture ruled;
    ruled.layer.feed_forward.width = MetaRule{4096, {13, 10}};
    for (const Architecture& arch : {Architecture{}, ruled})
        for (const FieldInfo& field : fields()) {
            if (std::optional<std::string> text = field_text(arch, field.field)) {
                EXPECT_EQ(*with_field(arch, field.field, *text), arch) << field.key;
            }
        }
}

TEST(Fields, SettingOneFieldLeavesTheOthers) {
    for (const auto& [field, some] : texts()) {
        bool width = field == Field::ffn_dim || field == Field::ffn_multiple_of || field == Field::ffn_multiplier;
        Architecture changed = *with_field(Architecture{}, field, some.front());
        for (const FieldInfo& other : fields()) {
            bool of_width = other.key.starts_with("ffn_") && other.field != Field::ffn_bias;
            if (other.field == field || (width && of_width)) continue;
            // A field of a part that was not there brings the part in.
            const std::optional<std::string> before = field_text(Architecture{}, other.field);
            if ((!before || before == "none") && field_text(changed, other.field) != before) continue;
            EXPECT_EQ(field_text(changed, other.field), field_text(Architecture{}, other.field))
                << info(field).key << " changed " << other.key;
        }
    }
}

TEST(Fields, AreNamedOnceAndDescribed) {
    std::set<std::string_view> keys, labels;
    for (const FieldInfo& field : fields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key;
        EXPECT_TRUE(labels.insert(field.label).second) << field.label;
        EXPECT_EQ(field.choices.size(), field.labels.size()) << field.key;
        EXPECT_EQ(&info(field.field), &field);
        if (field.symbol) {
            EXPECT_EQ(field_of(*field.symbol), field.field);
        }
    }
    EXPECT_EQ(field_of(Symbol::tokens), std::nullopt);
}

TEST(Fields, GivenWidthAndMetasRuleReplaceEachOther) {
    Architecture ruled = *with_field(Architecture{}, "ffn_multiple_of", "1024");
    EXPECT_EQ(field_text(ruled, Field::ffn_dim), std::nullopt);
    EXPECT_EQ(field_text(ruled, Field::ffn_multiplier), "1");
    ruled = *with_field(ruled, "ffn_multiplier", "1.3");
    EXPECT_EQ(field_text(ruled, Field::ffn_multiple_of), "1024");
    EXPECT_EQ(field_number(ruled, Field::ffn_dim), 14336);
    Architecture given = *with_field(ruled, "ffn_dim", "11008");
    EXPECT_EQ(field_text(given, Field::ffn_multiple_of), std::nullopt);
    EXPECT_EQ(field_text(given, Field::ffn_multiplier), std::nullopt);
}

TEST(Fields, AMultiplierIsAnExactFraction) {
    Architecture arch = *with_field(Architecture{}, "ffn_multiplier", "1.3");
    EXPECT_EQ(std::get<MetaRule>(arch.layer.feed_forward.width).multiplier, (Ratio{13, 10}));
    arch = *with_field(Architecture{}, "ffn_multiplier", "1.50");
    EXPECT_EQ(std::get<MetaRule>(arch.layer.feed_forward.width).multiplier, (Ratio{3, 2}));
}

TEST(Fields, HaveTheirRuleWorkedOut) {
    Architecture arch;
    EXPECT_EQ(field_text(arch, Field::head_dim), "auto");
    EXPECT_EQ(field_number(arch, Field::head_dim), 128);
    EXPECT_EQ(field_number(arch, Field::kv_heads), 32);
    EXPECT_EQ(field_number(arch, Field::norm), std::nullopt);
}

TEST(Fields, RefuseWhatIsNoValueAndSayWhy) {
    struct Case {
        const char* key;
        const char* text;
        std::string what;
    };
    const auto multiplier = [](const std::string& text) {
        return "ffn_multiplier must be a number above 0 such as 1.3, with at most nine digits behind the point, not "
               "\"" +
               text + "\"";
    };
    for (const auto& [key, text, what] : {
             Case{"dim", "abc", "dim must be a whole number from 1 up, not \"abc\""},
             Case{"dim", "-1", "dim must be a whole number from 1 up, not \"-1\""},
             Case{"layers", "0", "layers must be a whole number from 1 up, not \"0\""},
             Case{"token_types", "-2", "token_types must be a whole number from 0 up, not \"-2\""},
             Case{"vocab", "99999999999999999999",
                  "vocab must be at most 9,223,372,036,854,775,807, not \"99999999999999999999\""},
             Case{"head_dim", "automatic", "head_dim must be a whole number from 1 up, or auto, not \"automatic\""},
             Case{"experts", "few", "experts must be a whole number from 1 up, or none, not \"few\""},
             Case{"dim", "auto", "dim must be a whole number from 1 up, not \"auto\""},
             Case{"norm", "batch", "norm must be one of rms, layer, not \"batch\""},
             Case{"tied", "yes", "tied must be true or false, not \"yes\""},
             Case{"ffn_multiplier", "0", multiplier("0")},
             Case{"ffn_multiplier", "-1.3", multiplier("-1.3")},
             Case{"ffn_multiplier", "1.", multiplier("1.")},
             Case{"ffn_multiplier", "1.2.3", multiplier("1.2.3")},
             Case{"ffn_multiplier", "1._5", multiplier("1._5")},
             Case{"ffn_multiplier", "1.0000000001", multiplier("1.0000000001")},
             Case{"norm_epsilon", "nan", "norm_epsilon must be a number from 0 up, such as 1e-5, not \"nan\""},
             Case{"norm_epsilon", "inf", "norm_epsilon must be a number from 0 up, such as 1e-5, not \"inf\""},
             Case{"norm_epsilon", "1e-5x", "norm_epsilon must be a number from 0 up, such as 1e-5, not \"1e-5x\""},
             Case{"norm_epsilon", "-1", "norm_epsilon must be a number from 0 up, such as 1e-5, not \"-1\""},
         }) {
        Result<Architecture> changed = with_field(Architecture{}, key, text);
        ASSERT_FALSE(changed) << key << "=" << text;
        EXPECT_EQ(changed.error().what, what);
        EXPECT_EQ(changed.error().where, "") << "the sentence names the field";
    }
}

TEST(Fields, AreCalledByTheirLabelsWhereTheyAreNotSetByName) {
    const Result<Architecture> changed = with_field(Architecture{}, Field::kv_heads, "0");
    ASSERT_FALSE(changed);
    EXPECT_EQ(sentence(changed.error()), "KV heads must be a whole number from 1 up, or auto, not \"0\"");
    const Result<Architecture> grouped = with_field(Architecture{}, Field::dim, "40,96");
    ASSERT_FALSE(grouped);
    EXPECT_EQ(grouped.error().fix, "write 12000 or 12,000");
}

// What is said of every field is one sentence: its name, what it takes, what was given.
TEST(Fields, SayEachOfThemWhatTheyTake) {
    for (const FieldInfo& field : fields()) {
        if (field.kind == FieldKind::layers) continue;  // which say what is wrong in a list of layers
        const Result<Architecture> changed = with_field(Architecture{}, field.key, "?");
        ASSERT_FALSE(changed) << field.key;
        const std::string said = sentence(changed.error());
        EXPECT_TRUE(said.starts_with(std::string(field.key) + " must be ")) << said;
        EXPECT_TRUE(said.ends_with(", not \"?\"")) << said;
    }
}

TEST(Fields, AWholeNumberThatIsSetIsTheNumberInEffect) {
    const Architecture classifier = *with_field(Architecture{}, "output", "classes");
    for (const FieldInfo& field : fields()) {
        if (field.kind != FieldKind::number) continue;
        EXPECT_EQ(field_number(*with_field(classifier, field.field, "96"), field.field), 96) << field.key;
    }
}

TEST(Fields, AnUnknownNameIsAnsweredWithTheNearest) {
    Result<Architecture> changed = with_field(Architecture{}, "kv_head", "8");
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().what, "unknown field \"kv_head\"");
    EXPECT_TRUE(changed.error().fix.starts_with("did you mean kv_heads")) << changed.error().fix;
    for (const auto& [name, key] : std::vector<std::pair<const char*, const char*>>{{"width", "dim"},
                                                                                    {"Width", "dim"},
                                                                                    {"kv-heads", "kv_heads"},
                                                                                    {"ffn hidden", "ffn_dim"},
                                                                                    {"d_ff", "ffn_dim"},
                                                                                    {"keys chosen", "index_chosen"}})
        EXPECT_EQ(with_field(Architecture{}, name, "8").error().fix, "did you mean " + std::string(key) + "?");
    changed = with_field(Architecture{}, "zzzzzzzzzzzzzz", "8");
    EXPECT_TRUE(changed.error().fix.starts_with("use one of ") &&
                changed.error().fix.ends_with(", such as dim, layers, heads"))
        << changed.error().fix;
}

TEST(MetaRule, GivesThePublishedFeedForwardWidths) {
    struct Case {
        std::int64_t dim, multiple_of;
        const char* multiplier;
        std::int64_t ffn_dim;
    };
    // facebookresearch/llama and llama-models: params.json of each model.
    for (auto [dim, multiple_of, multiplier, ffn_dim] :
         {Case{4096, 256, "1", 11008}, Case{5120, 256, "1", 13824}, Case{6656, 256, "1", 17920},
          Case{8192, 256, "1", 22016}, Case{8192, 4096, "1.3", 28672}, Case{4096, 1024, "1.3", 14336},
          Case{16384, 4096, "1.2", 53248}, Case{2048, 256, "1.5", 8192}, Case{3072, 256, "1", 8192}}) {
        Architecture arch = *with_field(Architecture{}, "ffn_multiple_of", std::to_string(multiple_of));
        arch = *with_field(*with_field(arch, "ffn_multiplier", multiplier), "dim", std::to_string(dim));
        EXPECT_EQ(field_number(arch, Field::ffn_dim), ffn_dim) << dim << " " << multiplier;
    }
}

}  // namespace
}  // namespace headcount
