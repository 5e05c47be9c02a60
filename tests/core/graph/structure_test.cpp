// What holds for the graph of every architecture: shapes multiply through their nodes, everything has its place.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "core/graph/graph.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

// The shapes around one node, worked out.
struct Sizes {
    const ModelGraph& graph;
    const Bindings& values;

    std::vector<std::int64_t> of(TensorIndex tensor) const {
        std::vector<std::int64_t> sizes;
        for (const Expr& dimension : graph.tensors[tensor].shape.dimensions())
            sizes.push_back(evaluate(dimension, values) ? *evaluate(dimension, values) : -1);
        return sizes;
    }
};

using Size = std::vector<std::int64_t>;

// Each operation says which shapes fit together, as mathematics does and with no knowledge of how the graph is built.
void expect_shapes_multiply(const ModelGraph& graph, const Node& node, const Bindings& values) {
    Sizes sizes{graph, values};
    std::vector<Size> in, parameters;
    for (TensorIndex input : node.inputs) in.push_back(sizes.of(input));
    for (TensorIndex parameter : node.parameters) parameters.push_back(sizes.of(parameter));
    Size out = sizes.of(node.output);
    ASSERT_EQ(out.size(), 2u);
    std::int64_t cached = *values[Symbol::cached], tokens = *values[Symbol::tokens];
    SCOPED_TRACE(graph.tensors[node.output].id);
    switch (node.op) {
        case Op::embed:
            EXPECT_EQ(out, (Size{in[0][0], parameters[0][1]}));
            EXPECT_EQ(parameters[0][0], *values[Symbol::vocab]);
            break;
        case Op::add_positions:
            EXPECT_EQ(out, in[0]);
            EXPECT_GE(parameters[0][0], *values[Symbol::context]);
            EXPECT_EQ(parameters[0][1], in[0][1]);
            break;
        case Op::add_types:
            EXPECT_EQ(out, in[0]);
            EXPECT_EQ(parameters[0], (Size{*values[Symbol::token_types], in[0][1]}));
            break;
        case Op::first_row:
            EXPECT_EQ(out, (Size{1, in[0][1]}));
            break;
        case Op::pool:
            EXPECT_EQ(out[0], 1);
            EXPECT_TRUE(out[1] == in[0][1] || out[1] == 2 * in[0][1]);
            break;
        case Op::insert_rows: {
            std::int64_t rows = in[0][0];
            for (const Size& trained : parameters) {
                EXPECT_EQ(trained.back(), in[0][1]);
                rows += trained.size() == 2 ? trained[0] : 1;
            }
            EXPECT_EQ(out, (Size{rows, in[0][1]}));
            break;
        }
        case Op::unfold:
            EXPECT_EQ(out[1], in[0][1] * node.rule<UnfoldRule>().kernel);
            break;
        case Op::scale_columns:
            EXPECT_EQ(out, in[0]);
            EXPECT_EQ(parameters[0], Size{in[0][1]});
            break;
        case Op::norm:
            EXPECT_EQ(out, in[0]);
            for (const Size& parameter : parameters)
                if (node.rule<NormRule>().group)  // of one head, of each head, or of all side by side
                    EXPECT_EQ(in[0][1] % parameter.back(), 0);
                else
                    EXPECT_EQ(parameter, Size{in[0][1]});
            break;
        case Op::linear: {
            // Read the other way round.
            const bool tied = node.rule<LinearRule>().transposed;
            EXPECT_EQ(in[0][1], parameters[0][tied ? 1 : 0]);
            const bool by_head = node.rule<LinearRule>().head.has_value();  // each block of columns makes as many
            EXPECT_EQ(out, (Size{in[0][0], by_head ? in[0][1] : parameters[0][tied ? 0 : 1]}));
            EXPECT_EQ(in[0][1] % (by_head ? parameters[0][1] : 1), 0);
            if (parameters.size() == 2) {
                EXPECT_EQ(parameters[1], Size{out[1]});
            }
            break;
        }
        case Op::rotate:
            EXPECT_EQ(out, in[0]);
            break;
        case Op::masked_softmax:
            EXPECT_EQ(out, in[0]);
            for (const Size& sinks : parameters) EXPECT_EQ(sinks, Size{*values[Symbol::heads]});
            break;
        case Op::append_cache: {
            // A window leaves the new tokens at least, and what is within it of the others.
            if (node.rule<Mask>().kind == Mask::Kind::cross) {
                EXPECT_EQ(out, in[0]);
                break;
            }
            const bool seen = graph.tensors[node.output].role == Role::activation;
            const std::int64_t before = seen ? std::min(cached, *values[Symbol::window] - 1) : cached;
            EXPECT_EQ(out, (Size{before + in[0][0], in[0][1]}));
            break;
        }
        case Op::keep_window:
            if (graph.tensors[node.output].role == Role::state) {
                EXPECT_EQ(out, (Size{node.rule<Mask>().size, in[0][1]}));
                break;
            }
            EXPECT_EQ(out, (Size{std::min(cached + tokens, *values[Symbol::window]), in[0][1]}));
            break;
        case Op::take_columns:
            EXPECT_EQ(out[0], in[0][0]);
            EXPECT_LT(out[1], in[0][1]);
            break;
        case Op::take_head:
            for (const Size& from : in) EXPECT_EQ(out[0], from[0]);
            EXPECT_LE(out[1], in[0][1] + (in.size() > 1 ? in[1][1] : 0));
            break;
        case Op::route:
            EXPECT_EQ(out, (Size{in[0][0], *values[Symbol::experts_per_token]}));
            EXPECT_EQ(in[0][1], *values[Symbol::experts]);
            for (const Size& correction : parameters) EXPECT_EQ(correction, Size{*values[Symbol::experts]});
            break;
        case Op::combine:
            ASSERT_GE(in.size(), 2u);
            EXPECT_EQ(out, in[0]);
            for (const Size& from : in) EXPECT_EQ(from[0], out[0]);
            break;
        case Op::scores:
            EXPECT_EQ(in[0][1], in[1][1]);
            EXPECT_EQ(out, (Size{in[0][0], in[1][0]}));
            for (const Size& table : parameters)
                EXPECT_EQ(table, (Size{*values[Symbol::relative_buckets], *values[Symbol::heads]}));
            break;
        case Op::mix:
            EXPECT_EQ(in[0][1], in[1][0]);
            EXPECT_EQ(out, (Size{in[0][0], in[1][1]}));
            break;
        case Op::join_heads:
            EXPECT_EQ(out,
                      (Size{in[0][0],
                            in[0][1] * *evaluate(graph.blocks[graph.tensors[node.inputs[0]].block].repeat, values)}));
            break;
        case Op::pair_heads:
            EXPECT_EQ(out, (Size{in[0][0], 2 * in[0][1]}));
            break;
        case Op::subtract:
            EXPECT_EQ(in, (std::vector{out, out}));
            for (const Size& vector : parameters) EXPECT_EQ(out[1] % vector[0], 0);
            break;
        case Op::activate:
            EXPECT_EQ(in.size(), 1u);
            EXPECT_EQ(out, in[0]);
            break;
        case Op::gate:
        case Op::add:
        case Op::sum:
            ASSERT_GE(in.size(), 2u);
            for (const Size& term : in) EXPECT_EQ(term, out);
            break;
        case Op::convolve:
            EXPECT_EQ(out, in[0]);
            if (graph.tensors[node.output].part == Part::position_convolution)  // of columns in groups
                EXPECT_EQ(parameters[0][1], in[0][1]);
            else
                EXPECT_EQ(parameters[0], (Size{*values[Symbol::conv_kernel], in[0][1]}));
            break;
        case Op::step:
            EXPECT_EQ(out, in[0]);
            for (const Size& bias : parameters) EXPECT_EQ(bias, Size{in[0][1]});
            break;
        case Op::decay: {
            const bool by_row = parameters[0].size() == 2;
            // One rate a head, whose rows may have steps of their own.
            EXPECT_TRUE(parameters[0][0] == in[0][1] ||
                        (!by_row && parameters[0][0] * *values[Symbol::state_dim] == in[0][1]));
            EXPECT_EQ(out, (Size{in[0][0], in[0][1] * (by_row ? parameters[0][1] : 1)}));
            break;
        }
        case Op::blend:
            EXPECT_EQ(out, in[0]);
            EXPECT_EQ(parameters[0], Size{out[1]});
            break;
        case Op::weigh:
            EXPECT_EQ(in, (std::vector{out, out}));
            for (const Size& each : parameters) EXPECT_EQ(each, Size{out[1]});
            break;
        case Op::sum_up:
            EXPECT_EQ(in[0], in[1]);
            EXPECT_EQ(out, (Size{3, in[0][1]}));
            break;
        case Op::fade:
            for (const Size& each : in) EXPECT_EQ(each, out);
            EXPECT_EQ(in.size(), 2u);
            break;
        case Op::update_state:  // of keys, values, decay and strength; the last two where these are no constants
            EXPECT_EQ(out, (Size{in[0][1], in[1][1]}));
            EXPECT_EQ(in.size(), node.rule<StateRule>().fading ? 2u : 4u);
            if (in.size() < 4) break;
            EXPECT_EQ(in[2][0], in[0][0]);
            EXPECT_TRUE(in[2][1] == 1 || in[2][1] == in[0][1]);
            EXPECT_EQ(in[3], (Size{in[0][0], 1}));
            break;
        case Op::read_state:
            EXPECT_EQ(out, (Size{in[0][0], in[1][1]}));
            EXPECT_EQ(in[0][1], in[1][0]);
            break;
    }
}

