// Claims about the logit lens: behind the last layer it says what the model says.
#include "core/runtime/lens.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/arch/fields.hpp"
#include "core/files/presets.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

TEST(Lens, SaysBehindTheLastLayerWhatTheModelSays) {
    const std::vector<Preset> presets = *load_presets(HEADCOUNT_ASSETS_DIR "/presets");
    for (const char* id : {"llama-2-7b", "gpt2", "gemma-2-2b"}) {
        SCOPED_TRACE(id);
        const Preset* const preset = find_preset(presets, id);
        ASSERT_TRUE(preset);
        Architecture arch = preset->architecture;
        const std::pair<Field, const char*> fields[] = {
            {Field::layers, "2"}, {Field::vocab, "40"}, {Field::context, "32"}};
        for (const auto& [field, value] : fields) arch = *with_field(arch, field, value);
        arch = *with_field(*with_field(*with_field(arch, Field::heads, "2"), Field::dim, "16"), Field::ffn_dim, "24");
        if (with_field(arch, Field::kv_heads, "1")) arch = *with_field(arch, Field::kv_heads, "1");
        const Result<std::shared_ptr<const Model>> model = random_model(arch, 3);
        ASSERT_TRUE(model) << sentence(model.error());
        Result<headcount::Run> run = headcount::Run::start(*model, {.capacity = 8, .keep = Keep::all});
        ASSERT_TRUE(run) << sentence(run.error());
        const std::array<std::int32_t, 3> ids{1, 2, 3};
        ASSERT_FALSE(run->append(ids));
        const Result<std::vector<float>> logits = logits_of(**model, run->hidden(arch.layers), 2);
        ASSERT_TRUE(logits) << sentence(logits.error());
        ASSERT_EQ(logits->size(), run->logits().size());
        for (std::size_t i = 0; i < logits->size(); ++i) EXPECT_NEAR((*logits)[i], run->logits()[i], 1e-4) << i;
        EXPECT_FALSE(logits_of(**model, run->hidden(arch.layers), 3)) << "there is no such row";
    }
}

TEST(Lens, ReadsCopiesOfTheStream) {
    const std::vector<Preset> presets = *load_presets(HEADCOUNT_ASSETS_DIR "/presets");
    Architecture arch = find_preset(presets, "gemma-3-1b")->architecture;
    const std::pair<Field, const char*> fields[] = {{Field::layers, "2"},   {Field::vocab, "40"},
                                                    {Field::dim, "16"},     {Field::ffn_dim, "24"},
                                                    {Field::head_dim, "8"}, {Field::stream_copies, "3"}};
    for (const auto& [field, value] : fields) arch = *with_field(arch, field, value);
    const Result<std::shared_ptr<const Model>> model = random_model(arch, 3);
    ASSERT_TRUE(model) << sentence(model.error());
    Result<headcount::Run> run = headcount::Run::start(*model, {.capacity = 8, .keep = Keep::all});
    ASSERT_TRUE(run) << sentence(run.error());
    const std::array<std::int32_t, 3> ids{1, 2, 3};
    ASSERT_FALSE(run->append(ids));
    EXPECT_EQ(run->hidden(2).columns, 48);
    const Result<std::vector<float>> logits = logits_of(**model, run->hidden(arch.layers), 2);
    ASSERT_TRUE(logits) << sentence(logits.error());
    for (std::size_t i = 0; i < logits->size(); ++i) EXPECT_NEAR((*logits)[i], run->logits()[i], 1e-4) << i;
}

TEST(Lens, LengthIsTheRootOfTheSquares) {
    const std::array<float, 4> numbers{9, 9, 3, -4};
    const MatrixView stream{.data = numbers.data(), .rows = 2, .columns = 2, .row_step = 2};
    EXPECT_DOUBLE_EQ(length_of(stream, 1), 5);
    EXPECT_DOUBLE_EQ(length_of(stream, 2), 0);
}

}  // namespace
}  // namespace headcount
