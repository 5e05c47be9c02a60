// What a matrix shows from near by: which dimension each side is, the numbers of rows and columns, names of cells.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>

#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/draw/cells_on_screen.hpp"
#include "app/canvas/draw/labels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float side_length = 150;  // design pixels: a side as long as this is marked, and any that is lit
constexpr float cell_height = 15;   // least distance of two rows' numbers
constexpr float named_width = 70, named_height = 26;  // cells as large have names
constexpr float cell_padding = 12;                    // between a name and the sides of its cell
constexpr float numbers_apart = 46;                   // least distance of two columns' numbers
constexpr double at_home = 1.05;                      // with the whole model in sight only what is lit is marked
constexpr float least_ruled = 90;                     // of a matrix with rulers, its shorter side
constexpr float ruler_ink = 0.16F, least_lined = 4;   // cells as large have lines of their own
constexpr float least_band = 8, band_numbers = 24, band_ink = 0.45F, name_line = 20;  // of bands
constexpr int side_rank = 13, run_rank = 16, number_rank = 17, cell_rank = 18;

std::string number_text(float value) {
    char text[32];
    const float size = std::abs(value);
    const bool plain = size == 0 || (size >= 1e-3F && size < 1e4F);
    std::snprintf(text, sizeof text, plain ? "%.3f" : "%.1e", static_cast<double>(value));
    return text;
}

class Marker {
  public:
    Marker(const PageView& view, const NumberedGraph& model, const Palette& palette, Drawing& drawing,
           std::vector<LabelWish>& wishes)
        : view_(view), model_(model), palette_(palette), drawing_(drawing), wishes_(wishes) {}

    void mark(const Slab& slab) {
        if (slab.grid_columns > 0 || view_.clarity(slab.door) < clear_enough) return;
        const Rect screen = view_.screen_box(slab.rect);
        if (!screen.overlaps(view_.lens.area())) return;
        const Tensor* tensor = model_.graph.find(slab.id);
        if (!tensor || tensor->role == Role::input) return;  // ids in chips are to no scale
        const bool lit = view_.looks.glow(slab.id) != Glow::none;
        const bool outside = &view_.looks.palette_of(slab.id, palette_) != &palette_;
        if (outside) return;
        const std::size_t numbers = wishes_.size();
        if (!slab.cut && !slab.cut_right && slab.rows > 0 && slab.columns > 0 && view_.flat())
            number_cells(slab, *tensor, screen);
        mark_sides(slab, *tensor, screen, lit, numbers);
    }

  private:
    float px(float design) const { return view_.px(design); }
    // Made when it is first asked for: few pages have a matrix that is seen from near by.
    const ClearWords& lines() { return lines_ ? *lines_ : lines_.emplace(view_); }
    Rgba colour_of(const Expr& side) const;
    void strip(const Rect& rect, Rgba colour);
    void wish(Point at, std::string text, TextRole role, Rgba colour, const Slab& slab, int rank, Anchor anchor);
    void mark_sides(const Slab& slab, const Tensor& tensor, const Rect& screen, bool lit, std::size_t numbers);
    void name_left_side(const Slab& slab, const std::string& symbol, Rgba colour, const Rect& screen,
                        std::size_t numbers);
    void number_cells(const Slab& slab, const Tensor& tensor, const Rect& screen);
    std::string word_at(const Tensor& tensor, bool column, std::int64_t number) const;
    void name_cells(const Slab& slab, const Tensor& tensor, const Stretch& columns, const Stretch& rows);
    void mark_bands(const Slab& slab, const Tensor& tensor, const Rect& screen, const Stretch& columns,
                    const Stretch& rows);
    void rule(const Slab& slab, const Rect& screen, const Stretch& columns, const Stretch& rows);
    void say_where_the_run_ends(const Slab& slab, const Tensor& tensor, const Stretch& columns, const Stretch& rows);
    Rgba ink_of_cell(const Slab& slab, std::int64_t row, std::int64_t column) const;

    const PageView& view_;
    const NumberedGraph& model_;
    const Palette& palette_;
    Drawing& drawing_;
    std::vector<LabelWish>& wishes_;
    std::optional<CellNumbers> numbers_;  // of the slab that is marked
    std::optional<ClearWords> lines_;
};

