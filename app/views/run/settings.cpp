// The left panel of the Run view: the prompt, how tokens are drawn, which model runs, the colours of its numbers, and
// what it takes.
#include <cmath>

#include "app/parts/read_row.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/text_field.hpp"
#include "app/views/run/changes.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float prompt_height = 58;

// Whether the model reads numbers of tokens, and no text.
bool takes_ids(const RunPage& page) {
    if (page.shown && page.shown->of == page.model && !page.shown->no_tokenizer.empty()) return true;
    return page.model && !page.model->of.checkpoint;
}

// What is typed is another: what was looked at in the one before is let go.
void set_prompt(RunPanel& panel, std::string text, bool ids, bool opens = false) {
    panel.set([&](RunPlace& place) {
        place.opens = place.opens || opens;
        (ids ? place.ids : place.prompt) = std::move(text);
        place.position.reset();
        place.trail.clear();
    });
}

// A menu at the right of the title: prompts that come with the model, each with what its run shows.
void choose_example(RunPanel& panel, ImVec2 title) {
    constexpr float width = 104;
    const Ui& ui = panel.ui;
    std::vector<MenuEntry> entries;
    int current = -1;
    for (const ExamplePrompt& each : panel.page.model->examples) {
        if (each.text == panel.place.prompt) current = static_cast<int>(entries.size());
        entries.push_back({.name = each.shows, .words = each.text});
    }
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({title.x + available_width() - ui.px(width), std::round(title.y - ui.px(5))});
    const MenuButton menu{
        .label = "Examples", .width = width, .list_width = 420, .current = current, .searchable = false};
    const std::optional<int> chosen = menu_button(ui, "run.examples", menu, entries);
    ImGui::SetCursorScreenPos(below);
    // It opens where there is something to see, as the first one does.
    if (chosen) set_prompt(panel, panel.page.model->examples[static_cast<std::size_t>(*chosen)].text, false, true);
}

void prompt_rows(RunPanel& panel) {
    const Ui& ui = panel.ui;
    const RunSnapshot* const run = panel.page.shown.get();
    const bool ids = takes_ids(panel.page);
    const bool wrong = run && run->error && run->error->where == (ids ? "ids" : "prompt");
    const bool source = panel.page.model && panel.page.model->architecture().encoder;  // that it reads
    const ImVec2 title = ImGui::GetCursorScreenPos();
    section_title(ui, source ? ids ? "Source, token by token" : "Source" : ids ? "Prompt, token by token" : "Prompt");
    if (!ids && panel.page.model && !panel.page.model->examples.empty()) choose_example(panel, title);
    gap(ui, 6);
    const TextFieldResult typed = text_field(ui, "run.prompt",
                                             {.text = ids ? panel.place.ids : panel.place.prompt,
                                              .prompt = ids ? "1, 2, 3" : "Write the beginning of a story",
                                              .look = wrong ? FieldLook::wrong : FieldLook::plain,
                                              .font = ids ? &ui.fonts.mono_body : nullptr,
                                              .extent = ImVec2(available_width(), std::round(ui.px(prompt_height))),
                                              .lines = 2,
                                              .enter_ends = true});
    if (typed.edited) set_prompt(panel, typed.edited->substr(0, longest_prompt), ids);
    if (!ids && panel.page.model && panel.page.model->no_examples) {
        gap(ui, 6);
        message_card(ui, "run.no_examples",
                     "Its examples are left out: " + sentence(*panel.page.model->no_examples) + ".", {}, false);
    }
    if (wrong) {
        gap(ui, 6);
        message_card(ui, "run.prompt_error", sentence(Error{run->error->what, "", run->error->fix}) + ".", {});
    }
    if (ids && run && !run->no_tokenizer.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low, run->no_tokenizer);
    }
    if (!panel.place.against.empty() && !panel.page.their_ids.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  "What is read are the tokens that your file was made with, and not this one until you close it.");
    }
    if (run && run->stale && !wrong) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, "What is shown is of the prompt before. Play reads this one.");
    }
}

// What a row says of a text that it could not take over; empty where there is none.
std::string refusal_of(const Ui& ui, std::string_view row, std::string_view label, std::string_view allowed) {
    const IdScope scope(row);
    const std::string_view refused = refused_text(ui, "field");
    return refused.empty() ? std::string() : must_be(label, allowed, refused).what + ".";
}

void keep_refused(const Ui& ui, std::string_view row, std::string_view typed, std::string_view text) {
    const IdScope scope(row);
    refuse(ui, "field", typed, {.text = text, .row = row});
}

// A number of the sampling, slid in whole steps and typed as it is.
struct SamplingRow {
    std::string_view name, label, tooltip;
    std::string_view allowed;   // what a typed number must be
    std::int64_t greatest = 0;  // that can be slid
    std::int64_t value = 0;
    std::string text = {};
};

// Calls slide(sampling, value), or type(sampling, text), which returns whether it could take that over.
template <class Slide, class Type>
void sampling_row(RunPanel& panel, const SamplingRow& row, Slide&& slide, Type&& type) {
    SliderRow slider{.label = row.label, .value = row.value, .text = row.text, .tooltip = row.tooltip};
    slider.scale.minimum = 0;
    slider.scale.maximum = row.greatest;
    const std::string said = refusal_of(panel.ui, row.name, row.label, row.allowed);
    if (!said.empty()) slider.error = FieldError{said, {}};
    slider.disabled = panel.place.sampling.greedy;
    const SliderRowResult result = slider_row(panel.ui, row.name, slider);
    RunSampling sampling = panel.place.sampling;
    if (result.value) {
        slide(sampling, *result.value);
        panel.set([&](RunPlace& place) { place.sampling = sampling; });
    }
    if (!result.typed) return;
    sampling = panel.place.sampling;
    if (type(sampling, *result.typed))
        panel.set([&](RunPlace& place) { place.sampling = sampling; });
    else
        keep_refused(panel.ui, row.name, *result.typed, row.text);
}

