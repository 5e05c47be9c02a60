// What the graph of an architecture holds, and what it says of it.
#include "core/graph/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/arch/fields.hpp"
#include "core/graph/written.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

TEST(Graph, CostsTheSameForAThousandLayersAndHeads) {
    Architecture arch = testing_data::preset("llama-3.1-405b");
    ModelGraph graph = expand(arch);
    arch.layers = 1'000'000'000'000;
    arch.layer.attention.heads = 1024;
    ModelGraph huge = expand(arch);
    EXPECT_EQ(huge.tensors.size(), graph.tensors.size());
    EXPECT_EQ(huge.nodes.size(), graph.nodes.size());
    EXPECT_EQ(huge.stored.size(), graph.stored.size());
}

TEST(Graph, NestsTheHeadInAttentionInTheLayer) {
    ModelGraph graph = expand(testing_data::preset("llama-2-70b"));
    const Block* head = graph.find_block("layer.attention.head");
    const Block* layer = graph.find_block("layer");
    ASSERT_TRUE(head && layer);
    auto index = [&](const Block* block) { return static_cast<BlockIndex>(block - graph.blocks.data()); };
    EXPECT_EQ(in_symbols(graph.copies(index(head))), "L·h");
    EXPECT_TRUE(graph.inside(index(head), index(layer)));
    EXPECT_FALSE(graph.inside(index(layer), index(head)));
    EXPECT_EQ(graph.find_block("layer.nothing"), nullptr);
    EXPECT_EQ(graph.find("layer.nothing"), nullptr);
}

TEST(Graph, HasWhatTheArchitectureChoosesAndNothingElse) {
    using testing_data::with;
    Architecture arch = testing_data::preset("llama-2-7b");
    auto has = [](const Architecture& of, std::string_view id) { return expand(of).find(id) != nullptr; };
    EXPECT_TRUE(has(arch, "layer.feed_forward.gate.weight"));
    EXPECT_FALSE(has(with(arch, "gated", "false"), "layer.feed_forward.gate.weight"));
    EXPECT_FALSE(has(arch, "positions.weight"));
    EXPECT_TRUE(has(with(arch, "positions", "learned"), "positions.weight"));
    EXPECT_TRUE(has(arch, "layer.attention.queries_rotated"));
    EXPECT_FALSE(has(with(arch, "positions", "none"), "layer.attention.queries_rotated"));
    EXPECT_FALSE(has(with(arch, "norm_scale", "false"), "final_norm.weight"));
    EXPECT_TRUE(has(with(arch, "norm_bias", "true"), "final_norm.bias"));
    EXPECT_TRUE(has(with(arch, "norm_placement", "after"), "layer.attention.output_norm.weight"));
    EXPECT_FALSE(has(with(arch, "norm_placement", "after"), "layer.attention.norm.weight"));
    EXPECT_FALSE(has(with(arch, "tied", "true"), "output_head.weight"));
    for (const char* id : {"query", "key", "value"}) {
        EXPECT_TRUE(has(with(arch, "qkv_bias", "true"), "layer.attention." + std::string(id) + ".bias"));
        EXPECT_FALSE(has(with(arch, "attention_output_bias", "true"), "layer.attention." + std::string(id) + ".bias"));
    }
    EXPECT_TRUE(has(with(arch, "attention_output_bias", "true"), "layer.attention.output.bias"));
    EXPECT_TRUE(has(with(arch, "ffn_bias", "true"), "layer.feed_forward.gate.bias"));
}

TEST(Graph, StoresLinearLayersOutFirstAndGpt2sFusedInFirst) {
    Architecture llama = testing_data::preset("llama-2-70b");
    ModelGraph graph = expand(llama);
    auto shape = [](const ModelGraph& of, std::string_view name) {
        for (const StoredTensor& tensor : of.stored)
            if (tensor.name == name) return shape_in_symbols(tensor.shape);
        return std::string("none");
    };
    EXPECT_EQ(shape(graph, "model.layers.{i}.self_attn.k_proj.weight"), "(h_kv·d_h) × d");
    EXPECT_EQ(shape(graph, "model.layers.{i}.mlp.down_proj.weight"), "d × d_ff");
    EXPECT_EQ(shape(graph, "model.embed_tokens.weight"), "V × d");
    EXPECT_EQ(shape(expand(testing_data::preset("gpt2")), "transformer.h.{i}.attn.c_attn.weight"),
              "d × (h·d_h + 2·h_kv·d_h)");
    EXPECT_EQ(shape_in_numbers(graph.stored[0].shape, bindings(llama, {})), "32000 × 8192");
}

