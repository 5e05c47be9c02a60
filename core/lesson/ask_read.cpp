// A question taken apart: at each word the longest reading counts.
#include "core/lesson/ask_read.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "core/base/text.hpp"

namespace headcount {
namespace {

// What the graph itself calls its tensors, cut into words.
struct GraphPhrase {
    std::string words;
    std::vector<TensorIndex> tensors;
};

std::string joined(std::span<const Atom> atoms) {
    std::string text;
    for (const Atom& atom : atoms) text += (text.empty() ? "" : " ") + atom.text;
    return text;
}

std::vector<GraphPhrase> phrases_of(const ModelGraph& graph) {
    std::vector<GraphPhrase> phrases;
    auto add = [&](std::string_view words, TensorIndex tensor) {
        std::string spelled = joined(atoms_of(words));
        if (spelled.empty()) return;
        const auto found = std::find_if(phrases.begin(), phrases.end(),
                                        [&](const GraphPhrase& phrase) { return phrase.words == spelled; });
        if (found == phrases.end())
            phrases.push_back({std::move(spelled), {tensor}});
        else
            found->tensors.push_back(tensor);
    };
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        add(graph.tensors[i].label, static_cast<TensorIndex>(i));
        add(graph.tensors[i].symbol, static_cast<TensorIndex>(i));
    }
    for (const StoredTensor& stored : graph.stored) {
        if (stored.parts.size() != 1) continue;
        std::string_view name = stored.name;
        if (name.ends_with(".weight")) name.remove_suffix(7);
        name = name.substr(name.rfind('.') == std::string_view::npos ? 0 : name.rfind('.') + 1);
        add(name, stored.parts.front());
    }
    return phrases;
}

// "model.layers.{i}.mlp.up_proj.weight" of "model.layers.3.mlp.up_proj.weight".
bool is_stored_as(std::string_view typed, std::string_view name) {
    while (!typed.empty() && !name.empty()) {
        if (name.front() == '{') {
            name.remove_prefix(std::min(name.find('}') + 1, name.size()));
            if (typed.front() < '0' || typed.front() > '9') return false;
            typed.remove_prefix(std::min(typed.find_first_not_of("0123456789"), typed.size()));
        } else {
            if (typed.front() != name.front()) return false;
            typed.remove_prefix(1);
            name.remove_prefix(1);
        }
    }
    return typed.empty() && name.empty();
}

std::vector<TensorIndex> tensors_called(const ModelGraph& graph, std::string_view path) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (graph.tensors[i].id == path) return {static_cast<TensorIndex>(i)};
    for (const StoredTensor& stored : graph.stored)
        if (is_stored_as(path, stored.name)) return stored.parts;
    return {};
}

class QuestionReader {
  public:
    QuestionReader(std::string_view text, const AskAbout& about, const ModelGraph& graph)
        : text_(text),
          about_(about),
          graph_(graph),
          atoms_(atoms_of(text)),
          models_(model_names(about.presets)),
          graph_phrases_(phrases_of(graph)) {
        heard_.input = about.input;
    }

    Heard read() {
        std::vector<std::size_t> unread;
        for (std::size_t at = 0; at < atoms_.size();) {
            const Found found = at_(at);
            if (found.atoms == 0) {
                unread.push_back(at++);
                continue;
            }
            found.take();
            at += found.atoms;
        }
        report(unread);
        if (!heard_.sides && heard_.numbers.size() == 2 && !asks()) {
            heard_.sides = {heard_.numbers[0], heard_.numbers[1]};
            heard_.numbers.clear();
        }
        return std::move(heard_);
    }

  private:
    struct Found {
        std::size_t atoms = 0;
        std::function<void()> take;
    };

    bool asks() const { return heard_.quantity || !heard_.subjects.empty() || !heard_.symbols.empty(); }

    std::string words(std::size_t at, std::size_t count) const {
        const std::size_t begin = atoms_[at].begin;
        return std::string(text_.substr(begin, atoms_[at + count - 1].end - begin));
    }
    void understood(std::size_t at, std::size_t count, std::string meaning) {
        heard_.readings.push_back({words(at, count), std::move(meaning)});
    }

    // The longest reading of the words from here on; of two that are as long the first.
    Found at_(std::size_t at) {
        Found best;
        for (Found found : {input(at), sides(at), path(at), phrase(at), layer_kind(at), graph_phrase(at), model(at)})
            if (found.atoms > best.atoms) best = std::move(found);
        return best.atoms > 0 ? best : number(at);
    }

