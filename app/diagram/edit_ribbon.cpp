// The ribbon below the canvas after an edit. Its numbers are the engine's, worked out when the edit settles.
#include "app/diagram/edit_ribbon.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

#include "app/parts/words.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"
#include "core/analysis/arithmetic.hpp"
#include "core/analysis/difference.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

constexpr std::string_view same = "same";    // a figure that an edit leaves as it is
constexpr std::size_t longest_formula = 90;  // bytes: longer ones explain nothing

struct RibbonMemory {
    unsigned seen = 0;  // the number of the edit
    std::optional<EditRibbon> ribbon;
};

// "8,030,261,248 - 6,738,415,616"
std::string subtraction(std::int64_t before, std::int64_t after) { return grouped(after) + " - " + grouped(before); }

std::string field_name(Field field) {
    const FieldInfo& about = info(field);
    return std::string(about.symbol ? info(*about.symbol).text : about.label);
}

// What was edited, with its values before and after.
std::string edited(const Difference& difference) {
    if (difference.fields.size() != 1) return std::to_string(difference.fields.size()) + " changes";
    const FieldDifference& field = difference.fields.front();
    return field_name(field.field) + " " + field.a + " → " + field.b;
}

EditRibbon::Figure parameters_figure(const Difference& difference, std::int64_t before, std::int64_t after) {
    EditRibbon::Figure figure{"parameters", "parameters", "params", "the same", std::string(same), "", "", ""};
    figure.exact = signed_grouped(difference.total);
    figure.formula = subtraction(before, after);
    for (const KindDifference& kind : difference.kinds) {
        if (kind.difference() == 0) continue;
        figure.remark +=
            (figure.remark.empty() ? "" : ", ") + std::string(kind.label) + " " + signed_grouped(kind.difference());
    }
    if (difference.total == 0) return figure;
    figure.brief = signed_short(difference.total);
    figure.words =
        figure.brief + " (" + (difference.total < 0 ? "-" : "+") + percent(std::abs(difference.total), before) + ")";
    return figure;
}

// A formula with its numbers and their result, where it is short enough to be read.
std::string worked_out(const Expr& formula, const Bindings& numbers, std::int64_t value) {
    const std::string text = in_symbols(formula) + " = " + in_numbers(formula, numbers) + " = " + grouped(value);
    return text.size() > longest_formula ? grouped(value) : text;
}

// One figure of both models, by its formula.
struct Worked {
    std::int64_t before = 0, after = 0;
    std::string old_text, new_text;

    std::int64_t change() const { return after - before; }
};
std::optional<Worked> worked(const Expr& old_formula, const Bindings& old_numbers, const Expr& formula,
                             const Bindings& numbers) {
    const Result<std::int64_t> before = evaluate(old_formula, old_numbers), after = evaluate(formula, numbers);
    if (!before || !after) return std::nullopt;
    return Worked{*before, *after, worked_out(old_formula, old_numbers, *before), worked_out(formula, numbers, *after)};
}

// What both have in common; the caller says what the change is called where there is one.
EditRibbon::Figure figure_of(EditRibbon::Figure named, const Worked& of, std::string_view unit,
                             const std::string& size) {
    named.exact = signed_grouped(of.change()) + std::string(unit);
    named.formula = of.change() == 0 ? of.new_text : subtraction(of.before, of.after);
    if (of.change() != 0) named.words = named.brief = (of.change() < 0 ? "-" : "+") + size + " a token";
    return named;
}

std::optional<EditRibbon::Figure> cache_figure(const Counted& before, const Counted& after) {
    const MemoryOptions options = PassOptions{}.held(after.input);
    const auto formula = [&](const Counted& model) {
        return MemoryFormulas(model.architecture, model.graph, options).cache_per_token_formula();
    };
    const std::optional<Worked> of = worked(formula(before), before.bindings, formula(after), after.bindings);
    if (!of) return std::nullopt;
    EditRibbon::Figure figure{"cache", "KV cache", "KV a token", "the same", std::string(same), "", "", ""};
    figure.remark = of->change() == 0 ? "Bytes that each token adds to the cache, before and after."
                                      : "Before " + of->old_text + ", now " + of->new_text + ".";
    return figure_of(std::move(figure), *of, " bytes a token", bytes_text(std::abs(of->change())));
}

