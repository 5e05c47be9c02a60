// The left panel of the Costs view: the device, the input, how the model is held, how it is divided, which pass is
// looked at. What is impossible is said beside its control.
#include <algorithm>
#include <array>

#include "app/parts/field_rows.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/typed_row.hpp"
#include "app/views/costs/panels.hpp"
#include "app/views/costs/rows.hpp"
#include "app/views/costs/setting_rows.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/runtime/this_machine.hpp"

namespace headcount {
namespace {

// What was typed stays in its field, with what is wrong.
void text_row(const Ui& ui, const CostsPlace& place, Intents& intents, std::string_view name, const TypedRow& about,
              const std::optional<Error>& wrong, std::string CostsPlace::*typed) {
    TypedRow row = about;
    const std::string& text = place.*typed;
    row.text = text.empty() ? std::string_view("none") : text;
    row.changed = row.may_reset = !text.empty();
    if (wrong && !text.empty()) row.error = FieldError{sentence_of(*wrong), {}};
    const TypedRowResult result = typed_row(ui, name, row);
    if (result.reset) intents.push_back(with_costs(place, [&](CostsPlace& changed) { (changed.*typed).clear(); }));
    if (result.typed && *result.typed != row.text)
        intents.push_back(with_costs(place, [&](CostsPlace& changed) { changed.*typed = *result.typed; }));
}

template <class Read>
std::optional<Error> wrong_of(const Result<Read>& read) {
    return read ? std::nullopt : std::optional(read.error());
}

// "24.0 GiB, 165 TFLOP/s, 1,008 GB/s"
std::string device_text(const Device& device, const Formats& precision) {
    std::string text = bytes_text(device.memory);
    const std::optional<Roof> roof = roof_of(device, precision);
    return text + ", " + (roof ? roof_text(*roof) : "its speed is not published");
}

void device_rows(CostsSettings& settings) {
    const Ui& ui = settings.ui;
    const std::vector<Device>& devices = settings.page.devices;
    section_title(ui, "Device");
    gap(ui, 6);
    std::vector<std::string> memory, found_by;  // "24.0 GiB"; its id, and its memory as people type it: "24 gb"
    for (const Device& device : devices) {
        memory.push_back(bytes_text(device.memory));
        found_by.push_back(device.id + " " + memory.back() + " GB");
    }
    std::vector<MenuEntry> entries;
    int current = -1;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        entries.push_back({.name = devices[i].name, .detail = memory[i], .words = found_by[i]});
        if (devices[i].id == settings.place.device) current = static_cast<int>(i);
    }
    if (current < 0) return;
    const Device& chosen = devices[static_cast<std::size_t>(current)];
    const MenuButton menu{.label = chosen.name, .width = available_width() / ui.scale, .current = current};
    const std::optional<int> picked = menu_button(ui, "costs.device", menu, entries);
    if (picked) settings.set([&](CostsPlace& place) { place.device = devices[static_cast<std::size_t>(*picked)].id; });
    gap(ui, 6);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid, device_text(chosen, settings.model.derived.shown.input.precision));
    gap(ui, 2);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low, chosen.source + ".");
    if (!settings.page.measures) return;
    gap(ui, 6);
    const bool again = chosen.id == this_machine;
    if (button(ui, "costs.measure",
               {.label = again ? "Measure it again" : "Measure this machine",
                .small = true,
                .tooltip = "How fast its processor multiplies and its memory is read, as a device to choose."}))
        settings.intents.push_back(AtCosts{MeasureMachine{}});
}

void toggle(CostsSettings& settings, std::string_view name, std::string_view label, bool on, std::string_view tooltip,
            bool& (*which)(CostsPlace&)) {
    const ToggleResult result = toggle_row(settings.ui, name, {.label = label, .tooltip = tooltip}, on);
    if (result.value) settings.set([&](CostsPlace& place) { which(place) = *result.value; });
}

