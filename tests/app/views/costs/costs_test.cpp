// Claims about the Costs view's figures: they equal core's, each opens to its formula, a point of the roofline is an
// operation.
#include <nlohmann/json.hpp>
#include <set>

#include "app/views/costs/panels.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "core/files/config.hpp"
#include "core/files/stored_formats.hpp"
#include "tests/app/views/costs/bench.hpp"

namespace headcount {
namespace {

using test::change;
using test::column;
using test::costs;
using test::look;
using test::row_of;
using test::Workbench;

TEST(CostsMemory, SaysWhatCoreSaysInBytesAndInGibibytes) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    look(bench);
    const Counted& shown = bench.session.derived.shown;
    const Memory core = *memory(shown.architecture, shown.graph, shown.bindings, {});
    for (const auto& [key, bytes] : {std::pair<std::string_view, std::int64_t>{"weights", core.weights.bytes},
                                     {"cache", core.cache.bytes},
                                     {"token", core.cache_per_token.bytes},
                                     {"activations", core.activations.bytes},
                                     {"total", core.total}}) {
        const HeldRow* const row = row_of(bench, key);
        ASSERT_TRUE(row) << key;
        EXPECT_EQ(row->bytes, grouped(bytes)) << key;
        EXPECT_EQ(row->gib, bytes_text(bytes)) << key;
        EXPECT_TRUE(bench.has("costs.figure." + std::string(key))) << key;
    }
    EXPECT_EQ(row_of(bench, "token")->gib, "512 KiB");
    EXPECT_FALSE(row_of(bench, "gradients"));
}

TEST(CostsMemory, SaysWhatATokenAddsInsideTheWindowAndAfterTheInput) {
    Workbench bench(test::draw_memory, "gemma-3-4b", column);
    Input input;
    input.tokens = 8192;
    Document document = bench.session.document;
    document.input = input;
    headcount::apply(bench.session, Intents{Replace{.document = document}});
    look(bench);
    const HeldRow *const token = row_of(bench, "token"), *const next = row_of(bench, "next");
    ASSERT_TRUE(token && next);
    EXPECT_EQ(token->label, "One more token, inside the window");
    EXPECT_EQ(token->bytes, "139,264");
    EXPECT_EQ(next->label, "One more token, after 8,192");
    EXPECT_EQ(next->bytes, "20,480");
}

TEST(CostsMemory, SaysWhatStatesTakeBesideTheCache) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    look(bench);
    EXPECT_FALSE(row_of(bench, "states"));
    Document document = bench.session.document;
    document.architecture = *with_field(document.architecture, Field::state_dim, "128");
    headcount::apply(bench.session, Intents{Replace{.document = document}});
    look(bench);
    const HeldRow* const states = row_of(bench, "states");
    ASSERT_TRUE(states);
    // Of 32 layers 128 heads of 128 × 64 numbers in 32 bits, and what the convolutions still need in 16.
    EXPECT_EQ(states->bytes, grouped(32 * (128 * 128 * 64 * 4 + 3 * (128 * 64 + 2 * 128) * 2)));
    EXPECT_EQ(states->label, "States, some in fp32") << "what the convolution keeps is in bf16 as weights are";
    EXPECT_FALSE(row_of(bench, "cache")) << "there are no keys and values";
    document.input.tokens *= 2;
    const std::string before = states->bytes;
    headcount::apply(bench.session, Intents{Replace{.document = document}});
    look(bench);
    EXPECT_EQ(row_of(bench, "states")->bytes, before) << "they do not grow";
}

TEST(CostsMemory, SaysWhereItIsOnlyAboutKnownWhatWeightsTake) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    const nlohmann::json config{{"model_type", "llama"},
                                {"hidden_size", 64},
                                {"num_hidden_layers", 2},
                                {"num_attention_heads", 4},
                                {"vocab_size", 97},
                                {"intermediate_size", 176},
                                {"quantization_config", {{"quant_method", "exl2"}, {"bits", 4.25}}}};
    const Architecture arch = *read_config(config, "config.json");
    Document document{arch, arch, "", Input{}, "/models/config.json"};
    document.input.precision = *stored_formats(arch).weights;
    headcount::apply(bench.session, Intents{Replace{.document = document}});
    look(bench);
    ASSERT_TRUE(row_of(bench, "weights"));
    EXPECT_TRUE(row_of(bench, "weights")->gib.starts_with("≈ ")) << row_of(bench, "weights")->gib;
    EXPECT_TRUE(row_of(bench, "total")->gib.starts_with("≈ "));
    EXPECT_FALSE(row_of(bench, "cache")->gib.starts_with("≈ "));
    document.input.precision = Precision::bf16;
    headcount::apply(bench.session, Intents{Replace{.document = document}});
    look(bench);
    EXPECT_FALSE(row_of(bench, "weights")->gib.starts_with("≈ ")) << "in a format that was chosen";
}