TEST(Graph, FindsASymbolInAnySideOfAShape) {
    Shape shape{Expr(Symbol::heads) * Symbol::head_dim, Symbol::dim};
    for (const SymbolInfo& symbol : symbols())
        EXPECT_EQ(uses(shape, symbol.symbol),
                  symbol.symbol == Symbol::heads || symbol.symbol == Symbol::head_dim || symbol.symbol == Symbol::dim)
            << symbol.text;
}

// transformers, MoonshineEncoder.forward and MoonshineDecoderMLP.
TEST(Graph, MoonshineNormsAllItsFirstFiltersMakeAndGatesInTheDecoderAlone) {
    const ModelGraph graph = expand(testing_data::preset("moonshine-tiny"));
    const auto made = [&](std::string_view id) -> const Node& {
        return *graph.producer(static_cast<TensorIndex>(graph.find(id) - graph.tensors.data()));
    };
    EXPECT_EQ(made("encoder.heard_0").rule<GateRule>().activation, Activation::tanh);
    EXPECT_EQ(made("encoder.heard_1").rule<GateRule>().activation, Activation::gelu);
    const Node& norm = made("encoder.convolution_norm_0");
    EXPECT_EQ(norm.rule<NormRule>().over, NormRule::Over::all);
    EXPECT_EQ(&graph.tensors[norm.inputs.front()], graph.find("encoder.heard_0"));
    EXPECT_EQ(made("encoder.around_1").inputs.front(), norm.output);
    EXPECT_EQ(made("encoder.convolved_0").parameters.size(), 1u) << "no bias";
    EXPECT_EQ(made("encoder.convolved_1").parameters.size(), 2u);
    EXPECT_FALSE(graph.find("encoder.layer.feed_forward.gate.weight"));
    EXPECT_EQ(made("encoder.layer.feed_forward.hidden").op, Op::activate);
    EXPECT_EQ(made("encoder.layer.feed_forward.hidden").rule<GateRule>().activation, Activation::gelu);
    EXPECT_EQ(made("decoder.layer.feed_forward.hidden").op, Op::gate);
    EXPECT_EQ(made("decoder.layer.feed_forward.hidden").rule<GateRule>().activation, Activation::silu);
}

// As transformers' T5Attention._relative_position_bucket has them.
TEST(Relative, DistancesFallIntoThePublishedRanges) {
    constexpr std::array<std::int64_t, 14> distances{-4000, -128, -100, -64, -20, -16, -8, -1, 0, 1, 8, 20, 60, 500};
    constexpr std::array<std::int64_t, 14> before{31, 31, 30, 26, 17, 16, 8, 1, 0, 0, 0, 0, 0, 0},
        both{15, 15, 15, 14, 10, 10, 8, 1, 0, 17, 24, 26, 29, 31};
    for (std::size_t i = 0; i < distances.size(); ++i) {
        EXPECT_EQ(RelativeRule{}.bucket(distances[i]), before[i]) << distances[i];
        EXPECT_EQ(RelativeRule{.both_ways = true}.bucket(distances[i]), both[i]) << distances[i];
    }
    EXPECT_EQ((RelativeRule{9, 12, true}.bucket(-7)), 3);
    EXPECT_EQ((RelativeRule{9, 12, true}.bucket(1)), 5);
    EXPECT_EQ((RelativeRule{9, 12, false}.bucket(-9)), 7);
}

// As transformers' WavLMAttention._relative_positions_bucket has them.
TEST(Relative, DistancesOfSoundFallIntoThePublishedRanges) {
    const RelativeRule rule{.buckets = 320, .farthest = 800, .both_ways = true};
    constexpr std::array<std::pair<std::int64_t, std::int64_t>, 13> ranges{{{0, 0},
                                                                            {1, 161},
                                                                            {-1, 1},
                                                                            {79, 239},
                                                                            {80, 240},
                                                                            {-80, 80},
                                                                            {81, 240},
                                                                            {100, 247},
                                                                            {-150, 101},
                                                                            {300, 285},
                                                                            {799, 319},
                                                                            {800, 319},
                                                                            {-1000, 159}}};
    for (const auto& [distance, range] : ranges) EXPECT_EQ(rule.bucket(distance), range) << distance;
    std::int64_t sum = 0;
    for (std::int64_t distance = -900; distance <= 900; ++distance) sum += (distance + 901) * rule.bucket(distance);
    EXPECT_EQ(sum, 402'570'404);
}

