// Arithmetic against published formulas, and what must hold for every model.
#include "core/analysis/arithmetic.hpp"

#include <gtest/gtest.h>

#include "core/analysis/parameters.hpp"
#include "core/analysis/pass.hpp"
#include "core/base/text.hpp"
#include "core/files/devices.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::with;

PassWork work_of(const Architecture& arch, const Input& input, const WorkOptions& options = {}) {
    const ModelGraph graph = expand(arch, input);
    Result<PassWork> found = arithmetic(graph, bindings(arch, input), options);
    EXPECT_TRUE(found) << sentence(found.error());
    return found ? *found : PassWork{};
}

TEST(Arithmetic, OfATrainingStepOfGptIsAsPublished) {
    for (const char* id : {"gpt2", "gpt2-xl"}) {
        const Architecture arch = preset(id);
        for (const auto& [t, b] : {std::pair<std::int64_t, std::int64_t>{1024, 1}, {256, 8}}) {
            const PassWork train = work_of(arch, {.tokens = t, .batch = b}, {.trained = Recompute::none});
            const std::int64_t d = arch.dim, l = arch.layers, v = arch.vocab;
            // 72·B·T·L·d²·(1 + T/6d + V/12Ld), multiplied out (Narayanan et al. 2021, without recomputation).
            EXPECT_EQ(train.flops.full, 72 * b * t * l * d * d + 12 * b * t * t * l * d + 6 * b * t * d * v) << id;
        }
    }
}

// 96·B·T·L·d²·(1 + T/6d + V/16Ld): with every layer computed again (Narayanan et al. 2021, section 5).
TEST(Arithmetic, OfWhatIsComputedAgainIsAsPublished) {
    const Architecture arch = preset("gpt2-xl");
    const std::int64_t d = arch.dim, l = arch.layers, v = arch.vocab, t = 1024, b = 4;
    const Input input{.tokens = t, .batch = b};
    const PassWork full = work_of(arch, input, {.trained = Recompute::full});
    EXPECT_EQ(full.flops.full, 96 * b * t * l * d * d + 16 * b * t * t * l * d + 6 * b * t * d * v);
    EXPECT_EQ(full.again, 24 * b * t * l * d * d + 4 * b * t * t * l * d);
    const PassWork none = work_of(arch, input, {.trained = Recompute::none}),
                   scores = work_of(arch, input, {.trained = Recompute::selective});
    EXPECT_EQ(none.again, 0);
    EXPECT_EQ(scores.flops.full - none.flops.full, 4 * b * t * t * l * d) << "both products of T × T";
    EXPECT_EQ(scores.again, 4 * b * t * t * l * d);
    const ModelGraph graph = expand(arch, input);
    for (const Recompute again : {Recompute::none, Recompute::selective, Recompute::full}) {
        const WorkOptions how{.trained = again};
        const PassWork work = work_of(arch, input, how);
        EXPECT_EQ(*evaluate(flops_formula(graph, how), bindings(arch, input)), work.flops.causal);
        EXPECT_EQ(*evaluate(least_formulas(graph, how).bytes, bindings(arch, input)), work.least.bytes);
    }
}

TEST(Arithmetic, OfTrainingVisionTransformersIsAsPublished) {
    // Dosovitskiy et al. 2021, table 6: exaFLOPs of so many epochs over the 303 million images of JFT-300M.
    struct Trained {
        const char* id;
        double epochs, published;
    };
    for (const auto& [id, epochs, published] : {Trained{"vit-base-patch32-224", 7, 55},
                                                {"vit-base-patch16-224", 7, 224},
                                                {"vit-large-patch16-224", 7, 783},
                                                {"vit-large-patch16-224", 14, 1567},
                                                {"vit-huge-patch14-224", 14, 4262}}) {
        const PassWork train = work_of(preset(id), {.tokens = 1}, {.trained = Recompute::none});
        const double all = static_cast<double>(train.flops.full) * 303e6 * epochs / 1e18;
        EXPECT_NEAR(all / published, 1, 0.025) << id << ": " << all;
    }
}

