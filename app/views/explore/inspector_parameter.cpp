// A parameter: where the checkpoint keeps it, how many numbers it is and why, what it costs, how it is used.
#include <algorithm>

#include "app/parts/hidden.hpp"
#include "app/parts/inspector_usage.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/explore/panels.hpp"
#include "core/analysis/arithmetic.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::optional<Symbol> symbol_of(const Expr& dimension) {
    if (dimension.kind() == Expr::Kind::symbol) return dimension.symbol();
    // Of a product, the factor with a slider of its own: h_kv of h_kv·d_h.
    if (dimension.kind() == Expr::Kind::multiply) return symbol_of(dimension.left());
    return std::nullopt;
}

// The module of a tensor's name: "qkv_proj" of "model.layers.0.self_attn.qkv_proj.weight".
std::string module_of(std::string_view name) {
    for (const std::string_view end : {".weight", ".bias"})
        if (name.ends_with(end)) name.remove_suffix(end.size());
    return std::string(name.substr(name.rfind('.') + 1));  // all of it where there is no dot
}

// "4096 of its 6144 rows": how much of a fused tensor a part is. Where in it is the family's affair; some interleave.
std::string share_text(const Inspector& inspector, const StoredTensor& stored, const Tensor& part) {
    const std::int64_t own = value_of(part.shape[part.shape.rank() - 1], inspector.bindings());
    std::int64_t all = 0;
    for (const TensorIndex other : stored.parts) {
        const Shape& shape = inspector.graph().tensors[other].shape;
        all += value_of(shape[shape.rank() - 1], inspector.bindings());
    }
    const bool rows = stored.shape.rank() == 2 && part.shape.rank() == 2 && !(stored.shape[0] == part.shape[0]);
    const std::string_view kind = part.shape.rank() == 1 ? "numbers" : rows ? "rows" : "columns";
    return std::to_string(own) + " of its " + std::to_string(all) + " " + std::string(kind);
}

// "stored as [11008, 4096]", or which part of which fused tensor it is.
void draw_stored(Inspector& inspector, TensorIndex index) {
    const ModelGraph& graph = inspector.graph();
    const StoredTensor* stored = stored_with(graph, index);
    if (!stored) return;
    const Ui& ui = inspector.ui;
    const Tensor& tensor = graph.tensors[index];
    const bool fused = stored->parts.size() > 1;
    const LayerGroup* const group = group_of(graph, tensor.block);
    const Copies copies = inspector.copies();
    const std::string name =
        name_at(stored->name,
                {group ? std::optional(copies.layer.value_or(group->first)) : std::nullopt, copies.expert.value_or(0)});
    if (fused) caption(ui, "part of " + module_of(name) + ", fused in the checkpoint");
    const bool fits = text_width(ui.fonts.mono, name) <= available_width() - ui.px(24);  // the mark's room
    const Font& font = fits ? ui.fonts.mono : ui.fonts.mono_caption;
    if (copyable(ui, "inspector.copy", name, font, ui.theme.text_mid, true)) inspector.copy(name);
    std::string where = "stored as " + stored_shape_text(stored->shape, inspector.bindings());
    if (fused) where = share_text(inspector, *stored, tensor) + ", " + where;
    caption(ui, where);
    if (graph.is(tensor.block, BlockKind::expert) && stored->in_layer == Expr(1))
        caption(ui, "all experts of a layer in one tensor");
}