std::optional<EditRibbon::Figure> arithmetic_figure(const Counted& before, const Counted& after) {
    const Input one{.tokens = 1};
    const std::optional<Worked> of = worked(flops_formula(before.graph), bindings(before.architecture, one),
                                            flops_formula(after.graph), bindings(after.architecture, one));
    if (!of) return std::nullopt;
    EditRibbon::Figure figure{"arithmetic", "arithmetic", "work", "the same", std::string(same), "", "", ""};
    figure.remark = "One token through the model with nothing in the cache: two operations a multiply-add.";
    return figure_of(std::move(figure), *of, " FLOP", flop_text(std::abs(static_cast<double>(of->change()))));
}

// From the fullest to the shortest.
struct Wording {
    bool what, long_names, long_values;
    std::size_t figures;
    bool bare = false;          // without "a token", which the card beside the pointer says
    bool changed_only = false;  // without figures that stay the same
};
// What was edited stays as long as one figure does.
constexpr std::array<Wording, 9> wordings{{{true, true, true, 3},
                                           {true, true, false, 3},
                                           {true, false, false, 3},
                                           {true, false, false, 3, true},
                                           {true, false, false, 3, true, true},
                                           {true, false, false, 2, true, true},
                                           {true, false, false, 1, true, true},
                                           {false, false, false, 1},
                                           {false, false, false, 0}}};
constexpr std::string_view a_token = " a token";

const std::string& name_in(const EditRibbon::Figure& figure, const Wording& wording) {
    return wording.long_names ? figure.name : figure.brief_name;
}
std::string_view value_in(const EditRibbon::Figure& figure, const Wording& wording) {
    std::string_view text = wording.long_values ? figure.words : figure.brief;
    if (wording.bare && text.ends_with(a_token)) text.remove_suffix(a_token.size());
    return text;
}

std::vector<const EditRibbon::Figure*> figures_in(const EditRibbon& ribbon, const Wording& wording) {
    std::vector<const EditRibbon::Figure*> shown;
    for (const EditRibbon::Figure& figure : ribbon.figures)
        if (shown.size() < wording.figures && !(wording.changed_only && figure.brief == same)) shown.push_back(&figure);
    return shown;
}

constexpr float padding = 10, in_figure = 6;  // design pixels

float between(const Ui& ui, const Wording& wording) { return ui.px(wording.bare ? 12 : 16); }

float width_of(const Ui& ui, const EditRibbon::Figure& figure, const Wording& wording) {
    return text_width(ui.fonts.table, name_in(figure, wording)) + ui.px(in_figure) +
           text_width(ui.fonts.mono_caption, value_in(figure, wording));
}

float width_of(const Ui& ui, const EditRibbon& ribbon, const Wording& wording) {
    float width = wording.what ? symbol_width(ui.fonts.mono_caption, ribbon.what) + between(ui, wording) : 0;
    const std::vector<const EditRibbon::Figure*> figures = figures_in(ribbon, wording);
    for (std::size_t i = 0; i < figures.size(); ++i)
        width += width_of(ui, *figures[i], wording) + (i > 0 ? between(ui, wording) : 0);
    return width + ui.px(2 * padding);
}

