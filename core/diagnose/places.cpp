// Lists the activations of a run, and measures how far other numbers are from them.
#include "core/diagnose/places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/runtime/dump.hpp"

namespace headcount {
namespace {

// Whether it has numbers of its own that a transformer would write down.
bool can_be_compared(const ModelGraph& graph, const Node& node) {
    const Tensor& made = graph.tensors[node.output];
    if (node.op == Op::keep_window || made.role != Role::activation) return false;
    if (graph.is(made.block, BlockKind::expert)) return false;
    return !made.view || graph.is(made.block, BlockKind::head);
}

bool by_heads(Part part) {
    return part == Part::query || part == Part::key || part == Part::value || part == Part::query_norm ||
           part == Part::key_norm || part == Part::value_norm;
}

class Lister {
  public:
    explicit Lister(const Run& run)
        : run_(run),
          graph_(run.model().graph),
          values_(
              bindings(run.model().architecture,
                       Input{.tokens = run.tokens(), .source = std::max<std::int64_t>(1, std::ssize(run.source()))})) {}

    std::vector<Site> list() {
        // What stands together in the layers of one stack is made layer by layer.
        for (auto node = graph_.nodes.begin(); node != graph_.nodes.end();) {
            const std::optional<std::int64_t> layers = layers_of(*node);
            const BlockIndex stack = graph_.stack_of(node->block);
            auto end = node + 1;
            while (layers && end != graph_.nodes.end() && layers_of(*end) && graph_.stack_of(end->block) == stack)
                ++end;
            for (std::int64_t layer = 0; layer < layers.value_or(1); ++layer) {
                done_ += layers ? 1 : 0;
                for (auto each = node; each != end; ++each) add(*each, layer);
            }
            node = end;
        }
        // Behind all layers stands what comes last.
        for (auto each = all_.rbegin(); each != all_.rend() && !each->in_layer; ++each) ++each->after;
        const auto output = std::find_if(all_.rbegin(), all_.rend(), [](const Site& each) { return each.of_encoder; });
        if (output != all_.rend()) output->also.push_back("encoder.output");
        return std::move(all_);
    }

  private:
    // Of its stack, where it is in a layer.
    std::optional<std::int64_t> layers_of(const Node& node) const {
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        if (!group) return std::nullopt;
        return stack_layers(run_.model().architecture, graph_.layers[*group].group.kind);
    }

    void add(const Node& node, std::int64_t layer) {
        if (node.op == Op::append_cache) {  // the same numbers under another name
            for (Site& each : all_)
                if (each.tensor == node.inputs.front() && each.layer == layer)
                    each.also.push_back(activation_name(graph_, node.output, layer));
            return;
        }
        if (!can_be_compared(graph_, node)) return;
        const Tensor& tensor = graph_.tensors[node.output];
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        Site place{.tensor = node.output, .layer = layer, .by_head = graph_.is(node.block, BlockKind::head)};
        const MatrixView first = run_.activation(node.output, layer, 0);
        if (!first) return;
        while (place.by_head && run_.activation(node.output, layer, place.copies)) ++place.copies;
        place.rows = first.rows, place.columns = first.columns;
        place.of_encoder = group ? graph_.layers[*group].group.kind.encoder
                                 : run_.model().architecture.encoder && graph_.of_source(node.output);
        place.across = graph_.within(node.block, BlockKind::cross);
        place.after = done_;
        if (group) place.in_layer = layer;
        place.scores = node.op == Op::scores;
        const bool of_heads = by_heads(tensor.part) || node.op == Op::join_heads;
        if (of_heads && !place.by_head) place.head_columns = head_columns(place.columns);
        place.name = activation_name(graph_, node.output, layer);
        const std::string hidden = place.of_encoder ? "encoder.hidden." : "hidden.";
        if (group && node.output == graph_.last_of(*group)) place.also.push_back(hidden + std::to_string(layer + 1));
        if (!group && node.output == graph_.before_layers(graph_.stack_of(node.block)))
            place.also.push_back(hidden + "0");
        all_.push_back(std::move(place));
    }

    // How many of so many columns are one head's; 0 where they are not all heads' columns.
    std::int64_t head_columns(std::int64_t columns) const {
        using S = Symbol;
        for (const auto& [heads, each] : {std::pair(S::heads, S::head_dim),
                                          {S::kv_heads, S::head_dim},
                                          {S::heads, S::value_dim},
                                          {S::heads, S::full_head_dim},
                                          {S::full_kv_heads, S::full_head_dim}}) {
            const std::int64_t width = values_[each].value_or(0);
            if (width > 0 && values_[heads].value_or(0) * width == columns) return width;
        }
        return 0;
    }

