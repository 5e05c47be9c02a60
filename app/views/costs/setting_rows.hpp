// The rows that the Costs view's settings are made of: each asks for a place with one thing changed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/typed_row.hpp"
#include "app/views/costs/panels.hpp"
#include "core/base/text.hpp"

namespace headcount {

struct CostsSettings {
    const Ui& ui;
    const Shown& model;
    const CostsPage& page;
    const CostsPlace& place;
    Intents& intents;

    template <class Change>
    void set(Change change) {
        intents.push_back(with_costs(place, change));
    }
};

// A row of words of which one holds; calls set(place, index).
template <std::size_t count, class Set>
void words_row(CostsSettings& settings, std::string_view name, std::string_view label,
               const std::array<std::string_view, count>& words, std::size_t current, std::string_view tooltip,
               Set set) {
    const ChoiceResult result =
        segmented_row(settings.ui, name, {.label = label, .tooltip = tooltip}, words, static_cast<int>(current));
    if (result.chosen) settings.set([&](CostsPlace& place) { set(place, static_cast<std::size_t>(*result.chosen)); });
}

// What is wrong with what is asked for, beside the row that says it.
inline void said_about(CostsSettings& settings, std::string_view where) {
    const std::optional<Error>& wrong = settings.page.wrong;
    if (!wrong || wrong->where != where) return;
    message_card(settings.ui, "costs." + std::string(where), sentence_of(*wrong), {});
    gap(settings.ui, 4);
}

// A whole number that is typed; calls set(place, number). What cannot be stays in its field, with what is wrong.
template <class Set>
void number_row(CostsSettings& settings, std::string_view key, std::string_view label, std::string_view tooltip,
                std::int64_t value, std::int64_t usual_value, std::int64_t least, Set set) {
    const std::string name = "costs." + std::string(key), text = std::to_string(value);
    std::string refused;
    {
        const IdScope scope(name);
        refused = refused_text(settings.ui, "field");
    }
    const std::optional<Error>& wrong = settings.page.wrong;
    std::string said = wrong && wrong->where == key ? sentence_of(*wrong) : "";
    if (!refused.empty())
        if (const Result<std::int64_t> read = parse_length(refused, key, least); !read)
            said = sentence_of(read.error());
    const std::string usual = std::to_string(usual_value), fix = "Use " + usual;
    TypedRow row{.label = label, .text = text, .tooltip = tooltip};
    if (!said.empty()) row.error = FieldError{said, fix};
    const TypedRowResult result = typed_row(settings.ui, name, row);
    if (!result.typed && !result.fix) return;
    const Result<std::int64_t> read = parse_length(result.fix ? usual : *result.typed, key, least);
    if (read) return settings.set([&](CostsPlace& place) { set(place, *read); });
    const IdScope scope(name);
    refuse(settings.ui, "field", *result.typed, {.text = text, .row = name});
}

// Whether adapters stand beside the weights, and which.
void adapter_rows(CostsSettings& settings);

}  // namespace headcount