// Of how the model is served.
void serving_row(CostsSettings& settings, std::string_view key, std::string_view label, std::string_view tooltip,
                 std::int64_t Serving::*number) {
    number_row(settings, key, label, tooltip, settings.place.serving.*number, Serving{}.*number, 0,
               [&](CostsPlace& place, std::int64_t value) { place.serving.*number = value; });
}

void held_rows(CostsSettings& settings) {
    const CostsPlace& place = settings.place;
    const bool trained = place.phase == Phase::training;
    words_row(settings, "costs.mode", "Model is", std::array<std::string_view, 2>{"run", "trained"}, trained ? 1 : 0,
              "Run: weights, key/value cache, activations. Trained: gradients and the optimizer as well.",
              [](CostsPlace& changed, std::size_t chosen) {
                  changed.phase = chosen == 1 ? Phase::training : Phase::prefill;
              });
    said_about(settings, "dtype");
    adapter_rows(settings);
    if (!trained) {
        toggle(settings, "costs.scores", "Whole scores kept", place.scores,
               "Off: attention is fused, and scores never leave the chip. On: all T × T of them are there at once.",
               [](CostsPlace& changed) -> bool& { return changed.scores; });
        serving_row(
            settings, "chunk", "Tokens at once",
            "How many new tokens, of all sequences together, go through the model at once: servers read a longer "
            "prompt in parts. 0: all of it.",
            &Serving::chunk);
        serving_row(settings, "block", "Tokens in a block",
                    "vLLM takes room for a cache in blocks of so many tokens. Of a window it also keeps what the "
                    "first token of a part looks back at. 0: each token by itself.",
                    &Serving::block);
        serving_row(settings, "pad", "Cache in multiples of",
                    "llama.cpp takes room for a cache in one piece, in whole multiples of so many tokens. 0: of one.",
                    &Serving::pad);
        serving_row(settings, "reserve", "Left free, in %",
                    "Of the device's memory, for the program itself and what else is there.", &Serving::reserve);
        return;
    }
    words_row(settings, "costs.optimizer", "Optimizer",
              std::array<std::string_view, 5>{"Adam", "8-bit", "SGD", "Muon", "Adafactor"},
              static_cast<std::size_t>(place.how.optimizer),
              "Adam: two states of 4 bytes a parameter. 8-bit: two of 1 byte. SGD: momentum. Muon: momentum for the "
              "layers' matrices, Adam for the rest. Adafactor: a number for each row and column.",
              [](CostsPlace& changed, std::size_t chosen) { changed.how.optimizer = static_cast<Optimizer>(chosen); });
    words_row(settings, "costs.recompute", "Recompute", std::array<std::string_view, 3>{"none", "scores", "layers"},
              static_cast<std::size_t>(place.how.recompute),
              "What is not kept for the backward pass but computed again: nothing; scores and what is made of them; "
              "each layer from its input.",
              [](CostsPlace& changed, std::size_t chosen) { changed.how.recompute = static_cast<Recompute>(chosen); });
    toggle(settings, "costs.training_scores", "Whole scores kept", place.how.scores,
           "On: as Korthikanti et al. (2022) count, all T × T of them are kept. Off: attention is fused, and keeps a "
           "number for each row and head.",
           [](CostsPlace& changed) -> bool& { return changed.how.scores; });
    toggle(settings, "costs.dropout", "Dropout", place.how.dropout, "Its masks are kept as well, a byte a number.",
           [](CostsPlace& changed) -> bool& { return changed.how.dropout; });
    toggle(settings, "costs.offload", "Optimizer on the host", place.sharding.offload,
           "Gradients and the optimizer lie in the host's memory (Ren et al. 2021).",
           [](CostsPlace& changed) -> bool& { return changed.sharding.offload; });
}

// The count nearest to what it is with which the model can be divided.
std::int64_t nearest_count(const CostsSettings& settings, std::int64_t Sharding::*count) {
    constexpr std::int64_t furthest = 4096;
    MemoryOptions tried;
    tried.sharding = settings.place.sharding;
    const std::int64_t value = tried.sharding.*count;
    for (std::int64_t away = 0; away <= furthest; ++away)
        for (const std::int64_t by : {away, -away}) {
            const std::optional<std::int64_t> number = checked_add(value, by);
            tried.sharding.*count = number.value_or(0);
            if (number && *number > 0 && !wrong_options(tried, settings.model.derived.shown.architecture))
                return *number;
        }
    return value;
}