TEST(CostsMemory, OpensAFigureToItsFormulaAndClosesItAgain) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    look(bench);
    EXPECT_FALSE(bench.has("costs.formula.cache"));
    bench.press("costs.figure.cache");
    bench.frames(2);
    EXPECT_TRUE(bench.has("costs.formula.cache"));
    EXPECT_TRUE(bench.has("inspector.factor.layers"));
    bench.press("costs.figure.total");
    bench.frames(2);
    EXPECT_FALSE(bench.has("costs.formula.cache")) << "one at a time";
    EXPECT_TRUE(bench.has("costs.formula.total"));
    bench.press("costs.figure.total");
    bench.frames(2);
    EXPECT_FALSE(bench.has("costs.formula.total"));
}

TEST(CostsMemory, SaysWhetherItFits) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    look(bench);
    EXPECT_TRUE(bench.has("costs.fits"));
    bench.press("costs.devices.row.phone");
    bench.frames(2);
    EXPECT_EQ(bench.session.view.costs.device, "phone");
    EXPECT_TRUE(bench.has("costs.too_large"));
}

TEST(CostsMemory, SaysWhatIsWrongWhereThereIsNothingToShowYet) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    bench.session.view.costs.sharding.pipeline = 33;
    look(bench);
    ASSERT_FALSE(bench.session.costs.shown);
    EXPECT_TRUE(bench.has("costs.not_possible"));
    EXPECT_FALSE(bench.has("costs.figure.weights"));
    change(bench, [](CostsPlace& place) { place.sharding = {}; });
    EXPECT_FALSE(bench.has("costs.not_possible"));
    EXPECT_TRUE(bench.has("costs.figure.weights"));
}

TEST(CostsMemory, LeadsToWhereTheMostActivationsAre) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    look(bench);
    const std::string where = costs(bench).memory.where;
    bench.press("costs.where");
    EXPECT_EQ(bench.session.view.workspace, explore_view);
    EXPECT_EQ(subject_key(bench.session.look.selection), where);
}

TEST(CostsMemory, ComparesWhatIsKeptWithAndWithoutRecomputation) {
    Workbench bench(test::draw_memory, "gpt2", column);
    look(bench);
    EXPECT_TRUE(costs_rows(bench.screen.ui(), bench.session, bench.session.costs).kept.empty());
    change(bench, [](CostsPlace& place) {
        place.phase = Phase::training;
        place.how.scores = true;
    });
    const std::vector<KeptRow>& kept = costs_rows(bench.screen.ui(), bench.session, bench.session.costs).kept;
    const auto attention =
        std::find_if(kept.begin(), kept.end(), [](const KeptRow& row) { return row.label == "Layer · attention"; });
    ASSERT_NE(attention, kept.end());
    const auto& found = costs(bench).memory.kept;
    const auto core = std::find_if(found.begin(), found.end(),
                                   [](const KeptActivations& each) { return each.block == "layer.attention"; });
    ASSERT_NE(core, found.end());
    EXPECT_EQ(attention->bytes[0], bytes_text(core->all.bytes));
    EXPECT_NE(attention->bytes[0], attention->bytes[1]);
    EXPECT_TRUE(row_of(bench, "optimizer"));
    EXPECT_FALSE(row_of(bench, "cache"));
}

TEST(CostsMemory, SaysWhatOneDeviceHolds) {
    Workbench bench(test::draw_memory, "llama-2-7b", column);
    look(bench);
    EXPECT_FALSE(bench.has("costs.bars.weights.device"));
    change(bench, [](CostsPlace& place) {
        place.phase = Phase::training;
        place.sharding = {8, 1, 1, 3};
    });
    EXPECT_EQ(row_of(bench, "weights")->on_device, bytes_text(costs(bench).memory.device.weights.bytes));
    EXPECT_LT(costs(bench).memory.device.total, costs(bench).memory.total);
    EXPECT_TRUE(bench.has("costs.bars.weights.device"));
    change(bench, [](CostsPlace& place) {
        place.sharding = {};
        place.sharding.offload = true;
    });
    EXPECT_TRUE(bench.has("costs.bars.weights.device")) << "one device holds less than all";
    EXPECT_EQ(costs(bench).memory.device.total, costs(bench).memory.total - costs(bench).memory.host);
    EXPECT_GT(costs(bench).memory.host, 0);
}

