// A model changed by words that are no number: "switch to relu", "without FFN biases", "make it post-norm". Which words
// there are follows from the list of fields; what else people call their choices is in assets/ask/phrases.json.
#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>

#include "core/arch/activation.hpp"
#include "core/arch/fields.hpp"
#include "core/ask/read.hpp"
#include "core/base/text.hpp"
#include "embedded_phrases.hpp"

namespace headcount {
namespace {

struct Spellings {
    std::vector<AskChoice> all;

    // Words that mean something else already stay with that.
    void add(std::string_view name, const std::vector<FieldText>& sets, bool part = false) {
        std::string words = joined(atoms_of(name));
        const auto known = std::ranges::find(all, words, &AskChoice::words);
        const bool changes = std::ranges::any_of(ask_phrases(), [&](const AskPhrase& each) {
            return each.words == words && std::holds_alternative<AskChange>(each.meaning);
        });
        if (!words.empty() && known == all.end() && !changes) all.push_back({std::move(words), sets, part});
    }
};

// "RoPE", and not "None" or "First", which say nothing without what they are of.
bool is_a_name(std::string_view label) {
    return label.size() > 2 && std::ranges::any_of(label.substr(1), [](char c) { return c >= 'A' && c <= 'Z'; });
}

void add_choices(Spellings& choices, const FieldInfo& field) {
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
        const std::string_view key = field.choices[i], label = field.labels[i];
        const std::vector<FieldText> sets{{field.field, std::string(key)}};
        if (is_a_name(label))
            for (const std::string_view word : {label, key}) choices.add(word, sets);
        for (const std::string_view word : {label, key})
            for (const std::string_view of : {field.label, field.key}) {
                choices.add(std::string(word) + " " + std::string(of), sets);
                choices.add(std::string(of) + " " + std::string(word), sets);
            }
    }
}

Spellings read_choices() {
    Spellings choices;
    const auto bytes = embedded_phrases().front().bytes;  // phrases.json
    const nlohmann::json file = nlohmann::json::parse(bytes.begin(), bytes.end());
    for (const auto& [set, words] : file.at("choices").items()) {
        const std::size_t sign = set.find('=');
        const auto field = std::ranges::find(fields(), std::string_view(set).substr(0, sign), &FieldInfo::key);
        assert(sign != set.npos && field != fields().end());
        for (const nlohmann::json& each : words)
            choices.add(each.get<std::string>(), {{field->field, set.substr(sign + 1)}});
    }
    for (const FieldInfo& field : fields()) {
        add_choices(choices, field);
        if (field.kind == FieldKind::flag)
            for (const std::string_view name : {field.label, field.key}) {
                choices.add(name, {{field.field, "true"}}, true);
                if (field.key.ends_with("_bias")) choices.add(std::string(name) + "es", {{field.field, "true"}}, true);
            }
    }
    for (const ActivationInfo& each : activation_functions)
        choices.add(each.gated, {{Field::gated, "true"}, {Field::activation, std::string(each.key)}});
    std::vector<FieldText> biases;
    for (const FieldInfo& field : fields())
        if (field.kind == FieldKind::flag && field.key.ends_with("_bias")) biases.push_back({field.field, "true"});
    choices.add("biases", biases, true);
    choices.add("bias", biases, true);
    return choices;
}

std::span<const AskChoice> ask_choices() {
    static const Spellings read = read_choices();
    return read.all;
}

constexpr std::array<std::string_view, 7> taking_away{"without", "without the", "without any", "no",
                                                      "remove",  "remove the",  "drop the"};
constexpr std::array<std::string_view, 6> giving_way{"instead of",  "instead of the", "in place of",
                                                     "rather than", "replace",        "from"};

std::size_t longest_of(std::span<const Atom> atoms, std::size_t at, std::span<const std::string_view> phrases) {
    std::size_t longest = 0;
    for (const std::string_view each : phrases) longest = std::max(longest, spelled_at(atoms, at, each));
    return longest;
}

// Whether one of the phrases ends before this word.
bool stands_behind(std::span<const Atom> atoms, std::size_t at, std::span<const std::string_view> phrases) {
    return std::ranges::any_of(phrases, [&](std::string_view each) {
        const auto words = static_cast<std::size_t>(std::ranges::count(each, ' ')) + 1;
        return at >= words && spelled_at(atoms, at - words, each) == words;
    });
}

// Of a number: itself, or another field that there are as many of.
std::string as_many_words(const std::string& value) {
    const auto other = std::ranges::find(fields(), std::string_view(value), &FieldInfo::key);
    return other == fields().end() ? value : "as many as " + lower(std::string(other->label));
}

std::string set_words(const FieldText& set) {
    const FieldInfo& field = info(set.field);
    if (field.kind == FieldKind::flag) return std::string(field.label);
    if (field.choices.empty()) return lower(std::string(field.label)) + ": " + as_many_words(set.value);
    const auto place = std::ranges::find(field.choices, set.value) - field.choices.begin();
    const std::string label(field.labels[static_cast<std::size_t>(place)]);
    return is_a_name(label) ? label : lower(std::string(field.label)) + ": " + lower(label);
}

// "ReLU", "no FFN biases"
std::string choice_words(std::span<const FieldText> sets) {
    const bool flags = std::ranges::all_of(
        sets, [](const FieldText& set) { return info(set.field).kind == FieldKind::flag && set.value == sets_off; });
    if (flags && sets.size() > 1) return "no biases";
    std::string words;
    for (const FieldText& set : sets) {
        const bool off = info(set.field).kind == FieldKind::flag && set.value == sets_off;
        words += (words.empty() ? "" : ", ") + std::string(off ? "no " : "") + set_words(set);
    }
    return words;
}

}  // namespace

