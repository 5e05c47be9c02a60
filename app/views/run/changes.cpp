// The changes of a run as chips: what each does, its effect alone, its switch; and the prompt that others come from.
#include "app/views/run/changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/state/run/command.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/text_field.hpp"
#include "app/ui/tooltip.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr ImU32 no_fill = 0;
constexpr std::size_t none_unfolded = most_changes;
constexpr float other_height = 40, badge_radius = 8, number_steps = 100, furthest_set = 5;
// In the order of Change::Kind.
constexpr std::array<std::string_view, 5> kind_words{"off", "scaled", "replaced", "mean", "set"};

// The chip that shows more than its title and effect: where something was added, that one.
struct Unfolded {
    std::size_t index = none_unfolded;
};

std::string signed_text(double value) {
    const std::string text = decimal_text(value, 3);
    return value >= 0 && text.front() != '-' ? "+" + text : text;
}

// Typing in the other prompt is one edit, until something else is edited. No slider's number is as great.
constexpr unsigned typing_run = ~0U;

void become(RunPanel& panel, std::size_t index, Change::Kind kind) {
    panel.set([&](RunPlace& place) {
        Change& change = place.experiments.changes[index].change;
        change.kind = kind;
        change.number = first_number(kind);
        place.experiments.changes[index].on = true;
        take_from_other(panel, place, kind);
    });
}

// What the place is multiplied by, or set to.
void number_row(RunPanel& panel, std::size_t index) {
    const Ui& ui = panel.ui;
    const Change& change = panel.place.experiments.changes[index].change;
    const bool scale = change.kind == Change::Kind::scale;
    const std::string text = factor_text(change.number);
    const bool refused = [&] {
        const IdScope scope("run.number");
        return !refused_text(ui, "field").empty();
    }();
    SliderRow row{
        .label = scale ? "Times" : "Set to", .value = std::llround(change.number * number_steps), .text = text};
    row.scale.minimum = static_cast<std::int64_t>((scale ? 0 : -furthest_set) * number_steps);
    row.scale.maximum = static_cast<std::int64_t>((scale ? 2 : furthest_set) * number_steps);
    row.tooltip = scale ? "What the place adds is multiplied by it: 0 is off, 1 as it is."
                        : "Each of its numbers becomes this one.";
    if (refused) row.error = FieldError{"Give a number from -100 to 100.", {}};
    const SliderRowResult result = slider_row(ui, "run.number", row);
    const auto choose = [&](double chosen, unsigned run) {
        panel.set([&](RunPlace& place) { place.experiments.changes[index].change.number = chosen; }, run);
    };
    if (result.value) choose(static_cast<double>(*result.value) / number_steps, result.run);
    if (!result.typed) return;
    double number = 0;
    const char* const end = result.typed->data() + result.typed->size();
    const auto [after, wrong] = read_real(result.typed->data(), end, number);
    if (wrong == std::errc{} && after == end && std::abs(number) <= largest_change_number) {
        choose(std::strtod(factor_text(number).c_str(), nullptr), 0);  // as it is written
    } else {
        const IdScope scope("run.number");
        refuse(ui, "field", *result.typed, {.text = text, .row = "run.number"});
    }
}

// Its effect by itself, and the switch.
void effect_line(RunPanel& panel, std::size_t index, const RunEffect* effect) {
    const Ui& ui = panel.ui;
    const bool on = panel.place.experiments.changes[index].on;
    const auto [min, max] = take_line(ui, 20);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 ink = on ? ui.theme.text_high : ui.theme.text_low;
    const std::string number = effect && effect->alone ? signed_text(*effect->alone) : "";
    draw_text_in(list, ui.fonts.mono_medium, min, max, ink, number);
    const float behind = number.empty() ? 0 : text_width(ui.fonts.mono_medium, number) + ui.px(6);
    draw_text_in(list, ui.fonts.caption, ImVec2(min.x + behind, min.y), max, ui.theme.text_low,
                 effect && effect->alone ? "log p, alone"
                 : effect                ? "no score to compare"
                                         : "…");
    if (effect && effect->alone) {
        ui.recorder.record("run.effect." + std::to_string(index), min, max);
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max))
            show_tooltip(ui,
                         {"What this change does by itself",
                          number,
                          {},
                          "By so much the logarithm of the likeliest word's probability (ln p) moves where all other "
                          "changes are off: by 1 is 2.72 times as likely."});
    }
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(
        ImVec2(max.x - ui.px(switch_width), std::round((min.y + max.y - ui.px(switch_height)) / 2)));
    if (switch_button(ui, "run.change." + std::to_string(index) + ".switch", on))
        panel.set([&](RunPlace& place) { place.experiments.changes[index].on = !on; });
    ImGui::SetCursorScreenPos(after);
}

