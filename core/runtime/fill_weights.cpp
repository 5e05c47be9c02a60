// Where each stored number belongs.
#include "core/runtime/fill_weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/find.hpp"

namespace headcount {

namespace {

// One output column of a tensor: which of its parts it belongs to, and which column there.
struct OutPlace {
    std::size_t part;
    std::int64_t column;
};

struct Destination {
    float* floats;
    std::byte* blocks;  // where it is kept as it is stored
    MatrixView view;

    void put(std::int64_t row, std::int64_t column, float value) const { floats[view.offset(row, column)] = value; }
    // All inputs of one output.
    void put(std::int64_t output, std::span<const std::byte> row) const {
        std::byte* to = blocks + (view.blocks_of(output) - view.blocks);
        for (const std::byte byte : row) {
            *to = byte;
            to += panel_columns;
        }
    }
};

// Whether it is a norm's weight of those to which a family adds 1: the norm inside of a recurrence is none of them.
bool is_offset_weight(const Tensor& tensor) {
    return tensor.component == Component::norm && tensor.part != Part::state_norm && !tensor.bias;
}

const Tensor& part_of(const ModelGraph& graph, const StoredCopy& copy, std::size_t part) {
    return graph.tensors[copy.tensor.parts[part]];
}

// Whether it holds a matrix of each expert, not a bias.
bool holds_matrices(const ModelGraph& graph, const StoredCopy& copy) {
    return is_stacked(copy.tensor.kind) && part_of(graph, copy, 0).shape.rank() == 2;
}

// Whether a row of the stored tensor is one output and its inputs, not one input and its outputs.
bool by_output(const ModelGraph& graph, const StoredCopy& copy) {
    const ModuleKind kind = copy.tensor.kind;
    if (is_stacked(kind)) return is_stacked_by_output(kind) && holds_matrices(graph, copy);
    if (kind == ModuleKind::convolution) return copy.shape.size() == 3;
    return is_stored_by_output(kind) && copy.shape.size() > 1;
}

// How many numbers of it stand in one row.
std::int64_t row_size(const ModelGraph& graph, const StoredCopy& copy) {
    // All that one filter multiplies is a row.
    if (by_output(graph, copy) && !is_stacked(copy.tensor.kind)) return copy.elements() / copy.shape.front();
    // What is one row here is stored as one.
    const bool one_row = part_of(graph, copy, 0).shape.rank() == 1 && !is_stacked(copy.tensor.kind) &&
                         copy.tensor.kind != ModuleKind::each_head;
    return one_row ? copy.elements() : copy.shape.back();
}

using Heard = std::function<std::optional<Error>(std::int64_t numbers)>;

class Filler {
  public:
    Filler(Weights& weights, const Architecture& arch, const ModelGraph& graph, const FillOptions& options)
        : weights_(weights), arch_(arch), graph_(graph), options_(options) {}

    // `read_so_far` hears of every so many numbers, and may end it with an error.
    std::optional<Error> fill(const StoredCopy& copy, const StoredRows& stored, const Heard& read_so_far) {
        columns_ = row_size(graph_, copy);
        rows_ = copy.shape.size() < 2 ? 1 : copy.shape[copy.shape.size() - 2];
        const std::int64_t all = copy.elements() / columns_;
        if (is_stacked_behind(copy.tensor.kind) && holds_matrices(graph_, copy)) rows_ /= arch_.layer.mixture->experts;
        outputs_ = outputs_of(copy);
        const bool kept = view_of(copy, 0).form != nullptr;
        if (kept && view_of(copy, 0).form != stored.form)
            return Error{"the numbers are there in two forms", copy.name, "keep one of the tensors"};
        constexpr std::int64_t at_once = 1 << 18;
        const std::int64_t step = std::max<std::int64_t>(1, at_once / columns_);
        for (std::int64_t row = 0; row < all; row += step) {
            const std::int64_t rows = std::min(step, all - row);
            buffer_.resize(static_cast<std::size_t>(rows * columns_));
            if (std::optional<Error> error = stored.read(row * columns_, buffer_)) return error;
            if (std::optional<Error> error = check(copy, row)) return error;
            std::span<const std::byte> bytes;
            if (kept) {
                const Result<std::span<const std::byte>> found = stored.blocks(row * columns_, rows * columns_);
                if (!found) return found.error();
                bytes = *found;
            }
            const std::size_t in_row = bytes.size() / static_cast<std::size_t>(rows);
            for (std::int64_t i = 0; i < rows; ++i)
                put_row(copy, row + i, &buffer_[static_cast<std::size_t>(i * columns_)],
                        bytes.subspan(static_cast<std::size_t>(i) * in_row, in_row));
            if (std::optional<Error> error = read_so_far(rows * columns_)) return error;
        }
        return std::nullopt;
    }

