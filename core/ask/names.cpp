// What a question names: tensors by the words of a graph, and shipped models.

#include <algorithm>
#include <utility>

#include "core/ask/ask.hpp"
#include "core/ask/words.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// "model.layers.{i}.mlp.up_proj.weight" of "model.layers.3.mlp.up_proj.weight".
bool is_stored_as(std::string_view typed, std::string_view name) {
    while (!typed.empty() && !name.empty()) {
        if (name.front() == '{') {
            name.remove_prefix(std::min(name.find('}') + 1, name.size()));
            if (!is_digit(typed.front())) return false;
            typed.remove_prefix(std::min(typed.find_first_not_of("0123456789"), typed.size()));
        } else {
            if (typed.front() != name.front()) return false;
            typed.remove_prefix(1);
            name.remove_prefix(1);
        }
    }
    return typed.empty() && name.empty();
}

// How well atoms fit a name: as many as possible, then the whole name, then no size cut in two, then few words left
// out.
struct Fit {
    std::size_t atoms = 0, skipped = 0, left = 0;
    bool cut = false;  // "gemma 2" of "Gemma 2B"

    bool better(const Fit& other) const {
        if (atoms != other.atoms) return atoms > other.atoms;
        if ((skipped + left == 0) != (other.skipped + other.left == 0)) return skipped + left == 0;
        if (cut != other.cut) return other.cut;
        return skipped < other.skipped;
    }
    bool as_good(const Fit& other) const { return !better(other) && !other.better(*this); }
};

Fit fit_of(std::span<const Atom> atoms, std::size_t at, std::span<const Atom> name) {
    if (name.empty() || at >= atoms.size() || atoms[at].text != name[0].text) return {};
    Fit fit{1, 0, name.size() - 1};
    std::size_t next = 1;
    while (at + fit.atoms < atoms.size()) {
        std::size_t found = next;
        while (found < name.size() && name[found].text != atoms[at + fit.atoms].text) ++found;
        if (found == name.size()) break;
        fit.skipped += found - next;
        next = found + 1;
        ++fit.atoms;
        fit.left = name.size() - next;
    }
    fit.cut = next < name.size() && name[next].glued && name[next - 1].number;
    return fit;
}

// The atoms without what may stand between words, so that "tiny llama" is "tinyllama". Two numbers stay two.
std::string spelling(std::span<const Atom> atoms) {
    std::string all;
    for (std::size_t i = 0; i < atoms.size(); ++i)
        all += (i > 0 && atoms[i].number && atoms[i - 1].number ? " " : "") + atoms[i].text;
    return all;
}

// The longest name in full that is spelled from here on.
Fit full_fit(std::span<const std::string> typed, const ModelName& name) {
    for (std::size_t count = typed.size(); count > 0; --count)
        if (contains(name.in_full, typed[count - 1])) return {count, 0, 0};
    return {};
}

// Whether these atoms are a number of something, which is no part of a name: "100 tokens", "2 layers", "24 GB",
// "4096x11008".
bool counts_something(std::span<const Atom> atoms, std::size_t at) {
    const ReadNumber number = number_at(atoms, at);
    if (number.atoms == 0) return false;
    const std::size_t behind = at + number.atoms;
    if (behind + 1 < atoms.size() && atoms[behind].text == "x" && atoms[behind + 1].number)
        return !(behind + 2 < atoms.size() && atoms[behind + 2].glued);  // "8x7b" has no sides
    const bool thousands_of_millions =
        behind < atoms.size() && (atoms[behind].text == "t" || atoms[behind].text == "b");
    if (thousands_of_millions && spelled_at(atoms, behind + 1, "tokens") > 0) return true;             // of a training
    if (behind < atoms.size() && atoms[behind].text.size() == 1 && atoms[behind].glued) return false;  // "8b", "4e1t"
    return std::ranges::any_of(ask_phrases(), [&](const AskPhrase& phrase) {
        const AskMeaning& meaning = phrase.meaning;
        const bool counted = std::holds_alternative<AskUnit>(meaning) || std::holds_alternative<Symbol>(meaning) ||
                             meaning == AskMeaning(AskQuantity::bytes);
        return (counted && spelled_at(atoms, behind, phrase.words) > 0) ||
               (!std::holds_alternative<AskFiller>(meaning) && spelled_at(atoms, at, phrase.words) > 1);
    });
}

// How many atoms behind a name go on with it: "8b" of "llama 3.1 8b", "4" of "gpt4".
std::size_t leftover(std::span<const Atom> atoms, std::size_t at) {
    std::size_t count = 0;
    while (at + count < atoms.size()) {
        const Atom& atom = atoms[at + count];
        const bool large = atom.number && number_at(atoms, at + count).value >= 1000;
        const bool version = atom.text == "v" && at + count + 1 < atoms.size() && atoms[at + count + 1].glued &&
                             atoms[at + count + 1].number;
        if (!version && !atom.glued && (!atom.number || large || counts_something(atoms, at + count))) break;
        ++count;
    }
    return count;
}