void draw_thumbnail(Inspector& inspector, const Tensor& tensor) {
    const Ui& ui = inspector.ui;
    const bool vector = tensor.shape.rank() == 1;
    const std::size_t last = tensor.shape.rank() - 1;
    const std::int64_t rows = vector ? 1 : value_of(tensor.shape[0], inspector.bindings());
    const std::int64_t columns = value_of(tensor.shape[last], inspector.bindings());
    MatrixFigure view{.rows = rows, .columns = columns};
    view.label = tensor.symbol;
    view.swatch = swatch_of(ui.theme, tensor);
    view.height = vector ? 44 : 124;
    std::string preset;
    if (const Tensor* before = inspector.base().graph.find(tensor.id);
        before && before->shape.rank() == tensor.shape.rank()) {
        const Bindings& bindings = inspector.base().bindings;
        const std::int64_t old_rows = vector ? 1 : value_of(before->shape[0], bindings);
        const std::int64_t old_columns = value_of(before->shape[last], bindings);
        if (old_rows != rows || old_columns != columns) {
            view.preset_rows = old_rows;
            view.preset_columns = old_columns;
            preset = std::string(origin_of(inspector)) + " " +
                     std::to_string(old_columns != columns ? old_columns : old_rows);
            view.preset_text = preset;
        }
    }
    const auto lit = [&](const Expr& dimension, ImU32& colour) {
        const std::optional<Symbol> symbol = symbol_of(dimension);
        const std::optional<Field> field = symbol ? field_of(*symbol) : std::nullopt;
        const ImU32 hue = symbol ? symbol_colour(ui.theme, *symbol) : 0;
        colour = hue ? readable(ui.theme, hue) : ui.theme.text_high;
        return field && inspector.model.look.hover == Subject(*field);
    };
    if (!vector) view.rows_lit = lit(tensor.shape[0], view.rows_colour);
    view.columns_lit = lit(tensor.shape[last], view.columns_colour);
    const MatrixResult result = matrix_view(ui, "inspector.matrix", view);
    const auto follow = [&](const Expr& dimension, bool hovered, bool clicked) {
        const std::optional<Symbol> symbol = symbol_of(dimension);
        const std::optional<Field> field = symbol ? field_of(*symbol) : std::nullopt;
        if (field && hovered) inspector.point_at(*field, false);
        if (field && clicked) inspector.point_at(*field, true);
    };
    if (!vector) follow(tensor.shape[0], result.rows_hovered, result.rows_clicked);
    follow(tensor.shape[last], result.columns_hovered, result.columns_clicked);
}

// The thumbnail, and beside it how heads share where they do.
void draw_pictures(Inspector& inspector, const Tensor& tensor) {
    const bool shared = tensor.part == Part::query || tensor.part == Part::key || tensor.part == Part::value;
    const bool fan = shared && tensor.shape.rank() == 2 && heads_share(inspector.shown());
    if (!fan) return draw_thumbnail(inspector, tensor);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float taken = inspector.ui.px(sharing_width + 12), right = start.x + available_width();
    compat::narrow_content(taken);
    draw_thumbnail(inspector, tensor);
    compat::narrow_content(-taken);
    const float bottom = ImGui::GetCursorScreenPos().y;
    const float lower =
        draw_sharing(inspector, ImVec2(right - inspector.ui.px(sharing_width), start.y + inspector.ui.px(8)));
    place(start, ImVec2(1, std::max(bottom, lower + inspector.ui.px(4)) - start.y));
}

void draw_card(Inspector& inspector, const Tensor& tensor, const TensorCount& counts) {
    const Card card(inspector.ui, "inspector.formula");
    draw_shape_formula(inspector, tensor.shape, counts.one);
    if (const LayerGroup* const group = group_of(inspector.graph(), tensor.block)) {
        std::int64_t so_far = counts.one;
        const auto times = [&](const std::string& what, std::int64_t count) {
            if (count == 1) return;
            so_far *= count;
            draw_words_row(inspector, what, "× " + std::to_string(count) + " = " + grouped(so_far));
        };
        times("experts", counts.copies / group->count);
        times(std::to_string(group->count) + " layers", group->count);
    }
    draw_rules(inspector, tensor.shape);
    const Tensor* before = inspector.base().graph.find(tensor.id);
    draw_change(inspector, before ? std::optional(elements_of(before->shape, inspector.base().bindings)) : std::nullopt,
                counts.one);
}

// "all 58 mixture layers", "all 14848 experts"; nothing for what is there once.
std::string all_heading(const Inspector& inspector, const Tensor& tensor, const TensorCount& counts) {
    const LayerGroup* const group = group_of(inspector.graph(), tensor.block);
    if (!group || counts.copies == 1) return "";
    if (counts.copies != group->count) return "all " + std::to_string(counts.copies) + " experts";
    return "all " + layers_text(*group);
}