// The hue of the first dimension that has one: h of h·d_h.
Rgba Marker::colour_of(const Expr& side) const {
    for (const SymbolInfo& symbol : symbols())
        if (const Rgba hue = palette_.sides[static_cast<std::size_t>(symbol.symbol)];
            hue != 0 && uses({side}, symbol.symbol))
            return hue;
    return palette_.text_mid;
}

// Whether a matrix fills enough of the screen to have rulers.
bool fills_screen(const PageView& view, const Rect& screen) {
    const Rect& area = view.lens.area();
    const bool large = screen.width() >= static_cast<float>(fills_matrix) * area.width() ||
                       screen.height() >= static_cast<float>(fills_matrix) * area.height();
    return large && std::min(screen.width(), screen.height()) >= view.px(least_ruled) &&
           view.lens.camera().zoom > at_home;
}

// How many heads or experts have their parts of a side next to each other; nothing where there is but one.
std::optional<std::int64_t> bands_of(const Expr& side, const NumberedGraph& model) {
    for (const Symbol alike : {Symbol::heads, Symbol::kv_heads, Symbol::shared_experts})
        if (const std::int64_t count = model.bindings[alike].value_or(1); count > 1 && uses({side}, alike))
            return count;
    return std::nullopt;
}

// How many columns or rows one head has of what all heads have side by side.
Expr of_one_head(const Tensor& tensor) {
    if (tensor.part == Part::latent_up) return Expr(Symbol::nope_dim) + Symbol::value_dim;
    return uses(tensor.shape, Symbol::value_dim) ? Expr(Symbol::value_dim) : Expr(Symbol::head_dim);
}

// A strip of the screen as a box in the plane, as far as it is near the screen.
void Marker::strip(const Rect& rect, Rgba colour) {
    const Point middle = view_.lens.area().centre();
    const Rect& area = view_.lens.area();
    const auto inside = [&](Point point) {
        return Point{std::clamp(point.x, area.min.x - 8, area.max.x + 8) - middle.x,
                     std::clamp(point.y, area.min.y - 8, area.max.y + 8) - middle.y};
    };
    const Point from = inside(rect.min), to = inside(rect.max);
    drawing_.add(Box{.min_x = from.x, .min_y = from.y, .max_x = to.x, .max_y = to.y, .fill = colour});
}

void Marker::wish(Point at, std::string text, TextRole role, Rgba colour, const Slab& slab, int rank, Anchor anchor) {
    const float width = view_.looks.text_width(text, role);
    wishes_.push_back({{.at = {std::floor(at.x - left_of_anchor(anchor, width)), std::floor(at.y)},
                        .width = width,
                        .height = px(16),
                        .role = role,
                        .colour = colour,
                        .text = std::move(text),
                        .id = slab.id},
                       rank,
                       false,
                       view_.seen.leaf});
}

// Numbers of its rows and columns are the wishes from `numbers` on.
void Marker::mark_sides(const Slab& slab, const Tensor& tensor, const Rect& screen, bool lit, std::size_t numbers) {
    if (!view_.flat()) return;
    const auto [wide, tall] = marked_sides(view_, screen);
    const Shape& shape = tensor.shape;
    const Expr columns = slab.column_step > 0 ? of_one_head(tensor) : shape[shape.rank() - 1];
    const Expr rows = slab.row_step > 0 ? of_one_head(tensor) : shape[0];
    const Expr& across = slab.transposed ? rows : columns;
    const Expr& down = slab.transposed ? columns : rows;
    const float out = px(side_mark), thick = px(2);
    if (wide || lit) {
        const Rgba colour = colour_of(across);
        strip({{screen.min.x, screen.min.y - out}, {screen.max.x, screen.min.y - out + thick}}, colour);
        if (wide)
            wish({std::min(screen.max.x, view_.lens.area().max.x - px(4)), screen.min.y - out - px(18)},
                 in_symbols(across), TextRole::name, colour, slab, side_rank, Anchor::right);
    }
    if (shape.rank() > 1 && (tall || lit)) {
        const Rgba colour = colour_of(down);
        strip({{screen.min.x - out, screen.min.y}, {screen.min.x - out + thick, screen.max.y}}, colour);
        if (tall) name_left_side(slab, in_symbols(down), colour, screen, numbers);
    }
}

