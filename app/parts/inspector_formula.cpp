// Formulas of the inspector: lines in symbols and in numbers whose factors lead to their sliders.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/parts/inspector_parts.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "core/base/scripts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// What a run leads to, as the number that the formula line carries: a dimension, or a tensor behind them.
constexpr int first_tensor = static_cast<int>(symbol_count);

constexpr float caption_column = 62;  // as formula_row lays it out

Subject subject_of(const Inspector& inspector, int id) {
    if (id >= first_tensor)
        return TensorSubject{inspector.graph().tensors[static_cast<std::size_t>(id - first_tensor)].id};
    const std::optional<Field> field = field_of(static_cast<Symbol>(id));
    return field ? Subject(*field) : Subject();
}

constexpr std::array<std::string_view, 8> line_starts{" + ", " − ", " = ",         " → ",
                                                      " ⊙ ", " / ", " chosen by ", " in the best "};

bool may_start_line(std::string_view text) {
    return std::ranges::any_of(line_starts, [&](std::string_view start) { return text.starts_with(start); });
}

// A plain text, cut before every " + " so that a long line can go on there.
void append_plain(Runs& runs, std::string_view text, bool spaced) {
    std::string piece;
    for (std::size_t i = 0; i < text.size(); ++i) {
        constexpr std::string_view dot = "·";
        if (i > 0 && text.substr(i).starts_with(" + ") && !piece.empty()) {
            runs.push_back({piece});
            piece.clear();
        }
        if (spaced && text.substr(i).starts_with(dot)) {
            piece += " · ";
            i += dot.size() - 1;
            continue;
        }
        if (steers_scripts(text[i])) piece += '\\';
        piece += text[i];
    }
    if (!piece.empty()) runs.push_back({std::move(piece)});
}

// The runs of one line from `begin` on: as many as fit `width`, ending before a " + " or " = "; before one outside of
// brackets where all that is left then fits.
std::size_t line_end(std::span<const TextRun> runs, std::size_t begin, const Font& font, float width) {
    float used = 0, outer_from = 0;
    std::size_t last = begin, outer = begin;
    std::ptrdiff_t open = 0;
    for (std::size_t i = begin; i < runs.size(); ++i) {
        const std::string& text = runs[i].text;
        if (i > begin && used <= width && may_start_line(text)) {
            last = i;
            if (open <= 0) outer = i, outer_from = used;
        }
        open += std::ranges::count(text, '(') - std::ranges::count(text, ')');
        used += symbol_width(font, text);
    }
    if (used <= width || last == begin) return runs.size();
    return outer > begin && used - outer_from <= width ? outer : last;
}

// Factors and operands under their own names, beside those that the line gave them.
void record_factors(const Inspector& inspector, std::span<const TextRun> runs, std::size_t from) {
    std::size_t at = from;
    for (const TextRun& run : runs) {
        if (run.id < 0) continue;
        const NamedRect& rect = inspector.ui.recorder.all()[at++];
        const ImVec2 min = rect.min, max = rect.max;
        if (run.id >= first_tensor)
            inspector.ui.recorder.record("inspector.operand",
                                         inspector.graph().tensors[static_cast<std::size_t>(run.id - first_tensor)].id,
                                         min, max);
        else
            inspector.ui.recorder.record("inspector.factor", info(static_cast<Symbol>(run.id)).key, min, max);
    }
}

template <class Draw>  // Draw: FormulaLineResult(span of runs, whether it is the first line)
void draw_wrapped(Inspector& inspector, const Runs& runs, const Font& font, float width, const Draw& draw) {
    for (std::size_t begin = 0; begin < runs.size();) {
        const std::size_t end = line_end(runs, begin, font, width);
        const std::span<const TextRun> line(runs.data() + begin, end - begin);
        const std::size_t recorded = inspector.ui.recorder.all().size();
        ImGui::PushID(static_cast<int>(begin));
        const FormulaLineResult result = draw(line, begin == 0);
        ImGui::PopID();
        record_factors(inspector, line, recorded);
        if (result.clicked) inspector.point_at(subject_of(inspector, *result.clicked), true);
        if (result.hovered) inspector.point_at(subject_of(inspector, *result.hovered), false);
        begin = end;
    }
}

}  // namespace

void append_text(Runs& runs, std::string_view text) { append_plain(runs, text, false); }

Printed printed(const Expr& formula, const Bindings& bindings) {
    return {pieces_in_symbols(formula), pieces_in_numbers(formula, bindings)};
}

void append_formula(const Inspector& inspector, Runs& runs, const Expr& formula, Written written, bool spaced) {
    append_pieces(
        inspector, runs,
        written == Written::symbols ? pieces_in_symbols(formula) : pieces_in_numbers(formula, inspector.bindings()),
        spaced);
}

void append_pieces(const Inspector& inspector, Runs& runs, std::span<const FormulaPiece> pieces, bool spaced) {
    runs.reserve(runs.size() + pieces.size() + 4);
    for (const FormulaPiece& piece : pieces) {
        if (!piece.symbol) {
            append_plain(runs, piece.text, spaced);
            continue;
        }
        const std::optional<Field> field = field_of(*piece.symbol);
        TextRun run{piece.text};
        if (const ImU32 hue = symbol_colour(inspector.ui.theme, *piece.symbol))
            run.colour = readable(inspector.ui.theme, hue);
        if (field) run.id = static_cast<int>(*piece.symbol);
        run.lit = field && inspector.model.look.hover == Subject(*field);
        runs.push_back(std::move(run));
    }
}