// Of a parameter.
std::string weight_part(const ChangePlace& place) {
    if (place.column && place.token) return "this weight";
    return place.token ? "this row" : place.column ? "this column" : "all of them";
}

// What happens at the place: "its columns of the output set to 0".
std::string detail(const RunPanel& panel, const Change& change) {
    const ChangePlace& place = change.place;
    const bool weight = panel.run() && is_of_weight(*panel.run(), place);
    const std::string what = weight                  ? weight_part(place)
                             : place.is_activation() ? (place.column && place.token ? "this number"
                                                        : place.token               ? "the token's row"
                                                        : place.column              ? "the column, of all tokens"
                                                                                    : "all of it")
                             : place.block.empty()   ? "what leaves the layer" + std::string(place.token ? " here" : "")
                             : place.column          ? "what the neuron makes"
                             : place.head            ? "its columns of the output"
                             : place.expert          ? "what it makes"
                                                     : "what it adds to the stream";
    switch (change.kind) {
        case Change::Kind::off: return what + " set to 0";
        case Change::Kind::scale: return what + " × " + factor_text(change.number);
        case Change::Kind::patch: return what + " from " + in_quotes(panel.place.experiments.other);
        case Change::Kind::mean: return what + ": the mean of the prompt's tokens";
        case Change::Kind::put: return what + " = " + factor_text(change.number);
    }
    return what;
}

// Number, title, which unfolds the chip, and what takes it away.
void title_line(RunPanel& panel, std::size_t index, std::size_t& unfolded) {
    const Ui& ui = panel.ui;
    const RunChange& each = panel.place.experiments.changes[index];
    const std::string name = "run.change." + std::to_string(index);
    const auto [min, max] = take_line(ui, 22);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = (min.y + max.y) / 2;
    draw_badge(ui, list, ImVec2(min.x + ui.px(badge_radius), middle), index + 1, each.on);
    const std::string title =
        panel.run() ? place_title(*panel.run(), each.change.place) : place_text(each.change.place);
    const float from = min.x + ui.px(2 * badge_radius + 8), end = max.x - ui.px(22), fold = end - ui.px(16);
    const Font& font = ui.fonts.body_medium;
    draw_text(list, font, ImVec2(from, text_top(font, middle)), each.on ? ui.theme.text_high : ui.theme.text_low, title,
              fold - from);
    draw_icon(list, unfolded == index ? Icon::chevron_up : Icon::chevron_down, ImVec2(fold + ui.px(8), middle),
              ui.px(14), ui.theme.text_mid);
    ui.recorder.record(name + ".title", min, ImVec2(end, max.y));
    const Press press = press_area(ui, "title", min, ImVec2(end, max.y), -1, false);
    if (press.hovered) show_tooltip(ui, {title, {}, {}, change_text(each.change) + ". Press for what else it can be."});
    if (press.pressed) unfolded = unfolded == index ? none_unfolded : index;
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(max.x - ui.px(18), std::round(middle - ui.px(10))));
    if (icon_button(ui, name + ".remove", Icon::cross, "Takes it away", {.side = 20}))
        panel.set([&](RunPlace& place) {
            std::vector<RunChange>& all = place.experiments.changes;
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
        });
    ImGui::SetCursorScreenPos(after);
}

// What it is to be, and the command that does the same.
void unfolded_lines(RunPanel& panel, std::size_t index, const Document& own) {
    const Ui& ui = panel.ui;
    const std::string name = "run.change." + std::to_string(index);
    const Change& change = panel.place.experiments.changes[index].change;
    gap(ui, 4);
    // A weight is the same for all tokens and all texts: it has no mean, and is replaced by no other's.
    using enum Change::Kind;
    std::vector<Change::Kind> kinds{off, scale, patch, mean, put};
    if (panel.run() && is_of_weight(*panel.run(), change.place)) kinds = {off, scale, put};
    std::vector<std::string_view> words;
    for (const Change::Kind each : kinds) words.push_back(kind_words[static_cast<std::size_t>(each)]);
    const auto now = static_cast<int>(std::ranges::find(kinds, change.kind) - kinds.begin());
    const ChoiceResult kind = segmented(ui, name + ".kind", words, now, true);
    if (kind.chosen) become(panel, index, kinds[static_cast<std::size_t>(*kind.chosen)]);
    if (takes_number(change.kind)) number_row(panel, index);
    if (!panel.run()) return;
    gap(ui, 6);
    if (button(ui, name + ".copy", {.label = "Copy as a command", .icon = Icon::copy, .small = true}))
        panel.intents.push_back(Copy{run_command(*panel.run(), panel.place, own, change), "the command"});
}

