// What people call the models that ship: "meta-llama/Llama-3.1-70B-Instruct".
#include <algorithm>
#include <array>

#include "core/base/text.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

// The name without its owner, cut wherever something stands that is neither letter nor digit: {"llama", "2", "7b"}.
std::vector<std::string> pieces_of(std::string_view name) {
    std::vector<std::string> pieces;
    bool open = false;
    for (const char letter : name.substr(name.rfind('/') + 1)) {
        if (!is_letter_or_digit(letter)) {
            open = false;
            continue;
        }
        if (!open) pieces.emplace_back();
        open = true;
        pieces.back() += lower(letter);
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
        if (!of_size && std::ranges::find(endings, last) == endings.end()) break;
        pieces.pop_back();
    }
    return pieces;
}

std::string_view owner_of(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == name.npos ? std::string_view{} : name.substr(0, slash);
}

// An owner that is named is the one who published it.
bool is_of_owner(const Preset& preset, std::string_view owner) {
    const auto same = [&](std::string_view name) { return lower(owner_of(name)) == lower(owner); };
    return owner.empty() || same(published_name(preset)) || std::ranges::any_of(preset.also, same);
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

const Preset* preset_called(std::span<const Preset> presets, std::string_view name) {
    if (const Preset* preset = find_preset(presets, name)) return preset;
    const std::vector<std::string> typed = pieces_of(name);
    if (typed.empty()) return nullptr;
    using Names = std::vector<std::string_view>;
    const std::array<Names (*)(const Preset&), 3> kinds{
        [](const Preset& preset) { return Names{preset.id}; },
        [](const Preset& preset) {
            Names names{published_name(preset)};
            names.insert(names.end(), preset.also.begin(), preset.also.end());
            return names;
        },
        [](const Preset& preset) { return Names{preset.architecture.name}; }};
    const auto only = [&](const std::string& wanted, const auto& spelling, const auto& names_of) {
        const Preset* found = nullptr;
        for (const Preset& preset : presets) {
            const auto is_wanted = [&](std::string_view each) { return spelling(each) == wanted; };
            if (!is_of_owner(preset, owner_of(name)) || !std::ranges::any_of(names_of(preset), is_wanted)) continue;
            if (found) return static_cast<const Preset*>(nullptr);
            found = &preset;
        }
        return found;
    };
    const auto whole = [](std::string_view each) { return spelled(pieces_of(each)); };
    const auto rest = [](std::string_view each) { return spelled(untuned(pieces_of(each))); };
    for (const auto& names_of : kinds)
        if (const Preset* preset = only(spelled(typed), whole, names_of)) return preset;
    for (const auto& names_of : kinds)
        if (const Preset* preset = only(spelled(untuned(typed)), rest, names_of)) return preset;
    return nullptr;
}

}  // namespace headcount
