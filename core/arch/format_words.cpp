// How formats are called, and read.
#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <vector>

#include "core/arch/formats.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, weight_kind_count> kind_words{
    "embedding", "attention", "recurrence", "feed_forward", "experts", "router", "output", "norm"};
constexpr std::string_view layers_word = "layers";

// The same in small letters, with one sign between parts.
std::string plain(std::string_view text) {
    std::string word = lower(text);
    std::ranges::replace(word, '-', '_');
    return word;
}

template <class Table>
auto find_word(const Table& table, std::string_view text) {
    return std::ranges::find_if(table, [word = plain(text)](const auto& each) { return plain(each.key) == word; });
}

// What people also write.
std::string_view usual_name(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> others{{{"f32", "fp32"},
                                                                                    {"float32", "fp32"},
                                                                                    {"f16", "fp16"},
                                                                                    {"float16", "fp16"},
                                                                                    {"bfloat16", "bf16"},
                                                                                    {"fp8_e4m3", "fp8"},
                                                                                    {"fp8-e4m3", "fp8"},
                                                                                    {"int4-g32", "int4"},
                                                                                    {"q8", "q8_0"},
                                                                                    {"nf4-dq", "nf4-double"}}};
    for (const auto& [other, usual] : others)
        if (lower(text) == other) return usual;
    return text;
}

template <class... Tables>
std::vector<std::string_view> words_of(const Tables&... tables) {
    std::vector<std::string_view> words;
    const auto add = [&](const auto& table) {
        for (const auto& each : table)
            if (!contains(words, each.key)) words.push_back(each.key);
    };
    (add(tables), ...);
    return words;
}

Error unknown_format(std::string_view text, std::string_view what, const std::vector<std::string_view>& words) {
    // What is the name of a method, or of several formats.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> others{
        {{"gptq", "say how it is stored, such as int4-g128-zeros"},
         {"awq", "say how it is stored, such as int4-g128-zeros"},
         {"fp4", "say which: mxfp4 or nvfp4"}}};
    for (const auto& [name, fix] : others)
        if (lower(text) == name) return {quote(text) + " is no number format", std::string(what), std::string(fix)};
    const std::string all = listed(words);
    return {quote(text) + " is no number format", std::string(what), did_you_mean(text, words, "use one of " + all)};
}

// What a layout's numbers of bits are for.
constexpr std::array<std::pair<std::string_view, std::int64_t Layout::*>, 3> units{
    {{"row", &Layout::row_bits}, {"column", &Layout::column_bits}, {"tensor", &Layout::tensor_bits}}};
constexpr const char* nothing_shared = ":0/tensor";

constexpr std::int64_t most_bits = std::int64_t{1} << 32, most_layers = 1'000'000;

// A whole number up to this, and nothing else.
std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t most) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || number < 0 || number > most) return std::nullopt;
    return number;
}

// One "20/128" of what is shared.
bool put_shared(std::string_view part, Layout& layout) {
    const std::size_t slash = part.find('/');
    if (slash == std::string_view::npos) return false;
    const std::optional<std::int64_t> bits = whole_number(part.substr(0, slash), most_bits);
    const std::string_view unit = part.substr(slash + 1);
    if (!bits) return false;
    for (const auto& [word, of] : units)
        if (unit == word) {
            layout.*of = *bits;
            return true;
        }
    const std::size_t times = unit.find('x');
    const std::optional<std::int64_t> numbers = whole_number(unit.substr(0, times), most_bits);
    if (!numbers || *numbers < 2) return false;
    if (times != std::string_view::npos) {
        if (unit.substr(times + 1) != unit.substr(0, times)) return false;
        layout.blocks = Blocks::tile;
    }
    if (layout.block > 1) {
        layout.outer = *numbers;
        layout.outer_bits = *bits;
    } else {
        layout.block = *numbers;
        layout.block_bits = *bits;
    }
    return true;
}

// "int4:20/128:32/column".
Result<Precision> with_layout(const Precision& base, std::string_view text, std::string_view what) {
    if (info(base).gguf || info(base).bits > 16)
        return Error{quote(text) + " is no number format: " + std::string(info(base).key) +
                         (info(base).gguf ? " has its own blocks" : " has no scales"),
                     std::string(what), "leave out what stands behind the colon"};
    Layout layout;
    if (info(base).layout.blocks == Blocks::flat) layout.blocks = Blocks::flat;
    for (std::string_view rest = text.substr(text.find(':') + 1);;) {
        const std::string_view part = rest.substr(0, rest.find(':'));
        if (!put_shared(part, layout))
            return Error{quote(part) + " is nothing that numbers share", std::string(what),
                         "write bits of a group, a row, a column or the tensor: int4:16/128:32/column"};
        if (part.size() == rest.size()) break;
        rest.remove_prefix(part.size() + 1);
    }
    return Precision(base.numbers, layout);
}