    // "tokens", and "context" beside a number.
    struct UnitAt {
        AskUnit unit = AskUnit::tokens;
        std::size_t atoms = 0;
    };
    UnitAt unit_at(std::size_t at) const {
        UnitAt longest;
        for (const AskPhrase& phrase : ask_phrases()) {
            const AskUnit* unit = std::get_if<AskUnit>(&phrase.meaning);
            const Symbol* symbol = std::get_if<Symbol>(&phrase.meaning);
            if (!unit && !(symbol && *symbol == Symbol::context)) continue;
            if (const std::size_t atoms = spelled_at(atoms_, at, phrase.words); atoms > longest.atoms)
                longest = {unit ? *unit : AskUnit::tokens, atoms};
        }
        return longest;
    }

    Found input(std::size_t at) {
        if (const ReadNumber number = number_at(atoms_, at); number.atoms > 0) {
            const UnitAt unit = unit_at(at + number.atoms);
            if (unit.atoms == 0) return {};
            const std::size_t atoms = number.atoms + unit.atoms;
            return {atoms, [=, this] { set(unit.unit, number, at, atoms); }};
        }
        UnitAt unit = unit_at(at);
        for (const auto& [letter, meaning] :
             {std::pair{"t", AskUnit::tokens}, std::pair{"b", AskUnit::batch}, std::pair{"p", AskUnit::cached}})
            if (unit.atoms == 0 && atoms_[at].text == letter) unit = {meaning, 1};
        if (unit.atoms == 0) return {};
        if (at > 0 && spelled_at(atoms_, at - 1, "full") > 0) return {};
        std::size_t behind = at + unit.atoms;
        behind += spelled_at(atoms_, behind, "of") + spelled_at(atoms_, behind, "is");
        const ReadNumber number = number_at(atoms_, behind);
        if (number.atoms == 0 || unit_at(behind + number.atoms).atoms > 0) return {};
        const std::size_t atoms = behind + number.atoms - at;
        return {atoms, [=, this] { set(unit.unit, number, at, atoms); }};
    }

    void set(AskUnit unit, const ReadNumber& number, std::size_t at, std::size_t atoms) {
        std::string meaning = grouped(number.value);
        const bool one = number.value == 1;
        switch (unit) {
            case AskUnit::tokens:
                heard_.input.tokens = number.value;
                heard_.tokens_given = true;
                meaning += one ? " token" : " tokens";
                break;
            case AskUnit::batch:
                heard_.input.batch = number.value;
                heard_.batch_given = true;
                meaning += one ? " sequence" : " sequences";
                break;
            case AskUnit::cached:
                heard_.input.cached = number.value;
                heard_.cached_given = true;
                meaning += " cached";
                break;
        }
        if (number.scaled) {
            const std::string typed =
                words(number_at(atoms_, at).atoms > 0 ? at : at + atoms - number.atoms, number.atoms);
            heard_.notes.push_back(typed + " is taken as " + grouped(number.value) + " (k = 1,024), as models count.");
        }
        understood(at, atoms, std::move(meaning));
    }

    // "4096x11008", "100 by 128"; "4 x 100 tokens" is an input.
    Found sides(std::size_t at) {
        const ReadNumber rows = number_at(atoms_, at);
        const std::size_t sign = at + rows.atoms;
        if (rows.atoms == 0 || sign >= atoms_.size() || (atoms_[sign].text != "x" && atoms_[sign].text != "by"))
            return {};
        const ReadNumber columns = number_at(atoms_, sign + 1);
        const std::size_t end = sign + 1 + columns.atoms;
        if (columns.atoms == 0) return {};
        if (end < atoms_.size() && atoms_[end].glued) return {};
        if (const UnitAt unit = unit_at(end); unit.atoms > 0 && unit.unit == AskUnit::tokens) {
            const std::size_t all = end + unit.atoms - at;
            return {all, [=, this] {
                        heard_.input.batch = rows.value;
                        heard_.batch_given = true;
                        set(AskUnit::tokens, columns, at, all);
                        heard_.readings.back().meaning =
                            grouped(rows.value) + " sequences of " + heard_.readings.back().meaning;
                    }};
        }
        const std::size_t atoms = end - at;
        return {atoms, [=, this] {
                    heard_.sides = {rows.value, columns.value};
                    understood(at, atoms, std::to_string(rows.value) + " × " + std::to_string(columns.value));
                }};
    }

