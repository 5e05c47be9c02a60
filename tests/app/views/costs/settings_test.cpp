// Claims about the Costs view's settings, which are asked for and refused beside their controls, and about its tabs.
#include "app/views/costs/panels.hpp"
#include "app/views/explore/panels.hpp"
#include "core/base/text.hpp"
#include "core/runtime/this_machine.hpp"
#include "tests/app/views/costs/bench.hpp"
#include "tests/support/own_folder.hpp"

namespace headcount {
namespace {

using test::costs;
using test::look;
using test::Workbench;

TEST(CostsSettings, AsksForWhatIsPressed) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.press("costs.mode.1");
    EXPECT_EQ(bench.session.view.costs.phase, Phase::training);
    bench.frames(2);
    bench.press("costs.optimizer.3");
    EXPECT_EQ(bench.session.view.costs.how.optimizer, Optimizer::muon);
    bench.press("costs.recompute.2");
    EXPECT_EQ(bench.session.view.costs.how.recompute, Recompute::full);
    bench.press("costs.zero.3");
    EXPECT_EQ(bench.session.view.costs.sharding.zero, 3);
    bench.press("costs.devices.more");
    EXPECT_EQ(bench.session.view.costs.sharding.devices, 2);
    bench.press("costs.full.1");
    EXPECT_TRUE(bench.session.view.costs.full);
}

TEST(CostsSettings, PutsAdaptersBesideTheWeights) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    EXPECT_FALSE(bench.has("costs.rank.field"));
    bench.press("costs.adapters.2");
    bench.frames(2);
    EXPECT_EQ(bench.session.view.costs.adapters, (Adapters{.magnitudes = true}));
    bench.press("costs.adapters.1");
    bench.frames(2);
    bench.type("costs.rank.field", "64");
    bench.type("costs.targets.field", "o_proj,down_proj");
    EXPECT_EQ(bench.session.view.costs.adapters, (Adapters{.rank = 64, .modules = {"o_proj", "down_proj"}}));
    constexpr std::int64_t numbers = 32 * 64 * (4096 + 4096 + 11008 + 4096);
    EXPECT_EQ(costs(bench).memory.adapters.bytes, 4 * numbers);
    bench.type("costs.targets.field", "all");
    EXPECT_EQ(bench.session.view.costs.adapters, (Adapters{.rank = 64, .all = true}));
    bench.type("costs.targets.field", "q proj");
    EXPECT_TRUE(bench.has("costs.targets.error")) << "no such name is possible";
    EXPECT_TRUE(bench.session.view.costs.adapters->all);
    bench.type("costs.targets.field", "query");
    EXPECT_TRUE(bench.has("costs.targets.error")) << "this model has no such layer";
    bench.press("costs.adapters.0");
    EXPECT_FALSE(bench.session.view.costs.adapters);
}

TEST(CostsSettings, TrainsWithAndWithoutWholeScores) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.press("costs.mode.1");
    bench.frames(2);
    const std::int64_t kept = costs(bench).memory.activations.bytes;
    bench.press("costs.training_scores");
    bench.frames(2);
    EXPECT_TRUE(bench.session.view.costs.how.scores);
    EXPECT_GT(costs(bench).memory.activations.bytes, kept);
}

TEST(CostsSettings, LetsTheCacheFollowTheWeightsAgain) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.press("architecture.cache.3");
    EXPECT_EQ(bench.session.document.input.cache, Precision::int8);
    bench.frames(60);
    bench.press("architecture.cache.1");
    EXPECT_FALSE(bench.session.document.input.cache);
}

TEST(CostsSettings, MeasuresThisMachineAndIsOfIt) {
    const testing_data::OwnFolder folder;
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    const std::size_t shipped = bench.session.costs.devices.size();
    bench.press("costs.measure");
    EXPECT_EQ(costs(bench).device.id, this_machine);
    EXPECT_EQ(bench.session.costs.devices.size(), shipped + 1);
    EXPECT_TRUE(costs(bench).run.seconds) << "its speed is known";
    bench.press("costs.measure");
    EXPECT_EQ(bench.session.costs.devices.size(), shipped + 1) << "it is one device, measured again";
}

