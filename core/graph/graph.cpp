// Looking things up in a graph, and how shapes and meanings read.
#include "core/graph/graph.hpp"

#include <algorithm>
#include <cassert>

#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::string_view component_key(Component component) {
    constexpr std::array<std::string_view, components.size()> keys{
        "embedding", "attention", "feed_forward", "norm", "output", "recurrence", "tower", "connector"};
    return keys[static_cast<std::size_t>(component)];
}

std::string_view component_name(Component component) {
    constexpr std::array<std::string_view, components.size()> names{
        "Embedding", "Attention", "Feed-forward", "Norms", "Output head", "Recurrence", "Tower", "Connector"};
    return names[static_cast<std::size_t>(component)];
}

Shape::Shape(std::span<const Expr> dimensions) : rank_(dimensions.size()) {
    assert(rank_ <= dimensions_.size());
    std::copy(dimensions.begin(), dimensions.end(), dimensions_.begin());
}

bool Shape::operator==(const Shape& other) const {
    return std::equal(dimensions().begin(), dimensions().end(), other.dimensions().begin(), other.dimensions().end());
}

Expr element_count(const Shape& shape) {
    Expr product = 1;
    for (const Expr& dimension : shape.dimensions()) product = product * dimension;
    return product;
}

Result<std::int64_t> element_count(const Shape& shape, const Bindings& bindings) {
    std::optional<std::int64_t> product = 1;
    for (const Expr& dimension : shape.dimensions()) {
        const Result<std::int64_t> value = evaluate(dimension, bindings);
        product = value && product ? checked_multiply(*product, *value) : std::nullopt;
    }
    return product ? Result<std::int64_t>(*product) : evaluate(element_count(shape), bindings);
}

bool uses(const Shape& shape, Symbol symbol) {
    return std::ranges::any_of(shape.dimensions(), [&](const Expr& size) { return uses(size, symbol); });
}

std::string shape_in_symbols(const Shape& shape) {
    std::string text = shape.rank() == 0 ? "scalar" : "";
    for (const Expr& dimension : shape.dimensions()) {
        text += text.empty() ? "" : " × ";
        text += dimension.is_leaf() || shape.rank() == 1 ? in_symbols(dimension) : "(" + in_symbols(dimension) + ")";
    }
    return text;
}

std::string shape_in_numbers(const Shape& shape, const Bindings& bindings) {
    std::string text = shape.rank() == 0 ? "scalar" : "";
    for (const Expr& dimension : shape.dimensions()) {
        Result<std::int64_t> value = evaluate(dimension, bindings);
        text += (text.empty() ? "" : " × ") + (value ? std::to_string(*value) : in_symbols(dimension));
    }
    return text;
}

namespace {

// Of two stacks an id that names neither means the decoder's: "layer.attention" is "decoder.layer.attention".
template <class Named>
const Named* found_by_id(const ModelGraph& graph, const std::vector<Named>& all, std::string_view id) {
    auto found = std::ranges::find(all, id, &Named::id);
    if (found == all.end() && graph.has_encoder()) {
        const Block& decoder = graph.blocks[graph.stack_of(graph.main_layer().block)];
        found = std::ranges::find(all, decoder.id + "." + std::string(id), &Named::id);
    }
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Tensor* ModelGraph::find(std::string_view id) const { return found_by_id(*this, tensors, id); }

const Block* ModelGraph::find_block(std::string_view id) const { return found_by_id(*this, blocks, id); }

std::vector<std::string_view> ModelGraph::tensor_ids() const {
    std::vector<std::string_view> ids;
    for (const Tensor& tensor : tensors) ids.push_back(tensor.id);
    return ids;
}

std::vector<std::string_view> ModelGraph::place_ids() const {
    std::vector<std::string_view> ids = tensor_ids();
    for (const Block& block : blocks)
        if (!block.id.empty()) ids.push_back(block.id);
    return ids;
}

namespace {

// The product of one number of each block from `block` outwards, up to but without `end`.
Expr product(const ModelGraph& graph, BlockIndex block, std::optional<BlockIndex> end, Expr Block::*number) {
    Expr product = graph.blocks[block].*number;
    for (std::optional<BlockIndex> at = graph.blocks[block].parent; at && at != end; at = graph.blocks[*at].parent)
        product = graph.blocks[*at].*number * product;
    return product;
}

Expr product_in_layer(const ModelGraph& graph, BlockIndex block, Expr Block::*number) {
    std::optional<std::size_t> layer = graph.layer_of(block);
    if (!layer) return product(graph, block, std::nullopt, number);
    const BlockIndex own = graph.layers[*layer].block;
    return own == block ? Expr(1) : product(graph, block, own, number);
}

}  // namespace

Expr ModelGraph::copies(BlockIndex block) const { return product(*this, block, std::nullopt, &Block::repeat); }

Expr ModelGraph::runs(BlockIndex block) const { return product(*this, block, std::nullopt, &Block::runs); }

Expr ModelGraph::copies_in_layer(BlockIndex block) const { return product_in_layer(*this, block, &Block::repeat); }

Expr ModelGraph::runs_in_layer(BlockIndex block) const { return product_in_layer(*this, block, &Block::runs); }

std::optional<std::size_t> ModelGraph::layer_in_files(const Tensor& tensor) const {
    return is_of_convolution(tensor.part) ? std::nullopt : layer_of(tensor.read_in());
}

std::optional<std::size_t> ModelGraph::layer_of(BlockIndex block) const {
    std::optional<BlockIndex> at = block;
    while (at && !is(*at, BlockKind::layer)) at = blocks[*at].parent;
    const auto found = at ? std::ranges::find(layers, *at, &LayerBlock::block) : layers.end();
    return found == layers.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - layers.begin()));
}

