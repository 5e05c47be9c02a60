// The left panel: every field of the architecture, the input, and how far it is from the preset.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/parts/field_rows.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/explore/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float footer_line = 40, footer_card = 92;

void head_size_rows(FieldForm& form) {
    if (form.model.document.architecture.layer.attention.latent) {
        ruled_row(form, Field::head_dim, "d_h = d_n + d_r", {}, {});
        return;
    }
    ruled_or_own_row(form, Field::head_dim,
                     {"d_h = d / h", "Give the head size a value of its own", "auto",
                      "Leave the head size to its rule: width / heads"},
                     form.values[Symbol::head_dim].value_or(64));
}

// The rule below its value, in symbols and then in words, each cut where it is wider than the panel.
void rule_lines(const FieldForm& form, const MetaRule& rule) {
    const Ui& ui = form.ui;
    const float line = std::round(ui.px(18)), width = available_width();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const std::string symbols = "= " + in_symbols(ffn_dim_rule(form.model.document.architecture));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text(list, ui.fonts.mono_caption, start, ui.theme.text_low, symbols, width);
    const std::string words = "rounded up to a multiple of " + std::to_string(rule.multiple_of);
    draw_text(list, ui.fonts.caption, ImVec2(start.x, start.y + line), ui.theme.text_low, words, width);
    place(start, ImVec2(width, 2 * line + std::round(ui.px(4))));
}

void feed_forward_width_rows(FieldForm& form) {
    const auto& width = form.model.document.architecture.layer.feed_forward.width;
    if (const auto* rule = std::get_if<MetaRule>(&width)) {
        const auto value = form.values[Symbol::ffn_dim].value_or(1);
        if (ruled_row(form, Field::ffn_dim, "d_ff", "own", "Give the feed-forward width a value of its own"))
            set_field(form, Field::ffn_dim, std::to_string(value));
        rule_lines(form, *rule);
        number_row(form, Field::ffn_multiple_of);
        text_row(form, Field::ffn_multiplier);
        return;
    }
    constexpr std::string_view tooltip = "Leave it to Meta's rule: two thirds of 4·d, rounded up to a multiple";
    if (number_row(form, Field::ffn_dim, {"rule", tooltip}))
        set_field(form, Field::ffn_multiple_of, std::to_string(MetaRule{}.multiple_of));
}

void dimension_rows(FieldForm& form) {
    number_row(form, Field::dim);
    if (stands_out(form, Field::encoder_layers)) number_row(form, Field::encoder_layers);
    number_row(form, Field::layers);
    if (has_row(form, Field::heads)) number_row(form, Field::heads);
    if (has_row(form, Field::kv_heads)) number_row(form, Field::kv_heads);
    if (has_row(form, Field::head_dim)) head_size_rows(form);
    if (has_row(form, Field::ffn_dim) || has_row(form, Field::ffn_multiple_of)) feed_forward_width_rows(form);
    if (has_row(form, Field::vocab)) number_row(form, Field::vocab);
    if (has_row(form, Field::context)) number_row(form, Field::context);
    if (stands_out(form, Field::token_types)) number_row(form, Field::token_types);
    mixer_and_feed_forward_groups(form);
}

// The usual ones; of the others that which the model has, in the last one's place: more have no room beside each other.
void activation_row(FieldForm& form) {
    constexpr auto all = activation_names(&ActivationInfo::short_label);
    std::array<int, 5> order{0, 1, 2, 3, 4};
    order.back() = std::max(order.back(), field_place(form.model.document.architecture, Field::activation));
    std::array<std::string_view, order.size()> labels;
    for (std::size_t i = 0; i < order.size(); ++i) labels[i] = all[static_cast<std::size_t>(order[i])];
    choice_row(form, Field::activation,
               {.labels = labels,
                .order = order,
                .tooltip = "GELU tanh is GELU by its usual approximation with a hyperbolic tangent."});
}

// The same: kinds of positions that few models have stand in the place of none where this one has them.
void positions_row(FieldForm& form) {
    const std::span<const std::string_view> all = info(Field::positions).labels;
    const Positions base = form.model.document.base.positions, now = form.model.document.architecture.positions;
    const Positions last = now >= Positions::none ? now : std::max(base, Positions::none);
    const std::array order{0, 1, 2, static_cast<int>(last)};
    std::array<std::string_view, order.size()> labels;
    for (std::size_t i = 0; i < order.size(); ++i) labels[i] = all[static_cast<std::size_t>(order[i])];
    choice_row(form, Field::positions, {.labels = labels, .order = order});
}