    // An id or a name as the checkpoint has it, typed in full.
    Found path(std::size_t at) {
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
                    heard_.subjects.push_back({nullptr, false, tensors});
                }};
    }

    Found phrase(std::size_t at) {
        const AskPhrase* longest = nullptr;
        std::size_t atoms = 0;
        for (const AskPhrase& each : ask_phrases())
            if (const std::size_t spelled = spelled_at(atoms_, at, each.words); spelled > atoms) {
                longest = &each;
                atoms = spelled;
            }
        if (spelled_at(atoms_, at, "full context") > 0)
            return {2, [=, this] {
                        heard_.full_context = true;
                        understood(at, 2, "the whole context");
                    }};
        if (!longest) return {};
        const AskMeaning meaning = longest->meaning;
        // "head 3", "layer 0": any of them is like it.
        const bool one = meaning == AskMeaning(AskScope::one_head) || meaning == AskMeaning(AskScope::one_layer);
        const ReadNumber index = one ? number_at(atoms_, at + atoms) : ReadNumber{};
        if (index.atoms == 1 && index.value < 100'000 && input(at + atoms).atoms == 0 && sides(at + atoms).atoms == 0)
            ++atoms;
        return {atoms, [=, this] { take(meaning, at, atoms); }};
    }

    void take(const AskMeaning& meaning, std::size_t at, std::size_t atoms) {
        if (const auto* quantity = std::get_if<AskQuantity>(&meaning)) {
            // "rows and columns", "parameters ... in bytes": what is said last is meant, but weights say little.
            if (!(heard_.quantity && *quantity == AskQuantity::weights)) heard_.quantity = *quantity;
            understood(at, atoms, std::string(ask_name(*quantity)));
        } else if (const auto* scope = std::get_if<AskScope>(&meaning)) {
            heard_.scopes.push_back(*scope);
            understood(at, atoms, std::string(ask_name(*scope)));
        } else if (const auto* symbol = std::get_if<Symbol>(&meaning)) {
            heard_.symbols.push_back(*symbol);
            understood(at, atoms, std::string(info(*symbol).name));
        } else if (const auto* precision = std::get_if<Precision>(&meaning)) {
            heard_.input.precision = *precision;
            heard_.precision_given = true;
            understood(at, atoms, std::string(info(*precision).key));
        } else if (const auto* part = std::get_if<AskNotion>(&meaning)) {
            heard_.subjects.push_back({part->notion, part->weight, {}});
            understood(at, atoms, std::string(part->notion->name) + (part->weight ? ", weights" : ""));
        } else if (const auto* unit = std::get_if<AskUnit>(&meaning)) {
            constexpr std::array units{Symbol::tokens, Symbol::batch, Symbol::cached};
            heard_.symbols.push_back(units[static_cast<std::size_t>(*unit)]);
            understood(at, atoms, std::string(info(heard_.symbols.back()).name));
        }
    }

    // "dense layer" where layers differ.
    Found layer_kind(std::size_t at) {
        for (const LayerBlock& layer : graph_.layers) {
            const std::size_t atoms = layer.group.label.empty() ? 0 : spelled_at(atoms_, at, layer.group.label);
            if (atoms == 0) continue;
            const bool one = spelled_at(atoms_, at + atoms, "layer") > 0;
            if (!one && spelled_at(atoms_, at + atoms, "layers") == 0) continue;
            return {atoms + 1, [=, this, &layer] {
                        heard_.layer = layer.group.id;
                        heard_.scopes.push_back(one ? AskScope::one_layer : AskScope::all_layers);
                        understood(at, atoms + 1, layer.group.label + (one ? " layer" : " layers"));
                    }};
        }
        return {};
    }

    Found graph_phrase(std::size_t at) {
        const GraphPhrase* longest = nullptr;
        std::size_t atoms = 0;
        for (const GraphPhrase& each : graph_phrases_)
            if (const std::size_t spelled = spelled_at(atoms_, at, each.words); spelled > atoms) {
                longest = &each;
                atoms = spelled;
            }
        if (!longest) return {};
        return {atoms, [=, this] {
                    understood(at, atoms, std::string(graph_.tensors[longest->tensors.front()].label));
                    heard_.subjects.push_back({nullptr, false, longest->tensors});
                }};
    }

    Found model(std::size_t at) {
        NamedModel named = model_at(atoms_, at, models_, about_.preset);
        if (named.atoms == 0) return {};
        return {named.atoms, [=, this] {
                    if (!named.preset) return miss(at, named);
                    if (heard_.preset && heard_.preset != named.preset) {
                        heard_.notes.push_back(named.preset->architecture.name +
                                               " is left out: a question is about one model at a time.");
                        return;
                    }
                    heard_.preset = named.preset;
                    heard_.other_presets = named.others;
                    understood(at, named.atoms, named.preset->architecture.name);
                }};
    }

    // "llama 3.1 8b" is no model that is known: the nearest names are said.
    void miss(std::size_t at, const NamedModel& named) {
        AskUnknown unknown{words(at, named.atoms), {}};
        for (const Preset* each : named.others)
            if (unknown.nearest.size() < 3) unknown.nearest.push_back(each->architecture.name);
        heard_.unknown.push_back({std::move(unknown), atoms_[at].begin, atoms_[at + named.atoms - 1].end});
    }

    // A number alone, or one of something that the model has: "32 layers".
    Found number(std::size_t at) {
        const ReadNumber read = number_at(atoms_, at);
        if (read.atoms == 0) return {};
        const AskPhrase* counted = nullptr;
        std::size_t atoms = 0;
        for (const AskPhrase& each : ask_phrases())
            if (std::holds_alternative<Symbol>(each.meaning))
                if (const std::size_t spelled = spelled_at(atoms_, at + read.atoms, each.words); spelled > atoms) {
                    counted = &each;
                    atoms = spelled;
                }
        if (counted)
            return {read.atoms + atoms, [=, this] {
                        const Symbol symbol = std::get<Symbol>(counted->meaning);
                        heard_.claims.emplace_back(symbol, read.value);
                        understood(at, read.atoms + atoms, grouped(read.value) + " " + std::string(info(symbol).name));
                    }};
        return {read.atoms, [=, this] {
                    heard_.numbers.push_back(read.value);
                    understood(at, read.atoms, grouped(read.value));
                }};
    }

    // A name as it is shown, and as atoms spell it.
    struct Known {
        std::string spelled, shown;
    };
    static Known known(std::string_view name) { return {joined(atoms_of(name)), std::string(name)}; }

    std::vector<Known> vocabulary() const {
        std::vector<Known> all;
        for (const AskPhrase& phrase : ask_phrases())
            if (!std::holds_alternative<AskFiller>(phrase.meaning)) all.push_back(known(phrase.words));
        for (const GraphPhrase& phrase : graph_phrases_) all.push_back(known(phrase.words));
        for (const Preset& preset : about_.presets) all.push_back(known(preset.architecture.name));
        // The families: "lama".
        for (const ModelName& model : models_)
            if (!model.name.empty() && all.back().spelled != model.name.front().text)
                all.push_back({model.name.front().text, model.name.front().text});
        return all;
    }

    // What begins so comes first, then what differs in a few letters.
    static std::vector<std::string> nearest(std::string_view word, std::span<const Known> all) {
        constexpr std::size_t most = 3;
        std::vector<const Known*> begun;
        std::vector<std::string_view> others;
        for (const Known& each : all) {
            if (word.size() >= 3 && each.spelled.starts_with(word)) begun.push_back(&each);
            if (each.spelled.size() >= std::min<std::size_t>(word.size(), 3)) others.push_back(each.spelled);
        }
        std::stable_sort(begun.begin(), begun.end(),
                         [](const Known* a, const Known* b) { return a->spelled.size() < b->spelled.size(); });
        std::vector<std::string> names;
        auto add = [&](const Known& name) {
            if (names.size() < most && std::find(names.begin(), names.end(), name.shown) == names.end())
                names.push_back(name.shown);
        };
        for (const Known* each : begun) add(*each);
        for (const std::string& each : nearest_names(word, others, most))
            add(*std::find_if(all.begin(), all.end(), [&](const Known& name) { return name.spelled == each; }));
        return names;
    }

    // Words next to each other that were not understood may be one with a slip: "fed forward".
    void report(const std::vector<std::size_t>& unread) {
        const std::vector<Known> all = unread.empty() ? std::vector<Known>{} : vocabulary();
        constexpr std::size_t most = 6;  // that near ones are looked for
        std::size_t looked = 0;
        for (std::size_t i = 0; i < unread.size();) {
            std::size_t run = 1;
            while (i + run < unread.size() && unread[i + run] == unread[i] + run) ++run;
            std::size_t taken = 1;
            while (taken < run && atoms_[unread[i + taken]].glued) ++taken;
            std::vector<std::string> names;
            if (looked++ < most) {
                for (std::size_t count = std::min<std::size_t>(run, 3); count > taken && names.empty(); --count) {
                    names = nearest(joined(std::span(atoms_).subspan(unread[i], count)), all);
                    if (!names.empty()) taken = count;
                }
                if (names.empty()) names = nearest(joined(std::span(atoms_).subspan(unread[i], taken)), all);
            }
            heard_.unknown.push_back({{words(unread[i], taken), std::move(names)},
                                      atoms_[unread[i]].begin,
                                      atoms_[unread[i] + taken - 1].end});
            i += taken;
        }
    }

    std::string_view text_;
    const AskAbout& about_;
    const ModelGraph& graph_;
    std::vector<Atom> atoms_;
    std::vector<ModelName> models_;
    std::vector<GraphPhrase> graph_phrases_;
    Heard heard_;
};

}  // namespace

bool Heard::has(AskScope scope) const {
    return std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
}

Heard read_question(std::string_view text, const AskAbout& about, const ModelGraph& graph) {
    return QuestionReader(text, about, graph).read();
}

}  // namespace headcount
