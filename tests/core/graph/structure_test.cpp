// What holds for the graph of every architecture: shapes multiply through their nodes, everything has its place.
#include <gtest/gtest.h>

#include <algorithm>
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
            EXPECT_EQ(
                parameters[0][0],
                *values[graph.tensors[node.parameters[0]].part == Part::layer_embedding ? Symbol::layer_embedding_vocab
                                                                                        : Symbol::vocab]);
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
        case Op::first_row: EXPECT_EQ(out, (Size{1, in[0][1]})); break;
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
        case Op::unfold: EXPECT_EQ(out[1], in[0][1] * node.rule<UnfoldRule>().kernel); break;
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
        case Op::rotate: EXPECT_EQ(out, in[0]); break;
        case Op::index_scores: {  // of each query's heads with each key, and how much each head counts
            EXPECT_EQ(in[0][1], in[1][1] * in[2][1]);
            EXPECT_EQ(in[2], (Size{in[0][0], *values[Symbol::index_heads]}));
            EXPECT_EQ(out, (Size{in[0][0], in[1][0]}));
            break;
        }
        case Op::choose: EXPECT_EQ(out, in[0]); break;
        case Op::masked_softmax:
            for (const Size& from : in) EXPECT_EQ(out, from);  // scores, and which keys are chosen
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
            for (std::size_t i = 2; i < in.size(); ++i)
                EXPECT_EQ(in[i], graph.tensors[node.inputs[i]].part == Part::distance_gate
                                     ? (Size{in[0][0], 1})
                                     : (Size{node.rule<ScoreRule>().relative->buckets, in[0][1]}));
            break;
        case Op::gate_distances:
            EXPECT_EQ(in[0], in[1]);
            EXPECT_EQ(out, (Size{in[0][0], 1}));
            EXPECT_EQ(parameters[0], Size{*values[Symbol::heads]});
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
        case Op::pair_heads: EXPECT_EQ(out, (Size{in[0][0], 2 * in[0][1]})); break;
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
        case Op::beside: {
            std::int64_t columns = 0;
            for (const Size& part : in) columns += part[1];
            for (const Size& part : in) EXPECT_EQ(part[0], out[0]);
            EXPECT_EQ(out[1], columns);
            break;
        }
        case Op::mix_blocks: {
            const auto& rule = node.rule<BlockRule>();
            const std::int64_t read = *evaluate(rule.in, values), made = *evaluate(rule.out, values);
            EXPECT_EQ(in[0][1] % read, 0);
            EXPECT_EQ(in[1], (Size{in[0][0], read * made}));
            EXPECT_EQ(out, (Size{in[0][0], in[0][1] / read * made}));
            break;
        }
        case Op::magnitude: EXPECT_EQ(out, (Size{in[0][0], 1})); break;
        case Op::threshold: EXPECT_EQ(out, in[0]); break;
        case Op::table: EXPECT_EQ(out, parameters[0]); break;
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
            if (node.rule<DecayRule>().by_token) {
                EXPECT_EQ(out, in[0]);
                EXPECT_EQ(parameters[0], Size{out[1]});
                break;
            }
            const bool by_row = parameters[0].size() == 2;
            // One rate a head, whose rows may have steps of their own.
            EXPECT_TRUE(parameters[0][0] == in[0][1] ||
                        (!by_row && parameters[0][0] * *values[Symbol::state_dim] == in[0][1]));
            EXPECT_EQ(out, (Size{in[0][0], in[0][1] * (by_row ? parameters[0][1] : 1)}));
            break;
        }
        case Op::blend:
            for (const Size& each : in) EXPECT_EQ(each, out);
            EXPECT_LE(in.size(), 2u);
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
            if (node.rule<StateRule>().apart || node.rule<StateRule>().read_first) {
                EXPECT_EQ(in.size(), node.rule<StateRule>().apart ? 5u : 3u);
                for (std::size_t i = 2; i < in.size(); ++i) EXPECT_EQ(in[i], in[0]);
                break;
            }
            EXPECT_EQ(in.size(), node.rule<StateRule>().fading ? 2u : 4u);
            if (in.size() < 4) break;
            EXPECT_EQ(in[2][0], in[0][0]);
            EXPECT_TRUE(in[2][1] == 1 || in[2][1] == in[0][1]);
            EXPECT_EQ(in[3], (Size{in[0][0], 1}));
            break;
        case Op::bonus:
            for (const Size& each : in) EXPECT_EQ(each, out);
            EXPECT_EQ(in.size(), 3u);
            EXPECT_EQ(parameters[0][0] * parameters[0][1], out[1]);
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
        const bool shared = part == Part::relative_bias ||
                            (part == Part::token_embedding && (arch.encoder || arch.family->shared)) ||
                            part == Part::embedding_projection ||  // it may lead back, too
                            // of those of distances, too
                            (arch.family->distances && (part == Part::query || part == Part::key)) ||
                            part == Part::copy_router || part == Part::copy_router_norm ||  // for both ways
                            graph.tensors[i].shared_in;
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

}  // namespace
}  // namespace headcount
