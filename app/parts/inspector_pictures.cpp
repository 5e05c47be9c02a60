// Small pictures of the inspector: a product as three matrices to scale, and query heads that share key/value heads.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/parts/inspector_usage.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/matrix_view.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/veil.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float size_line = 14;  // below the symbol

// One of the three matrices: what it is and how large it is drawn.
struct Factor {
    const Tensor* tensor;
    TensorIndex index;
    std::string symbol;
    std::vector<std::string> size;  // "100 × 128", in two lines where the row is narrow
    double rows, columns;
    float label = 0;  // pixels that its text needs
    ImVec2 drawn{};
};

void measure_label(const Ui& ui, Factor& factor) {
    factor.label = symbol_width(ui.fonts.body_bold, factor.symbol);
    for (const std::string& line : factor.size)
        factor.label = std::max(factor.label, text_width(ui.fonts.mono_caption, line));
}

Factor factor_of(const Inspector& to, TensorIndex index, bool transposed) {
    const Tensor& tensor = to.graph().tensors[index];
    std::int64_t rows = value_of(tensor.shape[0], to.bindings());
    std::int64_t columns = value_of(tensor.shape[1], to.bindings());
    if (transposed) std::swap(rows, columns);
    Factor factor{&tensor,
                  index,
                  std::string(tensor.symbol) + (transposed ? "^T" : ""),
                  {std::to_string(rows) + " × " + std::to_string(columns)},
                  static_cast<double>(rows),
                  static_cast<double>(columns)};
    measure_label(to.ui, factor);
    return factor;
}

// The sizes in two lines each where they would not fit beside each other.
void break_sizes(const Ui& ui, std::array<Factor, 3>& factors, float width) {
    float labels = 0;
    for (const Factor& factor : factors) labels += factor.label;
    if (labels <= width) return;
    for (Factor& factor : factors) {
        constexpr std::string_view times = " ×";
        const std::size_t cut = factor.size.front().find(times) + times.size();
        factor.size = {factor.size.front().substr(0, cut), factor.size.front().substr(cut + 1)};
        measure_label(ui, factor);
    }
}

float slot(const Factor& factor) {
    return std::max(factor.drawn.x, factor.label);
}

// The largest common scale at which all three, with their texts, fit the width and the height. Returns whether a side
// had to be drawn thicker.
bool fit(std::array<Factor, 3>& factors, float width, float height, float smallest) {
    double tallest = 1, widest = 0;
    for (const Factor& factor : factors) {
        tallest = std::max(tallest, factor.rows);
        widest += factor.columns;
    }
    double scale = std::min(static_cast<double>(height) / tallest, static_cast<double>(width) / widest);
    bool thickened = false;
    for (int attempt = 0; attempt < 40; ++attempt, scale *= 0.9) {
        float used = 0;
        thickened = false;
        for (Factor& factor : factors) {
            thickened = thickened || std::min(factor.columns, factor.rows) * scale < static_cast<double>(smallest);
            factor.drawn = ImVec2(std::round(std::max(smallest, static_cast<float>(factor.columns * scale))),
                                  std::round(std::max(smallest, static_cast<float>(factor.rows * scale))));
            used += slot(factor);
        }
        if (used <= width) break;
    }
    return thickened;
}

MatrixLook look_of(const Tensor& tensor) {
    if (tensor.role == Role::parameter) return MatrixLook::parameter;
    return kept_in_cache(tensor) ? MatrixLook::cached : MatrixLook::activation;
}

// The part that the mask leaves: a token sees itself and those before it.
void draw_triangle(const Ui& ui, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
    list.AddTriangleFilled(ImVec2(min.x + 1, min.y + 1), ImVec2(min.x + 1, max.y - 1), ImVec2(max.x - 1, max.y - 1),
                           with_alpha(colour, 0.4F));
    list.AddLine(min, max, with_alpha(ui.theme.activation_edge, 0.6F), 1);
}

