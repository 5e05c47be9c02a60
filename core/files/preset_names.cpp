// What people call the models that ship: "meta-llama/Llama-3.1-70B-Instruct".
#include <algorithm>
#include <array>
#include <iterator>

#include "core/arch/family.hpp"
#include "core/arch/kind.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/preset_search.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

// What may stand between the words of a name. Every other sign is part of a word, so that a slip of the pen names none.
constexpr std::string_view separators = " -_.,:()";

// The words of a name without its owner: {"llama", "3.1", "70b"}. The point in a number is no separator: "gemma-3.4b"
// is another model than "gemma-3-4b".
std::vector<std::string> pieces_of(std::string_view name) {
    name.remove_prefix(name.rfind('/') + 1);
    std::vector<std::string> pieces;
    bool open = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool in_number = i > 0 && i + 1 < name.size() && is_digit(name[i - 1]) && is_digit(name[i + 1]);
        if (separators.find(name[i]) != separators.npos && !(name[i] == '.' && in_number)) {
            open = false;
            continue;
        }
        if (!open) pieces.emplace_back();
        open = true;
        pieces.back() += lower(name[i]);
    }
    return pieces;
}

// Two numbers stay two, and all else is joined: "llama2 7b", so that "Llama-2-7b" is "llama2-7b".
std::string spelled(const std::vector<std::string>& pieces) {
    std::string all;
    for (const std::string& piece : pieces)
        all += (!all.empty() && is_digit(all.back()) && is_digit(piece.front()) ? " " : "") + piece;
    return all;
}

// "8b", "135m", "8x7b": of how many parameters a model is.
bool is_size(std::string_view piece) {
    return piece.size() > 1 && is_digit(piece[piece.size() - 2]) && (piece.back() == 'b' || piece.back() == 'm');
}

// Less what is said of how it was trained on, or stored. "base" alone is no such thing: it is a size of BERT.
std::vector<std::string> untuned(std::vector<std::string> pieces) {
    constexpr std::array<std::string_view, 6> endings{"instruct", "chat", "it", "pt", "hf", "thinking"};
    while (pieces.size() > 1) {
        const std::string& last = pieces.back();
        const bool of_size = last == "base" && is_size(pieces[pieces.size() - 2]);
        if (!of_size && !contains(endings, last)) break;
        pieces.pop_back();
    }
    return pieces;
}

// Whether its first words are spelled so: "llama3" of "Llama 3 8B".
bool begins_with(std::string_view name, std::string_view wanted) {
    std::vector<std::string> pieces = pieces_of(name);
    while (!pieces.empty() && spelled(pieces) != wanted) pieces.pop_back();
    return !pieces.empty();
}

// As people call the sort.
std::string_view kind_word(const Architecture& arch) {
    const ModelKind kind = kind_of(arch);
    if (kind == ModelKind::state && attends(arch)) return "hybrid state";
    return kind == ModelKind::both ? "encoder decoder" : word_of(model_kind_keys, kind);
}

std::vector<std::string_view> names_of(const Preset& preset) {
    std::vector<std::string_view> names{preset.id, preset.architecture.name, published_name(preset)};
    names.insert(names.end(), preset.also.begin(), preset.also.end());
    return names;
}

// Whether the name says no owner, or one who published the preset.
bool is_of_owner(const Preset& preset, std::string_view name) {
    const std::size_t end = name.rfind('/') + 1;
    const std::string owner = lower(name.substr(0, end));
    const std::vector<std::string_view> names = names_of(preset);
    return end == 0 ||
           std::ranges::any_of(names, [&](std::string_view each) { return lower(each.substr(0, end)) == owner; });
}

}  // namespace

std::string_view published_name(const Preset& preset) {
    constexpr std::string_view where = "Hugging Face ";
    std::string_view source = preset.source;
    const std::size_t at = source.find(where);
    if (at == source.npos) return {};
    source.remove_prefix(at + where.size());
    source = source.substr(0, source.find_first_of(" ;,"));
    return source.find('/') == source.npos ? std::string_view{} : source;  // "blog" is no name
}

std::vector<const Preset*> presets_called(std::span<const Preset> presets, std::string_view name) {
    if (const Preset* preset = find_preset(presets, name)) return {preset};
    const auto whole = [](std::string_view each) { return spelled(pieces_of(each)); };
    const auto rest = [](std::string_view each) { return spelled(untuned(pieces_of(each))); };
    const auto all = [&](const auto& spelling, const auto& fits) {
        const std::string wanted = spelling(name);
        std::vector<const Preset*> found;
        if (wanted.empty()) return found;
        for (const Preset& preset : presets) {
            const std::vector<std::string_view> names = names_of(preset);
            const auto is_wanted = [&](std::string_view each) { return fits(each, wanted); };
            if (is_of_owner(preset, name) && std::ranges::any_of(names, is_wanted)) found.push_back(&preset);
        }
        return found;
    };
    std::vector<const Preset*> found =
        all(whole, [&](std::string_view each, std::string_view wanted) { return whole(each) == wanted; });
    if (found.empty())
        found = all(rest, [&](std::string_view each, std::string_view wanted) { return rest(each) == wanted; });
    return found.empty() ? all(whole, begins_with) : found;
}

std::string search_words(const Preset& preset) {
    std::string words = preset.id + " " + std::string(preset.architecture.family->name);
    if (preset.year) words += " " + std::to_string(*preset.year);
    words += " " + std::string(kind_word(preset.architecture));
    const std::string_view published = published_name(preset);
    words += " " + std::string(published.substr(0, published.find('/')));
    // Who wrote of it, or a short title; of a long one any word would do.
    constexpr std::ptrdiff_t most_words = 3;
    const std::string source = preset.source.substr(0, preset.source.find_first_of(",:;/"));
    if (source.find(" et al") != source.npos || std::ranges::count(source, ' ') < most_words) words += " " + source;
    return words;
}

std::vector<const Preset*> presets_about(std::span<const Preset> presets, std::string_view words) {
    const std::vector<std::string> wanted = pieces_of(words);
    std::vector<const Preset*> found;
    for (const Preset& preset : presets) {
        std::vector<std::string> own = pieces_of(search_words(preset));
        for (const std::string_view name : names_of(preset))
            std::ranges::move(pieces_of(name), std::back_inserter(own));
        const auto is_there = [&](const std::string& word) { return contains(own, word); };
        if (!wanted.empty() && std::ranges::all_of(wanted, is_there)) found.push_back(&preset);
    }
    return 2 * found.size() > presets.size() ? std::vector<const Preset*>() : found;
}

const Preset* preset_called(std::span<const Preset> presets, std::string_view name) {
    const std::vector<const Preset*> found = presets_called(presets, name);
    return found.size() == 1 ? found.front() : nullptr;
}

Error no_one_preset(std::span<const Preset> presets, std::string_view name, std::string_view where) {
    const std::vector<const Preset*> found = presets_called(presets, name);
    const std::vector<const Preset*> about = found.empty() ? presets_about(presets, name) : found;
    if (found.size() == 1 || about.empty()) return preset_named(presets, name, where).error();
    const std::string ids = listed(about, [](const Preset* each) { return each->id; });
    return {(found.empty() ? "no preset is called " : "several presets are called ") + quote(name), std::string(where),
            "name one by its id: " + ids};
}

}  // namespace headcount