// Names that hold these glued atoms anywhere: "8x7b".
NamedModel size_at(std::span<const Atom> atoms, std::size_t at, std::span<const ModelName> names) {
    std::size_t count = 1;
    while (at + count < atoms.size() && atoms[at + count].glued) ++count;
    const std::string& last = atoms[at + count - 1].text;
    if (!atoms[at].number || count < 2 || (last != "b" && last != "m") || (count == 2 && last == "m")) return {};
    NamedModel found{nullptr, count, {}};
    auto same = [](const Atom& a, const Atom& b) { return a.text == b.text; };
    for (const ModelName& each : names)
        if (std::search(each.id.begin(), each.id.end(), atoms.begin() + static_cast<std::ptrdiff_t>(at),
                        atoms.begin() + static_cast<std::ptrdiff_t>(at + count), same) != each.id.end())
            found.others.push_back(each.preset);
    if (found.others.size() == 1) {
        found.preset = found.others.front();
        found.others.clear();
    }
    return found;
}

// The models whose names share most with what was typed.
std::vector<const Preset*> near(std::span<const Atom> typed, std::span<const ModelName> names) {
    constexpr std::size_t most = 3;
    std::vector<std::pair<std::size_t, const Preset*>> ranked;
    for (const ModelName& each : names) {
        std::size_t shared = 0;
        for (const Atom& atom : typed)
            shared += static_cast<std::size_t>(
                std::ranges::any_of(each.name, [&](const Atom& own) { return own.text == atom.text; }));
        if (fit_of(typed, 0, each.id).atoms + fit_of(typed, 0, each.name).atoms > 0)
            ranked.emplace_back(shared, each.preset);
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<const Preset*> nearest;
    for (std::size_t i = 0; i < ranked.size() && i < most; ++i) nearest.push_back(ranked[i].second);
    return nearest;
}

}  // namespace

std::vector<GraphPhrase> phrases_of(const ModelGraph& graph) {
    std::vector<GraphPhrase> phrases;
    auto add = [&](std::string_view words, TensorIndex tensor) {
        std::string spelled = joined(atoms_of(words));
        if (spelled.empty()) return;
        const auto found =
            std::ranges::find_if(phrases, [&](const GraphPhrase& phrase) { return phrase.words == spelled; });
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

std::vector<TensorIndex> tensors_called(const ModelGraph& graph, std::string_view path) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (graph.tensors[i].id == path) return {static_cast<TensorIndex>(i)};
    for (const StoredTensor& stored : graph.stored)
        if (is_stored_as(path, stored.name)) return stored.parts;
    return {};
}

namespace {

std::vector<ModelName> model_names(std::span<const Preset> presets) {
    std::vector<ModelName> names;
    names.reserve(presets.size());
    for (const Preset& preset : presets) {
        ModelName name{&preset, atoms_of(preset.id), atoms_of(preset.architecture.name), {}};
        name.in_full = {spelling(name.id), spelling(name.name)};
        std::vector<std::string> owners;
        const auto add = [&](std::string_view published) {
            const std::size_t owner = published.find('/') + 1;
            name.in_full.push_back(spelling(atoms_of(published.substr(owner))));
            if (owner > 0) owners.push_back(spelling(atoms_of(published.substr(0, owner))));
        };
        if (const std::string_view published = published_name(preset); !published.empty()) add(published);
        for (const std::string& also : preset.also) add(also);
        // "deepseek-ai/DeepSeek-V3" however the file is called there.
        const std::vector<std::string> without = name.in_full;
        for (const std::string& owner : owners)
            for (const std::string& each : without) name.in_full.push_back(owner + each);
        names.push_back(std::move(name));
    }
    return names;
}

}  // namespace

const std::vector<ModelName>& AskMemory::names(std::span<const Preset> presets) {
    if (!names_ || named_.data() != presets.data() || named_.size() != presets.size()) {
        names_ = std::make_shared<const std::vector<ModelName>>(model_names(presets));
        named_ = presets;
    }
    return *names_;
}

NamedModel model_at(std::span<const Atom> atoms, std::size_t at, std::span<const ModelName> names,
                    std::string_view likely) {
    constexpr std::size_t longest = 12;  // atoms of a name
    if (at >= atoms.size()) return {};
    // A number that something is counted with is no version: "llama 3 tokens" would be none.
    std::size_t end = at + 1;
    while (end < atoms.size() && !(atoms[end].number && !atoms[end].glued && counts_something(atoms, end))) ++end;
    const std::span<const Atom> readable = atoms.first(end);
    std::vector<std::string> typed;
    // But a whole name may go on behind it, and behind what it counts: "granite 4.0 h micro".
    const std::size_t beyond = end + number_at(atoms, end).atoms + 1 - at;
    for (std::size_t count = 1; count <= std::min(longest, atoms.size() - at); ++count)
        typed.push_back(count <= end - at || count > beyond ? spelling(atoms.subspan(at, count)) : "");
    Fit best;
    NamedModel named;
    for (const ModelName& each : names) {
        Fit fit = fit_of(readable, at, each.id);
        if (const Fit by_name = fit_of(readable, at, each.name); by_name.better(fit)) fit = by_name;
        if (const Fit in_full = full_fit(typed, each); in_full.better(fit)) fit = in_full;
        if (fit.atoms == 0) continue;
        if (fit.better(best)) {
            best = fit;
            named = {each.preset, fit.atoms, {}};
        } else if (fit.as_good(best)) {
            named.others.push_back(each.preset);
        }
    }
    if (!named.preset) return size_at(atoms, at, names);
    if (const std::size_t more = leftover(atoms, at + named.atoms); more > 0)
        return {nullptr, named.atoms + more, near(atoms.subspan(at, named.atoms + more), names)};
    if (best.skipped + best.left == 0) named.others.clear();
    for (const Preset*& other : named.others)
        if (other->id == likely) std::swap(other, named.preset);
    return named;
}

}  // namespace headcount
