// The phrases that the ask bar understands in any model: assets/ask/phrases.json, which the build embeds. The graph's
// own labels and symbols come on top.
#include <algorithm>
#include <array>
#include <cassert>
#include <nlohmann/json.hpp>

#include "core/arch/fields.hpp"
#include "core/ask/words.hpp"
#include "core/base/text.hpp"
#include "embedded_phrases.hpp"

namespace headcount {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 13> quantity_names{
    "parameters", "weights", "size",  "active parameters", "shape",   "rows", "columns", "numbers",
    "bytes",      "copies",  "share", "tensors",           "matrices"};
constexpr std::array<std::string_view, 8> scope_names{"one head", "all heads", "one layer",  "all layers",
                                                      "in total", "one token", "one expert", "all experts"};
constexpr std::array<std::string_view, 31> wide_names{"the largest matrix",
                                                      "the smallest matrix",
                                                      "the largest activation",
                                                      "the largest part",
                                                      "arithmetic",
                                                      "two models compared",
                                                      "which is larger",
                                                      "which is smaller",
                                                      "what fits",
                                                      "memory of all",
                                                      "how many devices",
                                                      "a figure",
                                                      "how long a training lasts",
                                                      "adapters",
                                                      "scaling laws",
                                                      "a model with",
                                                      "the model with the most",
                                                      "the model with the fewest",
                                                      "which models there are",
                                                      "the newest",
                                                      "the oldest",
                                                      "where it is from",
                                                      "devices compared",
                                                      "whether the embedding is the output head",
                                                      "memory of activations",
                                                      "bits of a parameter",
                                                      "bytes of a parameter",
                                                      "which layers are which",
                                                      "so many parameters",
                                                      "a ratio",
                                                      "a field"};
constexpr std::array<std::string_view, 7> change_names{"another value", "twice", "half", "tied",
                                                       "untied",        "more",  "fewer"};
constexpr std::array<std::string_view, 3> unit_names{"tokens", "batch", "cached"};

// The value of an enumeration that has this name there.
template <class Kind>
Kind called(std::string_view name, Names names) {
    const std::optional<Kind> kind = choice_called<Kind>(names, name);
    assert(kind);
    return *kind;
}

template <class Info>
const Info& with_key(std::string_view key, std::span<const Info> all) {
    const auto found = std::ranges::find_if(all, [&](const Info& each) { return each.key == key; });
    assert(found != all.end());
    return *found;
}

// What a word of the file stands for in one of its sections.
AskMeaning meaning_of(std::string_view section, std::string_view name) {
    if (section == "quantities") return called<AskQuantity>(name, quantity_names);
    if (section == "scopes") return called<AskScope>(name, scope_names);
    if (section == "questions") return called<AskWide>(name, wide_names);
    if (section == "figures") return with_key(name, std::span<const MetricInfo>(metrics)).metric;
    if (section == "changes") return called<AskChange>(name, change_names);
    if (section == "inputs") return called<AskUnit>(name, unit_names);
    if (section == "precisions") return Formats(with_key(name, precisions()).precision);
    if (section == "passes") return called<Phase>(name, phase_nouns);
    if (section == "adapters") return called<AdapterKind>(name, adapter_words);
    if (section == "optimizers") return called<Optimizer>(name, optimizer_words());
    const auto symbol = [](std::string_view key) {
        return with_key(key, std::span<const SymbolInfo>(symbols())).symbol;
    };
    if (section == "ratios") {  // "heads/kv_heads"
        const std::size_t stroke = name.find('/');
        return AskRatio{symbol(name.substr(0, stroke)), symbol(name.substr(stroke + 1))};
    }
    assert(section == "dimensions");
    return symbol(name);
}

struct Vocabulary {
    std::vector<Notion> notions;
    std::vector<AskPhrase> phrases;

    void add(const nlohmann::json& words, const AskMeaning& meaning) {
        for (const nlohmann::json& each : words) phrases.push_back({each.get<std::string>(), meaning});
    }

    // Of two with one name the first. A single letter is more often another thing's.
    void add_new(std::string_view name, const AskMeaning& meaning) {
        std::string words = joined(atoms_of(name));
        const auto known = [&](const AskPhrase& each) { return each.words == words; };
        if (words.size() > 1 && std::ranges::none_of(phrases, known)) phrases.push_back({std::move(words), meaning});
    }
};

Vocabulary read_vocabulary() {
    const auto bytes = embedded_phrases().front().bytes;  // phrases.json
    const nlohmann::json file = nlohmann::json::parse(bytes.begin(), bytes.end());
    Vocabulary read;
    const nlohmann::json& parts = file.at("parts");
    for (const nlohmann::json& part : parts) {
        const auto text = [&](const char* key) { return part.value(key, std::string()); };
        read.notions.push_back({.name = text("name"),
                                .activation = text("activation"),
                                .head = text("head"),
                                .parameter = text("parameter"),
                                .sum = text("sum"),
                                .natural = called<AskQuantity>(part.value("asked", "shape"), quantity_names)});
        if (const std::string width = text("width"); !width.empty())
            read.notions.back().width = with_key(width, std::span<const SymbolInfo>(symbols())).symbol;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        read.add(parts[i].value("words", nlohmann::json::array()), AskNotion{&read.notions[i], false});
        read.add(parts[i].value("weights", nlohmann::json::array()), AskNotion{&read.notions[i], true});
    }
    for (const auto& [section, meanings] : file.items()) {
        if (!meanings.is_object() || section == "choices") continue;  // which choices.cpp reads
        for (const auto& [name, words] : meanings.items()) read.add(words, meaning_of(section, name));
    }
    read.add(file.at("less"), AskLess{});
    read.add(file.at("fillers"), AskFiller{});
    read.add(file.at("often_misspelt"), AskFiller{true});
    for (const SymbolInfo& symbol : symbols())
        if (field_of(symbol.symbol))
            for (const std::string_view words : {symbol.name, symbol.text}) read.add_new(words, symbol.symbol);
    for (const FieldInfo& field : fields())
        if (!field.symbol)
            for (const std::string_view words : {field.label, field.key}) read.add_new(words, field.field);
    for (const RecipeInfo& recipe : recipes()) read.add_new(recipe.key, recipe.recipe);
    for (const PrecisionInfo& format : precisions()) read.add_new(format.key, format.precision);
    return read;
}

// Whose notions stay where they are: phrases point at them.
const Vocabulary& shipped_vocabulary() {
    static const Vocabulary read = read_vocabulary();
    return read;
}

}  // namespace

std::span<const Notion> notions() { return shipped_vocabulary().notions; }

const Notion& notion(std::string_view name) {
    const std::span<const Notion> all = notions();
    const auto found = std::ranges::find_if(all, [&](const Notion& each) { return each.name == name; });
    assert(found != all.end());
    return *found;
}

std::span<const AskPhrase> ask_phrases() { return shipped_vocabulary().phrases; }

std::string_view ask_name(AskQuantity quantity) { return word_of(quantity_names, quantity); }

std::string_view ask_name(AskScope scope) { return word_of(scope_names, scope); }

std::string_view ask_name(AskChange change) { return word_of(change_names, change); }

std::string_view ask_name(AskWide wide) { return word_of(wide_names, wide); }

}  // namespace headcount
