// A question taken apart: at each word the longest reading counts.
#include "core/ask/read.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 3> cache_names{"kv cache", "key value cache", "cache"};
constexpr std::array<std::string_view, 2> weights_names{"weights", "parameters"};

}  // namespace

bool is_of_one(std::span<const Atom> atoms, const AskAbout& about) {
    const auto has_word = [&](std::string_view word) { return contains(atoms, word, &Atom::text); };
    const bool of_several = has_word("which") || has_word("models") || spelled_at(atoms, 0, "what fits") > 0;
    return has_word("it") || (about.said.model && !of_several);
}

Heard QuestionReader::read() {
    std::vector<std::size_t> unread;
    for (std::size_t at = 0; at < atoms_.size();) {
        if (atoms_[at].negative()) {
            std::size_t count = 1;  // with the "k" of "-8k"
            while (at + count < atoms_.size() && atoms_[at + count].glued) ++count;
            heard_.problem = quote(words(at, count)) + " is negative: write a number from 0 up.";
            at += count;
            continue;
        }
        const Found found = longest_at(at);
        if (found.atoms < 2 && stuck(at)) {
            unread.insert(unread.end(), {at, at + 1});
            at += 2;
            continue;
        }
        if (found.atoms == 0) {
            unread.push_back(at++);
            continue;
        }
        found.take();
        at += found.atoms;
    }
    report(unread);
    settle_changes();
    settle_wide();
    settle_models();
    const bool alone = !heard_.second && heard_.wide != AskWide::larger && heard_.wide != AskWide::smaller;
    if (heard_.compares() && heard_.device_named && alone && heard_.problem.empty())
        heard_.problem = "Name two devices, such as rtx 4090 vs h100, or two models: one of each is not compared.";
    const bool of_all = heard_.lists() || heard_.ranks() || (heard_.wide == AskWide::fits && !heard_.preset);
    if (!heard_.shelf.words.empty() && !of_all && heard_.problem.empty())
        heard_.problem = "Say which model is meant: several are " + listed(heard_.shelf.words) + ".";
    note_idle();
    if (!heard_.sides && heard_.numbers.size() == 2 && !asks()) {
        heard_.sides = {heard_.numbers[0], heard_.numbers[1]};
        heard_.numbers.clear();
    }
    return std::move(heard_);
}

QuestionReader::Found QuestionReader::longest_at(std::size_t at) {
    Found best;
    for (Found found :
         {choice(at), chooser(at), shelf(at),  total(at),      sized(at),        operations(at), train_tokens(at),
          rank(at),   zero(at),    device(at), input(at),      sides(at),        budget(at),     price(at),
          valued(at), path(at),    phrase(at), layer_kind(at), graph_phrase(at), model(at)})
        if (found.atoms > best.atoms) best = std::move(found);
    if (best.atoms == 0) best = number(at);
    return best.atoms > 0 ? best : models_about(at);
}

QuestionReader::Found QuestionReader::path(std::size_t at) {
    const std::size_t begin = atoms_[at].begin;
    const std::size_t end = std::min(text_.find_first_of(" \t\n,;?", begin), text_.size());
    const std::string_view name = text_.substr(begin, end - begin);
    if (name.find('.') == std::string_view::npos) return {};
    std::vector<TensorIndex> tensors = tensors_called(graph_, name);
    if (tensors.empty()) return {};
    std::size_t atoms = 0;
    while (at + atoms < atoms_.size() && atoms_[at + atoms].begin < end) ++atoms;
    return {atoms, [=, this] {
                understood(at, atoms, std::string(graph_.tensors[tensors.front()].label));
                heard_.subjects.push_back({nullptr, false, tensors, heard_.less});
            }};
}

QuestionReader::Found QuestionReader::phrase(std::size_t at) {
    const auto longest = longest_spelled<AskPhrase>(ask_phrases(), atoms_, at, [](const AskPhrase&) { return true; });
    if (spelled_at(atoms_, at, "full context") > 0)
        return {2, [=, this] {
                    heard_.full_context = true;
                    understood(at, 2, "the whole context");
                }};
    if (!longest.first) return {};
    std::size_t atoms = longest.second;
    const AskMeaning meaning = longest.first->meaning;
    const AskScope* const scope = std::get_if<AskScope>(&meaning);
    const std::optional<std::int64_t> index = scope ? index_at(*scope, at + atoms) : std::nullopt;
    if (index) ++atoms;
    return {atoms, [=, this] {
                take(meaning, at, atoms);
                if (index) take_index(std::get<AskScope>(meaning), *index);
            }};
}