void append_shape(const Inspector& inspector, Runs& runs, const Shape& shape, Written written, int underlined_axis) {
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        if (axis > 0) runs.push_back({" × "});
        const bool bracketed = !shape[axis].is_leaf() && shape.rank() > 1;
        const std::size_t first = runs.size();
        if (written == Written::values && bracketed) {
            runs.push_back({std::to_string(value_of(shape[axis], inspector.bindings()))});
        } else {
            if (bracketed) runs.push_back({"("});
            append_formula(inspector, runs, shape[axis], written, true);
            if (bracketed) runs.push_back({")"});
        }
        if (static_cast<int>(axis) == underlined_axis)
            for (std::size_t i = first; i < runs.size(); ++i) runs[i].underline = true;
    }
}

void append_tensor(const Inspector& inspector, Runs& runs, TensorIndex tensor, std::string_view after) {
    const Tensor& named = inspector.graph().tensors[tensor];
    TextRun run{std::string(named.symbol) + std::string(after)};
    if (named.role == Role::parameter)
        run.colour = readable(inspector.ui.theme, part_colour(inspector.ui.theme, named.part));
    run.id = first_tensor + tensor;
    const auto* hovered = std::get_if<TensorSubject>(&inspector.model.look.hover);
    run.lit = hovered && hovered->id == named.id;
    runs.push_back(std::move(run));
}

void draw_line(Inspector& inspector, std::string_view name, const Runs& runs, const Font& font, ImU32 colour) {
    draw_wrapped(inspector, runs, font, available_width(), [&](std::span<const TextRun> line, bool) {
        return formula_line(inspector.ui, name, line, font, colour);
    });
}

void draw_row(Inspector& inspector, std::string_view name, std::string_view caption, const Runs& runs, const Font& font,
              ImU32 colour) {
    draw_wrapped(inspector, runs, font, words_room(inspector), [&](std::span<const TextRun> line, bool first) {
        return formula_row(inspector.ui, name, first ? caption : std::string_view{}, line, font, colour);
    });
}

// The largest in which all of a number has room; a part of one would be another.
const Font& result_font(const Ui& ui, std::string_view text, float room) {
    const Fonts& fonts = ui.fonts;
    for (const Font* const font : {&fonts.mono_result, &fonts.mono_body, &fonts.mono})
        if (text_width(*font, text) <= room) return *font;
    return fonts.mono_caption;
}

void draw_result(Inspector& inspector, std::string_view name, std::string_view text) {
    const Ui& ui = inspector.ui;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(size::table_row + 3));
    const ImVec2 text_start(start.x + ui.px(caption_column), start.y);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, start, ImVec2(text_start.x, start.y + height),
                 ui.theme.text_low, "result");
    // Where it has no room beside the word it stands below that.
    const float width = available_width(), right = start.x + width - ui.px(size::icon + 6);
    const bool beside = text_width(ui.fonts.mono, text) <= right - text_start.x;
    const ImVec2 at = beside ? ImVec2(text_start.x, start.y + ui.px(2)) : ImVec2(start.x, start.y + height);
    ImGui::SetCursorScreenPos(at);
    if (copyable(ui, name, text, result_font(ui, text, right - at.x), ui.theme.text_high)) inspector.copy(text);
    place(start, ImVec2(width, beside ? height : 2 * height));
}

float words_room(const Inspector& inspector) { return available_width() - inspector.ui.px(caption_column); }

void draw_words_row(Inspector& inspector, std::string_view caption, std::string_view text) {
    Runs runs;
    append_text(runs, text);
    draw_row(inspector, "inspector.words", caption, runs, inspector.ui.fonts.mono, inspector.ui.theme.text_mid);
}

void draw_formula(Inspector& inspector, const Expr& formula, std::int64_t result, std::string_view about) {
    draw_formula(inspector, printed(formula, inspector.bindings()), result, about);
}

void draw_formula(Inspector& inspector, const Printed& formula, std::int64_t result, std::string_view about) {
    Runs runs;
    append_pieces(inspector, runs, formula.symbols);
    draw_row(inspector, "inspector.symbols", "symbols", runs, inspector.ui.fonts.mono_body,
             inspector.ui.theme.text_high);
    runs.clear();
    append_pieces(inspector, runs, formula.numbers);
    {
        const About part(anything);
        draw_row(inspector, "inspector.numbers", "numbers", runs, inspector.ui.fonts.mono, inspector.ui.theme.text_mid);
    }
    const About sum(about);
    draw_result(inspector, "inspector.result", grouped(result));
}

void draw_shape_formula(Inspector& inspector, const Shape& shape, std::int64_t result) {
    Runs runs;
    append_shape(inspector, runs, shape, Written::symbols);
    draw_row(inspector, "inspector.symbols", "symbols", runs, inspector.ui.fonts.mono_body,
             inspector.ui.theme.text_high);
    runs.clear();
    append_shape(inspector, runs, shape, Written::numbers);
    draw_row(inspector, "inspector.numbers", "numbers", runs, inspector.ui.fonts.mono_body,
             inspector.ui.theme.text_mid);
    draw_result(inspector, "inspector.result", grouped(result));
}

}  // namespace headcount