TEST(Arithmetic, ATextFromAnEncoderCostsADecoderOfHalfTheParametersAsMuch) {
    // Raffel et al. 2020, section 3.2.2: as much as the decoder's layers alone reading both texts, with twice its
    // parameters; what looks at the other text and scores are beside that.
    const Architecture both = preset("t5-base");
    Architecture alone = both;
    alone.encoder.reset();
    const double ratio = static_cast<double>(work_of(both, {.tokens = 512, .source = 512}).flops.full) /
                         static_cast<double>(work_of(alone, {.tokens = 1024}).flops.full);
    EXPECT_NEAR(ratio, 1, 0.15);
}

TEST(Arithmetic, CausalAttentionLeavesOutTheFuture) {
    const Architecture arch = preset("llama-2-7b");
    const std::int64_t t = 100, heads = 32ll * 32;
    const PassWork work = work_of(arch, {.tokens = t});
    EXPECT_EQ(work.flops.full - work.flops.causal, heads * 2 * (2 * 128) * (t * (t - 1) / 2));
    const PassWork one = work_of(arch, {.tokens = 1, .cached = 99});
    EXPECT_EQ(one.flops.full, one.flops.causal) << "a single token sees all that is in the cache";
    // Token by token the same is computed as all at once, causally.
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < t; ++i) sum += work_of(arch, {.tokens = 1, .cached = i}).flops.causal;
    EXPECT_EQ(sum, work.flops.causal);
}

TEST(Arithmetic, TokenByTokenIsTheSameWithWindows) {
    const Architecture arch = with(preset("gemma-2-2b"), "window", "16");
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < 60; ++i) sum += work_of(arch, {.tokens = 1, .cached = i}).flops.causal;
    EXPECT_EQ(sum, work_of(arch, {.tokens = 60}).flops.causal);
}

TEST(Arithmetic, WithoutAttentionEachTokenTakesTwoOperationsAParameter) {
    for (const Preset& each : testing_data::all_presets()) {
        const Architecture& arch = each.architecture;
        if (arch.layer.attention.latent) continue;  // makes keys and values of the whole cache anew
        const ModelGraph graph = expand(arch);
        // As many tokens of a source as of the text, so that each matrix meets six.
        const Result<PassWork> found = arithmetic(graph, bindings(arch, {.tokens = 3, .batch = 2, .source = 3}), {});
        ASSERT_TRUE(found) << each.id;
        const Bindings values = bindings(arch, {.tokens = 3, .batch = 2, .source = 3});
        std::int64_t products = 0, passes = 0;
        // The pooler's reads one row of a text, those of distances a table's.
        const auto reads_tokens = [&](const Node& node) {
            return node.op == Op::linear && graph.tensors[node.parameters.front()].part != Part::pooler &&
                   !is_of_distances(graph.tensors[node.output].part);
        };
        for (const OperationWork& work : found->operations)
            if (reads_tokens(graph.nodes[work.node])) products += work.flops.counted();
        // Every matrix as often as a row passes it; tables that are looked up, biases and norms multiply nothing.
        for (const Node& node : graph.nodes) {
            if (!reads_tokens(node)) continue;
            const std::int64_t rows = *evaluate(graph.tensors[node.inputs.front()].shape[0], values);
            if (!arch.patches && !arch.sound) {
                EXPECT_EQ(rows, 3) << each.id << ": a row for each token";
            }
            passes +=
                rows *
                *evaluate(graph.runs(node.block) * element_count(graph.tensors[node.parameters.front()].shape), values);
        }
        EXPECT_EQ(products, 2 * 2 * passes) << each.id;
    }
}

