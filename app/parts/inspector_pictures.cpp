// Small pictures of the inspector: a product as three matrices to scale that meet at a corner, and query heads that
// share key/value heads.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/canvas/matrix_row.hpp"
#include "app/parts/inspector_usage.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float before_right = 14, product_height = 176;  // design pixels

// One of the three matrices, and its captions as its size has them.
struct Factor {
    TensorIndex index;
    const Tensor* tensor;
    MatrixSize size;
    std::vector<MatrixCaption> captions;
};

// `note` is what is done to it besides: "/ √128".
Factor factor_of(const Inspector& inspector, TensorIndex index, MatrixSpot spot, bool transposed,
                 const std::string& note) {
    const Tensor& tensor = inspector.graph().tensors[index];
    std::int64_t rows = value_of(tensor.shape[0], inspector.bindings());
    std::int64_t columns = value_of(tensor.shape[1], inspector.bindings());
    if (transposed) std::swap(rows, columns);
    Factor factor{
        index, &tensor, {.spot = spot, .rows = static_cast<double>(rows), .columns = static_cast<double>(columns)}, {}};
    if (spot == MatrixSpot::right) factor.size.before = inspector.ui.px(before_right);
    const std::string name = std::string(tensor.symbol) + (transposed ? "^T" : "");
    const std::string shape = std::to_string(rows) + " × " + std::to_string(columns), all = shape + note;
    factor.captions = {{name, all}, {name, shape}, {name, all, true}, {name, shape, true}, {name, ""}};
    for (const MatrixCaption& each : factor.captions) {
        const ImVec2 extent = matrix_caption_extent(inspector.ui, each);
        factor.size.words.push_back({extent.x, extent.y});
    }
    return factor;
}

// The part that the mask leaves: a token sees itself and those before it.
void draw_triangle(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
    list.AddTriangleFilled(ImVec2(min.x + 1, min.y + 1), ImVec2(min.x + 1, max.y - 1), ImVec2(max.x - 1, max.y - 1),
                           with_alpha(colour, 0.4F));
    list.AddLine(min, max, with_alpha(ui.theme.activation_edge, 0.6F), 1);
}

void draw_factor(Inspector& inspector, const Factor& factor, const MatrixRow::Placed& placed, std::size_t words) {
    const Ui& ui = inspector.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min(placed.area.min.x, placed.area.min.y), max(placed.area.max.x, placed.area.max.y),
        at(placed.words.x, placed.words.y);
    const Swatch swatch = swatch_of(ui.theme, *factor.tensor);
    draw_matrix(ui, list, min, max, swatch, ui.px(size::tab));
    if (factor.tensor->part == Part::scores && factor.size.rows == factor.size.columns &&
        hides_later(inspector.graph(), factor.index))
        draw_triangle(ui, list, min, max, swatch.colour);
    const TensorSubject subject{factor.tensor->id};
    if (inspector.model.look.selection == Subject(subject))
        list.AddRect(ImVec2(min.x - 3, min.y - 3), ImVec2(max.x + 3, max.y + 3), ui.theme.selection,
                     ui.px(size::radius_field), 0, ui.px(1.5F));
    const About about(factor.tensor->id);
    draw_matrix_caption(ui, at, factor.captions[words]);
    const Point said = factor.size.words[words];
    const IdScope scope(subject.id);
    const Press press =
        press_area(ui, "factor", ImVec2(min.x, std::min(min.y, at.y)),
                   ImVec2(std::max(max.x, at.x + said.x), std::max(max.y, at.y + said.y)), size::radius_field, false);
    if (press.hovered) inspector.point_at(subject, false);
    if (press.pressed) inspector.point_at(subject, true);
}

}  // namespace

bool draw_product(Inspector& inspector, const Node& node) {
    const std::optional<Product> product = product_of(node);
    if (!product) return false;
    const Ui& ui = inspector.ui;
    // A model's own factor is said in the equation.
    const bool rooted = node.op == Op::scores && !inspector.graph().own_score_factor();
    const std::string note =
        rooted ? " / √" + std::to_string(inspector.graph().score_terms() * *inspector.bindings()[Symbol::head_dim])
               : "";
    const std::array factors{factor_of(inspector, product->left, MatrixSpot::alone, false, ""),
                             factor_of(inspector, product->right, MatrixSpot::right, product->transposed, ""),
                             factor_of(inspector, product->output, MatrixSpot::result, false, note)};
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const MatrixRow row = place_matrices(std::array{factors[0].size, factors[1].size, factors[2].size},
                                         {.from = {start.x, start.y},
                                          .width = width,
                                          .height = ui.px(product_height),
                                          .scale = ui.scale,
                                          .largest = ui.px(product_height),
                                          .least_side = ui.px(size::smallest_matrix)});
    for (std::size_t i = 0; i < factors.size(); ++i) draw_factor(inspector, factors[i], row.matrices[i], row.words);
    place(start, ImVec2(width, std::round(row.height)));
    if (!row.thickened) return true;
    gap(ui, 2);
    caption(ui, thickened_remark);
    gap(ui, 4);
    return true;
}

