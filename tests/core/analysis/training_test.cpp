// What training takes, against published figures; and adapters against PEFT's own count.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/adapters.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::with;

Memory trained(const Architecture& arch, const Training& how, const Sharding& sharding = {},
               const Formats& weights = Precision::bf16, const Input& input = {.tokens = 1},
               const std::optional<Adapters>& adapters = {}) {
    MemoryOptions options;
    options.adapters = adapters;
    options.weights = weights;
    options.training = how;
    options.sharding = sharding;
    const Result<Memory> found = memory(arch, expand(arch), bindings(arch, input), options);
    EXPECT_TRUE(found) << sentence(found.error());
    return found ? *found : Memory{};
}

Training kept_so(Mixed mixed, Optimizer optimizer = Optimizer::adam) {
    Training how;
    how.mixed = mixed;
    how.optimizer = optimizer;
    return how;
}

std::int64_t of_parameters(const MemoryParts& parts) {
    return parts.weights.bytes + parts.gradients.bytes + parts.optimizer.bytes;
}

double count_of(const Architecture& arch) {
    return static_cast<double>(count_parameters(expand(arch), bindings(arch, {}))->total);
}

double bytes_each(const Architecture& arch, const MemoryParts& parts) {
    return static_cast<double>(of_parameters(parts)) / count_of(arch);
}

// Rajbhandari et al. 2020, figure 1: 7.5 billion parameters on 64 devices.
TEST(Training, ZeroTakesWhatItsPaperSays) {
    const Architecture arch = preset("llama-2-7b");
    const double published[] = {120, 31.4, 16.6, 1.9};
    for (std::int64_t stage = 0; stage <= 3; ++stage) {
        const Memory found = trained(arch, {}, {.devices = 64, .zero = stage});
        EXPECT_NEAR(7.5 * bytes_each(arch, found.device), published[stage], 0.05) << stage;
    }
}

// Megatron-LM, "Distributed Optimizer": bf16 weights with fp32 gradients take 18 bytes a parameter, divided among d
// devices 6 + 12/d; all in fp32 16, divided 8 + 8/d.
TEST(Training, MegatronTakesWhatItsGuideSays) {
    const Architecture arch = preset("gpt2-xl");
    const Training how = kept_so(Mixed::megatron);
    EXPECT_EQ(bytes_each(arch, trained(arch, how)), 18);
    EXPECT_NEAR(bytes_each(arch, trained(arch, how, {.devices = 8, .zero = 1}).device), 6 + 12.0 / 8, 1e-6);
    EXPECT_EQ(bytes_each(arch, trained(arch, how, {}, Precision::fp32)), 16);
    EXPECT_NEAR(bytes_each(arch, trained(arch, how, {.devices = 8, .zero = 1}, Precision::fp32).device), 8 + 8.0 / 8,
                1e-6);
}

// Hugging Face, "Model memory anatomy": mixed precision has 6 bytes of weights and 4 of gradients a parameter, AdamW 8,
// its 8-bit form 2, SGD with momentum 4.
TEST(Training, AutocastTakesWhatHuggingFaceSays) {
    const Architecture arch = preset("gpt2");
    EXPECT_EQ(bytes_each(arch, trained(arch, kept_so(Mixed::pytorch))), 6 + 4 + 8);
    EXPECT_NEAR(bytes_each(arch, trained(arch, kept_so(Mixed::pytorch, Optimizer::adam8))), 6 + 4 + 2, 0.04);
    EXPECT_EQ(bytes_each(arch, trained(arch, kept_so(Mixed::pytorch, Optimizer::sgd))), 6 + 4 + 4);
    EXPECT_EQ(bytes_each(arch, trained(arch, kept_so(Mixed::pytorch), {}, Precision::fp32)), 4 + 4 + 8);
    EXPECT_EQ(bytes_each(arch, trained(arch, kept_so(Mixed::pure))), 2 + 2 + 4);
}