TEST(Relative, EveryDistanceHasARangeWhateverTheNumbers) {
    for (const std::int64_t buckets : {4, 5, 32, 300, 512, 1000})
        for (const std::int64_t farthest : {1, 7, 16, 128})
            for (const bool both_ways : {false, true})
                for (std::int64_t distance = -5000; distance <= 5000; distance += 7) {
                    const std::int64_t bucket = RelativeRule{buckets, farthest, both_ways}.bucket(distance);
                    ASSERT_GE(bucket, 0) << buckets << " " << farthest << " " << distance;
                    ASSERT_LT(bucket, buckets) << buckets << " " << farthest << " " << distance;
                }
}

TEST(Graph, CountsElementsAsItsFormulaDoes) {
    const Architecture arch = testing_data::preset("llama-2-70b");
    const Bindings values = bindings(arch, {});
    for (const Tensor& tensor : expand(arch).tensors)
        EXPECT_EQ(*element_count(tensor.shape, values), *evaluate(element_count(tensor.shape), values)) << tensor.id;
    Bindings huge;
    huge.set(Symbol::dim, std::int64_t{1} << 40);
    const Shape square{Symbol::dim, Symbol::dim}, unknown{Symbol::dim, Symbol::heads};
    EXPECT_EQ(element_count(square, huge).error(), evaluate(element_count(square), huge).error());
    EXPECT_EQ(element_count(unknown, huge).error(), evaluate(element_count(unknown), huge).error());
}

TEST(Graph, KeepsInTheCacheWhatIsKeyOrValueAndNothingElse) {
    for (const Preset& preset : testing_data::all_presets()) {
        SCOPED_TRACE(preset.id);
        const ModelGraph graph = expand(preset.architecture, Cache::filled);
        for (const Tensor& tensor : graph.tensors) {
            const std::string_view name = std::string_view(tensor.id).substr(tensor.id.rfind('.') + 1);
            const bool key_or_value = name.starts_with("key") || name.starts_with("values") ||
                                      name.starts_with("value_cache") || name.starts_with("shared_key") ||
                                      name == "latent_cache" || name == "latent_norm" || name == "index_cache";
            const bool made_of_them = name != "keys_values" && name.find("adapt") == std::string_view::npos;
            const auto group = graph.layer_of(tensor.block);
            const LayerKind kind = group ? graph.layers[*group].group.kind : LayerKind{};
            const bool causal = !sees_all(preset.architecture) && !kind.encoder;
            const bool both = (kind.attention || kind.shared) && kind.recurrent;
            const bool recurrent = both ? tensor.component == Component::recurrence : kind.recurrent;
            const bool kept = recurrent ? tensor.role == Role::state
                                        : tensor.role != Role::parameter && key_or_value && made_of_them && causal;
            EXPECT_EQ(kept_in_cache(tensor), kept) << tensor.id;
        }
        for (const Node& node : graph.nodes)
            if (node.op == Op::append_cache || node.op == Op::keep_window) {
                EXPECT_TRUE(kept_in_cache(graph.tensors[node.output]));
            }
    }
}

// Else an equation says something that is not so, such as Y = Y + Y. What a layer reads is written as X^(i).
TEST(Graph, HasADifferentSymbolForEachOfWhatANodeReadsAndMakes) {
    for (const Preset& preset : testing_data::all_presets()) {
        const ModelGraph graph = expand(preset.architecture);
        for (const Node& node : graph.nodes) {
            std::set<TensorIndex> tensors(node.inputs.begin(), node.inputs.end());
            std::erase_if(tensors, [&](TensorIndex each) { return graph.tensors[each].symbol == "X^(i+1)"; });
            for (const TensorIndex each : node.parameters)
                if (!graph.tensors[each].bias) tensors.insert(each);
            tensors.insert(node.output);
            std::set<std::string_view> symbols;
            for (const TensorIndex each : tensors) symbols.insert(graph.tensors[each].symbol);
            EXPECT_EQ(symbols.size(), tensors.size()) << preset.id << ": " << graph.tensors[node.output].id;
        }
    }
}

TEST(Graph, CallsWhatEntersTheFirstLayerOfAStackTheStream) {
    for (const Preset& preset : testing_data::all_presets()) {
        const ModelGraph graph = expand(preset.architecture);
        const auto first = std::ranges::count(graph.tensors, "X^(0)", &Tensor::symbol);
        EXPECT_EQ(first, graph.has_encoder() ? 2 : 1) << preset.id;
    }
}

TEST(Graph, KeepsNothingWhereAllTokensAreReadAtOnce) {
    for (const Preset& preset : testing_data::all_presets()) {
        const Result<Architecture> encoder = with_field(preset.architecture, Field::mask, "full");
        if (!encoder || !validate(*encoder).empty()) continue;
        SCOPED_TRACE(preset.id);
        for (const Tensor& tensor : expand(*encoder, Cache::filled).tensors) {
            EXPECT_FALSE(kept_in_cache(tensor)) << tensor.id;
            EXPECT_NE(tensor.role, Role::cache) << tensor.id;
        }
    }
}