void kind_rows(FieldForm& form) {
    constexpr std::array<std::string_view, 2> gate_words{"Gated", "Plain"};
    constexpr std::array gate_order{1, 0};
    if (stands_out(form, Field::mask) && has_row(form, Field::mask)) choice_row(form, Field::mask);
    choice_row(form, Field::norm);
    if (has_row(form, Field::gated))
        choice_row(form, Field::gated,
                   {.labels = gate_words,
                    .order = gate_order,
                    .label = "FFN",
                    .symbol = feed_forward_name(form.model.document.architecture.layer.feed_forward)});
    if (has_row(form, Field::activation)) activation_row(form);
    positions_row(form);
    if (stands_out(form, Field::output)) choice_row(form, Field::output);
    if (has_row(form, Field::tied)) flag_row(form, Field::tied);
    stream_and_ends_groups(form);
}

// What is wrong and belongs to no row.
void other_complaints(FieldForm& form) {
    for (const Complaint& complaint : form.complaints) {
        if (complaint.field || complaint.input) continue;
        gap(form.ui, 8);
        message_card(form.ui, "architecture", complaint.sentence, {});
    }
}

// New notes are seen, however far down the rows of the model before were scrolled.
void reveal_new_notes(const std::string& words) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("notes");
    const int now = static_cast<int>(std::hash<std::string>{}(words));
    if (storage.GetInt(id) != now) ImGui::SetScrollY(0);
    storage.SetInt(id, now);
}

// What was not read of an opened file, or guessed; until it is dismissed.
void notes_card(const Ui& ui, const std::vector<std::string>& notes, Intents& intents) {
    if (notes.empty()) return;
    constexpr std::size_t most_shown = 4;
    std::string words;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (i == most_shown) {
            words += "\nand " + std::to_string(notes.size() - i) + " more";
            break;
        }
        std::string note = capitalized(notes[i]);
        if (!note.empty() && note.back() != '.') note += '.';
        words += (i == 0 ? "" : "\n") + note;
    }
    reveal_new_notes(words);
    if (notice_card(ui, "architecture.notes", words)) intents.push_back(DismissNotes{});
    gap(ui, 8);
}

// A field that was selected elsewhere since the last frame is scrolled to and gets the keyboard.
void reveal_newly_selected(FieldForm& form) {
    const auto* field = std::get_if<Field>(&form.model.look.selection);
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("selected field");
    const int now = field ? static_cast<int>(*field) : -1;
    constexpr int never = -2;
    const int before = storage.GetInt(id, never);
    if (before == now) return;
    storage.SetInt(id, now);
    if (!field) return;
    form.reveal = *field;
    form.focus = before != never;  // what was selected at the start takes nothing from anybody
}

// Returns whether there is more than fits.
bool scrolled_part(const Ui& ui, const ArchitecturePage& page, bool edited, ImVec2 extent, Intents& intents) {
    const Panel panel(ui, "architecture.fields", extent);
    FieldForm form = field_form(ui, page.model, intents);
    reveal_newly_selected(form);
    section_title(ui, "Architecture", edited ? std::string_view("edited") : page.model.document.base.name);
    gap(ui, 4);
    notes_card(ui, page.notes, intents);
    dimension_rows(form);
    separator(ui, 10, 8);
    kind_rows(form);
    separator(ui, 8, 8);
    section_title(ui, "Input");
    input_rows(form);
    other_complaints(form);
    return ImGui::GetScrollMaxY() > 0;
}

// Across the window's padding.
void line_across(const Ui& ui, float left, float right, float y) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(ImVec2(left, y), ImVec2(right, y + 1));
    list.AddRectFilled(ImVec2(left, y), ImVec2(right, y + 1), ui.theme.line);
    list.PopClipRect();
}

// Whether a row that is shown holds text that could not be taken over.
bool holds_refused_text(const Ui& ui) {
    return std::ranges::any_of(ui.memory.rejected, [&](const UiMemory::Rejected& text) {
        return text.row.starts_with("architecture.") && in_sight(ui, text);
    });
}

void draw_footer_line(const Ui& ui, std::string_view name, Icon icon, ImU32 ink, std::string_view words, ImVec2 min,
                      ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float centre = std::round(max.y - ui.px(8)), indent = ui.px(22);
    draw_icon(list, icon, ImVec2(min.x + ui.px(7), centre), ui.px(14), ink);
    draw_text(list, ui.fonts.body, ImVec2(min.x + indent, text_top(ui.fonts.body, centre)), ink, words,
              max.x - min.x - indent);
    ui.recorder.record(name, min, max);
    place(min, max - min);
}

