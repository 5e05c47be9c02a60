// What is exported and opened again: every preset, and random architectures where the family has words for them.
#include <gtest/gtest.h>

#include "core/arch/fields.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

nlohmann::json rows_of(const Architecture& arch) {
    const ModelGraph graph = expand(arch);
    return {testing_data::stored_rows(arch, graph, graph.stored),
            testing_data::stored_rows(arch, graph, graph.buffers)};
}

class PresetRoundTrip : public testing::TestWithParam<std::string> {};

TEST_P(PresetRoundTrip, AConfigurationGivesTheSameModelAgain) {
    const Architecture arch = testing_data::preset(GetParam());
    Result<nlohmann::ordered_json> written = write_config(arch);
    if (!written) {  // a worked example that no GPT-2 configuration can say
        EXPECT_TRUE(GetParam().starts_with("hypothetical")) << sentence(written.error());
        return;
    }
    Result<Architecture> back = read_config(nlohmann::json(*written), "export");
    ASSERT_TRUE(back) << sentence(back.error());
    for (const FieldInfo& field : fields()) {
        if (field.field == Field::ffn_multiple_of || field.field == Field::ffn_multiplier) continue;
        EXPECT_EQ(field_number(*back, field.field), field_number(arch, field.field)) << field.key;
    }
    EXPECT_EQ(rows_of(*back), rows_of(arch));
}

TEST_P(PresetRoundTrip, ADocumentLosesNothing) {
    const Architecture arch = testing_data::preset(GetParam());
    Result<Architecture> back = architecture_from_json(nlohmann::json(architecture_to_json(arch)));
    ASSERT_TRUE(back) << sentence(back.error());
    EXPECT_EQ(*back, arch);
}

std::vector<std::string> preset_ids() {
    std::vector<std::string> ids;
    for (const Preset& preset : testing_data::all_presets()) ids.push_back(preset.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Presets, PresetRoundTrip, testing::ValuesIn(preset_ids()),
                         [](const auto& of) { return testing_data::test_name(of.param); });

TEST(RoundTrip, OfRandomArchitecturesIsWholeOrRefused) {
    std::mt19937_64 random(13);
    int whole = 0;
    for (int i = 0; i < 3000; ++i) {
        Architecture arch = testing_data::random_architecture(random);
        arch.layers = 1 + arch.layers % 12;
        // Closer to what configurations can say: the type's own choices, with other sizes.
        Result<Architecture> published = read_config({{"model_type", arch.family->type}}, "test");
        if (published && i % 2 == 0) {
            for (Field field : {Field::layers, Field::vocab, Field::context, Field::tied})
                *published = *with_field(std::move(*published), field, *field_text(arch, field));
            arch = *published;
        }
        Result<nlohmann::ordered_json> written = write_config(arch);
        if (!written) {
            EXPECT_FALSE(written.error().what.empty());
            continue;
        }
        ++whole;
        Result<Architecture> back = read_config(nlohmann::json(*written), "export");
        ASSERT_TRUE(back) << sentence(back.error());
        ASSERT_EQ(rows_of(*back), rows_of(arch)) << arch.family->type << '\n' << written->dump(1);
    }
    EXPECT_GT(whole, 1000);
}

TEST(RoundTrip, OfRandomDocumentsLosesNothing) {
    std::mt19937_64 random(17);
    for (int i = 0; i < 1000; ++i) {
        const Architecture arch = testing_data::random_architecture(random);
        Result<Architecture> back = architecture_from_json(nlohmann::json(architecture_to_json(arch)));
        ASSERT_TRUE(back) << sentence(back.error());
        ASSERT_EQ(*back, arch);
    }
}

}  // namespace
}  // namespace headcount