TEST(Graph, FillsNumbersIntoMeanings) {
    Bindings values = bindings(testing_data::preset("llama-2-70b"), {});
    EXPECT_EQ(filled_in("{h} heads of {d_h}", values), "64 heads of 128");
    EXPECT_EQ(filled_in("no numbers", values), "no numbers");
    Bindings few = values;
    few.set(Symbol::heads, 1);
    few.set(Symbol::kv_heads, 1);
    EXPECT_EQ(filled_in("{h} heads of {d_h}: heads", few), "1 head of 128: heads");
    EXPECT_EQ(filled_in("{h_kv} KV heads, {h_kv} key/value heads: a", few), "1 KV head, 1 key/value head: a");
    EXPECT_EQ(filled_in("{h} possible next tokens.", few), "1 possible next token.");
    EXPECT_EQ(filled_in("serves {h/h_kv} of the query heads", few), "serves 1 of the query heads");
    EXPECT_EQ(filled_in("width {h}; passes", few), "width 1; passes");
    EXPECT_EQ(filled_in("", values), "");
    EXPECT_EQ(filled_in("open {h", values), "open ");
    EXPECT_EQ(filled_in("{h} heads", Bindings{}), "h heads");
}

TEST(Graph, SaysHowManyQueryHeadsAKeyHeadServesOnlyWhereTheyShareIt) {
    const auto said = [](std::string_view preset) {
        const Architecture arch = testing_data::preset(preset);
        return filled_in(expand(arch).find("layer.attention.head.keys")->meaning, bindings(arch, {}));
    };
    EXPECT_EQ(said("llama-2-70b"), "this head's 128 columns of K, which serve 8 query heads");
    EXPECT_EQ(said("llama-2-7b"), "this head's 128 columns of K");
}

TEST(Graph, ANormSaysWhatItMakesOfARow) {
    const auto said = [](std::string_view preset) {
        return std::string(expand(testing_data::preset(preset)).find("layer.attention.norm")->meaning);
    };
    EXPECT_EQ(said("llama-2-7b"), "each row rescaled to a root mean square of 1");
    EXPECT_EQ(said("gpt2"), "each row shifted to mean 0 and rescaled to variance 1");
}

// Alone it makes a row of the class token's that stands for the image; a classifier stores that norm and reads others.
TEST(Clip, ReadsItsLastNormOfTheClassTokensRow) {
    const ModelGraph graph = expand(testing_data::preset("clip-vit-l-14-vision"), Input{});
    const Node& last = graph.nodes.back();
    ASSERT_EQ(last.op, Op::norm);
    EXPECT_EQ(graph.tensors[last.parameters.front()].id, "pooled_norm.weight");
    EXPECT_FALSE(graph.tensors[last.parameters.front()].idle);
    EXPECT_EQ(graph.tensors[last.output].shape[0], Expr(1));
    EXPECT_EQ(graph.producer(last.inputs.front())->op, Op::first_row);
}

TEST(StreamCopies, AreWhatLayersReadAndLeave) {
    const Architecture arch = *with_field(testing_data::preset("llama-2-7b"), Field::stream_copies, "3");
    const ModelGraph graph = expand(arch);
    const Shape copies{Symbol::tokens, Expr(Symbol::stream_copies) * Symbol::dim}, one{Symbol::tokens, Symbol::dim};
    EXPECT_EQ(graph.tensors[graph.before_layers(0)].shape, copies);
    EXPECT_EQ(graph.tensors[graph.last_of(0)].shape, copies);
    EXPECT_EQ(graph.find("layer.attention.norm")->shape, one);
    EXPECT_EQ(graph.find("final_norm")->shape, one);
    // Each other copy has a matrix on its way in, and one on its way back.
    for (const Part part : {Part::copy_projection, Part::copy_output})
        EXPECT_EQ(
            std::ranges::count_if(
                graph.tensors, [&](const Tensor& each) { return each.part == part && each.role == Role::parameter; }),
            2);
    EXPECT_EQ(written_text(graph, equation_of(graph, *graph.producer(static_cast<TensorIndex>(
                                                         graph.find("layer.predict.output") - graph.tensors.data())))),
              "D = mixed(X^(i), C)");
}

TEST(Threshold, IsAboveAsMuchOfANormalDistribution) {
    EXPECT_NEAR(deviations_above(0.95), 1.6448536269514722, 1e-12);
    EXPECT_NEAR(deviations_above(0.5), 0, 1e-12);
    EXPECT_NEAR(deviations_above(0.1), -1.2815515655446004, 1e-12);
}

}  // namespace
}  // namespace headcount
