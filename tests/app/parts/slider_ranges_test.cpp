// Claims about the values that sliders reach.
#include "app/parts/slider_ranges.hpp"

#include "core/arch/validate.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

using test::all_presets;

constexpr std::array sliders{Field::dim,     Field::layers, Field::heads,   Field::kv_heads,
                             Field::ffn_dim, Field::vocab,  Field::context, Field::head_dim};

TEST(SliderRanges, EveryReachableValueOfEveryPresetIsPossible) {
    for (const Preset& preset : all_presets()) {
        for (const Field field : sliders) {
            std::vector<std::int64_t> allowed;
            slider_range(preset.architecture, preset.architecture, field, allowed);
            for (const std::int64_t value : allowed) {
                const Result<Architecture> arch = with_field(preset.architecture, field, std::to_string(value));
                ASSERT_TRUE(arch);
                EXPECT_TRUE(validate(*arch).empty()) << preset.id << " " << info(field).key << " " << value;
            }
        }
    }
}

TEST(SliderRanges, EveryReachableValueOfAStateIsPossible) {
    Architecture arch = *with_field(headcount::testing_data::preset("llama-2-7b"), Field::state_dim, "128");
    arch.layer.recurrence->groups = 4;
    for (const Field field : {Field::state_dim, Field::state_heads, Field::state_groups, Field::state_head_dim}) {
        std::vector<std::int64_t> allowed;
        slider_range(arch, arch, field, allowed);
        EXPECT_FALSE(allowed.empty());
        for (const std::int64_t value : allowed)
            EXPECT_TRUE(validate(*with_field(arch, field, std::to_string(value))).empty())
                << info(field).key << " " << value;
    }
}

TEST(SliderRanges, ThePresetsOwnValueCanBeReachedAgain) {
    for (const Preset& preset : all_presets()) {
        for (const Field field : {Field::dim, Field::heads, Field::kv_heads, Field::ffn_dim, Field::vocab}) {
            std::vector<std::int64_t> allowed;
            const SliderScale scale = slider_range(preset.architecture, preset.architecture, field, allowed);
            const std::int64_t value = *field_number(preset.architecture, field);
            EXPECT_EQ(value_at(scale, position_of(scale, value)), value) << preset.id << " " << info(field).key;
        }
    }
}

TEST(SliderRanges, ValuesAscendWithinTheRange) {
    for (const Preset& preset : all_presets()) {
        for (const Field field : sliders) {
            std::vector<std::int64_t> allowed;
            const SliderScale scale = slider_range(preset.architecture, preset.architecture, field, allowed);
            EXPECT_TRUE(std::is_sorted(allowed.begin(), allowed.end()));
            EXPECT_EQ(std::adjacent_find(allowed.begin(), allowed.end()), allowed.end());
            if (allowed.empty()) continue;
            EXPECT_GE(allowed.front(), scale.minimum) << info(field).key;
            EXPECT_LE(allowed.back(), scale.maximum) << info(field).key;
        }
    }
}

TEST(SliderRanges, TokensAreRoundInBothBases) {
    std::vector<std::int64_t> allowed;
    token_range(allowed);
    for (const std::int64_t value : {1, 17, 100, 128, 1000, 1024, 4096, 10000, 131072})
        EXPECT_TRUE(std::binary_search(allowed.begin(), allowed.end(), value)) << value;
    EXPECT_FALSE(std::binary_search(allowed.begin(), allowed.end(), 1001));
}

TEST(SliderRanges, ImpossibleArchitecturesStillHaveARange) {
    Architecture arch = all_presets().front().architecture;
    for (const std::int64_t heads : {INT64_MAX, std::int64_t{30}}) {
        arch.layer.attention.heads = heads;
        for (const Field field : sliders) {
            std::vector<std::int64_t> allowed;
            const SliderScale scale = slider_range(arch, all_presets().front().architecture, field, allowed);
            EXPECT_LT(scale.minimum, scale.maximum);
        }
    }
}

}  // namespace
}  // namespace headcount
