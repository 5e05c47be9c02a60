// Which models a question is about: one by its name, or some of those that ship.
#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/amount_text.hpp"
#include "core/ask/read.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/preset_search.hpp"

namespace headcount {

bool AskShelf::has(const Preset& preset, const CountedModel& model) const {
    const Architecture& arch = preset.architecture;
    const auto within = [&](const AskBound& bound) {
        const std::optional<std::int64_t> value = bound.of ? model.bindings[*bound.of] : model.parameters.total;
        return value && *value >= bound.least.value_or(*value) && *value <= bound.most.value_or(*value);
    };
    return std::ranges::all_of(bounds, within) && (!first_year || (preset.year && *preset.year >= *first_year)) &&
           (!last_year || (preset.year && *preset.year <= *last_year)) &&
           (!mixture || *mixture == arch.layer.mixture.has_value()) && (!kind || *kind == kind_of(arch)) &&
           (!tied || *tied == arch.tied) && (!sort || contains(*sort, &preset));
}

bool Heard::asks_more() const {
    const bool of_part =
        std::ranges::any_of(subjects, [](const AskSubject& each) { return each.notion != &notion("the model"); });
    return of_part || quantity || !symbols.empty() || !scopes.empty() || budget || device || training || operations ||
           train_tokens || tokens_given || batch_given || cached_given || precision_given || full_context || second ||
           changes() || !numbers.empty() || sides;
}

bool QuestionReader::of_models() const {
    if (is_of_one(atoms_, about_)) return false;
    const auto meant = [&](std::initializer_list<AskWide> kinds) {
        return std::ranges::any_of(atoms_, [&](const Atom& atom) {
            return std::ranges::any_of(ask_phrases(), [&](const AskPhrase& each) {
                const AskWide* const wide = std::get_if<AskWide>(&each.meaning);
                return wide && contains(kinds, *wide) && each.words == atom.text;
            });
        });
    };
    return meant({AskWide::models, AskWide::newest, AskWide::oldest}) ||
           (has_word("model") &&
            meant({AskWide::most, AskWide::fewest, AskWide::largest_matrix, AskWide::largest_part}));
}

std::pair<std::int64_t, std::size_t> QuestionReader::parameters_at(std::size_t at) const {
    constexpr std::array<std::pair<std::string_view, char>, 7> units{
        {{"b", 'B'}, {"bn", 'B'}, {"billion", 'B'}, {"m", 'M'}, {"million", 'M'}, {"t", 'T'}, {"trillion", 'T'}}};
    if (at + 1 >= atoms_.size() || !atoms_[at].number) return {};
    for (const auto& [unit, letter] : units) {
        if (atoms_[at + 1].text != unit) continue;
        const Result<std::int64_t> read = parse_amount(atoms_[at].text + letter, words(at, 2), Unit::parameters);
        if (!read) return {};
        return {*read, 2 + std::max(spelled_at(atoms_, at + 2, "parameters"), spelled_at(atoms_, at + 2, "params"))};
    }
    return {};
}

QuestionReader::Found QuestionReader::shelf(std::size_t at) {
    if (!of_models_) return {};
    constexpr std::array<std::pair<std::string_view, bool>, 6> mixtures{{{"dense", false},
                                                                         {"without experts", false},
                                                                         {"with experts", true},
                                                                         {"mixture", true},
                                                                         {"mixtures", true},
                                                                         {"moe", true}}};
    for (const auto& each : mixtures)
        if (const std::size_t atoms = spelled_at(atoms_, at, each.first); atoms > 0)
            return {atoms, [=, this, mixture = each.second] {
                        if (heard_.shelf.mixture.value_or(mixture) != mixture) clash();
                        heard_.shelf.mixture = mixture;
                        heard_.shelf.words.emplace_back(mixture ? "with experts" : "without experts");
                        understood(at, atoms, heard_.shelf.words.back());
                    }};
    constexpr std::array<std::pair<std::string_view, ModelKind>, 9> kinds{{{"encoder decoder", ModelKind::both},
                                                                           {"encoder", ModelKind::encoder},
                                                                           {"encoders", ModelKind::encoder},
                                                                           {"decoder", ModelKind::decoder},
                                                                           {"decoders", ModelKind::decoder},
                                                                           {"image", ModelKind::image},
                                                                           {"vision", ModelKind::image},
                                                                           {"speech", ModelKind::sound},
                                                                           {"audio", ModelKind::sound}}};
    for (const auto& kind : kinds)
        if (const std::size_t atoms = spelled_at(atoms_, at, kind.first); atoms > 0)
            return {atoms, [=, this, kind = kind.second] {
                        if (heard_.shelf.kind.value_or(kind) != kind) clash();
                        heard_.shelf.kind = kind;
                        heard_.shelf.words.push_back(quote(words(at, atoms)));
                        understood(at, atoms, "models of this kind");
                    }};
    Found found = size_bound(at);
    if (found.atoms == 0) found = least_context(at);
    return found.atoms > 0 ? found : year(at);
}

QuestionReader::Amount QuestionReader::amount_at(std::size_t at) const {
    if (const auto [parameters, atoms] = parameters_at(at); atoms > 0) return {parameters, atoms};
    const ReadNumber number = number_at(atoms_, at);
    const auto counted =
        longest_spelled<AskPhrase>(ask_phrases(), atoms_, at + number.atoms,
                                   [](const AskPhrase& each) { return std::holds_alternative<Symbol>(each.meaning); });
    if (number.atoms == 0 || !counted.first) return {};
    return {number.value, number.atoms + counted.second, std::get<Symbol>(counted.first->meaning)};
}

// "under 3b", "at least 1 billion parameters", "between 1b and 3b", "more than 100 layers"
QuestionReader::Found QuestionReader::size_bound(std::size_t at) {
    struct Words {
        std::string_view words;
        std::optional<std::int64_t> AskBound::*side;
        std::int64_t inside;  // of the nearest number that is meant
    };
    constexpr std::array<Words, 15> known{{{"under", &AskBound::most, -1},
                                           {"below", &AskBound::most, -1},
                                           {"less than", &AskBound::most, -1},
                                           {"smaller than", &AskBound::most, -1},
                                           {"fewer than", &AskBound::most, -1},
                                           {"at most", &AskBound::most, 0},
                                           {"up to", &AskBound::most, 0},
                                           {"no more than", &AskBound::most, 0},
                                           {"over", &AskBound::least, 1},
                                           {"above", &AskBound::least, 1},
                                           {"more than", &AskBound::least, 1},
                                           {"larger than", &AskBound::least, 1},
                                           {"bigger than", &AskBound::least, 1},
                                           {"greater than", &AskBound::least, 1},
                                           {"at least", &AskBound::least, 0}}};
    AskBound bound;
    std::size_t atoms = 0;
    for (const Words& each : known) {
        const std::size_t said = spelled_at(atoms_, at, each.words);
        const Amount amount = said > 0 ? amount_at(at + said) : Amount{};
        if (amount.atoms == 0) continue;
        bound = {.of = amount.of, .least = {}, .most = {}};
        bound.*each.side = checked_add(amount.value, each.inside).value_or(amount.value);
        atoms = said + amount.atoms;
    }
    if (spelled_at(atoms_, at, "between") + spelled_at(atoms_, at, "from") > 0) {
        const Amount first = amount_at(at + 1);
        const ReadNumber alone = number_at(atoms_, at + 1);  // "between 20 and 40 layers"
        const std::size_t to = at + 1 + (first.atoms > 0 ? first.atoms : alone.atoms);
        const std::size_t word = spelled_at(atoms_, to, "and") + spelled_at(atoms_, to, "to");
        const Amount last = amount_at(to + word);
        if (to > at + 1 && word > 0 && last.atoms > 0 &&
            (first.atoms > 0 ? first.of == last.of : last.of.has_value())) {
            const std::int64_t other = first.atoms > 0 ? first.value : alone.value;
            bound = {last.of, std::min(other, last.value), std::max(other, last.value)};
            atoms = to + word + last.atoms - at;
        }
    }
    if (atoms == 0) return {};
    return {atoms, [=, this] {
                heard_.shelf.bounds.push_back(bound);
                const std::string said = words(at, atoms);
                const bool with = bound.of || said.find("param") != std::string::npos;
                heard_.shelf.words.push_back((with ? "with " : "") + said);
                understood(at, atoms, heard_.shelf.words.back());
            }};
}

bool QuestionReader::of_room() {
    for (std::size_t at = 0; at < atoms_.size(); ++at)
        if (budget(at).atoms > 0 || device(at).atoms > 0) return true;
    return has_word("fit") || has_word("fits");
}

// "128k context", "a context of 128k": models with at least that.
QuestionReader::Found QuestionReader::least_context(std::size_t at) {
    const auto spelled = longest_spelled<AskPhrase>(
        ask_phrases(), atoms_, at, [](const AskPhrase& each) { return each.meaning == AskMeaning(Symbol::context); });
    std::size_t atoms = spelled.second;
    std::optional<std::int64_t> least;
    if (const Amount amount = amount_at(at); amount.of == Symbol::context) {
        atoms = amount.atoms;
        least = amount.value;
    } else if (spelled.first) {
        atoms += spelled_at(atoms_, at + atoms, "of");
        const ReadNumber number = number_at(atoms_, at + atoms);
        atoms += number.atoms;
        if (number.atoms > 0) least = number.value;
    }
    if (!least || of_room()) return {};
    return {atoms, [=, this] {
                heard_.shelf.bounds.push_back({Symbol::context, *least, {}});
                heard_.shelf.words.push_back("with a context of at least " + grouped(*least));
                understood(at, atoms, heard_.shelf.words.back());
            }};
}

void QuestionReader::clash() {
    heard_.problem = "Say one condition of a kind, such as of 2024, between 2020 and 2022, dense, or under 3b.";
}

// "of 2024", "released since 2023", "between 2020 and 2022"
QuestionReader::Found QuestionReader::year(std::size_t at) {
    constexpr std::array<std::string_view, 9> saying{"released", "published", "made",  "from",   "since",
                                                     "after",    "before",    "until", "between"};
    const auto year_at = [&](std::size_t place) {
        constexpr std::int64_t first = 1990, last = 2099;
        const ReadNumber number = number_at(atoms_, place);
        const bool glued =
            number.atoms == 1 && (atoms_[place].glued || (place + 1 < atoms_.size() && atoms_[place + 1].glued));
        return number.atoms == 1 && !glued && number.value >= first && number.value <= last
                   ? static_cast<int>(number.value)
                   : 0;
    };
    std::size_t end = at;
    while (end < atoms_.size() &&
           (contains(saying, atoms_[end].text) || (end > at && (atoms_[end].text == "in" || atoms_[end].text == "of"))))
        ++end;
    const int first = year_at(end);
    if (first == 0) return {};
    const std::size_t to = spelled_at(atoms_, end + 1, "and") + spelled_at(atoms_, end + 1, "to");
    const int last = to > 0 ? year_at(end + 1 + to) : 0;
    const std::size_t atoms = end + 1 + (last > 0 ? to + 1 : 0) - at;
    return {atoms, [=, this] {
                const auto said = [&](std::string_view word) {
                    return std::any_of(atoms_.begin() + static_cast<std::ptrdiff_t>(at),
                                       atoms_.begin() + static_cast<std::ptrdiff_t>(end),
                                       [&](const Atom& each) { return each.text == word; });
                };
                AskShelf& shelf = heard_.shelf;
                if (shelf.first_year || shelf.last_year) clash();
                const bool since = said("since"), after = said("after"), before = said("before"), until = said("until");
                if (!before && !until) shelf.first_year = first + (after ? 1 : 0);
                if (!since && !after) shelf.last_year = (last > 0 ? last : first) - (before ? 1 : 0);
                const std::string from = since    ? "since "
                                         : after  ? "after "
                                         : before ? "before "
                                         : until  ? "until "
                                                  : "of ";
                shelf.words.push_back(from + std::to_string(first) + (last > 0 ? " to " + std::to_string(last) : ""));
                understood(at, atoms, shelf.words.back());
            }};
}

QuestionReader::Found QuestionReader::sort(std::size_t at, std::size_t atoms, std::vector<const Preset*> of_it) {
    // "by mistral": of whom they are.
    std::vector<const Preset*> published;
    if (at > 0 && (atoms_[at - 1].text == "by" || atoms_[at - 1].text == "from"))
        for (const Preset& each : about_.presets)
            if (lower(std::string(published_name(each))).starts_with(joined(std::span(atoms_).subspan(at, atoms))))
                published.push_back(&each);
    if (!published.empty()) of_it = std::move(published);
    const bool either = at > 0 && (atoms_[at - 1].text == "and" || atoms_[at - 1].text == "or");
    return {atoms, [=, this, of_it = std::move(of_it)]() mutable {
                AskShelf& shelf = heard_.shelf;
                if (shelf.sort && either)
                    of_it.insert(of_it.end(), shelf.sort->begin(), shelf.sort->end());
                else if (shelf.sort)
                    std::erase_if(of_it, [&](const Preset* each) { return !contains(*shelf.sort, each); });
                shelf.sort = std::move(of_it);
                shelf.words.push_back(quote(words(at, atoms)));
                understood(at, atoms, "models that are called so, or of which it is said");
            }};
}

void QuestionReader::settle_shelf() {
    if (!of_models_) return;
    AskShelf& shelf = heard_.shelf;
    for (const auto& [symbol, size] : std::exchange(heard_.claims, {})) {
        shelf.bounds.push_back({symbol, size, size});
        shelf.words.push_back("with " + grouped(size) + " " + std::string(info(symbol).name));
    }
    shelf.tied = std::exchange(heard_.tied, {});
    if (shelf.tied) shelf.words.emplace_back(*shelf.tied ? "with tied embeddings" : "with untied embeddings");
}

// What is asked of models beside which they are is asked of one.
void QuestionReader::settle_models() {
    const auto refuse = [&](std::string_view why) {
        if (heard_.problem.empty()) heard_.problem = why;
    };
    if (heard_.wide == AskWide::models && heard_.preset && heard_.shelf.words.empty() && !heard_.asks_more())
        refuse("Say which models: of a size, a year, a sort, such as models of 2024 under 3b.");
    if (heard_.wide == AskWide::models && (heard_.asks_more() || heard_.preset)) heard_.wide.reset();
    if (heard_.says_age && (!heard_.lists() || heard_.asks_more() || heard_.preset))
        refuse("Ask which models are the newest, or of one model by its name: both at once are two questions.");
    if (heard_.says_origin && !heard_.lists() && (heard_.wide != AskWide::origin || heard_.asks_more()))
        refuse("It is known when models were published, and where: ask that of one model, and nothing else.");
    if (of_models_ && heard_.compares() && !heard_.second)
        refuse("Two models are compared; or say a number of parameters, such as models under 3b.");
    if (heard_.ranks() && !heard_.other_presets.empty()) refuse("Say of which models: the smallest encoder model.");
}

QuestionReader::Found QuestionReader::model(std::size_t at) {
    return named_model(at, model_at(atoms_, at, models_, about_.preset));
}

// Whose names have the word anywhere, or of whom it is said: "minilm", "hybrid".
QuestionReader::Found QuestionReader::models_about(std::size_t at) {
    constexpr std::size_t least = 4;  // letters: shorter ones are in too many names
    std::string word = atoms_[at].text;
    const auto named = [&](std::size_t other) { return model_at(atoms_, other, models_, about_.preset).preset; };
    for (std::size_t other = 0; other < atoms_.size() && !of_models_; ++other)
        if (named(other)) return {};  // of "gpt-2 huge" there is none
    if (word.size() < least) return {};
    std::vector<const Preset*> found = presets_about(about_.presets, word);
    if (found.empty() && of_models_ && word.ends_with('s')) {
        word.pop_back();
        found = presets_about(about_.presets, word);
    }
    if (found.empty()) return {};
    if (of_models_) return sort(at, 1, std::move(found));
    const Preset* const first = found.front();
    found.erase(found.begin());
    return named_model(at, {first, 1, std::move(found)});
}

QuestionReader::Found QuestionReader::named_model(std::size_t at, NamedModel named) {
    if (named.atoms == 0) return {};
    if (of_models_ && named.preset && !named.others.empty()) {
        named.others.insert(named.others.begin(), named.preset);
        return sort(at, named.atoms, std::move(named.others));
    }
    return {named.atoms, [=, this] {
                if (!named.preset) return miss(at, named);
                if (heard_.preset && heard_.preset != named.preset) {
                    heard_.second = named.preset;
                    return understood(at, named.atoms, named.preset->architecture.name);
                }
                heard_.behind_than = at > 0 && atoms_[at - 1].text == "than";
                heard_.preset = named.preset;
                heard_.other_presets = named.others;
                understood(at, named.atoms, named.preset->architecture.name);
            }};
}

void QuestionReader::miss(std::size_t at, const NamedModel& named) {
    constexpr std::size_t few = 3;  // of more none is nearer than the others
    AskUnknown unknown{words(at, named.atoms), {}};
    if (named.others.size() > few) {
        const auto called_so = std::ranges::find_if(named.others, [&](const Preset* each) {
            return lower(each->architecture.name).find(lower(unknown.words)) != std::string::npos;
        });
        const Preset& example = called_so != named.others.end() ? **called_so : *named.others.front();
        heard_.problem = quote(unknown.words) + " is in the names of " + std::to_string(named.others.size()) +
                         " models: write one of them in full, such as " + example.architecture.name + ".";
    } else {
        for (const Preset* each : named.others) unknown.nearest.push_back(each->architecture.name);
    }
    heard_.unknown.push_back({std::move(unknown), atoms_[at].begin, atoms_[at + named.atoms - 1].end});
}

}  // namespace headcount