// In the middle of what is seen of it, or above or below that where a way comes in or a row is numbered there; a number
// gives way to it, but no word. Nowhere on a line.
void Marker::name_left_side(const Slab& slab, const std::string& symbol, Rgba colour, const Rect& screen,
                            std::size_t numbers) {
    const Rect& area = view_.lens.area();
    const float top = std::max(screen.min.y, area.min.y), seen = std::min(screen.max.y, area.max.y) - top;
    const float right = screen.min.x - px(side_mark + 6), width = view_.looks.text_width(symbol, TextRole::name);
    const auto rows = std::span<const LabelWish>(wishes_).subspan(numbers);
    for (const bool over_numbers : {false, true})
        for (const float share : {0.5F, 0.625F, 0.375F, 0.875F, 0.125F}) {
            const float y = top + share * seen - px(8);
            const Rect ink{{std::floor(right - width), y}, {right, y + px(16)}};
            const bool taken = std::ranges::any_of(rows, [&](const LabelWish& row) {
                return !(over_numbers && row.numbered) && ink_of(row.label).overlaps(ink);
            });
            if (!taken && !lines().crossed({}, ink))
                return wish({right, y}, symbol, TextRole::name, colour, slab, side_rank, Anchor::right);
        }
}

// What a row is called instead of by its number, or a column: of a token the word that the run has read, where the
// picture's rows are the run's. Empty: nothing.
std::string Marker::word_at(const Tensor& tensor, bool column, std::int64_t number) const {
    const Shape& shape = tensor.shape;
    const bool made = tensor.role == Role::activation || tensor.role == Role::cache;
    const Expr& side = shape[column ? shape.rank() - 1 : 0];
    // A window's cache begins with a later token.
    const bool of_tokens =
        made && (!column || shape.rank() > 1) && uses({side}, Symbol::tokens) && !uses({side}, Symbol::window);
    return of_tokens && view_.looks.token_word ? view_.looks.token_word(number) : std::string();
}

void Marker::number_cells(const Slab& slab, const Tensor& tensor, const Rect& screen) {
    const Rect& area = view_.lens.area();
    // In doubles: the matrix may be millions of pixels wide.
    const WorldRect whole = view_.seen.placement.world(slab.rect);
    const Camera& camera = view_.lens.camera();
    const auto across = [&](double x) { return static_cast<double>(area.centre().x) + (x - camera.x) * camera.zoom; };
    const auto down = [&](double y) { return static_cast<double>(area.centre().y) + (y - camera.y) * camera.zoom; };
    const Stretch columns = stretch(across(whole.min.x), across(whole.max.x), slab.columns, area.min.x, area.max.x);
    const Stretch rows = stretch(down(whole.min.y), down(whole.max.y), slab.rows, area.min.y, area.max.y);
    const Cell first = view_.first_cell(slab);
    numbers_ = shown_numbers(view_, slab);
    const bool fills = fills_screen(view_, screen);
    if (fills) rule(slab, screen, columns, rows);
    if (fills) mark_bands(slab, tensor, screen, columns, rows);
    // Beside the matrix, or on it where its edge is off the screen.
    const bool above = screen.min.y - px(17) >= area.min.y, beside = screen.min.x - px(52) >= area.min.x;
    const float top = above ? screen.min.y - px(17) : area.min.y,
                left = beside ? screen.min.x - px(8) : area.min.x + px(44);
    const auto name = [&](bool column, std::int64_t number) -> std::pair<std::string, bool> {
        std::string word = word_at(tensor, column != slab.transposed, number);
        return word.empty() ? std::pair(std::to_string(number), true) : std::pair(std::move(word), false);
    };
    for (const std::int64_t i : numbered(columns, slab.columns, px(numbers_apart), fills)) {
        auto [text, number] = name(true, first.column + i);
        wish({static_cast<float>(columns.at(i) + columns.size / 2), top}, std::move(text), TextRole::number,
             above ? palette_.text_low : ink_of_cell(slab, rows.first, i), slab, number_rank, Anchor::centre);
        wishes_.back().numbered = number;
    }
    // A word cannot be counted on from the next one: each row has its own where there is room.
    const bool words = !name(false, first.row).second;
    for (const std::int64_t i : numbered(rows, slab.rows, px(fills && !words ? numbers_apart : cell_height), fills)) {
        auto [text, number] = name(false, first.row + i);
        const Point at{left, static_cast<float>(rows.at(i) + rows.size / 2) - px(8)};
        // On a ruler there are others.
        const float wide = fills && beside ? view_.looks.text_width(text, TextRole::number) : 0;
        if (wide > 0 && lines().crossed({}, {{at.x - wide, at.y + px(2)}, {at.x, at.y + px(14)}})) continue;
        wish(at, std::move(text), TextRole::number, beside ? palette_.text_low : ink_of_cell(slab, i, columns.first),
             slab, number_rank, Anchor::right);
        wishes_.back().numbered = number;
    }
    if (columns.size >= static_cast<double>(px(named_width)) && rows.size >= static_cast<double>(px(named_height)))
        name_cells(slab, tensor, columns, rows);
    say_where_the_run_ends(slab, tensor, columns, rows);
}