void chip_of(RunPanel& panel, std::size_t index, const RunEffect* effect, const Document& own) {
    const Ui& ui = panel.ui;
    const std::string name = "run.change." + std::to_string(index);
    const RunChange& each = panel.place.experiments.changes[index];
    std::size_t& unfolded = kept<Unfolded>(ui, "run.unfolded").index;
    const IdScope scope(name);
    {
        const Card card(ui, name, each.on ? ui.theme.raised : no_fill, ui.theme.line, 8);
        title_line(panel, index, unfolded);
        const auto [min, max] = take_line(ui, 17);
        draw_text(*ImGui::GetWindowDrawList(), ui.fonts.caption,
                  ImVec2(min.x, text_top(ui.fonts.caption, (min.y + max.y) / 2)),
                  each.on ? ui.theme.text_mid : ui.theme.text_low, detail(panel, each.change), max.x - min.x);
        effect_line(panel, index, effect);
        if (effect && effect->wrong) paragraph(ui, ui.fonts.caption, ui.theme.wrong, sentence(*effect->wrong) + ".");
        if (unfolded == index) unfolded_lines(panel, index, own);
    }
    gap(ui, 6);
}

void other_prompt(RunPanel& panel, const RunTrial* trial) {
    const Ui& ui = panel.ui;
    const auto replaced = [](const RunChange& each) { return each.change.kind == Change::Kind::patch; };
    const bool reads = panel.place.experiments.reads_other;
    if (!panel.run() || panel.run()->source.empty()) {
        const ToggleResult toggled =
            toggle_row(ui, "run.reads_other",
                       {.label = "Another prompt beside it", .tooltip = "The same model reads both."}, reads);
        if (toggled.value)
            panel.set([&](RunPlace& place) {
                place.experiments.reads_other = *toggled.value;
                if (place.experiments.other.empty())
                    place.experiments.other = panel.run() && panel.run()->tokenizer ? place.prompt : place.ids;
            });
        gap(ui, 4);
    }
    if (!reads && std::ranges::none_of(panel.place.experiments.changes, replaced)) return;
    caption(ui, reads ? "The other prompt" : "Other prompt, to take from");
    gap(ui, 4);
    const bool wrong = trial && trial->other_wrong;
    const TextFieldResult typed =
        text_field(ui, "run.other",
                   {.text = panel.place.experiments.other,
                    .prompt = reads ? "Write another beginning" : "What is replaced comes from here",
                    .look = wrong ? FieldLook::wrong : FieldLook::plain,
                    .extent = ImVec2(available_width(), std::round(ui.px(other_height))),
                    .lines = 2,
                    .enter_ends = true});
    if (typed.edited)
        panel.set([&](RunPlace& place) { place.experiments.other = typed.edited->substr(0, longest_prompt); },
                  typing_run);
    gap(ui, 4);
    const RunSnapshot* const run = panel.run();
    if (wrong) {
        message_card(ui, "run.other_error",
                     sentence(Error{trial->other_wrong->what, "", trial->other_wrong->fix}) + ".", {});
    } else if (trial && run && trial->other_tokens > 0) {
        const std::int64_t own = run->source.empty() ? static_cast<std::int64_t>(run->prompt) : std::ssize(run->source);
        const bool same = panel.place.experiments.other == (run->tokenizer ? panel.place.prompt : panel.place.ids);
        paragraph(ui, ui.fonts.caption, ui.theme.text_low,
                  same    ? "The same as the prompt, until you change it."
                  : reads ? "It has " + std::to_string(trial->other_tokens) + " tokens, and the prompt " +
                                std::to_string(own) + "."
                  : trial->other_tokens < own ? "Token by token: it has " + std::to_string(trial->other_tokens) +
                                                    " of them, and those behind keep their own."
                                              : "Token by token, by their position.");
    }
    gap(ui, 10);
}