    const Run& run_;
    const ModelGraph& graph_;
    const Bindings values_;
    std::int64_t done_ = 0;  // layers
    std::vector<Site> all_;
};

// Calls work(theirs, ours, token, copy, column) for every cell that both have.
template <class Work>
void each_pair(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours, const Work& work) {
    const std::int64_t width = place.head_columns;
    std::size_t at = 0;
    for (std::int64_t copy = 0; copy < place.copies; ++copy)
        for (std::int64_t row = 0; row < place.rows; ++row)
            for (std::int64_t column = 0; column < place.columns; ++column, ++at) {
                if (lie == Lie::last_row && row != place.rows - 1) continue;
                if (place.scores && column > row) continue;
                std::int64_t other = static_cast<std::int64_t>(at);
                if (lie == Lie::last_row) other = column;
                if (lie == Lie::heads_first) other = (column / width * place.rows + row) * width + column % width;
                work(static_cast<double>(theirs.numbers[static_cast<std::size_t>(other)]),
                     static_cast<double>(ours[at]), row, copy, column);
            }
}

double ratio(double apart, double size) {
    if (!std::isfinite(apart) || !std::isfinite(size)) return std::numeric_limits<double>::infinity();
    if (apart == 0) return 0;
    return size > 0 ? std::sqrt(apart / size) : std::numeric_limits<double>::infinity();
}

std::vector<std::int64_t> without_ones(std::vector<std::int64_t> shape) {
    std::erase(shape, 1);
    return shape;
}

}  // namespace

std::vector<Site> places_of(const Run& run) { return Lister(run).list(); }

std::set<std::string> dumped_besides(const Run& run) {
    const ModelGraph& graph = run.model().graph;
    std::set<std::string> names;
    for (const Node& node : graph.nodes) {
        const std::optional<std::size_t> group = graph.layer_of(node.block);
        const std::int64_t layers = group ? stack_layers(run.model().architecture, graph.layers[*group].group.kind) : 1;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            if (node.op == Op::route) names.insert(experts_name(graph, node.output, layer));
            if (node.op != Op::append_cache && !can_be_compared(graph, node))
                names.insert(activation_name(graph, node.output, layer));
        }
    }
    return names;
}

std::vector<float> numbers_at(const Run& run, const Site& place, TensorIndex tensor) {
    std::vector<float> all;
    all.reserve(static_cast<std::size_t>(place.copies * place.rows * place.columns));
    for (std::int64_t copy = 0; copy < place.copies; ++copy) {
        // Of a pass that is under way the view does not know how many rows there are.
        const MatrixView view = run.activation(tensor, place.layer, copy);
        if (!view || (view.columns > 0 && view.columns < place.columns)) return {};
        for (std::int64_t row = 0; row < place.rows; ++row)
            for (std::int64_t column = 0; column < place.columns; ++column) all.push_back(view.at(row, column));
    }
    return all;
}

std::vector<Lie> lies(const Site& place, const std::vector<std::int64_t>& shape) {
    const auto is = [theirs = without_ones(shape)](std::vector<std::int64_t> sides) {
        return theirs == without_ones(std::move(sides));
    };
    const std::int64_t rows = place.rows, width = place.head_columns;
    const std::int64_t heads = width > 0 ? place.columns / width : 0;
    std::vector<Lie> found;
    if (is({place.copies, rows, place.columns}) || (heads > 0 && is({rows, heads, width}))) found.push_back(Lie::plain);
    if (heads > 1 && rows > 1 && is({heads, rows, width})) found.push_back(Lie::heads_first);
    if (!place.by_head && rows > 1 && is({place.columns})) found.push_back(Lie::last_row);
    return found;
}

double difference(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours) {
    double apart = 0, size = 0;
    each_pair(theirs, lie, place, ours, [&](double a, double b, std::int64_t, std::int64_t, std::int64_t) {
        apart += (a - b) * (a - b);
        size += b * b;
    });
    return ratio(apart, size);
}

std::optional<double> dropped(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours) {
    double both = 0, size = 0, apart = 0;
    std::int64_t none = 0, all = 0;
    const auto each = [&](const auto& work) {
        each_pair(theirs, lie, place, ours, [&](double a, double b, std::int64_t, std::int64_t, std::int64_t) {
            if (b != 0) work(a, b);
        });
    };
    each([&](double a, double b) {
        ++all;
        if (a == 0) return void(++none);
        both += a * b;
        size += b * b;
    });
    constexpr std::int64_t fewest = 16;  // of which chance could not make it look so
    if (none == 0 || all - none < fewest || !(size > 0)) return std::nullopt;
    const double times = both / size, share = 1 - 1 / times;
    if (!(share > 0.005 && share < 0.95)) return std::nullopt;
    each([&](double a, double b) {
        if (a != 0) apart += (a - times * b) * (a - times * b);
    });
    if (std::sqrt(apart / size) > 4 * times * theirs.tolerance) return std::nullopt;
    // As many as that share would leave out by chance.
    const double counted = static_cast<double>(all), width = std::sqrt(share * (1 - share) / counted);
    const double off = std::abs(static_cast<double>(none) / counted - share);
    return off <= 5 * width + 1 / counted ? std::optional(share) : std::nullopt;
}

Where where_different(const TheirTensor& theirs, Lie lie, const Site& place, std::span<const float> ours) {
    struct Sum {
        double apart = 0, size = 0;
    };
    const std::int64_t heads = place.by_head            ? place.copies
                               : place.head_columns > 0 ? place.columns / place.head_columns
                                                        : 0;
    std::vector<Sum> tokens(static_cast<std::size_t>(place.rows)), of_heads(static_cast<std::size_t>(heads)),
        columns(static_cast<std::size_t>(place.columns));
    each_pair(theirs, lie, place, ours,
              [&](double a, double b, std::int64_t row, std::int64_t copy, std::int64_t column) {
                  const auto add = [&](Sum& sum) {
                      sum.apart += (a - b) * (a - b);
                      sum.size += b * b;
                  };
                  add(tokens[static_cast<std::size_t>(row)]);
                  add(columns[static_cast<std::size_t>(column)]);
                  if (heads > 0)
                      add(of_heads[static_cast<std::size_t>(place.by_head ? copy : column / place.head_columns)]);
              });
    const auto ratios = [](const std::vector<Sum>& sums) {
        std::vector<double> all;
        for (const Sum& sum : sums) all.push_back(ratio(sum.apart, sum.size));
        return all;
    };
    if (lie == Lie::last_row) tokens.clear();  // of one alone
    return {ratios(tokens), ratios(of_heads), ratios(columns)};
}

}  // namespace headcount