// A value that changes nothing, and what stands in its place.
struct Idle {
    double value = 0;
    std::string_view text;
};

// Slid in hundredths; `limit` is the greatest that can be typed.
void decimal_row(RunPanel& panel, double RunSampling::*member, double limit, SamplingRow row,
                 const std::optional<Idle>& idle = {}) {
    const double value = panel.place.sampling.*member;
    row.value = std::llround(value * 100);
    row.text = idle && idle->value == value ? std::string(idle->text) : decimal_text(value, 2);
    sampling_row(
        panel, row,
        [&](RunSampling& sampling, std::int64_t slid) { sampling.*member = static_cast<double>(slid) / 100; },
        [&](RunSampling& sampling, const std::string& typed) {
            const char* const end = typed.data() + typed.size();
            double& number = sampling.*member;
            const auto [after, wrong] = read_real(typed.data(), end, number);
            return wrong == std::errc{} && after == end && number >= 0 && number <= limit;
        });
}

void top_k_row(RunPanel& panel) {
    const std::int64_t value = panel.place.sampling.top_k;
    sampling_row(
        panel,
        {.name = "run.top_k",
         .label = "Top-k",
         .tooltip = "So many of the likeliest are kept; 0 keeps all.",
         .allowed = "a whole number, or 0 for all",
         .greatest = 100,
         .value = value,
         .text = value == 0 ? "all" : std::to_string(value)},
        [](RunSampling& sampling, std::int64_t slid) { sampling.top_k = slid; },
        [](RunSampling& sampling, const std::string& typed) {
            const Result<std::int64_t> number = parse_whole_number(typed, "top-k", 0);
            if (number) sampling.top_k = *number;
            return bool(number);
        });
}

void seed_row(RunPanel& panel) {
    const Ui& ui = panel.ui;
    const std::uint64_t seed = panel.place.sampling.seed;
    const std::string text = std::to_string(seed);
    const auto choose = [&](std::uint64_t chosen) {
        panel.set([&](RunPlace& place) { place.sampling.seed = chosen; });
    };
    const auto read = [](const std::string& typed) -> Result<std::int64_t> {
        const Result<std::int64_t> number = parse_whole_number(typed, "seed", 0);
        return number ? number : must_be("Seed", numbers_from(0), typed);
    };
    const TypedRow row{.label = "Seed", .text = text, .tooltip = "The same seed and prompt give the same text."};
    const float side = std::round(ui.px(size::icon_button));
    const ImVec2 before_field(available_width() - typed_field_width(ui, row) - side - ui.px(6),
                              (std::round(ui.px(size::choice_row)) - side) / 2);
    const ImVec2 dice = ImGui::GetCursorScreenPos() + before_field;
    if (const std::optional<std::int64_t> typed = read_row(ui, "run.seed", row, read))
        choose(static_cast<std::uint64_t>(*typed));
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({dice.x, std::round(dice.y)});
    if (icon_button(ui, "run.dice", Icon::dice, "Another seed")) choose((seed * 1664525 + 1013904223) % 100000);
    ImGui::SetCursorScreenPos(after);
}

void sampling_rows(RunPanel& panel) {
    section_title(panel.ui, "Sampling");
    gap(panel.ui, 4);
    decimal_row(panel, &RunSampling::temperature, 100,
                {.name = "run.temperature",
                 .label = "Temperature",
                 .tooltip = "Logits are divided by it: below 1 the likely becomes likelier, above 1 all become more "
                            "equal.",
                 .allowed = "a number from 0 to 100",
                 .greatest = 200});
    top_k_row(panel);
    decimal_row(panel, &RunSampling::top_p, 1,
                {.name = "run.top_p",
                 .label = "Top-p",
                 .tooltip = "The likeliest that together reach this share are kept.",
                 .allowed = "a number from 0 to 1",
                 .greatest = 100},
                Idle{1, "all"});
    decimal_row(panel, &RunSampling::min_p, 1,
                {.name = "run.min_p",
                 .label = "Min-p",
                 .tooltip = "Who has less than this share of the likeliest's probability is cut.",
                 .allowed = "a number from 0 to 1",
                 .greatest = 100},
                Idle{0, "off"});
    seed_row(panel);
    const bool greedy = panel.place.sampling.greedy;
    const ToggleResult toggled = toggle_row(panel.ui, "run.greedy", {.label = "Always take the likeliest"}, greedy);
    if (toggled.value) panel.set([&](RunPlace& place) { place.sampling.greedy = *toggled.value; });
}

}  // namespace

Intents draw_run_settings(RunPanel panel, const Shown& own, std::span<const std::string> recent) {
    prompt_rows(panel);
    if (panel.place.beside) {
        gap(panel.ui, 10);
        draw_run_changes(panel, own.document);
    } else {
        draw_run_text(panel);
    }
    separator(panel.ui, 14, 10);
    sampling_rows(panel);
    separator(panel.ui, 10, 10);
    draw_run_model(panel, own, recent);
    separator(panel.ui, 4, 10);
    draw_run_legend(panel);
    draw_run_sizes(panel);
    gap(panel.ui, size::panel_padding);
    return std::move(panel.intents);
}

}  // namespace headcount
