// Claims about equations: what is shown of a node is what is computed. Of every preset, made small enough to run, the
// equation of every node gives the run's numbers, and reads what the explanation reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/graph/written.hpp"
#include "core/runtime/evaluator.hpp"
#include "core/runtime/run.hpp"
#include "tests/core/runtime/recurrent_models.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

// The same kinds of layers with the same rules, in a few small sizes. Head sizes stay: some files say a number for each
// of a head's columns.
Architecture made_small(Architecture arch) {
    const std::int64_t head_dim = bindings(arch, Input{})[Symbol::head_dim].value_or(64);
    Attention& attention = arch.layer.attention;
    const std::int64_t sharers = attention.heads / kv_heads(arch);
    attention.heads = sharers == 1 || sharers == attention.heads ? 3 : 4;
    if (attention.kv_heads) attention.kv_heads = sharers == 1 ? 3 : *attention.kv_heads == 1 ? 1 : 2;
    arch.dim = attention.head_dim || attention.latent ? 48 : attention.heads * head_dim;
    arch.layers = std::min<std::int64_t>(arch.layers, pattern_length(arch) + 1);
    arch.vocab = 40;
    if (arch.encoder) arch.encoder->layers = 2;
    if (arch.encoder && arch.sound) arch.encoder->context = 9;
    if (arch.patches) {
        Patches& patches = *arch.patches;
        patches.height = patches.size + patches.stride.value_or(patches.size);
        patches.width = patches.size + 2 * patches.stride.value_or(patches.size);
    }
    if (arch.embedding_dim) arch.embedding_dim = 24;
    if (arch.layer.embedding) arch.layer.embedding = LayerEmbedding{5, 40};
    if (arch.layer.laurel_rank) arch.layer.laurel_rank = 6;
    if (attention.full) attention.full = FullHeads{10, attention.heads / 2, attention.full->keys_are_values};
    if (arch.family->shared) {  // whose heads are as wide together as what they read
        attention.heads = 4;
        attention.kv_heads = attention.heads;
        attention.head_dim = 2 * arch.dim / attention.heads;
    }
    arch.layer.feed_forward.width = std::int64_t{20};
    if (attention.window) attention.window->size = 4;
    if (attention.latent) {
        if (attention.latent->query_rank) attention.latent->query_rank = 16;
        attention.latent->kv_rank = 12;
    }
    if (arch.layer.recurrence) {
        Recurrence& recurrence = *arch.layer.recurrence;
        recurrence.groups = std::min<std::int64_t>(recurrence.groups, 2);
        recurrence.heads = 4;
        recurrence.head_dim = 7;
        recurrence.state_dim = 5;
    }
    if (arch.layer.mixture) {
        Mixture& mixture = *arch.layer.mixture;
        mixture.experts = std::min<std::int64_t>(mixture.experts, 16);
        mixture.experts_per_token = std::min<std::int64_t>(mixture.experts_per_token, 4);
        mixture.expert_dim = 12;
    }
    return arch;
}

// What the encoder hands over, and the output head reads, is then what the last layers leave.
const std::string bare_stacks = "t5-small without final norms";

// Heads are subtracted from each other.
const std::string pairs = "qwen3-8b in pairs";

// Layers that read and write three copies of the stream, sparse and not, and that borrow keys and values.
const std::string copies = "gemma-3-1b with copies of the stream";

// Index heads in every other layer choose fewer keys than there are, and the layers between take their choice.
const std::string choosing = "deepseek-v3.2 with few keys chosen";

