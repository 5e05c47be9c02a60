// The normalizers and pre-tokenizers of a tokenizer.json.
#include "core/tokenizer/json_steps.hpp"

#include "core/base/utf8.hpp"
#include "core/tokenizer/json_value.hpp"

namespace headcount {

using namespace tokenizer_json;

namespace {

Error not_known(const char* what, const std::string& type, const std::string& where) {
    return {std::string("the ") + what + " " + in_quotes(type) + " is not supported", where, "use another tokenizer"};
}

Result<Pattern> read_pattern(const Json& json, const std::string& where) {
    const Json& pattern = value(json, "pattern");
    const std::string place = where + ".pattern";
    if (const Json& text = value(pattern, "String"); text.is_string())
        return Pattern::text(text.get_ref<const std::string&>(), place);
    if (const Json& text = value(pattern, "Regex"); text.is_string())
        return Pattern::expression(text.get_ref<const std::string&>(), place);
    return expected("a String or a Regex", place);
}

Result<ReplaceText> read_replace(const Json& json, const std::string& where) {
    Result<Pattern> what = read_pattern(json, where);
    if (!what) return what.error();
    Result<std::string> by = text(json, "content", where);
    if (!by) return by.error();
    return ReplaceText{*std::move(what), *std::move(by)};
}

std::optional<Error> read(const Json& json, const std::string& where, std::vector<Normalizer>& into) {
    const Result<std::string> type = text(json, "type", where);
    if (!type) return type.error();
    if (*type == "Sequence") {
        const Json& list = value(json, "normalizers");
        if (!list.is_array()) return expected("a list", where + ".normalizers");
        for (std::size_t i = 0; i < list.size(); ++i)
            if (std::optional<Error> error = read(list[i], at(where + ".normalizers", i), into)) return error;
        return std::nullopt;
    }
    constexpr std::pair<const char*, NormalForm> forms[] = {
        {"NFC", NormalForm::nfc}, {"NFD", NormalForm::nfd}, {"NFKC", NormalForm::nfkc}, {"NFKD", NormalForm::nfkd}};
    for (const auto& [name, form] : forms)
        if (*type == name) {
            into.emplace_back(form);
            return std::nullopt;
        }
    if (*type == "ByteLevel") {
        into.emplace_back(ToLetters{});
    } else if (*type == "Prepend") {
        Result<std::string> what = text(json, "prepend", where);
        if (!what) return what.error();
        into.emplace_back(Prepend{*std::move(what)});
    } else if (*type == "Replace") {
        Result<ReplaceText> replace = read_replace(json, where);
        if (!replace) return replace.error();
        into.emplace_back(*std::move(replace));
    } else {
        return not_known("normalizer", *type, where);
    }
    return std::nullopt;
}

Result<PreTokenizer> read_split(const Json& json, const std::string& where) {
    constexpr std::pair<const char*, Behavior> behaviors[] = {{"Removed", Behavior::removed},
                                                              {"Isolated", Behavior::isolated},
                                                              {"MergedWithPrevious", Behavior::merged_with_previous},
                                                              {"MergedWithNext", Behavior::merged_with_next},
                                                              {"Contiguous", Behavior::contiguous}};
    Result<Pattern> pattern = read_pattern(json, where);
    if (!pattern) return pattern.error();
    const Result<bool> inverted = truth(json, "invert", false, where);
    if (!inverted) return inverted.error();
    const Result<std::string> wanted = text(json, "behavior", where);
    if (!wanted) return wanted.error();
    for (const auto& [name, behavior] : behaviors)
        if (*wanted == name) return PreTokenizer(Split{*std::move(pattern), behavior, *inverted});
    return not_known("behavior", *wanted, where + ".behavior");
}

Result<PreTokenizer> read_byte_level(const Json& json, const std::string& where) {
    const Result<bool> space = truth(json, "add_prefix_space", true, where);
    const Result<bool> words = truth(json, "use_regex", true, where);
    if (!space) return space.error();
    if (!words) return words.error();
    ByteLevel level{*space, std::nullopt};
    if (*words) {
        Result<Pattern> pattern = Pattern::expression(gpt2_words, where);
        if (!pattern) return pattern.error();
        level.words = *std::move(pattern);
    }
    return PreTokenizer(std::move(level));
}

Result<PreTokenizer> read_metaspace(const Json& json, const std::string& where) {
    Result<std::string> letter = text(json, "replacement", where);
    if (!letter) return letter.error();
    if (letter->empty()) return expected("a letter", where + ".replacement");
    const Result<bool> split = truth(json, "split", true, where);
    const Result<bool> older = truth(json, "add_prefix_space", true, where);
    if (!split) return split.error();
    if (!older) return older.error();
    Metaspace metaspace{*std::move(letter), *older ? Metaspace::Before::always : Metaspace::Before::never, *split};
    if (value(json, "prepend_scheme").is_null()) return PreTokenizer(std::move(metaspace));
    const Result<std::string> scheme = text(json, "prepend_scheme", where);
    if (!scheme) return scheme.error();
    if (*scheme == "always")
        metaspace.before = Metaspace::Before::always;
    else if (*scheme == "first")
        metaspace.before = Metaspace::Before::first;
    else if (*scheme == "never")
        metaspace.before = Metaspace::Before::never;
    else
        return not_known("scheme", *scheme, where + ".prepend_scheme");
    return PreTokenizer(std::move(metaspace));
}

// Pre-tokenizers that have a pattern of their own.
Result<PreTokenizer> read_named(const Json& json, const std::string& type, const std::string& where) {
    const auto split = [&](const char* expression, Behavior behavior, bool inverted) -> Result<PreTokenizer> {
        Result<Pattern> pattern = Pattern::expression(expression, where);
        if (!pattern) return pattern.error();
        return PreTokenizer(Split{*std::move(pattern), behavior, inverted});
    };
    if (type == "Digits") {
        const Result<bool> each = truth(json, "individual_digits", false, where);
        if (!each) return each.error();
        return split(R"(\p{N})", *each ? Behavior::isolated : Behavior::contiguous, false);
    }
    if (type == "WhitespaceSplit") return split(R"(\s)", Behavior::removed, false);
    if (type == "Whitespace")
        return split(R"([\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}]+|[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\s]+)", Behavior::removed, true);
    return not_known("pre-tokenizer", type, where);
}

Result<PreTokenizer> read_punctuation(const Json& json, const std::string& where) {
    Json split = json;
    split["pattern"] = {{"Regex", R"([!-/:-@\[-`{-~]|\p{P})"}};
    if (value(json, "behavior").is_null()) split["behavior"] = "Isolated";
    return read_split(split, where);
}

std::optional<Error> read(const Json& json, const std::string& where, std::vector<PreTokenizer>& into) {
    const Result<std::string> type = text(json, "type", where);
    if (!type) return type.error();
    if (*type == "Sequence") {
        const Json& list = value(json, "pretokenizers");
        if (!list.is_array()) return expected("a list", where + ".pretokenizers");
        for (std::size_t i = 0; i < list.size(); ++i)
            if (std::optional<Error> error = read(list[i], at(where + ".pretokenizers", i), into)) return error;
        return std::nullopt;
    }
    Result<PreTokenizer> made = *type == "Split"         ? read_split(json, where)
                                : *type == "ByteLevel"   ? read_byte_level(json, where)
                                : *type == "Metaspace"   ? read_metaspace(json, where)
                                : *type == "Punctuation" ? read_punctuation(json, where)
                                                         : read_named(json, *type, where);
    if (!made) return made.error();
    into.push_back(*std::move(made));
    return std::nullopt;
}

}  // namespace

Result<std::vector<Normalizer>> read_normalizers(const Json& json, const std::string& where) {
    std::vector<Normalizer> steps;
    if (!json.is_null())
        if (std::optional<Error> error = read(json, where, steps)) return *std::move(error);
    return steps;
}

Result<std::vector<PreTokenizer>> read_pre_tokenizers(const Json& json, const std::string& where) {
    std::vector<PreTokenizer> steps;
    if (!json.is_null())
        if (std::optional<Error> error = read(json, where, steps)) return *std::move(error);
    return steps;
}

}  // namespace headcount