void together(const Ui& ui, const RunTrial& trial) {
    if (trial.twins.empty()) return;
    separator(ui, 8, 8);
    section_title(ui, "All together", "log p of " + in_quotes(candidate_text(*trial.of, trial.token)));
    const auto row = [&](std::string_view label, const std::string& number, const std::string& share) {
        const auto [min, max] = take_line(ui, 21);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        draw_text_in(list, ui.fonts.table, min, max, ui.theme.text_mid, label);
        draw_text_in(list, ui.fonts.mono_medium, min, ImVec2(max.x - ui.px(66), max.y), ui.theme.text_high, number,
                     Align::right);
        draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_mid, share, Align::right);
    };
    row("As it is", decimal_text(trial.before, 3), share_text(std::exp(trial.before)));
    row("Changed", decimal_text(trial.after, 3), share_text(std::exp(trial.after)));
    const double change = trial.after - trial.before, times = std::exp(std::abs(change));
    const int decimals = times < 1.1 ? 3 : times < 10 ? 1 : 0;  // a small difference is none that rounds away
    row("Difference", signed_text(change), (change < 0 ? "÷ " : "× ") + decimal_text(times, decimals));
    double sum = 0;
    int on = 0;
    for (std::size_t i = 0; i < trial.effects.size(); ++i)
        if (trial.asked.changes[i].on && trial.effects[i].alone) sum += *trial.effects[i].alone, ++on;
    if (on < 2) return;
    gap(ui, 4);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low,
              "What each does by itself adds up to " + signed_text(sum) +
                  (std::abs(sum - change) < 0.0005 ? "." : ": together they do something else."));
}

}  // namespace

const RunTrial* trial_of(const RunPanel& panel) {
    const RunTrial* const trial = panel.page.trial.get();
    return trial && panel.run() && trial->of->of == panel.run()->of ? trial : nullptr;
}

void draw_badge(const Ui& ui, ImDrawList& list, ImVec2 centre, std::size_t number, bool on) {
    const float radius = ui.px(badge_radius);
    const ImVec2 middle(std::round(centre.x), std::round(centre.y));
    list.AddCircleFilled(middle, radius, on ? ui.theme.selection : ui.theme.panel);
    if (!on) list.AddCircle(middle, radius, ui.theme.text_low);
    draw_text_in(list, ui.fonts.caption, middle - ImVec2(radius, radius), middle + ImVec2(radius, radius),
                 on ? ui.theme.selection_ink : ui.theme.text_low, std::to_string(number), Align::centre);
}

void mark_place(const RunPanel& panel, const ChangePlace& place, ImVec2 min, ImVec2 max) {
    const Ui& ui = panel.ui;
    const std::optional<std::size_t> number = change_at(panel.place, place);
    if (!number) return;
    const RunChange& each = panel.place.experiments.changes[*number - 1];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float out = ui.px(2);
    if (each.on)
        draw_dashed_rect(list, min - ImVec2(out, out), max + ImVec2(out, out), ui.theme.selection, ui.px(3),
                         std::max(1.0F, ui.px(1.5F)));
    draw_badge(ui, list, ImVec2(max.x, min.y), *number, each.on);
}

void unfold_change(const Ui& ui, std::size_t index) { kept<Unfolded>(ui, "run.unfolded").index = index; }

void draw_run_changes(RunPanel& panel, const Document& own) {
    const Ui& ui = panel.ui;
    const RunTrial* const trial = trial_of(panel);
    const std::vector<RunChange>& changes = panel.place.experiments.changes;
    other_prompt(panel, trial);
    const std::int64_t on = std::ranges::count_if(changes, &RunChange::on);
    section_title(ui, "Changes",
                  changes.empty() ? "" : std::to_string(on) + " of " + std::to_string(changes.size()) + " on");
    gap(ui, 6);
    const bool known = trial && trial->asked.changes.size() == changes.size();
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const bool same = known && trial->asked.changes[i].change == changes[i].change;
        chip_of(panel, i, same ? &trial->effects[i] : nullptr, own);
    }
    if (changes.empty())
        paragraph(
            ui, ui.fonts.caption, ui.theme.text_low,
            "Press a head, a sub-block or a token of the stream: it is off then. The right button offers more, also "
            "of any number of the diagram.");
    if (on > 0 && button(ui, "run.all_off", {.label = "All off", .icon = Icon::reset, .small = true}))
        panel.set([](RunPlace& place) {
            for (RunChange& each : place.experiments.changes) each.on = false;
        });
    if (trial && trial->wrong) {
        gap(ui, 6);
        message_card(ui, "run.trial", sentence(*trial->wrong) + ".", {});
    }
    if (trial && on > 0) together(ui, *trial);
}

}  // namespace headcount