TEST(CostsSettings, PricesWhatDevicesTakeByTheHour) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    ASSERT_TRUE(costs(bench).hire) << "a million tokens, without being asked";
    EXPECT_EQ(costs(bench).hire->tokens, sold_tokens);
    EXPECT_FALSE(hire_terms(bench.session.view.costs).price);
    bench.type("costs.price.field", "$2.5");
    EXPECT_EQ(hire_terms(bench.session.view.costs).price, 2.5);
    bench.type("costs.price.field", "cheap");
    EXPECT_TRUE(bench.has("costs.price.error"));
    EXPECT_FALSE(hire_terms(bench.session.view.costs).price);
    EXPECT_FALSE(bench.has("costs.train_tokens.field"));
    bench.press("costs.mode.1");
    bench.frames(2);
    EXPECT_FALSE(costs(bench).hire) << "of a training no tokens are said";
    bench.type("costs.train_tokens.field", "2T");
    bench.frames(2);
    ASSERT_TRUE(costs(bench).hire);
    EXPECT_EQ(costs(bench).hire->tokens, 2'000'000'000'000);
}

TEST(CostsSettings, SaysHowFastDevicesSend) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.type("costs.link.field", "450GB/s");
    EXPECT_EQ(bench.session.view.costs.link, "450GB/s");
    bench.type("costs.link.field", "fast");
    EXPECT_TRUE(bench.has("costs.link.error"));
}

TEST(CostsSettings, FindsADeviceByItsMemory) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    const std::vector<Device>& devices = bench.session.costs.devices;
    const auto listed = [&] {
        std::vector<std::string> ids;
        for (std::size_t i = 0; i < devices.size(); ++i)
            if (bench.has("costs.device." + std::to_string(i))) ids.push_back(devices[i].id);
        return ids;
    };
    bench.press("costs.device");
    bench.frames(3);
    EXPECT_GT(listed().size(), 3U);
    bench.screen.hands.text("24 gb");
    bench.frames(3);
    ASSERT_FALSE(listed().empty());
    for (const std::string& id : listed())
        EXPECT_EQ(bytes_text(std::ranges::find(devices, id, &Device::id)->memory), "24.0 GiB") << id;
}

TEST(CostsSettings, SaysBesideTheControlWhyItIsImpossible) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.type("costs.tensor.field", "3");
    EXPECT_TRUE(bench.has("costs.tensor.error")) << "where it was typed";
    EXPECT_FALSE(bench.has("costs.devices.error"));
    bench.type("costs.devices.field", "3");
    EXPECT_FALSE(bench.has("costs.tensor.error") || bench.has("costs.devices.error"));
    bench.type("costs.devices.field", "0");
    EXPECT_TRUE(bench.has("costs.devices.error"));
    bench.press("costs.devices.fix");
    bench.frames(60);
    EXPECT_EQ(bench.session.view.costs.sharding.devices, 3) << "what three parts can be divided among";
    bench.type("costs.devices.field", "three");
    EXPECT_TRUE(bench.has("costs.devices.error"));
    EXPECT_EQ(costs(bench).options.sharding.devices, 3) << "the last good figures stay";
}

TEST(CostsSettings, OffersTheDevicesThatAGroupNeeds) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.type("costs.tensor.field", "4");
    ASSERT_TRUE(bench.session.costs.wrong);
    EXPECT_EQ(bench.session.costs.wrong->what, "1 device cannot be divided into groups of 4 × 1");
    bench.press("costs.tensor.fix");
    bench.frames(60);
    EXPECT_FALSE(bench.session.costs.wrong);
    EXPECT_EQ(bench.session.view.costs.sharding, (Sharding{.devices = 4, .tensor = 4}));
}

TEST(CostsSettings, SaysThatFourBitsCannotBeTrained) {
    Workbench bench(test::draw_settings, "llama-2-7b", ImVec2(300, 2400));
    look(bench);
    bench.press("architecture.precision.4");
    bench.press("costs.mode.1");
    bench.frames(2);
    ASSERT_TRUE(bench.session.costs.wrong);
    EXPECT_TRUE(bench.has("costs.dtype.error"));
}

TEST(CostsTabs, HaveTheSameFiguresAndTheSameSelection) {
    Workbench bench(draw_tables_panel, "llama-2-7b", ImVec2(900, 700));
    bench.ask(ShowTab{BottomTab::memory});
    EXPECT_TRUE(bench.has("memory.row.cache"));
    bench.press("memory.row.attention");
    EXPECT_EQ(bench.session.look.selection, Subject(Component::attention));
    EXPECT_NE(costs_as_csv(bench.session.costs, BottomTab::memory, "").find(std::to_string(costs(bench).memory.total)),
              std::string::npos);
    bench.ask(ShowTab{BottomTab::compute});
    bench.press("costs.runs.row.layer.attention.queries");
    EXPECT_EQ(subject_key(bench.session.look.selection), "layer.attention.queries");
    EXPECT_NE(costs_as_csv(bench.session.costs, BottomTab::compute, "").find("Queries"), std::string::npos);
}

}  // namespace
}  // namespace headcount