void expect_sound(const Architecture& arch, Cache cache) {
    ModelGraph graph = expand(arch, cache);
    Bindings values = bindings(arch, {.tokens = 7, .batch = 2, .cached = cache == Cache::filled ? 5 : 0});
    std::set<std::string> ids;
    for (const Tensor& tensor : graph.tensors) {
        EXPECT_TRUE(ids.insert(tensor.id).second) << tensor.id << " is there twice";
        EXPECT_FALSE(tensor.label.empty() || tensor.symbol.empty() || tensor.meaning.empty()) << tensor.id;
        EXPECT_EQ(filled_in(tensor.meaning, values).find('{'), std::string::npos) << tensor.id;
        EXPECT_EQ(graph.find(tensor.id), &tensor);
    }
    std::set<TensorIndex> made;
    std::map<TensorIndex, int> uses;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (graph.tensors[i].role == Role::input) made.insert(static_cast<TensorIndex>(i));
    for (const Node& node : graph.nodes) {
        expect_shapes_multiply(graph, node, values);
        for (TensorIndex input : node.inputs)
            EXPECT_TRUE(made.contains(input)) << graph.tensors[input].id << " is used before it is made";
        for (TensorIndex parameter : node.parameters) ++uses[parameter];
        EXPECT_TRUE(made.insert(node.output).second) << "made twice";
        EXPECT_EQ(graph.producer(node.output), &node);
    }
    std::map<TensorIndex, int> stored;
    for (const auto* list : {&graph.stored, &graph.buffers})
        for (const StoredTensor& tensor : *list)
            for (TensorIndex part : tensor.parts) ++stored[part];
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        auto index = static_cast<TensorIndex>(i);
        bool parameter = graph.tensors[i].role == Role::parameter || graph.tensors[i].role == Role::buffer;
        const Part part = graph.tensors[i].part;
        const bool computed = part == Part::position_embedding && graph.tensors[i].role == Role::buffer;
        EXPECT_EQ(stored[index], parameter && !computed ? 1 : 0) << graph.tensors[i].id;
        const bool shared = part == Part::relative_bias || (part == Part::token_embedding && arch.encoder) ||
                            part == Part::embedding_projection;  // it may lead back, too
        const int least = parameter && !graph.tensors[i].idle ? (graph.tied_head == index ? 2 : 1) : 0;
        EXPECT_TRUE(uses[index] == least || (shared && uses[index] > least)) << graph.tensors[i].id;
    }
}

TEST(Graph, EveryShapeMultipliesThroughItsNodeInEveryPreset) {
    for (const Preset& preset : testing_data::all_presets()) {
        SCOPED_TRACE(preset.id);
        for (Cache cache : {Cache::empty, Cache::filled}) expect_sound(preset.architecture, cache);
    }
}

TEST(Graph, EveryShapeMultipliesThroughItsNodeInRandomArchitectures) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 500; ++i) {
        SCOPED_TRACE(i);
        Architecture arch = testing_data::random_architecture(random);
        for (Cache cache : {Cache::empty, Cache::filled}) expect_sound(arch, cache);
        if (testing::Test::HasFailure()) return;
    }
}

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
            const bool made_of_them = name != "keys_values";
            const auto group = graph.layer_of(tensor.block);
            const LayerKind kind = group ? graph.layers[*group].group.kind : LayerKind{};
            const bool causal = !sees_all(preset.architecture) && !kind.encoder;
            const bool both = kind.attention && kind.recurrent;
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

}  // namespace
}  // namespace headcount
