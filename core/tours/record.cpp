// The difference between what was seen and what is seen now, as a step with words.
#include "core/tours/record.hpp"

#include <algorithm>

#include "core/analysis/counted_model.hpp"
#include "core/arch/fields.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/runtime/changes.hpp"

namespace headcount {
namespace {

using Edits = std::vector<std::pair<std::string, std::string>>;

// Fields that differ, in the order in which they can be set one after the other: what goes only behind another is tried
// again.
Edits edits_between(Architecture from, const Architecture& now) {
    Edits edits;
    constexpr int most_passes = 4;  // two that set each other back would go on for ever
    bool more = true;
    for (int pass = 0; more && pass < most_passes; ++pass) {
        more = false;
        for (const FieldInfo& field : fields()) {
            const auto wanted = field_text(now, field.field);
            if (!wanted || field_text(from, field.field) == wanted) continue;
            Result<Architecture> changed = with_field(from, field.field, *wanted);
            if (!changed || field_text(*changed, field.field) != wanted) continue;
            from = std::move(*changed);
            std::erase_if(edits, [&](const auto& each) { return each.first == field.key; });
            edits.emplace_back(field.key, *wanted);
            more = true;
        }
    }
    return edits;
}

std::vector<std::string> changed_keys(const Architecture& before, const Architecture& now) {
    std::vector<std::string> keys;
    for (const FieldInfo& field : fields())
        if (field_text(before, field.field) != field_text(now, field.field)) keys.emplace_back(field.key);
    return keys;
}

// "feed_forward" as "Feed-forward", "full_attention" as "Full attention".
std::string in_words(std::string key) {
    for (const Component component : components)
        if (component_key(component) == key) return std::string(component_name(component));
    std::ranges::replace(key, '_', ' ');
    return capitalized(key);
}

// The last part of an id in words: "layer.feed_forward" is "Feed-forward".
std::string last_part(const std::string& id) {
    return in_words(id.substr(id.rfind('.') == std::string::npos ? 0 : id.rfind('.') + 1));
}

// Braces of what somebody typed are no references.
std::string plain(std::string text) {
    std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    return text;
}

// In quotes; of a long one its first words.
std::string prompt_in_words(const std::string& prompt) {
    constexpr std::size_t most = 60;
    std::string words = plain(prompt);
    if (words.size() > most) {
        words = whole_letters(words, most);
        if (const std::size_t space = words.rfind(' '); space != std::string::npos && space > 0) words.resize(space);
        words += "…";
    }
    return "“" + words + "”";
}

// "layer.2.attention.head:7" as "head 7 of layer 2".
std::string place_in_words(const std::string& text) {
    const Result<Change> change = parse_change(Change::Kind::off, text);
    if (!change || change->place.layer == ChangePlace::outside) return text;
    const ChangePlace& place = change->place;
    std::string words;
    const auto add = [&](std::string_view name, std::optional<std::int64_t> index) {
        if (index) words += std::string(name) + " " + std::to_string(*index) + " of ";
    };
    const bool stream = place.block.empty();
    add(stream || place.is_activation() ? "column" : "neuron", place.column);
    add("expert", place.expert);
    add("head", place.head);
    if (stream || (!place.head && !place.expert))
        words += stream ? "the stream of " : lower(in_words(place.block)) + " of ";
    add(place.stack == ChangePlace::Stack::encoder ? "encoder layer" : "layer", place.layer);
    return words.substr(0, words.size() - std::string_view(" of ").size());
}

// What was done last is what the step is about.
void put_words(TourStep& step, const Caught& before, const Caught& now) {
    const Result<CountedModelPtr> model = counted_model(now.architecture, now.input);
    const bool selects = now.select != before.select || now.at != before.at;
    const std::string name = std::string("{name}") + (now.edited ? ", edited" : "");
    const Tensor* const tensor = model && selects ? (*model)->graph.find(now.select) : nullptr;
    step.caption = "{~count of model} parameters.";
    if (tensor) {
        const bool counts = tensor->role == Role::parameter;
        step.title = std::string(tensor->label);
        step.caption =
            (counts ? "{count of " + now.select + "} parameters, " : std::string()) + "{shape of " + now.select + "}.";
    } else if (selects && now.select.starts_with("component.")) {
        const std::string part = now.select.substr(now.select.find('.') + 1);
        step.title = in_words(part);
        step.caption = "{count of " + part + "} of {count of model} parameters.";
    } else if (selects && !now.at.empty()) {
        step.title = last_part(now.at);
    } else {
        step.title = name;
    }
    if (!step.set.empty()) {
        const std::string& key = step.set.front().first;
        const auto field = std::ranges::find_if(fields(), [&](const FieldInfo& each) { return each.key == key; });
        step.title = std::string(field->label) + ": " + plain(field_words(now.architecture, field->field));
        step.caption = "{count of model} parameters now.";
    }
    if (step.preset) step.title = name;
    if (!step.view.empty()) step.title = in_words(step.view) + ": " + name;
    if (step.run) {
        const bool typed = types_on(before, now) && before.run->prompt != now.run->prompt;
        step.title = typed ? "Another prompt"
                     : step.run->off.empty()
                         ? "Layer " + std::to_string(step.run->layer) + ", head " + std::to_string(step.run->head)
                         : "Without " + place_in_words(step.run->off.front());
        const bool read = before.run && before.run->prompt == now.run->prompt;  // by the step before
        step.caption = step.run->prompt.empty() ? "What the model makes of its first prompt."
                       : read                   ? "In the same prompt."
                                                : prompt_in_words(step.run->prompt);
    }
    if (step.train) {
        const TaskKind task = step.train->task.kind;
        step.title = in_words(std::string(word_of(task_words, task)));
        step.caption = "What it is to learn: " + std::string(task_meaning(task)) + ".";
    }
}

}  // namespace

bool only_looks(const Caught& before, const Caught& now) {
    Caught there = before;
    there.at = now.at;
    there.copy = now.copy;
    there.select = now.select;
    return there == now;
}

bool looks_on(const Caught& first, const Caught& before, const Caught& now) {
    const bool another = before.select != first.select && now.select != before.select && !now.select.empty();
    return only_looks(before, now) && !another;
}

bool edits_the_same(const Caught& first, const Caught& before, const Caught& now) {
    Caught there = before;
    there.architecture = now.architecture;
    there.edited = now.edited;
    there.select = now.select;
    const std::vector<std::string> last = changed_keys(first.architecture, before.architecture);
    return there == now && !last.empty() && changed_keys(before.architecture, now.architecture) == last;
}

bool types_on(const Caught& before, const Caught& now) {
    if (!before.run || !now.run) return false;
    Caught there = before;
    there.run->prompt = now.run->prompt;
    return there == now;
}

bool chooses_other(const Caught& first, const Caught& before, const Caught& now) {
    Caught there = before;
    there.with = now.with;
    return there == now && before.view != first.view && before.with.empty();
}

TourStep step_between(const Caught& before, const Caught& now, std::span<const Preset> presets) {
    TourStep step;
    Architecture from = before.architecture;
    if (now.preset != before.preset)
        if (const Preset* const preset = find_preset(presets, now.preset)) {
            step.preset = now.preset;
            from = preset->architecture;
        }
    step.set = edits_between(std::move(from), now.architecture);
    if (now.input != before.input) step.input = now.input;
    if (now.at != before.at || now.copy != before.copy) {
        step.at = now.at;
        step.copy = now.copy;
    }
    step.select = now.select;
    step.view = now.view;
    step.with = now.with;
    step.run = now.run;
    step.train = now.train;
    put_words(step, before, now);
    return step;
}

}  // namespace headcount