bool QuestionReader::stands_beside(std::size_t at, std::size_t atoms, std::span<const std::string_view> names) const {
    for (const std::string_view name : names) {
        if (spelled_at(atoms_, at + atoms, name) > 0) return true;
        for (const std::string_view in : {" in", " at", " as"}) {
            const std::string words = std::string(name) + std::string(in);
            const std::size_t before = static_cast<std::size_t>(std::ranges::count(words, ' ')) + 1;
            if (at >= before && spelled_at(atoms_, at - before, words) == before) return true;
        }
    }
    return false;
}

void QuestionReader::take(const AskMeaning& meaning, std::size_t at, std::size_t atoms) {
    if (std::holds_alternative<AskLess>(meaning)) {
        heard_.less = heard_.less_said = true;
        understood(at, atoms, "but for");
    } else if (const auto* quantity = std::get_if<AskQuantity>(&meaning)) {
        heard_.less = false;
        // "rows and columns", "parameters ... in bytes": what is said last is meant, but weights say little.
        heard_.weights_said = heard_.weights_said || *quantity == AskQuantity::weights;
        heard_.active = heard_.active || *quantity == AskQuantity::active;
        // ... and a share is one of parameters anyway, as active ones are.
        const bool counts = *quantity == AskQuantity::parameters || *quantity == AskQuantity::weights;
        const bool keeps = heard_.quantity == AskQuantity::share || (counts && heard_.quantity == AskQuantity::active);
        heard_.parameters_said = heard_.parameters_said || counts || atoms > 1;
        if (!keeps && !(heard_.quantity && *quantity == AskQuantity::weights)) heard_.quantity = *quantity;
        understood(at, atoms, std::string(ask_name(*quantity)));
    } else if (const auto* scope = std::get_if<AskScope>(&meaning)) {
        heard_.scopes.push_back(*scope);
        understood(at, atoms, std::string(ask_name(*scope)));
    } else if (const auto* change = std::get_if<AskChange>(&meaning)) {
        if (*change == AskChange::tied || *change == AskChange::untied)
            heard_.tied = *change == AskChange::tied;
        else if (*change == AskChange::value)
            heard_.supposes = true;
        else if (*change == AskChange::more || *change == AskChange::fewer)
            heard_.step = *change;
        else if (atoms_[at].text.ends_with('d') && !heard_.symbols.empty()) {  // "the layers doubled"
            heard_.scaled.emplace_back(heard_.symbols.back(), *change);
            heard_.symbols.pop_back();
        } else {
            if (heard_.scale) heard_.problem = "Say of what there is to be twice or half as much, one after the other.";
            heard_.scale = *change;
        }
        understood(at, atoms, std::string(ask_name(*change)));
    } else if (const auto* symbol = std::get_if<Symbol>(&meaning)) {
        if (const std::optional<AskChange> scale = std::exchange(heard_.scale, {}))
            heard_.scaled.emplace_back(*symbol, *scale);
        else
            heard_.symbols.push_back(*symbol);
        understood(at, atoms, std::string(info(*symbol).name));
    } else if (const auto* precision = std::get_if<Formats>(&meaning);
               precision && stands_beside(at, atoms, cache_names)) {
        heard_.input.cache = precision->rest;
        heard_.cache_format_given = true;
        understood(at, atoms, "the cache in " + formats_text(*precision));
    } else if (precision) {
        heard_.input.precision = *precision;
        heard_.formats.push_back(*precision);
        heard_.precision_given = true;
        heard_.published = false;
        heard_.precision_of_weights = stands_beside(at, atoms, weights_names);
        understood(at, atoms, formats_text(*precision));
    } else if (const auto* phase = std::get_if<Phase>(&meaning)) {
        if (*phase == Phase::training)
            heard_.training = true;
        else if (heard_.pass.value_or(*phase) == *phase)
            heard_.pass = *phase;
        else
            heard_.problem = "Ask for one pass at a time: prefill or decode.";
        understood(at, atoms, std::string(word_of(phase_nouns, *phase)));
    } else if (const auto* optimizer = std::get_if<Optimizer>(&meaning)) {
        heard_.training = true;
        heard_.optimizer = *optimizer;
        understood(at, atoms, std::string(word_of(optimizer_words(), *optimizer)));
    } else if (const auto* part = std::get_if<AskNotion>(&meaning)) {
        heard_.subjects.push_back({part->notion, part->weight, {}, heard_.less});
        understood(at, atoms, std::string(part->notion->name) + (part->weight ? ", weights" : ""));
    } else if (const auto* wide = std::get_if<AskWide>(&meaning)) {
        // "which is larger: compare ...": what is said first says most, but "the largest that fits" is one that fits,
        // and "3b with 8 kv heads that fits" is one to be made.
        // ... and "how fast does it run on" asks for its speed; "cost in flops" is no price.
        const bool keeps = heard_.wide == AskWide::design || heard_.wide == AskWide::figure;
        const bool in_flops = *wide == AskWide::flops && heard_.figure == Metric::price;
        heard_.says_age = heard_.says_age || *wide == AskWide::newest || *wide == AskWide::oldest;
        heard_.says_origin = heard_.says_origin || *wide == AskWide::origin;
        // "which models fit", "when was the newest published"
        const bool weak = !heard_.wide || heard_.wide == AskWide::models || heard_.wide == AskWide::origin;
        if (weak || (*wide == AskWide::fits && !keeps) || in_flops) heard_.wide = *wide;
        asks_tokens_ = asks_tokens_ || (*wide == AskWide::laws && spelled_at(atoms_, at, "how many tokens") > 0);
        heard_.between_parts = heard_.between_parts || (*wide == AskWide::compare && heard_.subjects.size() == 1);
        understood(at, atoms, keeps && *wide == AskWide::fits ? "where it runs" : std::string(ask_name(*wide)));
    } else if (const auto* ratio = std::get_if<AskRatio>(&meaning)) {
        heard_.wide = AskWide::ratio;
        heard_.ratio = *ratio;
        understood(at, atoms, std::string(info(ratio->over).name) + " / " + std::string(info(ratio->under).name));
    } else if (const auto* field = std::get_if<Field>(&meaning)) {
        heard_.field = *field;
        understood(at, atoms, lower(std::string(info(*field).label)));
    } else if (const auto* figure = std::get_if<Metric>(&meaning)) {
        if (!heard_.wide || heard_.wide == AskWide::models) heard_.wide = AskWide::figure;
        if (!heard_.figure) heard_.figure = *figure;
        understood(at, atoms, lower(std::string(info(*figure).label)));
    } else if (const auto* adapter = std::get_if<AdapterKind>(&meaning)) {
        heard_.adapter = *adapter;
        understood(at, atoms, "adapters, " + std::string(word_of(adapter_words, *adapter)));
    } else if (const auto* unit = std::get_if<AskUnit>(&meaning)) {
        constexpr std::array units{Symbol::tokens, Symbol::batch, Symbol::cached};
        heard_.symbols.push_back(units[static_cast<std::size_t>(*unit)]);
        understood(at, atoms, std::string(info(heard_.symbols.back()).name));
    }
}

QuestionReader::Found QuestionReader::graph_phrase(std::size_t at) {
    const auto longest =
        longest_spelled<GraphPhrase>(graph_phrases_, atoms_, at, [](const GraphPhrase&) { return true; });
    if (!longest.first) return {};
    return {longest.second, [=, this] {
                const std::vector<TensorIndex>& tensors = longest.first->tensors;
                understood(at, longest.second, std::string(graph_.tensors[tensors.front()].label));
                heard_.subjects.push_back({nullptr, false, tensors, heard_.less});
            }};
}

bool Heard::has(AskScope scope) const { return std::find(scopes.begin(), scopes.end(), scope) != scopes.end(); }

}  // namespace headcount