// Lines at the numbers of the rulers, across the matrix, where its cells are too small to have lines of their own.
void Marker::rule(const Slab& slab, const Rect& screen, const Stretch& columns, const Stretch& rows) {
    if (numbers_) return;
    const Rgba ink = faded(ink_of_cell(slab, rows.first, columns.first), ruler_ink);
    const double lined = static_cast<double>(px(least_lined));
    for (const std::int64_t i : numbered(columns, slab.columns, px(numbers_apart), columns.size < lined)) {
        const auto x = static_cast<float>(columns.at(i));
        if (i > 0 && columns.size < lined) strip({{x, screen.min.y}, {x + px(1), screen.max.y}}, ink);
    }
    for (const std::int64_t i : numbered(rows, slab.rows, px(numbers_apart), rows.size < lined)) {
        const auto y = static_cast<float>(rows.at(i));
        if (i > 0 && rows.size < lined) strip({{screen.min.x, y}, {screen.max.x, y + px(1)}}, ink);
    }
}

// What is alike side by side in a matrix that fills the screen; and its name, where its own is beyond the edge.
void Marker::mark_bands(const Slab& slab, const Tensor& tensor, const Rect& screen, const Stretch& columns,
                        const Stretch& rows) {
    const Rect& area = view_.lens.area();
    const Rect seen{{std::max(screen.min.x, area.min.x), std::max(screen.min.y, area.min.y)},
                    {std::min(screen.max.x, area.max.x), std::min(screen.max.y, area.max.y)}};
    const Rgba ink = ink_of_cell(slab, rows.first, columns.first);
    const float line = px(1), below_numbers = px(screen.min.y - px(17) >= area.min.y ? 4 : 20);
    const Shape& shape = tensor.shape;
    const auto bands = [&](const Expr& side, const Stretch& cells, bool sliced, std::int64_t count, bool across) {
        const std::optional<std::int64_t> alike = sliced ? std::nullopt : bands_of(side, model_);
        if (!alike || count % *alike != 0) return;
        const Stretch all{.size = cells.size * static_cast<double>(count / *alike), .begin = cells.begin};
        if (all.size < static_cast<double>(px(least_band))) return;
        const std::int64_t step = step_of(all.size, static_cast<double>(px(band_numbers)));
        const auto from = static_cast<std::int64_t>(
            std::max(0.0, std::floor((static_cast<double>(across ? seen.min.x : seen.min.y) - all.begin) / all.size)));
        for (std::int64_t i = from; i < *alike; ++i) {
            const auto at = static_cast<float>(all.at(i)), middle = static_cast<float>(all.at(i) + all.size / 2);
            if (at > (across ? seen.max.x : seen.max.y)) break;
            if (i > 0)
                strip(across ? Rect{{at, seen.min.y}, {at + line, seen.max.y}}
                             : Rect{{seen.min.x, at}, {seen.max.x, at + line}},
                      faded(ink, band_ink));
            if (i % step != 0) continue;
            const Point place =
                across ? Point{middle, seen.min.y + below_numbers} : Point{seen.min.x + px(16), middle - px(8)};
            wish(place, std::to_string(i), TextRole::name, ink, slab, number_rank, Anchor::centre);
        }
    };
    const Expr& last = shape[shape.rank() - 1];
    bands(slab.transposed ? shape[0] : last, columns, slab.column_step > 0, slab.columns, true);
    if (shape.rank() > 1) bands(slab.transposed ? last : shape[0], rows, slab.row_step > 0, slab.rows, false);
    if (screen.min.y - px(name_line) >= area.min.y && screen.min.x >= area.min.x) return;
    const std::string name = std::string(tensor.symbol) + "  " + shape_in_numbers(shape, model_.bindings);
    wish({seen.min.x + px(34), seen.min.y + below_numbers + px(name_line)}, name, TextRole::name, ink, slab, 0,
         Anchor::left);
}