// A preset made small, or one of the recurrent models, which are.
Architecture small(const std::string& name) {
    if (name == bare_stacks) {
        Architecture arch = made_small(testing_data::preset("t5-small"));
        arch.norm.final = false;
        return arch;
    }
    if (name == copies) {
        Architecture arch = made_small(testing_data::preset("gemma-3-1b"));
        arch.layers = 4;
        Layer& layer = arch.layer;
        layer.stream_copies = 3;
        layer.laurel_rank = 6;
        layer.embedding = LayerEmbedding{5, 30};
        layer.attention.window->layers = *LayerSet::parse("10", "windows");
        layer.attention.borrowing = *LayerSet::parse("0011", "borrowing");
        layer.sparse_layers = *LayerSet::parse("1000", "sparse");
        return arch;
    }
    if (name == choosing) {
        Architecture arch = made_small(testing_data::preset("deepseek-v3.2"));
        arch.layers = 4;
        Indexer& indexer = *arch.layer.attention.indexer;
        indexer = {.heads = 6, .head_dim = 70, .chosen = 3, .layers = *LayerSet::parse("1010", "indexed")};
        return arch;
    }
    if (name == pairs) {
        Architecture arch = made_small(testing_data::preset("qwen3-8b"));
        arch.layer.attention.differential = true;
        return arch;
    }
    const std::map<std::string, Architecture> recurrent = testing_data::recurrent_models();
    const auto found = recurrent.find(name);
    return found != recurrent.end() ? found->second : made_small(testing_data::preset(name));
}

struct SmallRun {
    std::shared_ptr<const Model> model;
    Run run;
};

// Of a model that reads an image or sound what it reads, some numbers between -1 and 1; of one that reads text none.
std::vector<float> numbers_read(const ModelGraph& graph, const Input& input, const Architecture& arch) {
    const std::optional<TensorIndex> read = graph.numbers_read();
    if (!read) return {};
    std::vector<float> numbers(
        static_cast<std::size_t>(*element_count(graph.tensors[*read].shape, bindings(arch, input))));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<float>(i * i % 1009));
    return numbers;
}

SmallRun small_run(const Architecture& arch) {
    std::vector<std::int32_t> prompt{3, 14, 15, 9, 26, 5, 35};
    if (arch.patches) prompt.resize(static_cast<std::size_t>(most_tokens(arch)));
    const auto model = random_model(arch, 7);
    EXPECT_TRUE(model) << sentence(model.error());
    Run run = *Run::start(*model, {.capacity = std::ssize(prompt), .keep = Keep::all});
    constexpr std::array<std::int32_t, 9> source{7, 1, 38, 2, 0, 9, 9, 30, 1};
    if (arch.encoder) {
        EXPECT_FALSE(run.set_source(source));
    }
    const Input input{.tokens = std::ssize(prompt), .source = std::ssize(source)};
    if (std::vector<float> numbers = numbers_read((*model)->graph, input, arch); !numbers.empty()) {
        EXPECT_FALSE(run.set_numbers(std::move(numbers)));
    }
    EXPECT_FALSE(run.append(prompt));
    return {*model, std::move(run)};
}

// Of others a pass may have scores, and nobody reads them.
bool is_seen(const ModelGraph& graph, const Node& node, std::int64_t row, std::int64_t column) {
    const Mask& mask = *mask_over(graph, node);
    return column < mask.end_visible(row, column + 1) && column >= mask.first_visible(row);
}

void add_tensors(const Formula& formula, std::set<TensorIndex>& found) {
    if (formula.kind == Formula::Kind::tensor) found.insert(formula.tensor);
    for (const Formula& each : formula.operands) add_tensors(each, found);
}

// The tensors that an explanation reads.
std::set<TensorIndex> read_by(const Explanation& explanation) {
    std::set<TensorIndex> found;
    const auto add = [&](const Operand& operand) {
        if (operand.cell) found.insert(operand.cell->tensor);
    };
    for (const Term& term : explanation.terms) std::for_each(term.factors.begin(), term.factors.end(), add);
    for (const AfterSum& step : explanation.after) std::for_each(step.operands.begin(), step.operands.end(), add);
    return found;
}

