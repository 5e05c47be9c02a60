// Claims about what links say of how a model is run: number formats, adapters, the pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/link.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/documents.hpp"
#include "core/files/stored_formats.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::all_presets;
using testing::HasSubstr;

TEST(LinkedStates, HaveTheFormatsOfThePublishedModelUnlessTheySayOthers) {
    const auto formats = [](const std::string& text) {
        return read_link(text, all_presets())->state.document.input.precision;
    };
    const std::optional<Formats> own = quantized_formats(find_preset(all_presets(), "gpt-oss-20b")->architecture);
    EXPECT_EQ(formats("#v=1&m=gpt-oss-20b"), own);
    EXPECT_EQ(formats("#v=1&m=gpt-oss-20b&dtype=bf16"), Formats(Precision::bf16));
    Linked state;
    state.document = document_of(*find_preset(all_presets(), "gpt-oss-20b"));
    EXPECT_EQ(state.document.input.precision, own);
    state.document.input.precision = Precision::bf16;
    EXPECT_THAT(write_link(state, all_presets())->text, HasSubstr("dtype=bf16"));
}

TEST(LinkedStates, HaveTheAdaptersBesideTheWeights) {
    for (const Adapters& adapters : {Adapters{}, Adapters{.rank = 64, .modules = {"q_proj", "v_proj"}},
                                     Adapters{.rank = 2, .all = true, .magnitudes = true}}) {
        Linked state;
        state.document = document_of(*find_preset(all_presets(), "llama-2-7b"));
        state.view.costs.adapters = adapters;
        const Result<ReadLink> link = read_link(write_link(state, all_presets())->text, all_presets());
        ASSERT_TRUE(link) << sentence(link.error());
        EXPECT_TRUE(link->lost.empty());
        EXPECT_EQ(link->state.view.costs.adapters, adapters) << targets_text(adapters);
    }
    EXPECT_FALSE(read_link("#v=1&m=llama-2-7b", all_presets())->state.view.costs.adapters);
}

TEST(LinkedStates, TakeThePassAsTheCommandLineSaysIt) {
    for (const char* phase : {"train", "training"}) {
        const Result<ReadLink> link = read_link("#v=1&m=gpt2&phase=" + std::string(phase), all_presets());
        ASSERT_TRUE(link) << sentence(link.error());
        EXPECT_TRUE(link->lost.empty());
        EXPECT_EQ(link->state.view.costs.phase, Phase::training);
    }
}

TEST(LinkedStates, SayOverWhichFormatsAndDevicesASweepGoes) {
    const Result<ReadLink> link =
        read_link("#v=1&m=gpt2&view=what-if&vary=dtype=bf16,int4,device=h100,rtx-4090,layers=8..16:4", all_presets());
    ASSERT_TRUE(link) << sentence(link.error());
    EXPECT_TRUE(link->lost.empty());
    const std::vector<ValueRange>& ranges = link->state.view.what_if.sweep.ranges;
    ASSERT_EQ(ranges.size(), 3U);
    EXPECT_EQ(range_text(ranges[0]), "bf16,int4");
    ASSERT_TRUE(ranges[1].choices);
    EXPECT_EQ(ranges[1].choices->devices.front().name, "NVIDIA H100 SXM");
    const Result<WrittenLink> written = write_link(link->state, all_presets());
    ASSERT_TRUE(written);
    const Result<ReadLink> again = read_link(written->text, all_presets());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->state, link->state);
}

}  // namespace
}  // namespace headcount