constexpr std::string_view layer_index = "{i}";

// "model.layers.[0-2+5].mlp.up_proj.weight".
std::string name_text(const NamedFormat& named) {
    std::string layers;
    for (const auto& [first, last] : named.layers)
        layers +=
            (layers.empty() ? "" : "+") + std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
    std::string name = named.tensor;
    const std::size_t at = name.find(layer_index);
    if (!layers.empty() && at != std::string::npos) name.replace(at, layer_index.size(), "[" + layers + "]");
    return name;
}

Result<NamedFormat> parse_named(std::string_view name, const Precision& precision, std::string_view what) {
    const std::size_t open = name.find('['), close = name.find(']');
    NamedFormat named{std::string(name), {}, precision};
    if (open == std::string_view::npos && close == std::string_view::npos) return named;
    const Error wrong{quote(name) + " does not say which layers", std::string(what),
                      "write them as model.layers.[0-2+5].mlp.up_proj.weight"};
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return wrong;
    std::string_view layers = name.substr(open + 1, close - open - 1);
    while (true) {
        const std::string_view range = layers.substr(0, layers.find('+'));
        const std::size_t dash = range.find('-');
        const std::optional<std::int64_t> first = whole_number(range.substr(0, dash), most_layers);
        const std::optional<std::int64_t> last =
            dash == std::string_view::npos ? first : whole_number(range.substr(dash + 1), most_layers);
        if (!first || !last || *last < *first) return wrong;
        named.layers.emplace_back(*first, *last);
        if (range.size() == layers.size()) break;
        layers.remove_prefix(range.size() + 1);
    }
    named.tensor.replace(open, close - open + 1, layer_index);
    return named;
}

// Which kinds of weights have a format of their own; those of the layers in one where they are alike.
std::vector<std::pair<std::string_view, Precision>> kinds_apart(const Formats& formats) {
    std::vector<std::pair<std::string_view, Precision>> kinds;
    const auto put = [&](std::string_view kind, const std::optional<Precision>& own) {
        if (own) kinds.emplace_back(kind, *own);
    };
    const auto its = [&](WeightKind kind) { return formats.own[static_cast<std::size_t>(kind)]; };
    const auto of_first = its(layer_kinds.front());
    const bool alike = std::ranges::all_of(layer_kinds, [&](WeightKind kind) { return its(kind) == of_first; });
    if (alike) put(layers_word, of_first);
    for (std::size_t i = 0; i < formats.own.size(); ++i)
        if (!alike || std::ranges::count(layer_kinds, static_cast<WeightKind>(i)) == 0)
            put(kind_words[i], formats.own[i]);
    return kinds;
}

}  // namespace

std::string formats_text(const Formats& formats) {
    if (formats.recipe) return std::string(info(*formats.recipe).key);
    std::string text;
    const auto put = [&](std::string_view kind, const Precision& own) {
        text += std::string(kind) + "=" + precision_text(own) + ",";
    };
    for (const auto& [kind, own] : kinds_apart(formats)) put(kind, own);
    for (const NamedFormat& each : formats.named) put(name_text(each), each.precision);
    const std::string rest = precision_text(formats.rest);
    // A recipe's name by itself would be read as the recipe.
    const bool plain = text.empty() && find_word(recipes(), rest) == recipes().end();
    return plain ? rest : text + "rest=" + rest;
}

std::string formats_title(const Formats& formats) {
    if (formats.recipe) return formats_text(formats);
    std::string text;
    for (const auto& [kind, own] : kinds_apart(formats)) {
        std::string words(kind);
        std::ranges::replace(words, '_', '-');
        text += precision_text(own) + " (" + words + "), ";
    }
    text += precision_text(formats.rest) + (text.empty() ? "" : " (rest)");
    return formats.named.empty() ? text : text + " but for " + std::to_string(formats.named.size()) + " by name";
}