// Those that the node's equation names, as they stand in this layer: the stream is what the layer before has left.
std::set<TensorIndex> named_by(const RunNumbers& numbers, const CellAt& cell, const Node& node) {
    const ModelGraph& graph = numbers.model->graph;
    std::set<TensorIndex> named, there;
    add_tensors(equation_of(graph, node).right, named);
    Evaluator cells(numbers, cell, node);
    for (const TensorIndex each : named)
        if (graph.tensors[each].role != Role::input || graph.tensors[each].shape.rank() > 1)  // ids are no operands
            there.insert(cells.shown(Formula::of(each), 0, 0)->tensor);
    return there;
}

class EquationOf : public testing::TestWithParam<std::string> {};

TEST_P(EquationOf, EveryNodeIsWhatTheRunHas) {
    const SmallRun ran = small_run(small(GetParam()));
    const RunNumbers numbers = numbers_of(ran.run);
    const ModelGraph& graph = ran.model->graph;
    std::size_t evaluated = 0;
    for (const Node& node : graph.nodes) {
        const std::optional<std::size_t> group = graph.layer_of(node.block);
        const std::int64_t layer = group ? graph.layers[*group].group.first : 0;
        const MatrixView kept = ran.run.activation(node.output, layer, 0);
        ASSERT_TRUE(kept) << graph.tensors[node.output].id;
        double largest = 1;
        for (std::int64_t column = 0; column < kept.columns; ++column)
            largest = std::max(largest, std::abs(static_cast<double>(kept.at(kept.rows - 1, column))));
        for (const auto& [row, column] : {std::pair(kept.rows - 1, kept.columns / 3),
                                          {kept.rows - 1, std::int64_t{0}},
                                          {kept.rows / 2, kept.columns / 2}}) {
            const bool scores = node.op == Op::scores || node.op == Op::index_scores;
            if (scores && !is_seen(graph, node, row, column)) continue;
            const CellAt cell{node.output, layer, 0, row, column};
            Evaluator evaluator(numbers, cell, node);
            const double value = evaluator.at(equation_of(graph, node).right, row, column);
            const std::string line =
                graph.tensors[node.output].id + ": " + written_text(graph, equation_of(graph, node));
            ASSERT_FALSE(evaluator.error) << line << ": " << sentence(*evaluator.error);
            EXPECT_NEAR(value, static_cast<double>(kept.at(row, column)), 1e-4 * largest) << line;
            const Result<Explanation> explained = explain(numbers, cell);
            ASSERT_TRUE(explained) << line << ": " << sentence(explained.error());
            // What is only shown was followed to where it is made, and is worked out there.
            if (explained->of == cell) {
                EXPECT_NEAR(explained->result, value, 1e-9 * std::max(1.0, std::abs(value))) << line;
            }
            ++evaluated;
        }
    }
    EXPECT_GE(evaluated, graph.nodes.size() * 2);
}