// Words on a cell, counted as it is drawn.
Rgba Marker::ink_of_cell(const Slab& slab, std::int64_t down, std::int64_t across) const {
    const auto [row, column] = cell_in(slab, view_.copy_of(slab), down, across);
    if (numbers_ && numbers_->has(row, column))
        return ink_on_heat(palette_, slab.part, heat_strength(numbers_->at(row, column), numbers_->largest));
    return slab.look == SlabLook::parameter ? palette_.parts[static_cast<std::size_t>(slab.part)].ink
                                            : palette_.text_mid;
}

// The rows of tokens that the picture has and the run has not.
void Marker::say_where_the_run_ends(const Slab& slab, const Tensor& tensor, const Stretch& columns,
                                    const Stretch& rows) {
    if (!numbers_ || tensor.role == Role::parameter || !uses({tensor.shape[0]}, Symbol::tokens)) return;
    const Stretch &tokens = slab.transposed ? columns : rows, &others = slab.transposed ? rows : columns;
    const std::int64_t end = numbers_->rows;
    if (end >= (slab.transposed ? slab.columns : slab.rows) || tokens.end <= end || numbers_->tokens > end) return;
    const std::string words = "the last run had " + std::to_string(end) + (end == 1 ? " token" : " tokens");
    const Rect& area = view_.lens.area();
    const auto from = static_cast<float>(tokens.at(end)), to = static_cast<float>(tokens.at(tokens.end)),
               beside = static_cast<float>(others.at(others.first));
    const Point at = slab.transposed ? Point{std::max(from, area.min.x) + px(6), std::max(beside, area.min.y) + px(6)}
                                     : Point{std::max(beside, area.min.x) + px(6), std::max(from, area.min.y) + px(2)};
    const float room = slab.transposed ? std::min(to, area.max.x) - at.x
                                       : std::min(static_cast<float>(others.at(others.end)), area.max.x) - at.x;
    if (view_.looks.text_width(words, TextRole::caption) <= room)
        wish(at, words, TextRole::caption, palette_.text_mid, slab, run_rank, Anchor::left);
}

// The number that a run has given it; else its matrix's symbol with its row and column.
void Marker::name_cells(const Slab& slab, const Tensor& tensor, const Stretch& columns, const Stretch& rows) {
    const std::int64_t copy = view_.copy_of(slab);
    for (std::int64_t i = rows.first; i < rows.end; ++i)
        for (std::int64_t j = columns.first; j < columns.end; ++j) {
            const auto [row, column] = cell_in(slab, copy, i, j);
            std::string name =
                std::string(tensor.symbol) + "[" + std::to_string(row) + ", " + std::to_string(column) + "]";
            const bool known = numbers_ && numbers_->has(row, column);
            if (known) name = slab.sees(row, column) ? number_text(numbers_->at(row, column)) : "masked";
            const float room = static_cast<float>(columns.size) - px(cell_padding);
            if (view_.looks.text_width(name, TextRole::name) > room) continue;
            wish({static_cast<float>(columns.at(j) + columns.size / 2),
                  static_cast<float>(rows.at(i) + rows.size / 2) - px(8)},
                 std::move(name), TextRole::name, ink_of_cell(slab, i, j), slab, cell_rank, Anchor::centre);
        }
}

}  // namespace

MarkedSides marked_sides(const PageView& view, const Rect& screen) {
    const bool inside = view.flat() && view.lens.camera().zoom > at_home;
    return {inside && screen.width() >= view.px(side_length), inside && screen.height() >= view.px(side_length)};
}

Rect with_side_marks(const PageView& view, const Rect& matrix) {
    Rect screen = view.screen_box(matrix);
    const auto [above, left] = marked_sides(view, screen);
    if (above) screen.min.y -= view.px(side_mark);
    if (left) screen.min.x -= view.px(side_mark);
    return screen;
}

void mark_sides_and_cells(const PageView& view, const NumberedGraph& model, const Palette& palette, Drawing& drawing,
                          std::vector<LabelWish>& wishes) {
    if (view.seen.clarity < clear_enough) return;
    Marker marker(view, model, palette, drawing, wishes);
    for (const Slab& slab : view.page.scene.slabs) marker.mark(slab);
}

}  // namespace headcount
