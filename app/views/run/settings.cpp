// The left panel of the Run view: the prompt, how tokens are drawn, which model runs, the colours of its numbers, and
// what it takes.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/text_field.hpp"
#include "app/ui/typed_row.hpp"
#include "app/views/run/facts.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float prompt_height = 58;

struct Settings {
    const Ui& ui;
    const Session& session;
    Intents& intents;

    const RunPlace& place() const { return session.view.run; }
    const RunSnapshot* shown() const { return session.running.shown.get(); }

    template <class Change>
    void set(Change&& change) {
        intents.push_back(with_run(session, change));
    }
};

// What is wrong with what was typed; nothing where it is about something else.
const Error* wrong_field(const Settings& to, std::string_view field) {
    const RunSnapshot* const run = to.shown();
    return run && run->error && run->error->where == field ? &*run->error : nullptr;
}

void said_below(const Settings& to, std::string_view name, const Error* wrong) {
    if (!wrong) return;
    gap(to.ui, 6);
    const std::string said = sentence(Error{wrong->what, "", wrong->fix}) + ".";
    message_card(to.ui, name, said, {});
}

bool takes_ids(const Settings& to) {
    const RunSnapshot* const run = to.shown();
    const RunModel* const model = to.session.running.model.get();
    if (run && run->of == to.session.running.model && !run->no_tokenizer.empty()) return true;
    return model && !model->of.checkpoint;
}

void prompt_rows(Settings& to) {
    const Ui& ui = to.ui;
    const bool ids = takes_ids(to);
    const char* const field = ids ? "ids" : "prompt";
    section_title(ui, ids ? "Prompt, token by token" : "Prompt");
    gap(ui, 4);
    const Error* const wrong = wrong_field(to, field);
    const TextFieldResult typed = text_field(ui, "run.prompt",
                                             {.text = ids ? to.place().ids : to.place().prompt,
                                              .prompt = ids ? "1, 2, 3" : "Write the beginning of a story",
                                              .look = wrong ? FieldLook::wrong : FieldLook::plain,
                                              .font = ids ? &ui.fonts.mono_body : nullptr,
                                              .extent = ImVec2(available_width(), std::round(ui.px(prompt_height))),
                                              .lines = 2});
    if (typed.edited)
        to.set([&](RunPlace& place) {
            (ids ? place.ids : place.prompt) = typed.edited->substr(0, longest_prompt);
            place.position.reset();
            place.trail.clear();
        });
    said_below(to, "run.prompt_error", wrong);
    const RunSnapshot* const run = to.shown();
    if (ids && run && !run->no_tokenizer.empty()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_low, run->no_tokenizer);
    }
    if (run && run->stale && !wrong) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, "What is shown is of the prompt before. Play reads this one.");
    }
}

// A number with decimals: slid in hundredths, typed as it is.
struct DecimalRow {
    std::string_view name, label, tooltip;
    double RunSampling::*value;
    double most;
    std::string_view refusal;  // what a typed number must be
    std::string_view at_end =
        {};  // shown in the place of the greatest (top-p) or the least (min-p) that changes nothing
    bool end_is_most = false;
};

void decimal_row(Settings& to, const DecimalRow& row) {
    const double value = to.place().sampling.*row.value;
    const auto hundredths = static_cast<std::int64_t>(std::llround(value * 100));
    const bool idle = !row.at_end.empty() && value == (row.end_is_most ? row.most : 0);
    const std::string text = idle ? std::string(row.at_end) : decimal_text(value, 2);
    SliderRow slider{.label = row.label, .value = hundredths, .text = text, .tooltip = row.tooltip};
    slider.scale.minimum = 0;
    slider.scale.maximum = std::llround(row.most * 100);
    std::string said;
    {
        const IdScope scope(row.name);
        if (!refused_text(to.ui, "field").empty()) said = row.refusal;
    }
    if (!said.empty()) slider.error = FieldError{said, {}};
    slider.disabled = to.place().sampling.greedy;
    const SliderRowResult result = slider_row(to.ui, row.name, slider);
    if (result.value)
        to.set([&](RunPlace& place) { place.sampling.*row.value = static_cast<double>(*result.value) / 100; });
    if (!result.typed) return;
    double number = 0;
    const char* const end = result.typed->data() + result.typed->size();
    const auto [after, wrong] = std::from_chars(result.typed->data(), end, number);
    const double limit = row.end_is_most || row.most == 1 ? row.most : 100;
    if (wrong == std::errc{} && after == end && number >= 0 && number <= limit) {
        to.set([&](RunPlace& place) { place.sampling.*row.value = number; });
        return;
    }
    const IdScope scope(row.name);
    refuse(to.ui, "field", *result.typed, {.text = text, .row = row.name});
}