TEST_P(EquationOf, EveryNodeReadsWhatItsExplanationReads) {
    const SmallRun ran = small_run(small(GetParam()));
    const RunNumbers numbers = numbers_of(ran.run);
    const ModelGraph& graph = ran.model->graph;
    for (const Node& node : graph.nodes) {
        if (info(node.op).moves == Moves::nothing || info(node.op).moves == Moves::cache)
            continue;  // followed to what made it
        const std::optional<std::size_t> group = graph.layer_of(node.block);
        const std::int64_t layer = group ? graph.layers[*group].group.first : 0;
        const MatrixView made = ran.run.activation(node.output, layer, 0);
        // Of states the run has that after the last token.
        const std::int64_t row = node.op == Op::read_state || graph.tensors[node.output].role == Role::state
                                     ? made.rows - 1
                                     : std::min<std::int64_t>(5, made.rows - 1);
        const CellAt cell{node.output, layer, 0, row, std::min<std::int64_t>(1, made.columns - 1)};
        const bool seen = !info(node.op).of_pairs || is_seen(graph, node, 5, 1);
        const Result<Explanation> explained = explain(numbers, seen ? cell : CellAt{node.output, layer, 0, 5, 5});
        ASSERT_TRUE(explained) << graph.tensors[node.output].id << ": " << sentence(explained.error());
        if (explained->of.tensor != node.output) continue;  // what is only shown was followed to where it is made
        if (explained->masked) continue;                    // of keys that were not chosen
        std::set<TensorIndex> named = named_by(numbers, cell, node);
        // What decides which keys are softened is in none of their weights; the correction decides which experts are
        // chosen, and is in none of theirs.
        if (node.op == Op::masked_softmax && node.inputs.size() > 1) named.erase(node.inputs[1]);
        if (const auto correction = graph.parameter_of(node, Part::router_correction)) named.erase(*correction);
        // What is kept of a state is that after the last token, which nothing has read where it is read first.
        if (node.op == Op::read_state && node.rule<StateRule>().read_first) named.erase(node.inputs[1]);
        EXPECT_EQ(read_by(*explained), named)
            << graph.tensors[node.output].id << ": " << written_text(graph, equation_of(graph, node));
    }
}

std::vector<std::string> preset_ids() {
    std::vector<std::string> ids;
    for (const Preset& preset : testing_data::all_presets())
        if (computation_of(preset.architecture)) ids.push_back(preset.id);
    for (const auto& [name, arch] : testing_data::recurrent_models()) ids.push_back(name);
    ids.push_back(bare_stacks);
    ids.push_back(pairs);
    ids.push_back(copies);
    ids.push_back(choosing);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Presets, EquationOf, testing::ValuesIn(preset_ids()), [](const auto& id) {
    std::string name = id.param;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
});

std::string equation(std::string_view preset, std::string_view id, Notation notation = Notation::text) {
    const ModelGraph graph = expand(testing_data::preset(preset));
    const Tensor* made = graph.find(id);
    EXPECT_TRUE(made) << id;
    const Node* node = graph.producer(static_cast<TensorIndex>(made - graph.tensors.data()));
    return written_text(graph, equation_of(graph, *node), notation);
}

TEST(Equation, SaysWhatAModelDoesOtherwiseThanMost) {
    EXPECT_EQ(equation("gemma-2-2b", "embedded"), "X^(0) = √d · E[ids]");
    EXPECT_EQ(equation("gemma-2-2b", "layer.attention.norm"), "X_n = X^(i) / √(mean(X^(i)²) + 1e-06) ⊙ (1 + g)");
    EXPECT_EQ(equation("gemma-2-2b", "layer.attention.head.scores"), "S = 50 · tanh(Q_i · K_i^T / √d_h / 50)");
    EXPECT_EQ(equation("gemma-2-2b", "logits"), "Z = 30 · tanh(X_n · E^T / 30)");
    EXPECT_EQ(equation("gpt-oss-20b", "layer.feed_forward.expert.hidden"),
              "H = min(G, 7) ⊙ sigmoid(1.702 · min(G, 7)) ⊙ (clip(U, ±7) + 1)");
    EXPECT_EQ(equation("deepseek-v3", "layer.feed_forward.routing"),
              "G_k = 2.5 · normalized(best k of sigmoid(R), chosen by sigmoid(R) + b_e in the best 4 of 8 groups)");
}

TEST(Equation, IsWrittenAsLatexToo) {
    EXPECT_EQ(equation("llama-2-7b", "layer.attention.norm", Notation::latex),
              "X_{n} = \\frac{X^{(i)}}{\\sqrt{\\operatorname{mean}\\left({X^{(i)}}^{2}\\right) + 10^{-5}}} \\odot g");
    EXPECT_EQ(equation("llama-2-7b", "layer.feed_forward.hidden", Notation::latex),
              "H = \\operatorname{SiLU}\\left(G\\right) \\odot U");
}

}  // namespace
}  // namespace headcount