TEST(Arithmetic, DecodingReadsTheWeightsAndTheCacheOnce) {
    const Architecture arch = preset("llama-3-8b");
    const Result<Parameters> counted = count_parameters(expand(arch), bindings(arch, {}));
    const std::int64_t weights = 2 * counted->active_multiplied, cache = 8192ll * 131'072;
    const PassWork decode = work_of(arch, {.tokens = 1, .cached = 8191});
    EXPECT_GT(decode.bytes, weights + cache);
    EXPECT_LT(decode.bytes, (weights + cache) * 101 / 100) << "activations of one token are next to nothing";
    WorkOptions eight;
    eight.cache = Precision::int8;
    EXPECT_EQ(decode.bytes - work_of(arch, {.tokens = 1, .cached = 8191}, eight).bytes, cache / 2 + 65'536);
}

TEST(Arithmetic, AMixtureReadsTheExpertsThatTokensAreExpectedToReach) {
    const Architecture arch = preset("mixtral-8x7b");
    const std::int64_t expert = 2ll * 3 * 4096 * 14336 * 32;
    const std::int64_t one = work_of(arch, {.tokens = 1, .cached = 8}).bytes;
    const std::int64_t two = work_of(arch, {.tokens = 1, .batch = 2, .cached = 8}).bytes;
    EXPECT_GT(two - one, expert * 3 / 2) << "8·(1 - 0.75²) = 3.5";
    EXPECT_LT(two - one, expert * 8 / 5);
    EXPECT_LT(work_of(arch, {.tokens = 1000}).bytes - work_of(arch, {.tokens = 4}).bytes, 5 * expert)
        << "all eight are read once, however many tokens there are";
}

// Each token with every number of the filters; each token writes to every number of the state, and where it replaces
// reads them before; each token's query reads them.
std::int64_t flops_of_state(const ModelGraph& graph, const OperationWork& work, const Bindings& values) {
    const Node& node = graph.nodes[work.node];
    const TensorIndex met = node.op == Op::convolve       ? node.parameters.front()
                            : node.op == Op::update_state ? node.output
                                                          : node.inputs[1];
    const bool twice = node.op == Op::update_state && node.rule<StateRule>().replaces;
    return (twice ? 4 : 2) * *values[Symbol::batch] * work.copies * *values[Symbol::tokens] *
           *element_count(graph.tensors[met].shape, values);
}

// A product of two matrices, by the sizes of its factors: rows of the first, each with every number of the second.
std::int64_t flops_by_hand(const ModelGraph& graph, const OperationWork& work, const Bindings& values) {
    const Node& node = graph.nodes[work.node];
    if (node.op == Op::convolve || node.op == Op::update_state || node.op == Op::read_state)
        return flops_of_state(graph, work, values);
    if (node.op == Op::mix_blocks) {  // each number of as many blocks as are mixed; of one it is a factor alone
        const auto& rule = node.rule<BlockRule>();
        const std::int64_t blocks = *evaluate(rule.in, values);
        if (blocks == 1 && *evaluate(rule.out, values) == 1) return 0;
        return 2 * *values[Symbol::batch] * work.copies * blocks *
               *element_count(graph.tensors[node.output].shape, values);
    }
    if (node.op == Op::index_scores)  // every head of each token with every key, and what comes of it onto the sum
        return 2 * *values[Symbol::batch] * work.copies * *values[Symbol::index_heads] * *values[Symbol::tokens] *
               *evaluate(graph.tensors[node.inputs[1]].shape[0], values) * (*values[Symbol::index_dim] + 1);
    if (node.op != Op::linear && node.op != Op::scores && node.op != Op::mix) return 0;
    const TensorIndex second = node.op == Op::linear ? node.parameters.front() : node.inputs[1];
    const auto rows = [&](std::size_t input) { return *evaluate(graph.tensors[node.inputs[input]].shape[0], values); };
    const auto numbers = [&](TensorIndex tensor) { return *element_count(graph.tensors[tensor].shape, values); };
    std::int64_t multiplied = rows(0) * numbers(second);
    // Queries meet keys of distances, and queries of distances keys.
    if (node.op == Op::scores)
        for (const TensorIndex side : graph.distance_sides(node))
            multiplied += rows(graph.tensors[side].part == Part::relative_key ? 0 : 1) * numbers(side);
    // What is made of a table is made once for all texts.
    const std::int64_t texts = is_of_distances(graph.tensors[node.output].part) ? 1 : *values[Symbol::batch];
    return 2 * texts * work.copies * multiplied;
}

// Nothing where the operation is no norm of the residual stream: then what it reads, its weights, and what it writes.
std::optional<std::int64_t> bytes_by_hand(const ModelGraph& graph, const OperationWork& work, const Bindings& values) {
    const Node& node = graph.nodes[work.node];
    const std::int64_t numbers = *values[Symbol::tokens] * *values[Symbol::dim];
    if (node.op != Op::norm) return std::nullopt;
    if (graph.tensors[node.inputs.front()].shape != Shape{Symbol::tokens, Symbol::dim}) return std::nullopt;
    std::int64_t weights = 0;
    for (TensorIndex each : node.parameters) weights += *element_count(graph.tensors[each].shape, values);
    return 2 * work.copies * (2 * *values[Symbol::batch] * numbers + weights);
}

TEST(Arithmetic, ProductsAndNormsTakeWhatTheirFactorsSizesMakeInEveryPreset) {
    for (const Preset& each : testing_data::all_presets()) {
        const Architecture& arch = each.architecture;
        const Bindings values = bindings(arch, {.tokens = 8, .batch = 2});
        const ModelGraph graph = expand(arch);
        const Result<PassWork> found = arithmetic(graph, values, {});
        ASSERT_TRUE(found) << each.id << ": " << sentence(found.error());
        std::int64_t flops = 0, bytes = 0, norms = 0;
        for (const OperationWork& work : found->operations) {
            const std::string& made = graph.tensors[graph.nodes[work.node].output].id;
            EXPECT_EQ(work.flops.full, flops_by_hand(graph, work, values)) << each.id << " " << made;
            if (const std::optional<std::int64_t> expected = bytes_by_hand(graph, work, values)) {
                EXPECT_EQ(work.bytes, *expected) << each.id << " " << made;
                ++norms;
            }
            EXPECT_LE(work.flops.causal, work.flops.full) << each.id;
            flops += work.flops.full;
            bytes += work.bytes;
        }
        EXPECT_GT(norms, 0) << each.id;
        EXPECT_EQ(flops, found->flops.full) << each.id;
        EXPECT_EQ(bytes, found->bytes) << each.id;
        EXPECT_EQ(*evaluate(flops_formula(graph, {.pairs = Pairs::full}), values), found->flops.full) << each.id;
        EXPECT_EQ(*evaluate(flops_formula(graph), values), found->flops.causal) << each.id;
    }
}

TEST(Arithmetic, TokenByTokenIsTheSameInRandomArchitectures) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 100; ++i) {
        const Architecture arch = testing_data::random_architecture(random);
        const bool at_once = sees_all(arch) || arch.output == OutputKind::pooler;
        if (arch.layer.attention.latent || arch.context < 12 || at_once) continue;
        std::int64_t sum = 0;
        for (std::int64_t before = 0; before < 12; ++before)
            sum += work_of(arch, {.tokens = 1, .batch = 2, .cached = before}).flops.causal;
        EXPECT_EQ(sum, work_of(arch, {.tokens = 12, .batch = 2}).flops.causal) << i;
    }
}