  private:
    // For each output of the stored tensor its part and column, by how the family fuses them.
    std::vector<OutPlace> outputs_of(const StoredCopy& copy) const {
        const std::size_t parts = copy.tensor.parts.size();
        std::vector<std::int64_t> widths;
        for (std::size_t part = 0; part < parts; ++part)
            widths.push_back(weights_.view(copy.tensor.parts[part], copy.place.layer.value_or(0)).columns);
        std::vector<OutPlace> places;
        const Fusing fusing = options_.parts_in_turn ? Fusing::in_turn : copy.tensor.fusing;
        const bool uneven = fusing == Fusing::in_quarters && widths[0] % 4 != 0;
        if (parts == 1 || fusing == Fusing::in_turn || uneven) {
            for (std::size_t part = 0; part < parts; ++part)
                for (std::int64_t i = 0; i < widths[part]; ++i) places.push_back({part, i});
        } else if (fusing == Fusing::alternating) {
            for (std::int64_t i = 0; i < widths[0]; ++i)
                for (std::size_t part = 0; part < parts; ++part) places.push_back({part, i});
        } else {
            const std::int64_t groups = fusing == Fusing::in_quarters ? 4 : groups_of(copy);
            for (std::int64_t group = 0; group < groups; ++group)
                for (std::size_t part = 0; part < parts; ++part)
                    for (std::int64_t i = 0; i < widths[part] / groups; ++i)
                        places.push_back({part, group * (widths[part] / groups) + i});
        }
        if (options_.neighbours_paired)
            for (OutPlace& place : places) place.column = apart(part_of(graph_, copy, place.part), place.column);
        return places;
    }

    // Into how many groups parts that are fused group by group are cut: a state's, heads that each have a gate, or what
    // shares a key/value head.
    std::int64_t groups_of(const StoredCopy& copy) const {
        if (part_of(graph_, copy, 0).component == Component::recurrence)
            return bindings(arch_, Input{})[Symbol::state_groups].value_or(1);
        for (std::size_t part = 0; part < copy.tensor.parts.size(); ++part)
            if (part_of(graph_, copy, part).part == Part::attention_gate) return arch_.layer.attention.heads;
        return kv_heads(arch_);
    }

    // Column 2·i of a head's is column i of the first half, 2·i + 1 of the second.
    std::int64_t apart(const Tensor& tensor, std::int64_t column) const {
        if (tensor.part != Part::query && tensor.part != Part::key) return column;
        const std::int64_t size = bindings(arch_, Input{})[Symbol::head_dim].value_or(2), within = column % size;
        return column - within + within / 2 + (within % 2 == 0 ? 0 : size / 2);
    }

    std::optional<Error> check(const StoredCopy& copy, std::int64_t row) {
        const auto bad = std::ranges::find_if(buffer_, [](float x) { return !std::isfinite(x); });
        if (bad != buffer_.end()) {
            const std::int64_t at = row * columns_ + (bad - buffer_.begin());
            return Error{std::isnan(*bad) ? "a weight is not a number (NaN)" : "a weight is infinite",
                         copy.name + ", number " + std::to_string(at), "fetch or export the weights again"};
        }
        if (options_.less_of_norms != 0 && is_offset_weight(part_of(graph_, copy, 0)))
            for (float& each : buffer_) each -= static_cast<float>(options_.less_of_norms);
        return std::nullopt;
    }