bool ModelGraph::is_part(BlockIndex block, BlockIndex layer) const {
    const std::optional<BlockIndex> parent = blocks[block].parent;
    return (parent == layer && !is(block, BlockKind::copies)) ||
           (is(block, BlockKind::mixer) && blocks[*parent].parent == layer);
}

BlockIndex ModelGraph::stack_of(BlockIndex block) const {
    std::optional<BlockIndex> at = block;
    while (at && !is(*at, BlockKind::stack)) at = blocks[*at].parent;
    return at.value_or(0);
}

bool ModelGraph::reads_stream(const Node& node, TensorIndex input) const {
    const BlockIndex from = tensors[input].block;
    if (tensors[input].role != Role::activation || layer_of(from) == layer_of(node.block)) return false;
    if (is_beside_stream(tensors[input].part)) return false;
    return layer_of(from).has_value() || stack_of(from) == stack_of(node.block);
}

bool ModelGraph::is_for_all_layers(TensorIndex tensor) const {
    const Tensor& made = tensors[tensor];
    return is_beside_stream(made.part) && (made.part == Part::first_values || !layer_of(made.block));
}

bool ModelGraph::reads_last_layer(const Node& node, TensorIndex input) const {
    const BlockIndex from = tensors[input].block;
    return reads_stream(node, input) && layer_of(from) &&
           (!layer_of(node.block) || stack_of(from) != stack_of(node.block));
}

std::size_t ModelGraph::group_of(const LayerKind& kind) const {
    const auto found = std::ranges::find_if(layers, [&](const LayerBlock& layer) { return layer.group.kind == kind; });
    return static_cast<std::size_t>(found - layers.begin());
}

std::optional<std::size_t> ModelGraph::first_sharing(const StoredTensor& stored) const {
    const std::optional<BlockIndex>& reads = tensors[stored.parts.front()].shared_in;
    return reads ? layer_of(*reads) : std::nullopt;
}

Expr ModelGraph::layers_with(BlockIndex block) const {
    const std::optional<std::size_t> layer = layer_of(block);
    return layer ? blocks[layers[*layer].block].repeat : Expr(1);
}

const LayerBlock& ModelGraph::main_layer() const {
    return *std::ranges::find_if(layers, [](const LayerBlock& layer) { return layer.group.main; });
}

TensorIndex ModelGraph::last_of(std::size_t group) const {
    const auto last = std::find_if(nodes.rbegin(), nodes.rend(),
                                   [&](const Node& node) { return inside(node.block, layers[group].block); });
    return last == nodes.rend() ? before_layers(stack_of(layers[group].block)) : last->output;
}

TensorIndex ModelGraph::before_layers(BlockIndex stack) const {
    TensorIndex last = 0;
    for (const Node& node : nodes) {
        if (stack_of(node.block) != stack) continue;
        const Tensor& made = tensors[node.output];
        const bool behind = made.component == Component::output || made.part == Part::final_norm;
        if (layer_of(node.block) || behind) break;
        if (!is_beside_stream(made.part)) last = node.output;
    }
    return last;
}

bool ModelGraph::inside(BlockIndex block, BlockIndex ancestor) const {
    std::optional<BlockIndex> at = block;
    while (at && *at != ancestor) at = blocks[*at].parent;
    return at.has_value();
}

bool ModelGraph::within(BlockIndex block, BlockKind kind) const {
    std::optional<BlockIndex> at = block;
    while (at && !is(*at, kind)) at = blocks[*at].parent;
    return at.has_value();
}

std::optional<double> ModelGraph::own_score_factor() const {
    const Node* const scores = first(Op::scores);
    return scores ? scores->rule<ScoreRule>().own_factor() : std::nullopt;
}

std::int64_t ModelGraph::score_terms() const {
    const Node* const scores = first(Op::scores);
    return scores ? scores->rule<ScoreRule>().terms : 1;
}