// A count of devices: typed, or a step more or less.
void count_row(CostsSettings& settings, std::string_view key, std::string_view label, std::string_view tooltip,
               std::int64_t Sharding::*count) {
    const std::string name = "costs." + std::string(key);
    const std::int64_t value = settings.place.sharding.*count;
    const std::string text = std::to_string(value);
    const std::optional<Error>& wrong = settings.page.wrong;
    // Groups that do not divide the devices are said where the last of these numbers was typed.
    std::string& last = kept<std::string>(settings.ui, "costs.last_count");
    const bool elsewhere = wrong && wrong->where == "devices" && !last.empty();
    const std::string_view where = wrong ? (elsewhere ? last : wrong->where) : std::string_view();
    std::string said = wrong && where == key ? sentence_of(*wrong) : "";
    std::int64_t offered = value;
    {
        const IdScope scope(name);
        const std::string_view refused = refused_text(settings.ui, "field");
        const Result<std::int64_t> number = parse_whole_number(refused, key, 0);
        if (!refused.empty() && !number)
            said = sentence_of(must_be_number(label, refused, number.error(), 1));
        else if (!said.empty())
            offered = nearest_count(settings, count);
    }
    // Groups larger than what there is want more devices before they want to be smaller.
    const std::optional<std::int64_t> group = group_of(settings.place.sharding);
    const std::optional<std::int64_t> enough = elsewhere && last == key && key != "devices" && group
                                                   ? checked_ceil_to(settings.place.sharding.devices, *group)
                                                   : std::nullopt;
    const std::string fix = enough ? "Use " + grouped(*enough) + " devices" : "Use " + std::to_string(offered);
    TypedRow row{.label = label, .text = text, .stepper = true, .may_step_down = value > 1, .tooltip = tooltip};
    if (!said.empty()) row.error = FieldError{said, fix};
    const TypedRowResult result = typed_row(settings.ui, name, row);
    const auto set = [&](std::int64_t number) {
        last = key;
        settings.set([&](CostsPlace& place) { place.sharding.*count = number; });
    };
    if (result.fix) {
        if (enough)
            settings.set([&](CostsPlace& place) { place.sharding.devices = *enough; });
        else if (offered != value)
            set(offered);
    } else if (result.step != 0) {
        if (const auto next = checked_add(value, result.step)) set(*next);
    } else if (result.typed) {
        const Result<std::int64_t> number = parse_whole_number(*result.typed, key, 0);
        if (number) return set(*number);
        const IdScope scope(name);
        refuse(settings.ui, "field", *result.typed, {.text = text, .row = name});
    }
}

void sharding_rows(CostsSettings& settings) {
    section_title(settings.ui, "Divided among devices");
    gap(settings.ui, 4);
    count_row(settings, "devices", "Devices", "How many there are in all: data · tensor · pipeline · context.",
              &Sharding::devices);
    count_row(settings, "tensor", "Tensor parallel", "Each matrix is divided into so many parts.", &Sharding::tensor);
    count_row(settings, "pipeline", "Pipeline stages", "The layers are divided into so many runs.",
              &Sharding::pipeline);
    count_row(settings, "context", "Context parallel", "Each sequence's tokens are divided into so many parts.",
              &Sharding::context);
    if (settings.model.document.architecture.layer.mixture)
        count_row(settings, "expert", "Expert parallel",
                  "Experts are divided among so many devices that else have the same weights.", &Sharding::expert);
    text_row(settings.ui, settings.place, settings.intents, "costs.link",
             {.label = "Each sends",
              .tooltip = "What each device can send to others a second, such as 450GB/s or 400Gb/s. None: as if that "
                         "took no time."},
             wrong_of(parse_bandwidth(settings.place.link, "link")), &CostsPlace::link);
    words_row(
        settings, "costs.zero", "ZeRO", std::array<std::string_view, 4>{"0", "1", "2", "3"},
        static_cast<std::size_t>(std::clamp<std::int64_t>(settings.place.sharding.zero, 0, 3)),
        "What data-parallel devices divide among them: 1 the optimizer, 2 gradients too, 3 weights too "
        "(Rajbhandari et al. 2020).",
        [](CostsPlace& changed, std::size_t chosen) { changed.sharding.zero = static_cast<std::int64_t>(chosen); });
    said_about(settings, "zero");
}