void footer_changes(const Ui& ui, const ArchitecturePage& page, Intents& intents) {
    const Document& document = page.model.document;
    const Derived& derived = page.model.derived;
    const Card card(ui, "architecture.changes");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), line = std::round(ui.px(size::small_button));
    const std::size_t changes = std::max<std::size_t>(1, derived.changed.size());
    // The last possible picture's numbers are not this document's.
    const bool possible = derived.current;
    Button reset{.label = "Reset", .icon = Icon::reset, .small = true, .tooltip = "Back to what was opened"};
    IconButtonOptions small;
    small.side = size::small_button;
    const float step = ui.px(size::small_button + size::grid);
    // Where not all of it has room the button's word gives way, then the other.
    std::string words = std::to_string(changes) + (changes == 1 ? " change" : " changes");
    const auto fits = [&] {
        return text_width(ui.fonts.body_medium, words) + 2 * step + button_width(ui, reset) + ui.px(8) <= width;
    };
    if (!fits()) reset.label = {};
    if (!fits()) words = std::to_string(changes);
    const float reset_from = start.x + width - button_width(ui, reset);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_text_in(list, ui.fonts.body_medium, start, ImVec2(start.x + width, start.y + line), ui.theme.text_high, words);
    ImGui::SetCursorScreenPos(ImVec2(reset_from - 2 * step, start.y));
    if (possible && icon_button(ui, "architecture.run", Icon::play, "Run this what-if: on random weights", small)) {
        intents.push_back(AtRun{from_source(page.run, RunSource::random)});
        intents.push_back(ShowWorkspace{run_view});
    }
    ImGui::SetCursorScreenPos(ImVec2(reset_from - step, start.y));
    if (icon_button(ui, "architecture.pin", Icon::pin, "Pin this: Compare shows further edits against it", small))
        intents.push_back(AtCompare{PinThis{}});
    ImGui::SetCursorScreenPos(ImVec2(reset_from, start.y));
    if (button(ui, "architecture.reset_all", reset)) {
        Replace replace{document, std::nullopt, true};
        replace.document.architecture = document.base;
        intents.push_back(std::move(replace));
    }
    const std::int64_t base = derived.base.parameters.total;
    const std::int64_t change = derived.shown.parameters.total - base;
    const ImVec2 below(start.x, start.y + line + std::round(ui.px(2)));
    const ImVec2 end(start.x + width, below.y + std::round(ui.px(18)));
    if (possible) {
        const std::string all = signed_grouped(change), share = (change > 0 ? "+" : "") + percent(change, base);
        const About about(total_key);
        draw_text_in(list, ui.fonts.mono_medium, below, end, ui.theme.text_high, all);
        // Thousands of percent say nothing that the numbers do not; they give way where both do not fit.
        if (text_width(ui.fonts.mono_medium, all) + text_width(ui.fonts.mono, share) + ui.px(12) < end.x - below.x)
            draw_text_in(list, ui.fonts.mono, below, end, ui.theme.text_mid, share, Align::right);
    } else {
        draw_text_in(list, ui.fonts.body, below, end, ui.theme.text_mid, "not possible yet");
    }
    place(start, ImVec2(width, end.y - start.y));
}

}  // namespace

Intents draw_architecture(const Ui& ui, const ArchitecturePage& page) {
    Intents intents;
    const Document& document = page.model.document;
    const bool edited = document.architecture != document.base;
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = std::round(ui.px(size::panel_padding));
    const float footer = std::round(ui.px(edited ? footer_card : footer_line));
    // The rows scroll to the window's edges; below them the footer stays.
    ImGui::SetCursorScreenPos(corner);
    const bool scrolls = scrolled_part(ui, page, edited, ImVec2(extent.x, std::max(1.0F, extent.y - footer)), intents);
    const ImVec2 min(corner.x + padding, corner.y + extent.y - footer);
    const ImVec2 max(corner.x + extent.x - padding, corner.y + extent.y - padding);
    if (scrolls) line_across(ui, corner.x, corner.x + extent.x, min.y);
    if (edited) {
        ImGui::SetCursorScreenPos(ImVec2(min.x, min.y + std::round(ui.px(8))));
        footer_changes(ui, page, intents);
    } else if (holds_refused_text(ui)) {
        draw_footer_line(ui, "architecture.refused", Icon::warning, readable(ui.theme, ui.theme.wrong),
                         "A typed value is not taken over", min, max);
    } else {
        draw_footer_line(ui, "architecture.matches", Icon::check, ui.theme.text_low,
                         document.preset.empty() ? "As the file has it" : "As the preset has it", min, max);
    }
    return intents;
}

}  // namespace headcount