void top_k_row(Settings& to) {
    constexpr std::int64_t most = 100;
    const std::int64_t value = to.place().sampling.top_k;
    const std::string text = value == 0 ? "all" : std::to_string(value);
    SliderRow slider{
        .label = "Top-k", .value = value, .text = text, .tooltip = "So many of the likeliest are kept; 0 keeps all."};
    slider.scale.minimum = 0;
    slider.scale.maximum = most;
    slider.disabled = to.place().sampling.greedy;
    std::string said;
    {
        const IdScope scope("run.top_k");
        if (!refused_text(to.ui, "field").empty()) said = "Give a whole number, or 0 for all.";
    }
    if (!said.empty()) slider.error = FieldError{said, {}};
    const SliderRowResult result = slider_row(to.ui, "run.top_k", slider);
    if (result.value) to.set([&](RunPlace& place) { place.sampling.top_k = *result.value; });
    if (!result.typed) return;
    const Result<std::int64_t> number = parse_whole_number(*result.typed, "top-k", 0);
    if (number) return to.set([&](RunPlace& place) { place.sampling.top_k = *number; });
    const IdScope scope("run.top_k");
    refuse(to.ui, "field", *result.typed, {.text = text, .row = "run.top_k"});
}

void seed_row(Settings& to) {
    const Ui& ui = to.ui;
    const std::uint64_t seed = to.place().sampling.seed;
    const std::string text = std::to_string(seed);
    TypedRow row{.label = "Seed", .text = text, .tooltip = "The same seed and prompt give the same text."};
    {
        const IdScope scope("run.seed");
        if (!refused_text(ui, "field").empty()) row.error = FieldError{"Give a whole number.", {}};
    }
    const TypedRowResult result = typed_row(ui, "run.seed", row);
    if (result.typed) {
        const Result<std::int64_t> number = parse_whole_number(*result.typed, "seed", 0);
        if (number) {
            to.set([&](RunPlace& place) { place.sampling.seed = static_cast<std::uint64_t>(*number); });
        } else {
            const IdScope scope("run.seed");
            refuse(ui, "field", *result.typed, {.text = text, .row = "run.seed"});
        }
    }
    const NamedRect* const field = ui.recorder.find("run.seed.field");
    if (!field) return;
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const float side = std::round(ui.px(size::icon_button));
    const ImVec2 at(field->min.x - side - ui.px(6), std::round((field->min.y + field->max.y - side) / 2));
    ImGui::SetCursorScreenPos(at);
    if (icon_button(ui, "run.dice", Icon::dice, "Another seed"))
        to.set([&](RunPlace& place) { place.sampling.seed = (seed * 1664525 + 1013904223) % 100000; });
    ImGui::SetCursorScreenPos(after);
}

void sampling_rows(Settings& to) {
    const Ui& ui = to.ui;
    section_title(ui, "Sampling");
    gap(ui, 4);
    decimal_row(to, {"run.temperature", "Temperature",
                     "Logits are divided by it: below 1 the likely becomes likelier, above 1 all become more equal.",
                     &RunSampling::temperature, 2, "Give a number from 0 to 100."});
    top_k_row(to);
    decimal_row(to, {"run.top_p", "Top-p", "The likeliest that together reach this share are kept.",
                     &RunSampling::top_p, 1, "Give a number from 0 to 1.", "all", true});
    decimal_row(to, {"run.min_p", "Min-p", "Who has less than this share of the likeliest's probability is cut.",
                     &RunSampling::min_p, 1, "Give a number from 0 to 1.", "off", false});
    seed_row(to);
    const ToggleResult greedy =
        toggle_row(ui, "run.greedy", {.label = "Always take the likeliest"}, to.place().sampling.greedy);
    if (greedy.value) to.set([&](RunPlace& place) { place.sampling.greedy = *greedy.value; });
}

}  // namespace

Intents draw_run_settings(const Ui& ui, const Session& session) {
    Intents intents;
    Settings to{ui, session, intents};
    prompt_rows(to);
    draw_run_text(ui, session);
    separator(ui, 14, 10);
    sampling_rows(to);
    separator(ui, 10, 10);
    draw_run_model(ui, session, intents);
    separator(ui, 4, 10);
    draw_run_legend(ui, session, intents);
    draw_run_sizes(ui, session);
    gap(ui, size::panel_padding);
    return intents;
}

}  // namespace headcount