const Node* ModelGraph::first(Op op, std::optional<BlockIndex> block) const {
    return find_if_in(nodes, [&](const Node& node) { return node.op == op && (!block || node.block == *block); });
}

std::optional<TensorIndex> ModelGraph::numbers_read() const {
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i].role == Role::input && tensors[i].shape.rank() == 2 && !layer_of(tensors[i].block))
            return static_cast<TensorIndex>(i);
    return std::nullopt;
}

std::optional<TensorIndex> ModelGraph::parameter_of(const Node& node, Part part) const {
    for (const TensorIndex each : node.parameters)
        if (tensors[each].part == part) return each;
    return std::nullopt;
}

const Node* ModelGraph::producer(TensorIndex tensor) const {
    return find_if_in(nodes, [&](const Node& node) { return node.output == tensor; });
}

std::optional<TensorIndex> ModelGraph::one_head_of(TensorIndex tensor) const {
    for (const Node& node : nodes) {
        if (node.op == Op::join_heads && node.output == tensor) return node.inputs.front();
        if (node.op != Op::take_head || node.inputs.size() > 1) continue;
        TensorIndex from = node.inputs.front();
        if (tensors[from].part == Part::latent_up) continue;
        for (const Node* made = producer(from); made && from != tensor; made = producer(from)) {
            if (made->op != Op::rotate && made->op != Op::append_cache && made->op != Op::norm) break;
            from = made->inputs.front();
        }
        if (from == tensor) return node.output;
    }
    return std::nullopt;
}

std::vector<TensorIndex> ModelGraph::distance_sides(const Node& scores) const {
    std::vector<TensorIndex> sides;
    for (std::size_t i = 2; i < scores.inputs.size(); ++i)
        if (tensors[scores.inputs[i]].part != Part::distance_gate) sides.push_back(scores.inputs[i]);
    return sides;
}

const Node* ModelGraph::product_behind(TensorIndex tensor) const {
    const Node* node = producer(tensor);
    while (node && node->op != Op::linear) node = node->inputs.empty() ? nullptr : producer(node->inputs.front());
    return node;
}

namespace {

// Where the plural s of the noun behind a number stands in " KV heads of ...": of the first word that ends in one,
// among those directly behind the number.
std::size_t plural_of(std::string_view words) {
    constexpr int furthest = 3;  // "possible next tokens"
    std::size_t at = 0;
    for (int word = 0; word < furthest && at < words.size() && words[at] == ' '; ++word) {
        std::size_t end = words.find_first_of(" ,.;:", at + 1);
        if (end == std::string_view::npos) end = words.size();
        const std::string_view text = words.substr(at + 1, end - at - 1);
        if (text == "of") break;
        if (text.size() > 2 && text.ends_with('s') && !text.ends_with("ss")) return end - 1;
        at = end;
    }
    return std::string_view::npos;
}

}  // namespace

std::string filled_in(std::string_view meaning, const Bindings& bindings) {
    std::string text;
    bool one = false;  // the number before this piece is a 1
    for (std::size_t at = 0; at < meaning.size();) {
        std::size_t open = meaning.find('{', at);
        std::size_t close = open == std::string_view::npos ? open : meaning.find('}', open);
        std::string words(meaning.substr(at, open - at));
        if (const std::size_t plural = one ? plural_of(words) : std::string::npos; plural != std::string::npos)
            words.erase(plural, 1);
        text += words;
        if (close == std::string_view::npos) break;
        Result<Expr> expr = parse_expr(meaning.substr(open + 1, close - open - 1));
        assert(expr && "a meaning holds a formula that cannot be read");
        Result<std::int64_t> value = expr ? evaluate(*expr, bindings) : Result<std::int64_t>(expr.error());
        text += value ? std::to_string(*value) : std::string(meaning.substr(open + 1, close - open - 1));
        one = value && *value == 1;
        at = close + 1;
    }
    return text;
}

std::string words_of(const Block& block) {
    constexpr std::string_view one_word = "feed_forward";
    std::string words = block.name;
    if (const std::size_t at = words.find(one_word); at != words.npos)
        words.replace(at, one_word.size(), "feed-forward");
    std::ranges::replace(words, '_', ' ');
    return capitalized(words);
}

std::vector<LayerLook> looks_of(const ModelGraph& graph) {
    std::vector<LayerLook> looks;
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        const LayerGroup& group = graph.layers[i].group;
        const auto same = std::ranges::find_if(looks, [&](const LayerLook& look) {
            return are_built_alike(graph.layers[look.kinds.front()].group.kind, group.kind);
        });
        LayerLook& look = same == looks.end() ? looks.emplace_back() : *same;
        look.kinds.push_back(i);
        look.count += group.count;
    }
    return looks;
}

}  // namespace headcount