void hire_rows(CostsSettings& settings) {
    section_title(settings.ui, "Hired by the hour");
    gap(settings.ui, 4);
    price_row(settings.ui, "costs.price", settings.place, settings.intents);
    if (settings.place.phase == Phase::training)
        text_row(settings.ui, settings.place, settings.intents, "costs.train_tokens",
                 {.label = "Tokens of a training", .tooltip = "All that it reads, such as 15T."},
                 wrong_of(parse_amount(settings.place.train_tokens, "tokens", Unit::parameters)),
                 &CostsPlace::train_tokens);
}

void pass_rows(CostsSettings& settings) {
    section_title(settings.ui, "Arithmetic");
    gap(settings.ui, 4);
    const Architecture& arch = settings.model.document.architecture;
    const Phase phase = phase_for(settings.place, arch);
    if (sees_all(arch)) return;  // there is one pass, and no score is masked
    if (phase != Phase::training)
        words_row(settings, "costs.phase", "Pass", std::array{phase_names[0], phase_names[1]},
                  static_cast<std::size_t>(phase),
                  "Prefill reads all tokens at once. Decode makes the last of them, with the others in the cache.",
                  [](CostsPlace& changed, std::size_t chosen) { changed.phase = static_cast<Phase>(chosen); });
    words_row(settings, "costs.full", "Scores", std::array<std::string_view, 2>{"causal", "full"},
              settings.place.full ? 1 : 0,
              "Causal: only what is not masked is computed. Full: every query against every key.",
              [](CostsPlace& changed, std::size_t chosen) { changed.full = chosen == 1; });
}

// What is wrong and belongs to none of the rows.
void other_problem(CostsSettings& settings) {
    const std::optional<Error>& wrong = settings.page.wrong;
    if (!wrong) return;
    const bool experts = settings.model.document.architecture.layer.mixture.has_value();
    for (const std::string_view row : {"dtype", "adapter", "rank", "targets", "chunk", "block", "pad", "reserve",
                                       "devices", "tensor", "pipeline", "context", "expert", "zero"})
        if (wrong->where == row && (row != "expert" || experts)) return;
    message_card(settings.ui, "costs.problem", sentence_of(*wrong), {});
    gap(settings.ui, 8);
}

}  // namespace

void price_row(const Ui& ui, std::string_view name, const CostsPlace& place, Intents& intents) {
    text_row(ui, place, intents, name, {.label = "Price of an hour", .tooltip = "Of one device, such as 2.5 or $2.5."},
             wrong_of(parse_price(place.price, "price")), &CostsPlace::price);
}

Intents draw_costs_settings(const Ui& ui, const Shown& model, const CostsPage& page, const CostsPlace& place) {
    Intents intents;
    CostsSettings to{ui, model, page, place, intents};
    other_problem(to);
    device_rows(to);
    separator(ui, 12, 10);
    section_title(ui, "Input");
    gap(ui, 4);
    FieldForm form = field_form(ui, model, intents);
    input_rows(form);
    separator(ui, 10, 10);
    section_title(ui, "Memory");
    gap(ui, 4);
    held_rows(to);
    separator(ui, 10, 10);
    sharding_rows(to);
    separator(ui, 10, 10);
    pass_rows(to);
    separator(ui, 10, 10);
    hire_rows(to);
    gap(ui, size::panel_padding);
    return intents;
}

}  // namespace headcount