void draw_costs(Inspector& inspector, TensorIndex index, const TensorCount& counts) {
    const Tensor& tensor = inspector.graph().tensors[index];
    const Input& input = inspector.shown().input;
    const std::int64_t total = inspector.shown().parameters.total;
    const std::optional<WeightBytes> stored = weight_bytes(inspector.shown(), index);
    const auto one = stored ? stored->one : std::nullopt, all = stored ? std::optional(stored->all) : std::nullopt;
    const double work = work_of_parameter(inspector.graph(), index, inspector.bindings());
    const auto flops = [](double amount) { return amount > 0 ? flop_text(amount) : std::string("none"); };
    const bool expert = inspector.graph().is(tensor.block, BlockKind::expert);
    std::vector<FactRow> facts{
        FactRow{"Share of the total", percent(counts.one, total), percent(counts.all, total)},
        FactRow{"Memory in " + std::string(precision_name(input)), memory_text(one), memory_text(all)},
        FactRow{"Bytes", count_text(one), count_text(all)},
        FactRow{expert ? std::string("Work, on average") : "Work for " + tokens_text(input),
                flops(work / static_cast<double>(counts.copies)), flops(work)}};
    if (expert) {
        const std::int64_t passed = value_of(inspector.graph().runs(tensor.block), inspector.bindings());
        facts.push_back({"Passed by each token", "", std::to_string(passed) + " of " + std::to_string(counts.copies)});
    }
    if (tensor.role == Role::buffer) facts.erase(facts.begin());
    const std::string heading = all_heading(inspector, tensor, counts);
    FactTable table{"this one", heading, facts};
    if (tensor.role == Role::buffer) return draw_facts(inspector, "inspector.costs", table);
    table.share_one = static_cast<double>(counts.one) / static_cast<double>(total);
    table.share_all = static_cast<double>(counts.all) / static_cast<double>(total);
    table.colour = part_colour(inspector.ui.theme, tensor.part);
    draw_facts(inspector, "inspector.costs", table);
}

void draw_usage(Inspector& inspector, TensorIndex index) {
    const Ui& ui = inspector.ui;
    section_title(ui, "How it is used");
    for (const Node& node : inspector.graph().nodes) {
        if (!contains(node.parameters, index)) continue;
        draw_equation(inspector, node);
        gap(ui, 8);
    }
    const Tensor& tensor = inspector.graph().tensors[index];
    const About meant(keys_in({tensor.meaning}));
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, as_sentence(tensor.meaning, inspector.bindings()));
    if (inspector.graph().tied_head == index) {
        gap(ui, 8);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Tied: the output head is this same tensor, transposed. The checkpoint stores it once, and it is "
                  "counted once.");
    }
    draw_cache_cost(inspector, tensor);
}

}  // namespace

void inspect_parameter(Inspector& inspector, TensorIndex index) {
    const Tensor& tensor = inspector.graph().tensors[index];
    const Ui& ui = inspector.ui;
    const std::string place = place_of(inspector.graph(), tensor.block, inspector.copies());
    const bool buffer = tensor.role == Role::buffer;
    const std::array chips{std::string_view(place), std::string_view(buffer ? "buffer" : "parameters")};
    const bool bias = tensor.bias;
    const std::string label = std::string(tensor.label) + (bias ? ", bias" : "");
    draw_head(inspector, swatch_of(ui.theme, tensor), label, chips);
    gap(ui, 4);
    draw_stored(inspector, index);
    if (buffer) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "Stored in the checkpoint, but trained by no gradient: not a parameter, and outside every total.");
    }
    gap(ui, 12);
    draw_pictures(inspector, tensor);
    gap(ui, 8);
    const TensorCount counts = count_of(inspector.graph(), tensor, inspector.bindings());
    draw_card(inspector, tensor, counts);
    gap(ui, 8);
    draw_costs(inspector, index, counts);
    separator(ui, 12, 8);
    draw_usage(inspector, index);
}

}  // namespace headcount