TEST(CostsArithmetic, OpensEveryFigure) {
    Workbench bench(test::draw_arithmetic, "llama-2-7b", column);
    look(bench);
    for (const char* key : {"flops", "flops_causal", "rule", "bytes", "intensity", "seconds", "rate", "hours"}) {
        bench.press(std::string("costs.figure.") + key);
        bench.frames(2);
        EXPECT_TRUE(bench.has(std::string("costs.formula.") + key)) << key;
    }
}

TEST(CostsArithmetic, OpensOperationsAndBytesToSymbolsAndNumbers) {
    for (const char* id : {"llama-2-7b", "gpt2", "gemma-2-9b"})
        for (const char* key : {"flops", "flops_causal", "bytes"}) {
            Workbench bench(test::draw_arithmetic, id, column);
            look(bench);
            bench.press(std::string("costs.figure.") + key);
            bench.frames(2);
            EXPECT_TRUE(bench.has("inspector.symbols")) << id << " " << key;
        }
}

TEST(CostsArithmetic, SaysWhatDecodingTakesWithKeysAndValuesMadeAnew) {
    Workbench bench(test::draw_arithmetic, "deepseek-v3", column);
    look(bench);
    EXPECT_FALSE(bench.has("costs.figure.anew")) << "a prompt is read with them";
    bench.session.document.input.tokens = 4096;
    change(bench, [](CostsPlace& place) { place.phase = Phase::decode; });
    EXPECT_TRUE(costs(bench).run.work.absorbed);
    EXPECT_TRUE(bench.has("costs.figure.anew"));
}

TEST(CostsArithmetic, OpensALongSumToWhereItsTermsAre) {
    Workbench bench(test::draw_arithmetic, "deepseek-v3", column);
    look(bench);
    bench.press("costs.figure.bytes");
    bench.frames(3);
    const NamedRect* const card = bench.screen.recorder.find("costs.formula.bytes");
    ASSERT_TRUE(card);
    EXPECT_LT(card->max.y - card->min.y, 340) << "a few lines, not a page";
}

TEST(CostsArithmetic, SumsCausalOrFullAsIsAskedFor) {
    Workbench bench(test::draw_arithmetic, "llama-2-7b", column);
    look(bench);
    Document document = bench.session.document;
    document.input.tokens = 8192;  // fewer take as long as their bytes do
    bench.ask(Replace{document});
    EXPECT_EQ(costs(bench).run.work.flops.counted(), costs(bench).run.work.flops.causal);
    const double causal = *costs(bench).run.seconds;
    change(bench, [](CostsPlace& place) { place.full = true; });
    EXPECT_EQ(costs(bench).run.work.flops.counted(), costs(bench).run.work.flops.full);
    EXPECT_LT(causal, *costs(bench).run.seconds);
}

TEST(CostsArithmetic, SelectsTheOperationOfAPoint) {
    Workbench bench(test::draw_arithmetic, "llama-2-7b", column);
    look(bench);
    bench.press("costs.roofline.logits");
    EXPECT_EQ(subject_key(bench.session.look.selection), "logits");
    bench.frames(2);
    ASSERT_TRUE(bench.has("costs.explore"));
    bench.press("costs.explore");
    EXPECT_EQ(bench.session.view.workspace, explore_view);
    EXPECT_EQ(subject_key(bench.session.look.selection), "logits");
}

TEST(CostsArithmetic, GoesFromOneOperationToTheNextThatTakesTheSame) {
    Workbench bench(test::draw_arithmetic, "llama-2-7b", column);
    look(bench);
    Document document = bench.session.document;
    document.input.tokens = 2048;  // with few, all matrices are about as intense
    bench.ask(Replace{document, std::nullopt, true});
    const std::set<std::string> alike{"layer.attention.queries", "layer.attention.keys", "layer.attention.values",
                                      "layer.attention.output"};
    std::set<std::string> selected;
    for (std::size_t i = 0; i < alike.size(); ++i) {
        bench.press("costs.roofline.layer.attention.output");
        selected.insert(subject_key(bench.session.look.selection));
        bench.frames(60);  // the next press makes no double click
    }
    EXPECT_EQ(selected, alike);
}

TEST(CostsArithmetic, SaysWhereADevicesSpeedIsNotPublished) {
    Workbench bench(test::draw_arithmetic, "llama-2-7b", column);
    look(bench);
    EXPECT_TRUE(bench.has("costs.roofline"));
    change(bench, [](CostsPlace& place) { place.device = "phone"; });
    EXPECT_FALSE(bench.has("costs.roofline"));
    EXPECT_FALSE(bench.has("costs.figure.seconds"));
    EXPECT_TRUE(bench.has("costs.no_roof"));
    EXPECT_TRUE(bench.has("costs.figure.flops"));
}

}  // namespace
}  // namespace headcount