// A question that asks what something is, or which models have it, changes nothing.
bool QuestionReader::changes_by_words() const {
    constexpr std::array asking{"which", "models", "why", "explain", "does", "do", "is", "are", "how", "who", "when"};
    constexpr std::array verbs{"use", "using", "switch", "make", "with", "change", "swap", "try", "set", "give"};
    constexpr std::array anywhere{"instead", "replace", "rather", "if", "with", "make", "switch", "use", "using"};
    const auto first = [&](const auto& words) {
        return std::ranges::any_of(words, [&](std::string_view word) { return atoms_.front().text == word; });
    };
    const auto any = [&](const auto& words) {
        return std::ranges::any_of(words, [&](std::string_view word) { return has_word(word); });
    };
    const bool count = std::ranges::any_of(ask_phrases(), [&](const AskPhrase& each) {
        return std::holds_alternative<AskQuantity>(each.meaning) && has_word(each.words);
    });
    // "how large is the cache without gqa"
    const bool supposed = has_word("if") || (first(std::array{"how"}) && (has_word("without") || has_word("instead")));
    if (atoms_.empty() || (has_word("what") && !has_word("if")) || (any(asking) && !supposed)) return false;
    const bool counted_with = count && has_word("with");
    const bool verb = first(verbs) || any(anywhere) || (!count && (has_word("without") || first(taking_away)));
    if (!verb || (count && !counted_with)) return false;
    return std::ranges::any_of(atoms_, [&](const Atom& atom) {
        const auto at = static_cast<std::size_t>(&atom - atoms_.data());
        return longest_spelled<AskChoice>(ask_choices(), atoms_, at, [](const AskChoice&) { return true; }).first;
    });
}

QuestionReader::Found QuestionReader::choice(std::size_t at) {
    if (!by_words_) return {};
    constexpr std::size_t several = 3;  // of so many parts at once only that they go is meant
    std::size_t away = longest_of(atoms_, at, taking_away);
    // "without Q, K, V biases and the FFN biases": what is added to what goes, goes too.
    const std::size_t joined_at = at - (at > 0 && atoms_[at - 1].text == "the" ? 1 : 0);
    bool also = away == 0 && went_ > 0 && joined_at == went_ + 1 &&
                (atoms_[went_].text == "and" || atoms_[went_].text == "or" || atoms_[went_].text == "nor");
    const auto named_from = [&](std::size_t place, bool goes) {
        return longest_spelled<AskChoice>(ask_choices(), atoms_, place, [&](const AskChoice& each) {
            return goes ? each.part : each.sets.size() < several;
        });
    };
    auto named = named_from(at + away, away > 0 || also);
    if (!named.first && (away > 0 || also)) named = named_from(at, false), away = 0, also = false;
    if (!named.first) return {};
    const bool parts = away > 0 || also;
    const std::size_t atoms = away + named.second;
    if (!parts && stands_behind(atoms_, at, giving_way))
        return {atoms, [=, this] { understood(at, atoms, "what it was"); }};
    return {atoms, [=, this] {
                std::vector<FieldText> sets = named.first->sets;
                if (parts)
                    for (FieldText& set : sets) set.value = sets_off;
                went_ = parts ? at + atoms : 0;
                heard_.chosen_words.push_back(choice_words(sets));
                understood(at, atoms, heard_.chosen_words.back());
                heard_.chosen.insert(heard_.chosen.end(), sets.begin(), sets.end());
            }};
}

// The words around a choice, which say that it is one.
QuestionReader::Found QuestionReader::chooser(std::size_t at) {
    constexpr std::array<std::string_view, 8> words{"make it", "make",  "swap",     "try",
                                                    "switch",  "it to", "with the", "rather"};
    const std::size_t atoms =
        by_words_ ? std::max(longest_of(atoms_, at, words), longest_of(atoms_, at, giving_way)) : 0;
    if (atoms == 0) return {};
    return {atoms, [] {}};
}

}  // namespace headcount