void draw_factor(Inspector& to, const Factor& factor, ImVec2 start, float height) {
    const Ui& ui = to.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min(std::round(start.x + (slot(factor) - factor.drawn.x) / 2),
                     std::round(start.y + (height - factor.drawn.y) / 2));
    const ImVec2 max = min + factor.drawn;
    const ImU32 colour = part_colour(ui.theme, factor.tensor->part);
    draw_matrix(ui, list, min, max, look_of(*factor.tensor), colour);
    if (factor.tensor->part == Part::scores && factor.rows == factor.columns) draw_triangle(ui, list, min, max, colour);
    const auto* selected = std::get_if<TensorSubject>(&to.model.look.selection);
    if (selected && selected->id == factor.tensor->id)
        list.AddRect(ImVec2(min.x - 3, min.y - 3), ImVec2(max.x + 3, max.y + 3), ui.theme.selection,
                     ui.px(size::radius_field), 0, ui.px(1.5F));
    const float centre = start.x + slot(factor) / 2, below = start.y + height + ui.px(6);
    const float symbol = symbol_width(ui.fonts.body_bold, factor.symbol);
    draw_symbol(list, ui.fonts.body_bold, ImVec2(std::round(centre - symbol / 2), below), ui.theme.text_high,
                factor.symbol);
    float line = below + ui.px(18);
    const VeilScope veiled(factor.tensor->id);
    for (const std::string& size : factor.size) {
        const float words = text_width(ui.fonts.mono_caption, size);
        draw_text(list, ui.fonts.mono_caption, ImVec2(std::round(centre - words / 2), line), ui.theme.text_mid, size);
        line += ui.px(size_line);
    }
    ImGui::PushID(factor.index);
    const Press press = press_area(ui, "factor", ImVec2(start.x, start.y), ImVec2(start.x + slot(factor), line),
                                   size::radius_field, false);
    ImGui::PopID();
    if (press.hovered) to.point_at(TensorSubject{factor.tensor->id}, false);
    if (press.pressed) to.point_at(TensorSubject{factor.tensor->id}, true);
}

}  // namespace

bool draw_product(Inspector& to, const Node& node) {
    const std::optional<Product> product = product_of(to.graph(), node);
    if (!product) return false;
    const Ui& ui = to.ui;
    std::array factors{factor_of(to, product->left, false), factor_of(to, product->right, product->transposed),
                       factor_of(to, product->output, false)};
    // A model's own factor is said in the equation.
    const bool rooted = node.op == Op::scores && !to.graph().own_score_factor();
    const std::string root = rooted ? "/ √" + std::to_string(*to.bindings()[Symbol::head_dim]) : "";
    const std::array<std::string, 2> signs{"·", root + (root.empty() ? "=" : " =")};
    std::array<float, 2> sign_widths{};
    for (std::size_t i = 0; i < 2; ++i) sign_widths[i] = text_width(ui.fonts.mono, signs[i]) + ui.px(16);

    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const float room = width - sign_widths[0] - sign_widths[1];
    break_sizes(ui, factors, room);
    const bool thickened = fit(factors, room, ui.px(84), ui.px(size::smallest_matrix));
    float height = ui.px(24);
    for (const Factor& factor : factors) height = std::max(height, factor.drawn.y);
    float x = start.x;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        draw_factor(to, factors[i], ImVec2(x, start.y), height);
        x += slot(factors[i]);
        if (i == signs.size()) break;
        draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.mono, ImVec2(x, start.y),
                     ImVec2(x + sign_widths[i], start.y + height), ui.theme.text_mid, signs[i], Align::centre);
        x += sign_widths[i];
    }
    const float lines = ui.px(size_line) * static_cast<float>(factors.front().size.size());
    place(start, ImVec2(width, std::round(height + ui.px(28) + lines)));
    if (thickened) {
        gap(ui, 2);
        caption(ui, thickened_remark);
        gap(ui, 4);
    }
    return true;
}

bool heads_share(const Counted& counted) {
    return kv_heads(counted.architecture) < counted.architecture.layer.attention.heads;
}

float draw_sharing(Inspector& to, ImVec2 top) {
    const Ui& ui = to.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::int64_t groups = kv_heads(to.shown().architecture);
    const std::int64_t each = to.shown().architecture.layer.attention.heads / groups;
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

void draw_cache_cost(Inspector& to, const Tensor& tensor) {
    const auto per_token = [](const Counted& counted) {
        return cache_bytes_per_token(counted.graph, counted.bindings, counted.input.precision);
    };
    const bool latent = to.shown().architecture.layer.attention.latent.has_value();
    const bool keys = tensor.part == Part::key || tensor.part == Part::value;
    const bool decides = (keys || tensor.part == Part::latent_down) && tensor.shape.rank() == 2;
    const std::optional<std::int64_t> now = decides ? per_token(to.shown()) : std::nullopt;
    if (!now) return;
    const std::optional<std::int64_t> before = per_token(to.base());
    std::string text = latent ? "The bottleneck and the shared key are" : "Keys and values are";
    text += " kept for later tokens: " + bytes_text(*now) + " per token in all layers";
    text += to.shown().architecture.layer.attention.window ? ", until the windows are full." : ".";
    if (before && *before != *now)
        text = std::string("The key/value cache ") + (*now < *before ? "shrinks" : "grows") + " from " +
               bytes_text(*before) + " to " + bytes_text(*now) + " per token.";
    gap(to.ui, 8);
    paragraph(to.ui, to.ui.fonts.table, to.ui.theme.text_mid, text);
}

}  // namespace headcount