TEST(Arithmetic, DecodingIsBoundByMemoryAndALongPromptByArithmetic) {
    const std::vector<Device> devices = *load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json");
    const std::optional<Roof> roof = roof_of(*find_device(devices, "h100"), Precision::bf16);
    ASSERT_TRUE(roof);
    const Architecture arch = preset("llama-3-8b");
    const PassWork decode = work_of(arch, {.tokens = 1, .cached = 100}), prefill = work_of(arch, {.tokens = 4096});
    EXPECT_NEAR(seconds_at(*roof, decode.least), static_cast<double>(decode.bytes) / roof->bandwidth, 1e-5);
    for (const OperationWork& work : prefill.operations)
        EXPECT_FALSE(work.flops.counted() > prefill.flops.counted() / 100 && bound_by_memory(*roof, work)) << work.node;
    EXPECT_FALSE(roof_of(*find_device(devices, "phone"), Precision::bf16));
}

// Whatever a program fuses or overlaps: no operation by itself is faster, and what is kept has to be read.
TEST(Arithmetic, TheLeastOfAPassIsInEveryPresetLessThanItsOperationsAndNoLessThanItsCache) {
    const Roof roof{1e15, 3e12};
    for (const Preset& each : testing_data::all_presets()) {
        const PassWork work = work_of(each.architecture, {.tokens = 8, .batch = 3});
        double one_by_one = 0;
        for (const OperationWork& operation : work.operations) one_by_one += seconds_at(roof, operation);
        EXPECT_LE(seconds_at(roof, work.least), one_by_one * (1 + 1e-12)) << each.id;
        EXPECT_EQ(work.least.flops, work.flops.causal) << each.id;
        EXPECT_LT(work.least.bytes, work.bytes) << each.id;
        EXPECT_GT(work.least.bytes, 0) << each.id;
    }
}

