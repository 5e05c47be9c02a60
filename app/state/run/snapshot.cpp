// Takes the views of a run's numbers, copies what will be overwritten, and finds attention among them.
#include "app/state/run/snapshot.hpp"

#include <algorithm>
#include <cassert>

#include "core/graph/ops.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

RunValues::RunValues(std::shared_ptr<const Model> model, std::shared_ptr<const Run> run)
    : model_(std::move(model)), run_(std::move(run)), tokens_(run_->tokens()) {
    take_views();
    copy_states();
    for (std::int64_t layer = 0; layer <= layers(); ++layer) hidden_.push_back(run_->hidden(layer));
    for (std::int64_t layer = 0; layer <= layers(true); ++layer) encoder_hidden_.push_back(run_->encoder_hidden(layer));
    ids_.assign(run_->ids().begin(), run_->ids().end());
    source_.assign(run_->source().begin(), run_->source().end());
    for (const bool encoder : {false, true})
        for (std::int64_t layer = 0; layer < layers(encoder); ++layer) {
            const std::span<const std::int32_t> experts = run_->experts(layer, encoder);
            experts_[encoder].emplace_back(experts.begin(), experts.end());
        }
}

void RunValues::take_views() {
    const ModelGraph& graph = model_->graph;
    const Bindings numbers = bindings(model_->architecture, Input{});
    views_.resize(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (!is_computed(tensor.role)) continue;
        Views& views = views_[i];
        const std::optional<std::size_t> group = graph.layer_of(tensor.block);
        views.layers = group ? layers(graph.layers[*group].group.kind.encoder) : 1;
        const Result<std::int64_t> copies = evaluate(graph.runs_in_layer(tensor.block), numbers);
        views.copies = copies ? *copies : 1;
        for (std::int64_t layer = 0; layer < views.layers; ++layer)
            for (std::int64_t copy = 0; copy < views.copies; ++copy)
                views.all.push_back(run_->activation(static_cast<TensorIndex>(i), layer, copy));
    }
}

// The next pass overwrites states, and what a convolution has kept, where they stand: all else only grows.
void RunValues::copy_states() {
    std::vector<MatrixView*> states;
    std::int64_t numbers = 0;
    for (std::size_t i = 0; i < views_.size(); ++i) {
        if (model_->graph.tensors[i].role != Role::state) continue;
        for (MatrixView& view : views_[i].all) {
            if (!view) continue;
            states.push_back(&view);
            numbers += view.rows * view.columns;
        }
    }
    states_.reserve(static_cast<std::size_t>(numbers));  // at once, so that none of them moves
    for (MatrixView* const view : states) {
        assert(view->column_step == 1 && view->column_panel == 0);
        const float* const own = states_.data() + states_.size();
        for (std::int64_t row = 0; row < view->rows; ++row) {
            const float* const from = view->data + view->offset(row, 0);
            states_.insert(states_.end(), from, from + view->columns);
        }
        *view = {.data = own, .rows = view->rows, .columns = view->columns, .row_step = view->columns};
    }
}

MatrixView RunValues::activation(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const Views& views = views_[tensor];
    if (layer < 0 || copy < 0 || layer >= views.layers || copy >= views.copies) return {};
    return views.all[static_cast<std::size_t>(layer * views.copies + copy)];
}

MatrixView RunValues::hidden(std::int64_t layer, bool encoder) const {
    const std::vector<MatrixView>& all = encoder ? encoder_hidden_ : hidden_;
    return layer < 0 || layer > layers(encoder) ? MatrixView{} : all[static_cast<std::size_t>(layer)];
}

std::int64_t RunValues::layers(bool encoder) const {
    const Architecture& arch = model_->architecture;
    if (!encoder) return arch.layers;
    return arch.encoder ? arch.encoder->layers : 0;
}

MatrixView RunValues::parameter(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    return model_->weights.view(tensor, layer, copy);
}

std::span<const std::int32_t> RunValues::experts(std::int64_t layer, bool encoder) const {
    if (layer < 0 || layer >= layers(encoder)) return {};
    return experts_[encoder][static_cast<std::size_t>(layer)];
}

// A token's own, first to last; none where the layer has none.
std::span<const std::int32_t> RunValues::experts_of(const CellAt& cell) const {
    const bool encoder = model_->graph.of_source(cell.tensor);
    const std::span<const std::int32_t> all = experts(cell.layer, encoder);
    const std::int64_t tokens = encoder ? std::ssize(source_) : tokens_;
    if (cell.row < 0 || cell.row >= tokens) return {};
    const std::size_t each = all.size() / static_cast<std::size_t>(tokens);
    return all.subspan(static_cast<std::size_t>(cell.row) * each, each);
}

std::optional<std::int32_t> RunValues::expert(const CellAt& cell) const {
    const std::span<const std::int32_t> own = experts_of(cell);
    if (cell.copy < 0 || cell.copy >= std::ssize(own)) return std::nullopt;
    return own[static_cast<std::size_t>(cell.copy)];
}

std::optional<std::int64_t> RunValues::which(const CellAt& cell) const {
    const std::span<const std::int32_t> own = experts_of(cell);
    const auto found = std::ranges::find(own, cell.copy);
    return found == own.end() ? std::nullopt : std::optional<std::int64_t>(found - own.begin());
}

std::int64_t RunValues::heads_of(std::int64_t layer) const {
    const Layer& parts = model_->architecture.layer;
    return layer_kind(model_->architecture, layer).attention ? parts.attention.heads
           : parts.recurrence                                ? parts.recurrence->heads
                                                             : 0;
}

std::optional<TensorIndex> RunValues::attention_tensor(std::int64_t layer, bool cross) const {
    const ModelGraph& graph = model_->graph;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::masked_softmax || graph.of_source(node.output)) continue;
        if ((node.rule<Mask>().kind == Mask::Kind::cross) == cross && activation(node.output, layer, 0))
            return node.output;
    }
    return std::nullopt;
}

MatrixView RunValues::attention(std::int64_t layer, std::int64_t head, bool cross) const {
    const std::optional<TensorIndex> tensor = attention_tensor(layer, cross);
    return tensor ? activation(*tensor, layer, head) : MatrixView();
}

bool not_there(const RunSnapshot& run, TensorIndex index, std::int64_t layer) {
    const ModelGraph& graph = run.values->model().graph;
    const Tensor& tensor = graph.tensors[index];
    if (run.whole() || !has_row_for_each_token(tensor)) return false;
    if (graph.layer_of(tensor.block)) return layer >= run.layers_shown;
    return tensor.component == Component::output || tensor.part == Part::final_norm;
}

bool hides_later(const ModelGraph& graph, TensorIndex tensor) {
    const Node* const made = graph.producer(tensor);
    const Mask* const mask = made ? mask_over(graph, *made) : nullptr;
    return mask && !mask->sees_later();
}

bool has_words(const RunSnapshot& run) {
    for (std::int64_t layer = 0; run.tokenizer && layer < run.values->layers(); ++layer)
        if (run.values->attention(layer, 0)) return true;
    return false;
}

std::string piece_of(const RunSnapshot& run, std::int32_t id) {
    return run.tokenizer ? run.tokenizer->piece(id) : "[" + std::to_string(id) + "]";
}

Input with_tokens_of(const RunSnapshot& run, Input input) {
    const Input read = run.values->input();
    input.tokens = read.tokens;
    if (run.values->model().architecture.encoder) input.source = read.source;
    return input;
}

}  // namespace headcount