TEST(Training, AdafactorHasANumberForEachRowAndColumn) {
    const Architecture arch = preset("llama-2-7b");
    const std::int64_t d = 4096, f = 11008, vocab = 32000, layers = 32;
    const std::int64_t numbers = layers * (4 * (d + d) + 3 * (d + f) + 2 * d) + 2 * (vocab + d) + d;
    EXPECT_EQ(trained(arch, kept_so(Mixed::zero, Optimizer::adafactor), {}, Precision::fp32).optimizer.bytes,
              4 * numbers);
    EXPECT_EQ(trained(arch, kept_so(Mixed::zero, Optimizer::adafactor)).optimizer.bytes,
              4 * 6'738'415'616 + 4 * numbers)
        << "with the copy of the weights";
}

// Of a layer of GPT with so many heads, in units of s·b·h, kept by each device of a group.
struct Gpt {
    std::int64_t dim, heads, sequence = 2048, batch = 1;

    double kept(const Training& how, const Sharding& sharding = {}) const {
        Architecture one = preset("gpt2");
        for (const auto& [field, number] :
             {std::pair("dim", dim), {"heads", heads}, {"ffn_dim", 4 * dim}, {"context", sequence}})
            one = with(one, field, std::to_string(number));
        const Input input{.tokens = sequence, .batch = batch};
        const auto bytes = [&](const char* layers) {
            return trained(with(one, "layers", layers), how, sharding, Precision::fp16, input).device.activations.bytes;
        };
        return static_cast<double>(bytes("3") - bytes("2")) / static_cast<double>(sequence * batch * dim);
    }
};

// Korthikanti et al. 2022, table 2: what a layer keeps with t devices in a group, with their parts of the tokens, with
// scores computed again, and with all of it.
TEST(Training, ALayerKeepsWhatKorthikantisTableSays) {
    Training how{.dropout = true, .scores = true};
    const Sharding eight{.devices = 8, .tensor = 8}, parts{.devices = 8, .tensor = 8, .sequence = true};
    for (const Gpt& gpt : {Gpt{6144, 64, 2048, 4}, Gpt{12288, 96, 2048, 1}, Gpt{20480, 128, 2048, 1}}) {
        const double scores = 5.0 * static_cast<double>(gpt.heads * gpt.sequence) / static_cast<double>(gpt.dim);
        how.recompute = Recompute::none;
        EXPECT_NEAR(gpt.kept(how), 34 + scores, 1e-9);
        EXPECT_NEAR(gpt.kept(how, eight), 10 + 24.0 / 8 + scores / 8, 1e-9);
        EXPECT_NEAR(gpt.kept(how, parts), (34 + scores) / 8, 1e-9);
        how.recompute = Recompute::selective;
        EXPECT_NEAR(gpt.kept(how, parts), 34.0 / 8, 1e-9);
        how.recompute = Recompute::full;
        EXPECT_NEAR(gpt.kept(how), 2, 1e-9);
    }
    // Section 5: of GPT-3's layers 70 % of that are scores, of MT-NLG's 65 %.
    for (const auto& [gpt, share] : {std::pair(Gpt{12288, 96}, 0.70), {Gpt{20480, 128}, 0.65}}) {
        how.recompute = Recompute::none;
        const double all = gpt.kept(how);
        how.recompute = Recompute::selective;
        EXPECT_NEAR(1 - gpt.kept(how) / all, share, 0.005);
    }
}

TEST(Training, WithoutBeingAskedKeepsNoScores) {
    const Gpt gpt{.dim = 768, .heads = 12};
    EXPECT_NEAR(gpt.kept({.dropout = true}), 34 + 4.0 * 12 / 768, 1e-9) << "a 32-bit number for each row and head";
}

std::int64_t trained_parameters(const Architecture& arch, const Adapters& adapters) {
    const ModelGraph graph = expand(arch);
    EXPECT_FALSE(wrong_adapters(graph, adapters));
    const Result<std::int64_t> count = evaluate(adapter_parameters(graph, adapters), bindings(arch, {}));
    EXPECT_TRUE(count);
    return count ? *count : 0;
}

// As the training of Alpaca-LoRA prints it; and Hu et al. 2021, table 4, of GPT-3.
TEST(Adapters, HaveThePublishedParameters) {
    EXPECT_EQ(trained_parameters(preset("llama-7b"), {.rank = 8}), 4'194'304);
    const Architecture gpt3 = with(with(with(preset("gpt2"), "dim", "12288"), "heads", "96"), "layers", "96");
    EXPECT_NEAR(static_cast<double>(trained_parameters(gpt3, {.rank = 1})) / 1e6, 4.7, 0.05);
    EXPECT_NEAR(static_cast<double>(trained_parameters(gpt3, {.rank = 8})) / 1e6, 37.7, 0.05);
}

Adapters adapters_in(const std::string& way, const nlohmann::json& row) {
    Adapters adapters{.rank = row.at("rank")};
    adapters.all = way == "all" || way == "dora";
    adapters.magnitudes = way == "dora";
    return adapters;
}

// Whose queries and values a name means as well.
bool has_linear_attention(const Preset& preset) {
    return std::ranges::any_of(expand(preset.architecture).tensors,
                               [](const Tensor& tensor) { return tensor.part == Part::state_value; });
}

// PEFT's own count of every preset, and what it refuses: of all linear layers, with magnitudes, and of the modules that
// it chooses for the type; where it knows none, of those that make queries and values, as Hu et al. chose them.
TEST(Adapters, TrainWhatPeftTrains) {
    const nlohmann::json golden = testing_data::read_json_file(testing_data::golden_folder() / "adapters.json");
    std::size_t refused = 0;
    for (const Preset& each : testing_data::all_presets()) {
        if (!golden.contains(each.id)) {
            EXPECT_EQ(each.id, "tiny-stories") << "which is in no library";
            continue;
        }
        const nlohmann::json& ways = golden.at(each.id);
        for (const auto& [way, row] : ways.items()) {
            if (way == "as" || (way == "queries" && (ways.contains("default") || has_linear_attention(each)))) continue;
            const Adapters adapters = adapters_in(way, row);
            if (row.contains("refused")) {
                EXPECT_TRUE(wrong_adapters(expand(each.architecture), adapters)) << each.id << ' ' << way;
                ++refused;
            } else {
                EXPECT_EQ(trained_parameters(each.architecture, adapters), row.at("trained")) << each.id << ' ' << way;
            }
        }
    }
    EXPECT_GT(refused, 20U) << "states whose output projection has no adapter, experts that have no magnitudes";
}

// The same modules by their names, where files call them as transformers does.
TEST(Adapters, OfNamedModulesAreWhatPeftTrains) {
    const nlohmann::json golden = testing_data::read_json_file(testing_data::golden_folder() / "adapters.json");
    std::size_t compared = 0;
    for (const auto& [id, ways] : golden.items())
        for (const std::string way : {"default", "queries"}) {
            if (!ways.contains(way) || !ways[way].contains("modules") || ways[way]["modules"].is_string()) continue;
            Adapters adapters = adapters_in(way, ways[way]);
            adapters.modules = ways[way]["modules"];
            const Architecture& arch = preset(id);
            const std::optional<Error> wrong = wrong_adapters(expand(arch), adapters);
            if (wrong && wrong->what.starts_with("no linear layer is called")) continue;
            EXPECT_EQ(trained_parameters(arch, adapters), ways[way].at("trained")) << id << ' ' << way;
            ++compared;
        }
    EXPECT_GT(compared, 300U);
}

// Six layers share a block, and PEFT 0.21 gives each of them adapters of its own.
TEST(Adapters, OfASharedMatrixEachLayerHasItsOwn) {
    EXPECT_EQ(trained_parameters(preset("zamba2-1.2b"), {.rank = 8, .modules = {"o_proj"}}), 294'912);
    EXPECT_EQ(trained_parameters(preset("albert-base-v2"), {.rank = 8, .modules = {"query"}}), 8 * 2 * 768)
        << "all layers are one module";
}

// Dettmers et al. 2023, abstract and section 3: a model of 65 B parameters is trained within 48 GB, each layer computed
// again from its input, where 16 bits take
// more than 780 GB; double quantization saves 0.37 bits a parameter, about 3 GB of 65 B.
TEST(Adapters, OfAQuantizedModelFitWhereThePaperSays) {
    const Architecture arch = preset("llama-65b");
    constexpr double giga = 1e9;
    const Training how{.recompute = Recompute::full};
    const Adapters adapters{.rank = 64, .modules = {}, .all = true};
    const Input input{.tokens = 512};
    const Memory found = trained(arch, how, {}, Precision::nf4_double, input, adapters);
    EXPECT_LT(static_cast<double>(found.total) / giga, 48);
    EXPECT_GT(static_cast<double>(of_parameters(trained(arch, {}))) / giga, 780);
    const double saved = static_cast<double>(trained(arch, how, {}, Precision::nf4, input, adapters).weights.bytes -
                                             found.weights.bytes);
    EXPECT_NEAR(saved / giga, 3, 0.1);
    EXPECT_NEAR(8 * saved / count_of(arch), 0.37, 0.01);
    // Nothing but the adapters has gradients and states, all in 32 bits.
    const std::int64_t count = trained_parameters(arch, adapters);
    EXPECT_EQ(found.adapters.bytes, 4 * count);
    EXPECT_EQ(found.gradients.bytes, 4 * count);
    EXPECT_EQ(found.optimizer.bytes, 8 * count);
}

// What frozen matrices are multiplied with is not kept: here of gate and up, of down, and of the output head; nor is
// what the first norm reads, before which nothing is trained.
TEST(Adapters, KeepWhatTheirGradientsRead) {
    const Architecture arch = preset("llama-2-7b");
    const Adapters adapters{.rank = 8};
    constexpr std::int64_t tokens = 256, d = 4096, d_ff = 11008, layers = 32, each = 2;
    const Input input{.tokens = tokens};
    const std::int64_t whole = trained(arch, {}, {}, Precision::bf16, input).activations.bytes,
                       beside = trained(arch, {}, {}, Precision::bf16, input, adapters).activations.bytes;
    EXPECT_EQ(whole - beside, each * tokens * (layers * (d + d_ff) + d + d - layers * 2 * adapters.rank));
    const Adapters all{.rank = 8, .modules = {}, .all = true};
    EXPECT_EQ(whole - trained(arch, {}, {}, Precision::bf16, input, all).activations.bytes,
              each * tokens * (d + d - layers * 7 * all.rank))
        << "all matrices of the layers have some";
}

// No gradient comes back through a choice, so that none of theirs needs anything: what is left are the loss's logits.
TEST(Adapters, BesideTheIndexAloneKeepNothing) {
    const Architecture arch = preset("deepseek-v3.2");
    const Adapters index{.rank = 8, .modules = {"wq_b", "wk", "weights_proj"}};
    const Memory found = trained(arch, {}, {}, Precision::bf16, {.tokens = 64}, index);
    EXPECT_EQ(found.activations.bytes, 4 * 64 * arch.vocab);
    Training again;
    again.recompute = Recompute::full;
    const Memory full = trained(arch, again, {}, Precision::bf16, {.tokens = 64}, index);
    EXPECT_FALSE(std::ranges::any_of(full.kept, [](const auto& each) { return each.block == "again"; }));
    EXPECT_LT(full.backward.bytes, trained(arch, again, {}, Precision::bf16, {.tokens = 64}).backward.bytes);
}

// Of Qwen3-Next's layers the fourth of each four has such a matrix: none of the first three keeps anything.
TEST(Adapters, KeepNothingOfLayersBeforeTheFirst) {
    const Architecture arch = preset("qwen3-next-80b-a3b");
    const Adapters adapters{.rank = 8, .modules = {"q_proj"}};
    const Memory found = trained(arch, {}, {}, Precision::bf16, {.tokens = 64}, adapters);
    std::int64_t layers = 0;
    for (const KeptActivations& each : found.kept)
        if (each.block.ends_with("feed_forward")) layers += each.layers;
    EXPECT_EQ(layers, arch.layers - 3);
}

TEST(Adapters, ThatCannotBeAreSaidInASentence) {
    const ModelGraph graph = expand(preset("gpt2"));
    EXPECT_EQ(sentence(*wrong_adapters(graph, {.rank = 8, .modules = {"q_proj"}})),
              "no linear layer is called \"q_proj\": targets: give of c_attn, c_proj, c_fc, or all");
    EXPECT_TRUE(wrong_adapters(graph, {.rank = 0}));
    EXPECT_FALSE(wrong_adapters(graph, {.rank = 8, .modules = {"c_attn", "c_fc"}}));
    const auto said = [](std::string_view id, const Adapters& adapters) {
        const std::optional<Error> wrong = wrong_adapters(expand(preset(id)), adapters);
        return wrong ? sentence(*wrong) : "";
    };
    EXPECT_EQ(said("mamba2-130m", {.all = true}),
              "PEFT gives out_proj of this type no adapter, since it is computed with the state: targets: give of "
              "in_proj");
    EXPECT_EQ(said("mixtral-8x7b", {.modules = {"w1", "w2"}}),
              "PEFT adapts w1, w3 of experts as one matrix: targets: name all of them, or none");
    EXPECT_EQ(said("mixtral-8x7b", {.all = true, .magnitudes = true}),
              "PEFT gives the experts of this type no magnitudes: adapter: give lora, or name other layers as targets");
    EXPECT_EQ(said("gpt-oss-20b", {.modules = {"router"}}),
              "no linear layer is called \"router\": targets: give of q_proj, k_proj, v_proj, o_proj, or all");
}

}  // namespace
}  // namespace headcount
