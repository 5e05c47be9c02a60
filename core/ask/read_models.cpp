// Which models a question is about: one by its name, or some of those that ship.
#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/amount_text.hpp"
#include "core/ask/read.hpp"
#include "core/base/checked.hpp"
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
           (!tied || *tied == arch.tied) && (!sort || std::ranges::find(*sort, &preset) != sort->end());
}

bool QuestionReader::of_models() const {
    if (is_of_one(atoms_, about_)) return false;
    const auto meant = [&](std::initializer_list<AskWide> kinds) {
        return std::ranges::any_of(atoms_, [&](const Atom& atom) {
            return std::ranges::any_of(ask_phrases(), [&](const AskPhrase& each) {
                const AskWide* const wide = std::get_if<AskWide>(&each.meaning);
                return wide && std::ranges::find(kinds, *wide) != kinds.end() && each.words == atom.text;
            });
        });
    };
    return meant({AskWide::models}) ||
           (has_word("model") && meant({AskWide::most, AskWide::fewest, AskWide::newest, AskWide::oldest,
                                        AskWide::largest_matrix, AskWide::largest_part}));
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
    constexpr std::array<std::string_view, 4> mixtures{"dense", "mixture", "mixtures", "moe"};
    if (const auto found = std::ranges::find(mixtures, atoms_[at].text); found != mixtures.end())
        return {1, [=, this, mixture = found != mixtures.begin()] {
                    heard_.shelf.mixture = mixture;
                    heard_.shelf.words.emplace_back(mixture ? "with experts" : "without experts");
                    understood(at, 1, heard_.shelf.words.back());
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
                        heard_.shelf.kind = kind;
                        heard_.shelf.words.push_back(quote(words(at, atoms)));
                        understood(at, atoms, "models of this kind");
                    }};
    Found bound = size_bound(at);
    return bound.atoms > 0 ? bound : year(at);
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
            bound = {last.of, first.atoms > 0 ? first.value : alone.value, last.value};
            atoms = to + word + last.atoms - at;
        }
    }
    if (atoms == 0) return {};
    return {atoms, [=, this] {
                heard_.shelf.bounds.push_back(bound);
                heard_.shelf.words.push_back((bound.of ? "with " : "") + words(at, atoms));
                understood(at, atoms, heard_.shelf.words.back());
            }};
}

// "of 2024", "released since 2023"
QuestionReader::Found QuestionReader::year(std::size_t at) {
    constexpr std::array<std::string_view, 8> saying{"released", "published", "made",   "from",
                                                     "since",    "after",     "before", "until"};
    constexpr std::int64_t first = 1990, last = 2099;
    std::size_t end = at;
    while (end < atoms_.size() && (std::ranges::find(saying, atoms_[end].text) != saying.end() ||
                                   (end > at && (atoms_[end].text == "in" || atoms_[end].text == "of"))))
        ++end;
    const ReadNumber number = number_at(atoms_, end);
    const bool beyond = end + number.atoms < atoms_.size() && atoms_[end + number.atoms].glued;
    if (number.atoms != 1 || number.value < first || number.value > last || atoms_[end].glued || beyond) return {};
    const std::size_t atoms = end + 1 - at;
    return {atoms, [=, this, year = static_cast<int>(number.value)] {
                const auto said = [&](std::string_view word) {
                    return std::any_of(atoms_.begin() + static_cast<std::ptrdiff_t>(at),
                                       atoms_.begin() + static_cast<std::ptrdiff_t>(end),
                                       [&](const Atom& each) { return each.text == word; });
                };
                AskShelf& shelf = heard_.shelf;
                const bool since = said("since"), after = said("after"), before = said("before"), until = said("until");
                if (!before && !until) shelf.first_year = year + (after ? 1 : 0);
                if (!since && !after) shelf.last_year = year - (before ? 1 : 0);
                shelf.words.push_back((since    ? "since "
                                       : after  ? "after "
                                       : before ? "before "
                                       : until  ? "until "
                                                : "of ") +
                                      std::to_string(year));
                understood(at, atoms, shelf.words.back());
            }};
}

QuestionReader::Found QuestionReader::sort(std::size_t at, std::size_t atoms, std::vector<const Preset*> of_it) {
    return {atoms, [=, this, of_it = std::move(of_it)]() mutable {
                AskShelf& shelf = heard_.shelf;
                if (shelf.sort)
                    std::erase_if(of_it, [&](const Preset* each) {
                        return std::ranges::find(*shelf.sort, each) == shelf.sort->end();
                    });
                shelf.sort = std::move(of_it);
                shelf.words.push_back(quote(words(at, atoms)));
                understood(at, atoms, "models that are called so, or of which it is said");
            }};
}

void QuestionReader::settle_shelf() {
    const bool model_alone = std::ranges::all_of(
        heard_.subjects, [](const AskSubject& each) { return each.notion == &notion("the model"); });
    if (heard_.wide == AskWide::models &&
        (heard_.quantity || !heard_.symbols.empty() || heard_.budget || heard_.device || heard_.preset || !model_alone))
        heard_.wide.reset();  // "memory of models" is of one
    if (!of_models_) return;
    AskShelf& shelf = heard_.shelf;
    for (const auto& [symbol, size] : std::exchange(heard_.claims, {})) {
        shelf.bounds.push_back({symbol, size, size});
        shelf.words.push_back("with " + grouped(size) + " " + std::string(info(symbol).name));
    }
    shelf.tied = std::exchange(heard_.tied, {});
    if (shelf.tied) shelf.words.emplace_back(*shelf.tied ? "with tied embeddings" : "with untied embeddings");
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