    // Row `row` of all rows of the stored tensor, each of `columns_` numbers; in blocks, where it is kept so.
    void put_row(const StoredCopy& copy, std::int64_t row, const float* values, std::span<const std::byte> bytes) {
        const ModuleKind kind = copy.tensor.kind;
        const std::int64_t layer = copy.place.layer.value_or(0);
        const bool matrices = holds_matrices(graph_, copy);
        std::int64_t within = copy.place.within.value_or(0);
        if (is_stacked(kind)) within = matrices ? row / rows_ : row;
        if (matrices) row %= rows_;
        if (is_stacked(kind) && !matrices) row = 0;
        if (by_output(graph_, copy)) {
            const OutPlace& out = outputs_[static_cast<std::size_t>(row)];
            const Destination part = open(copy.tensor.parts[out.part], layer, within);
            if (part.blocks) return part.put(out.column, bytes);
            for (std::int64_t i = 0; i < columns_; ++i) part.put(i, out.column, values[i]);
            return;
        }
        if (kind == ModuleKind::embedding || kind == ModuleKind::bare_stack) {  // rows of several behind one another
            std::size_t part = 0;
            for (; row >= view_of(copy, part).rows; ++part) row -= view_of(copy, part).rows;
            const Destination rows = open(copy.tensor.parts[part], layer, within);
            if (rows.blocks) return rows.put(row, bytes);
            for (std::int64_t i = 0; i < columns_; ++i) rows.put(row, i, values[i]);
            return;
        }
        const bool one_norm = kind == ModuleKind::each_head;
        std::vector<Destination> parts;
        for (TensorIndex each : copy.tensor.parts) parts.push_back(open(each, layer, one_norm ? 0 : within));
        if (one_norm) row = within;
        for (std::int64_t i = 0; i < columns_; ++i) {
            const OutPlace& out = outputs_[static_cast<std::size_t>(i)];
            parts[out.part].put(row, out.column, values[i]);
        }
    }

    MatrixView view_of(const StoredCopy& copy, std::size_t part) const {
        return weights_.view(copy.tensor.parts[part], copy.place.layer.value_or(0));
    }

    Destination open(TensorIndex tensor, std::int64_t layer, std::int64_t copy) {
        return {weights_.floats(tensor, layer, copy), weights_.blocks(tensor, layer, copy),
                weights_.view(tensor, layer, copy)};
    }

    Weights& weights_;
    const Architecture& arch_;
    const ModelGraph& graph_;
    const FillOptions& options_;
    std::int64_t rows_ = 1, columns_ = 1;
    std::vector<OutPlace> outputs_;
    std::vector<float> buffer_;
};

// All copies of one stored tensor, as their names say them.
template <class Visit>
std::optional<Error> for_each_copy(const Architecture& arch, const ModelGraph& graph, const StoredTensor& tensor,
                                   const Bindings& values, const Visit& visit) {
    std::vector<std::int64_t> shape;
    for (const Expr& each : tensor.shape.dimensions()) {
        const Result<std::int64_t> size = evaluate(each, values);
        if (!size) return size.error();
        shape.push_back(*size);
    }
    const Result<std::int64_t> in_layer = evaluate(tensor.in_layer, values);
    if (!in_layer) return in_layer.error();
    const LayerKind* const kind = tensor.layer ? &graph.layers[*tensor.layer].group.kind : nullptr;
    for (std::int64_t layer = 0; layer < (kind ? stack_layers(arch, *kind) : 1); ++layer) {
        if (kind && !is_of_kind(arch, layer, *kind)) continue;
        for (std::int64_t copy = 0; copy < *in_layer; ++copy) {
            TensorPlace place;
            if (tensor.layer) place.layer = layer;
            if (*in_layer > 1) place.within = copy;
            if (std::optional<Error> error = visit(StoredCopy{tensor, place, name_at(tensor.name, place), shape}))
                return error;
        }
    }
    return std::nullopt;
}

}  // namespace

std::int64_t StoredCopy::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t each : shape) product *= each;
    return product;
}

namespace {

// Fills tables of positions that follow a rule. Returns what is read from no file: these, and tables of rotations and
// of decays, which are computed where they are needed.
std::vector<TensorIndex> fill_ruled(Weights& weights, const ModelGraph& graph) {
    std::vector<TensorIndex> ruled;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (tensor.part == Part::rotary_table || (tensor.role == Role::buffer && is_extra(tensor.part)))
            ruled.push_back(static_cast<TensorIndex>(i));
    }
    for (const Node& node : graph.nodes) {
        if (node.op != Op::add_positions || !node.rule<PositionRows>().waves) continue;
        const TensorIndex table = node.parameters.front();
        const MatrixView view = weights.view(table, 0, 0);
        for (std::int64_t row = 0; row < view.rows; ++row)
            for (std::int64_t column = 0; column < view.columns; ++column)
                weights.floats(table, 0, 0)[view.offset(row, column)] =
                    sinusoid(*node.rule<PositionRows>().waves, row, column, view.columns);
        ruled.push_back(table);
    }
    return ruled;
}

}  // namespace