void draw_figure(const Ui& ui, const EditRibbon::Figure& figure, const Wording& wording, ImVec2 min, float height) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = width_of(ui, figure, wording), centre = min.y + height / 2;
    const ImVec2 from(min.x - ui.px(in_figure), min.y + 1), to(min.x + width + ui.px(in_figure), min.y + height - 1);
    ui.recorder.record("canvas.ribbon", figure.key, from, to);
    const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, to);
    if (hovered) list.AddRectFilled(from, to, ui.theme.hover, ui.px(size::radius_field));
    const std::string& name = name_in(figure, wording);
    draw_text(list, ui.fonts.table, {min.x, text_top(ui.fonts.table, centre)}, ui.theme.text_mid, name);
    const float x = min.x + text_width(ui.fonts.table, name) + ui.px(in_figure);
    draw_text(list, ui.fonts.mono_caption, {x, text_top(ui.fonts.mono_caption, centre)}, ui.theme.text_high,
              value_in(figure, wording));
    if (hovered)
        show_tooltip(ui, {.title = capitalized(figure.name),
                          .value = figure.exact,
                          .derivation = figure.formula,
                          .remark = figure.remark});
}

}  // namespace

std::optional<EditRibbon> ribbon_of(const Counted& before, const Counted& after, std::string_view doubt) {
    const Result<Difference> found = difference(before, after);
    if (!found || found->fields.empty()) return std::nullopt;
    const auto cache = cache_figure(before, after), arithmetic = arithmetic_figure(before, after);
    if (!cache || !arithmetic) return std::nullopt;
    EditRibbon ribbon{
        edited(*found),
        {parameters_figure(*found, before.parameters.total, after.parameters.total), *cache, *arithmetic}};
    for (EditRibbon::Figure& figure : ribbon.figures)
        for (std::string* const text : {&figure.words, &figure.brief, &figure.exact})
            if (figure.brief != same) text->insert(0, doubt_sign(doubt));
    return ribbon;
}

const EditRibbon* follow_edits(const Ui& ui, const DiagramOf& diagram, const DiagramOf::Edits& edits,
                               bool& escape_taken) {
    RibbonMemory& memory = kept<RibbonMemory>(ui, "canvas.ribbon");
    const bool escape = memory.ribbon && !escape_taken && compat::key_pressed(ImGuiKey_Escape, false);
    escape_taken = escape_taken || escape;
    const bool pressed = ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2);
    if (escape || pressed || edits.dragging || !edits.show || !edits.last) memory.ribbon.reset();
    if (!edits.last || !edits.last->settled || !diagram.shown.derived.current) return nullptr;
    if (memory.seen != edits.last->number) {
        memory.seen = edits.last->number;
        memory.ribbon.reset();
        if (edits.show && edits.last->in == explore_view) {
            const Result<Counted> before = count(edits.last->before, diagram.shown.document.input);
            if (before) memory.ribbon = ribbon_of(*before, diagram.counted(), diagram.shown.derived.doubt);
        }
    }
    return memory.ribbon ? &*memory.ribbon : nullptr;
}

float draw_edit_ribbon(const Ui& ui, const EditRibbon& ribbon, ImVec2 min, float right, float height) {
    for (const Wording& wording : wordings) {
        const float width = width_of(ui, ribbon, wording);
        if (min.x + width > right) continue;
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const ImVec2 max(std::round(min.x + width), min.y + height);
        draw_box(list, min, max, ui.theme.raised, ui.theme.strong_line, ui.px(size::radius_button));
        ui.recorder.record("canvas", "ribbon", min, max);
        float x = min.x + ui.px(padding);
        if (wording.what) {
            const Font& font = ui.fonts.mono_caption;
            draw_symbol(list, font, {x, text_top(font, min.y + height / 2)}, ui.theme.text_high, ribbon.what);
            ui.recorder.record("canvas.ribbon", "what", {x, min.y}, {x + symbol_width(font, ribbon.what), max.y});
            x += symbol_width(font, ribbon.what) + between(ui, wording);
        }
        for (const EditRibbon::Figure* const figure : figures_in(ribbon, wording)) {
            draw_figure(ui, *figure, wording, {x, min.y}, height);
            x += width_of(ui, *figure, wording) + between(ui, wording);
        }
        return max.x;
    }
    return min.x;
}

}  // namespace headcount