std::string precision_text(const Precision& precision) {
    std::string text(info(precision).key);
    if (!precision.own) return text;
    const Layout& own = *precision.own;
    const auto put = [&](std::int64_t bits, const std::string& unit) {
        if (bits > 0) text += ":" + std::to_string(bits) + "/" + unit;
    };
    const std::string block = std::to_string(own.block);
    put(own.block_bits, own.blocks == Blocks::tile ? block + "x" + block : block);
    put(own.outer_bits, std::to_string(own.outer));
    for (const auto& [unit, bits] : units) put(own.*bits, std::string(unit));
    return own == Layout{} ? text + nothing_shared : text;
}

Result<Precision> parse_precision(std::string_view text, std::string_view what) {
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        const Result<Precision> base = parse_precision(text.substr(0, colon), what);
        if (!base) return base.error();
        return with_layout(*base, text, what);
    }
    const auto found = find_word(precisions(), usual_name(text));
    if (found != precisions().end()) return Precision(found->precision);
    return unknown_format(text, what, words_of(precisions()));
}

std::vector<WeightKind> kinds_called(std::string_view word) {
    if (lower(word) == layers_word) return {layer_kinds.begin(), layer_kinds.end()};
    if (const auto kind = choice_called<WeightKind>(kind_words, lower(word))) return {*kind};
    return {};
}

std::string kept_words(const Precision& precision) {
    const Layout& shared = layout(precision);
    if (shared.block <= 1 || shared.block_bits == 0) return "";
    const std::string block = std::to_string(shared.block);
    const bool tile = shared.blocks == Blocks::tile;
    const auto in_block = static_cast<double>(tile ? shared.block * shared.block : shared.block);
    double bits = static_cast<double>(info(precision).bits) + static_cast<double>(shared.block_bits) / in_block;
    std::string text = precision_text(precision) + " keeps " + std::to_string(info(precision).bits) +
                       " bits a number, and " + std::to_string(shared.block_bits) + " bits more for each " +
                       (tile ? block + " × " + block : block) + (shared.blocks == Blocks::row ? " of a row" : "");
    if (shared.outer > 0) {
        text += " and " + std::to_string(shared.outer_bits) + " for each " + std::to_string(shared.outer);
        bits += static_cast<double>(shared.outer_bits) / static_cast<double>(shared.outer);
    }
    return text + ": " + factor_text(bits) + " bits a number.";
}

Result<Formats> parse_formats(std::string_view text, std::string_view what) {
    if (text.find('=') == std::string_view::npos) {
        const auto recipe = find_word(recipes(), usual_name(text));
        if (recipe != recipes().end()) return Formats(recipe->recipe);
        const Result<Precision> all = parse_precision(text, what);
        if (all) return Formats(*all);
        if (text.find(':') != std::string_view::npos) return all.error();
        return unknown_format(text, what, words_of(precisions(), recipes()));
    }
    Formats formats;
    std::vector<std::string> said;
    for (const auto& [of, word, whole] : pairs_of(text)) {
        if (word.empty())
            return Error{quote(of) + " is no part with its format", std::string(what),
                         "write it as experts=mxfp4,rest=bf16"};
        const Result<Precision> format = parse_precision(word, what);
        if (!format) return format.error();
        const std::vector<WeightKind> kinds = kinds_called(of);
        const bool named = of.find('.') != std::string_view::npos, rest = lower(of) == "rest";
        // Of layers some may be said apart, behind them.
        const bool again =
            kinds.size() > 1 ? std::ranges::any_of(kinds, [&](WeightKind kind) { return formats.of(kind).has_value(); })
                             : std::ranges::count(said, lower(of)) > 0;
        if (again)
            return Error{quote(of) + " says anew what was said before", std::string(what),
                         kinds.size() > 1 ? "write " + std::string(layers_word) + " before its parts"
                                          : std::string("say it once")};
        said.push_back(lower(of));
        for (const WeightKind kind : kinds) formats.of(kind) = *format;
        if (rest) formats.rest = *format;
        if (rest || !kinds.empty()) continue;
        if (!named) {
            std::vector<std::string_view> known(kind_words.begin(), kind_words.end());
            known.push_back(layers_word);
            known.push_back("rest");
            return Error{quote(of) + " is no part of the weights", std::string(what), use_one_of(of, known)};
        }
        Result<NamedFormat> own = parse_named(of, *format, what);
        if (!own) return own.error();
        formats.named.push_back(*std::move(own));
    }
    return formats;
}

}  // namespace headcount