TEST(Arithmetic, ADecodingStepReadsWeightsAndCacheOnceAndAPromptNeedsTheLastLogits) {
    const Architecture arch = preset("llama-2-7b");
    const Input input{.tokens = 1000, .batch = 2};
    const Pass decode = *pass_of(arch, input, Phase::decode), prefill = *pass_of(arch, input, Phase::prefill);
    const CountedModel model = *count_model(arch, input);
    const std::int64_t rows = 2 * 2 * arch.dim;  // of the embedding, that are looked up
    const std::int64_t weights = 2 * (model.parameters.total - arch.vocab * arch.dim) + rows;
    const std::int64_t a_token = 2 * 2 * arch.layers * arch.dim * input.batch;       // keys and values of all sequences
    EXPECT_EQ(decode.work.least.bytes, weights + a_token * input.tokens + a_token);  // read, and one written
    EXPECT_EQ(decode.work.least.flops, decode.work.flops.causal);
    EXPECT_EQ(prefill.work.flops.causal - prefill.work.least.flops, 2 * arch.dim * arch.vocab * input.batch * 999);
}

// E·(1 - (1 - k/E)^n): 8·(1 - 0.75^4) = 5.468, 256·(1 - (248/256)^32) = 163.3.
TEST(Arithmetic, OfTheExpertsThoseAreReadThatTokensAreExpectedToBeSentTo) {
    const auto read = [](std::string_view id, std::int64_t tokens, std::int64_t batch) {
        return bindings(preset(id), {.tokens = tokens, .batch = batch})[Symbol::experts_read];
    };
    EXPECT_EQ(read("mixtral-8x7b", 1, 1), 2000);
    EXPECT_EQ(read("mixtral-8x7b", 1, 4), 5468);
    EXPECT_EQ(read("mixtral-8x7b", 1000, 1), 8000);
    EXPECT_EQ(read("deepseek-v3", 1, 1), 8000);
    EXPECT_EQ(read("deepseek-v3", 1, 32), 163313);
    EXPECT_FALSE(read("llama-2-7b", 1, 1));
}

TEST(Arithmetic, TheLargestThatFitsIsSaidWithTrainingInIt) {
    const Architecture arch = preset("llama-2-7b");
    const ModelGraph graph = expand(arch);
    const auto fits = [&](std::int64_t tokens) {
        return static_cast<bool>(arithmetic(graph, bindings(arch, {.tokens = tokens}), {.trained = Recompute::none}));
    };
    const Result<PassWork> found =
        arithmetic(graph, bindings(arch, {.tokens = 4'181'720}), {.trained = Recompute::none});
    ASSERT_FALSE(found);
    const std::string_view fix = found.error().fix, before = "give at most ";
    ASSERT_TRUE(fix.starts_with(before)) << fix;
    const Result<std::int64_t> most =
        parse_whole_number(fix.substr(before.size(), fix.find(" tokens") - before.size()), "tokens");
    ASSERT_TRUE(most) << fix;
    EXPECT_TRUE(fits(*most));
    EXPECT_FALSE(fits(*most + 1));
}

TEST(Arithmetic, ThatDoesNotFitIsASentence) {
    const Architecture arch = preset("llama-3.1-405b");
    const Result<PassWork> found =
        arithmetic(expand(arch), bindings(arch, {.tokens = 1'000'000, .batch = 1'000'000}), {});
    ASSERT_FALSE(found);
    EXPECT_NE(sentence(found.error()).find("does not fit in 64 bits"), std::string::npos);
    EXPECT_NE(found.error().fix.find("give at most"), std::string::npos) << found.error().fix;
}

}  // namespace
}  // namespace headcount