StoredForms stored_forms(const Architecture& arch, const ModelGraph& graph,
                         const std::function<const BlockForm*(const StoredCopy&)>& form_of) {
    StoredForms forms;
    const Bindings values = bindings(arch, Input{.tokens = 1});
    for (const StoredTensor& tensor : graph.stored) {
        if (is_sense(tensor.component)) continue;
        // What cannot be evaluated is said when the weights are filled.
        (void)for_each_copy(arch, graph, tensor, values, [&](const StoredCopy& copy) {
            const bool whole = by_output(graph, copy) || tensor.kind == ModuleKind::embedding;
            const BlockForm* const form = whole ? form_of(copy) : nullptr;
            for (const TensorIndex part : copy.tensor.parts)
                if (whole)
                    forms.set(part, copy.place.layer.value_or(0),
                              form && row_size(graph, copy) % form->numbers == 0 ? form : nullptr);
            return std::optional<Error>();
        });
    }
    return forms;
}

std::optional<Error> fill_weights(Weights& weights, const Architecture& arch, const ModelGraph& graph,
                                  const FillOptions& options, const OpenStored& open, const Watch& watch) {
    const Bindings values = bindings(arch, Input{.tokens = 1});
    Filler filler(weights, arch, graph, options);
    double all = 0, done = 0;
    for (const KeptNumbers& each : weights.kept()) all += static_cast<double>(each.numbers);
    const auto heard = [&](std::int64_t numbers) {
        done += static_cast<double>(numbers);
        watch.at(done / all);
        return watch.stopped() ? std::optional(stopped_error()) : std::nullopt;
    };
    const std::vector<TensorIndex> ruled = fill_ruled(weights, graph);
    for (const auto* list : {&graph.stored, &graph.buffers})
        for (const StoredTensor& tensor : *list) {
            if (contains(ruled, tensor.parts.front()) || is_sense(tensor.component)) continue;
            std::optional<Error> error = for_each_copy(arch, graph, tensor, values, [&](const StoredCopy& copy) {
                if (watch.stopped()) return std::optional<Error>(stopped_error());
                const Result<StoredRows> stored = open(copy);
                return stored ? filler.fill(copy, *stored, heard) : stored.error();
            });
            if (error) return error;
        }
    return std::nullopt;
}

namespace {

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace

std::uint64_t random_stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t key = 0xcbf29ce484222325;
    for (const char each : name) key = (key ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return mix(key + seed * golden);
}

double random_share(std::uint64_t stream, std::uint64_t index) {
    return static_cast<double>(mix(stream + (index + 1) * golden) >> 40) * 0x1p-24;
}

Drawn drawn_from(const ModelGraph& graph, const StoredTensor& tensor, const Bindings& bindings, double norm_offset) {
    const Tensor& part = graph.tensors[tensor.parts.front()];
    if (part.bias || part.part == Part::sinks || part.part == Part::router_correction) return {0, 0.5};
    if (is_offset_weight(part)) return {1 - norm_offset, 0.5};
    if (part.component == Component::norm) return {1, 0.5};
    for (const Part factor : {Part::state_skip, Part::layer_scale, Part::router_scale})
        if (part.part == factor) return {1, 0.5};
    if (part.part == Part::decay_rate) return {0, 1};
    for (const Part table :
         {Part::token_embedding, Part::position_embedding, Part::token_type_embedding, Part::relative_bias,
          Part::relative_rows, Part::class_token, Part::distillation_token, Part::register_tokens, Part::mask_row,
          Part::attention_scale, Part::feed_forward_scale, Part::layer_embedding, Part::copy_scale})
        if (part.part == table) return {0, 1};
    const bool by_head = tensor.kind == ModuleKind::by_head && tensor.shape.rank() == 3;
    const bool of_heads = part.part == Part::first_weight && part.shape.rank() == 2;  // a row a head
    const Result<std::int64_t> inputs = evaluate(by_head ? tensor.shape[1] : part.shape[of_heads ? 1 : 0], bindings);
    const bool chooses = part.part == Part::query || part.part == Part::key || part.part == Part::router;
    const double width = inputs && *inputs > 0 ? static_cast<double>(*inputs) : 1;
    return {0, 1.7320508075688772 * (chooses ? 2 : 1) / std::sqrt(width)};
}

}  // namespace headcount
