// What a question wishes for: parameters that a model is to have, a training's operations, the rank of adapters.
#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/ask/read.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {

// "3 B, 8 kv heads, 4 GiB": at the beginning, where other conditions follow. Else "7b" is of a model's name, also in
// "7b with 16 heads".
QuestionReader::Found QuestionReader::total(std::size_t at) {
    if (at != 0 || atoms_.size() < 3 || !atoms_[0].number || atoms_[1].number) return {};
    if (const NamedModel named = model_at(atoms_, at, models_, about_.preset); named.preset) return {};
    const auto [read, atoms] = parameters_at(0);
    if (atoms == 0) return {};
    const auto conditional = [&](std::size_t place) {
        return budget(place).atoms > 0 ||
               (atoms_[place].number && number(place).atoms > number_at(atoms_, place).atoms);
    };
    constexpr std::size_t several = 2;
    std::size_t conditions = 0;
    for (std::size_t place = atoms; place < atoms_.size(); ++place) conditions += conditional(place) ? 1 : 0;
    if (conditions < several) return {};
    return {atoms, [this, total = read, atoms = atoms] {
                heard_.total = total;
                heard_.wide = AskWide::design;
                heard_.supposes = true;
                understood(0, atoms, grouped(total) + " parameters");
            }};
}

// "7b in fp16", "chinchilla for a 7b model": so many parameters, where no model is named.
QuestionReader::Found QuestionReader::sized(std::size_t at) {
    const std::size_t article = atoms_[at].text == "a" || atoms_[at].text == "an" ? 1 : 0;
    const auto [read, atoms] = parameters_at(at + article);
    std::size_t end = at + article + atoms;
    if (atoms == 0 || of_models_ || spelled_at(atoms_, end, "tokens") > 0) return {};
    const std::size_t model = spelled_at(atoms_, end, "model");
    const bool said = model > 0 || number_at(atoms_, at + article).atoms + 1 < atoms;
    if (!asks_of_a_size(said)) return {};
    end += model;
    return {end - at, [=, this, total = read] {
                heard_.total = total;
                understood(at, end - at, grouped(total) + " parameters");
            }};
}

bool QuestionReader::asks_of_a_size(bool said) const {
    bool asks = false;
    for (std::size_t at = 0; at < atoms_.size(); ++at) {
        if (model_at(atoms_, at, models_, about_.preset).preset) return false;
        asks = asks || longest_spelled<AskPhrase>(ask_phrases(), atoms_, at, [&](const AskPhrase& each) {
                           return (said && each.meaning == AskMeaning(AskQuantity::bytes)) ||
                                  std::holds_alternative<Formats>(each.meaning) ||
                                  each.meaning == AskMeaning(AskWide::laws);
                       }).first;
    }
    return asks;
}

// ... of which nothing else is known than what they take, and how many tokens they are best trained with.
void QuestionReader::settle_size() {
    if (!heard_.total || heard_.wide == AskWide::design) return;
    if (heard_.wide == AskWide::laws) std::erase(heard_.symbols, Symbol::tokens);  // "chinchilla optimal tokens"
    const bool alone = heard_.subjects.empty() && heard_.symbols.empty() && heard_.scopes.empty() &&
                       !heard_.tokens_given && !heard_.batch_given && !heard_.cached_given && !heard_.changes() &&
                       !heard_.training && !heard_.budget && !heard_.device && !heard_.adapters();
    if (alone && !heard_.wide) heard_.wide = AskWide::sized;
    const bool known = heard_.wide == AskWide::sized || (heard_.wide == AskWide::laws && !heard_.operations);
    if (!(alone && known) && heard_.problem.empty())
        heard_.problem =
            "Of so many parameters it is known what they take in a format, and how many tokens they are "
            "best trained with: for anything else name a model.";
}

// "1e24", "5.76e23 flops"; "1e5 tokens" is a number of these.
QuestionReader::Found QuestionReader::operations(std::size_t at) {
    if (at + 2 >= atoms_.size() || !atoms_[at].number || atoms_[at + 1].text != "e" || !atoms_[at + 2].number)
        return {};
    if (!atoms_[at + 1].glued || !atoms_[at + 2].glued) return {};
    const std::string_view text = text_.substr(atoms_[at].begin, atoms_[at + 2].end - atoms_[at].begin);
    std::size_t atoms = 3;
    const auto counted = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at + atoms, [](const AskPhrase& each) {
        return std::holds_alternative<AskUnit>(each.meaning) || std::holds_alternative<Symbol>(each.meaning);
    });
    if (counted.first && number_at(atoms_, at).atoms > 0) return {};
    if (counted.first)
        return {atoms, [=, this] {
                    heard_.problem = quote(words(at, atoms)) + " is no number of 64 bits: write a smaller one.";
                }};
    const Result<double> read = parse_operations(text, "operations");
    if (!read) return {};
    for (const std::string_view word : {"flops", "flop", "operations"}) atoms += spelled_at(atoms_, at + atoms, word);
    return {atoms, [=, this, operations = *read] {
                heard_.operations = operations;
                understood(at, atoms, flop_text(operations));
            }};
}

// "15T tokens", "1.4 trillion tokens": so many that no pass reads them.
QuestionReader::Found QuestionReader::train_tokens(std::size_t at) {
    if (!atoms_[at].number || at + 2 >= atoms_.size()) return {};
    const std::string& unit = atoms_[at + 1].text;
    const bool trillions = unit == "t" || unit == "trillion",
               billions = unit == "b" || unit == "bn" || unit == "billion";
    if (!trillions && !billions) return {};
    const std::size_t word =
        std::max(spelled_at(atoms_, at + 2, "tokens"), spelled_at(atoms_, at + 2, "training tokens"));
    if (word == 0) return {};
    const Result<std::int64_t> read =
        parse_amount(atoms_[at].text + (trillions ? "T" : "B"), words(at, 2), Unit::parameters);
    if (!read) return {};
    return {2 + word, [=, this, tokens = *read] {
                heard_.train_tokens = tokens;
                understood(at, 2 + word, "a training on " + short_count(tokens) + " tokens");
            }};
}

// "zero 3", "ZeRO stage 2"
QuestionReader::Found QuestionReader::zero(std::size_t at) {
    if (atoms_[at].text != "zero") return {};
    const std::size_t behind = at + 1 + spelled_at(atoms_, at + 1, "stage");
    const ReadNumber stage = number_at(atoms_, behind);
    constexpr std::int64_t last = 3;
    if (stage.atoms != 1 || stage.value > last) return {};
    const std::size_t atoms = behind + 1 - at;
    return {atoms, [=, this] {
                heard_.zero = stage.value;
                understood(at, atoms, "ZeRO " + grouped(stage.value));
            }};
}

// "rank 16", "rank of 16", "r = 16"
QuestionReader::Found QuestionReader::rank(std::size_t at) {
    if (atoms_[at].text != "rank" && atoms_[at].text != "r") return {};
    std::size_t behind = at + 1;
    behind += spelled_at(atoms_, behind, "of") + spelled_at(atoms_, behind, "is");
    const ReadNumber number = number_at(atoms_, behind);
    if (number.atoms != 1 || number.value < 1) return {};
    const std::size_t atoms = behind + number.atoms - at;
    return {atoms, [=, this] {
                heard_.rank = number.value;
                understood(at, atoms, "rank " + grouped(number.value));
            }};
}

}  // namespace headcount