bool heads_share(const Counted& counted) {
    return kv_heads(counted.architecture) < counted.architecture.layer.attention.heads;
}

float draw_sharing(Inspector& inspector, ImVec2 top) {
    const Ui& ui = inspector.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::int64_t groups = kv_heads(inspector.shown().architecture);
    const std::int64_t each = inspector.shown().architecture.layer.attention.heads / groups;
    const float width = ui.px(sharing_width), line = ui.px(17);
    const std::array<std::string, 2> words{std::to_string(each) + " query heads share", "1 key and value head"};
    for (std::size_t i = 0; i < words.size(); ++i)
        draw_text(list, ui.fonts.table, ImVec2(top.x, top.y + line * static_cast<float>(i)), ui.theme.text_mid,
                  words[i]);

    // As many groups as fit in four rows; what is left out is said. Too many heads to tell apart are one bar.
    const float room = (width - ui.px(5)) / static_cast<float>(each);
    const bool apart = room >= 2;
    const float cell = apart ? std::min(room - 1, ui.px(6)) : width - ui.px(5) - 1, step = cell + 1;
    const std::int64_t cells = apart ? each : 1;
    const float group = step * static_cast<float>(cells) + ui.px(5);
    const auto per_row = std::max<std::int64_t>(1, static_cast<std::int64_t>((width + ui.px(5)) / group));
    const std::int64_t drawn = std::min(groups, 4 * per_row);
    float y = top.y + 2 * line + ui.px(8);
    for (std::int64_t i = 0; i < drawn; ++i) {
        const float x = top.x + group * static_cast<float>(i % per_row);
        if (i > 0 && i % per_row == 0) y += ui.px(21);
        for (std::int64_t head = 0; head < cells; ++head) {
            const float left = x + step * static_cast<float>(head);
            list.AddRectFilled(ImVec2(left, y), ImVec2(left + cell, y + ui.px(6)), ui.theme.query);
        }
        list.AddRectFilled(ImVec2(x, y + ui.px(8)), ImVec2(x + group - ui.px(5) - 1, y + ui.px(12)), ui.theme.key);
    }
    y += ui.px(12);
    if (drawn == groups) return y;
    draw_text(list, ui.fonts.caption, ImVec2(top.x, y + ui.px(6)), ui.theme.text_low,
              "and " + std::to_string(groups - drawn) + " more");
    return y + ui.px(22);
}

void draw_cache_cost(Inspector& inspector, const Tensor& tensor) {
    const auto per_token = [](const Counted& counted) -> std::optional<std::int64_t> {
        const Result<std::int64_t> bytes =
            evaluate(cache_per_token(counted.graph, counted.input.cached_in()), counted.bindings);
        return bytes ? std::optional(*bytes) : std::nullopt;
    };
    const bool latent = inspector.shown().architecture.layer.attention.latent.has_value();
    const bool keys = tensor.part == Part::key || tensor.part == Part::value;
    const bool decides = (keys || tensor.part == Part::latent_down) && tensor.shape.rank() == 2;
    const std::optional<std::int64_t> now = decides ? per_token(inspector.shown()) : std::nullopt;
    if (!now) return;
    if (sees_all(inspector.shown().architecture)) {
        gap(inspector.ui, 8);
        paragraph(inspector.ui, inspector.ui.fonts.table, inspector.ui.theme.text_mid,
                  "No cache: all tokens are read at once, and none comes later.");
        return;
    }
    const std::optional<std::int64_t> before = per_token(inspector.base());
    std::string text = latent ? "The bottleneck and the shared key are" : "Keys and values are";
    text += " kept for later tokens: " + bytes_text(*now) + " per token in all layers";
    text += inspector.shown().architecture.layer.attention.window ? ", until the windows are full." : ".";
    if (before && *before != *now)
        text = std::string("The key/value cache ") + (*now < *before ? "shrinks" : "grows") + " from " +
               bytes_text(*before) + " to " + bytes_text(*now) + " per token.";
    gap(inspector.ui, 8);
    paragraph(inspector.ui, inspector.ui.fonts.table, inspector.ui.theme.text_mid, text);
}

}  // namespace headcount
