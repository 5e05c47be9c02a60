// The normalizers and the pre-tokenizers of a tokenizer.json.
#include "core/tokenizer/json_steps.hpp"

namespace headcount {

using namespace tokenizer_json;

namespace {

Result<Pattern> read_pattern(const Json& json, const std::string& where) {
    const Json& pattern = value(json, "pattern");
    const std::string place = where + ".pattern";
    if (const Json& text = value(pattern, "String"); text.is_string())
        return Pattern::text(text.get_ref<const std::string&>(), place);
    if (const Json& text = value(pattern, "Regex"); text.is_string())
        return Pattern::expression(text.get_ref<const std::string&>(), place);
    return expected("a String or a Regex", place);
}

}  // namespace

namespace tokenizer_json {

Result<ReplaceText> read_replace(const Json& json, const std::string& where) {
    Result<Pattern> what = read_pattern(json, where);
    if (!what) return what.error();
    Result<std::string> by = text(json, "content", where);
    if (!by) return by.error();
    return ReplaceText{*std::move(what), *std::move(by)};
}

Result<Metaspace> read_metaspace(const Json& json, const std::string& where) {
    Result<std::string> letter = text(json, "replacement", where);
    if (!letter) return letter.error();
    if (letter->empty()) return expected("a letter", where + ".replacement");
    const Result<bool> split = truth(json, "split", true, where);
    const Result<bool> older = truth(json, "add_prefix_space", true, where);
    if (!split) return split.error();
    if (!older) return older.error();
    Metaspace metaspace{*std::move(letter), *older ? Metaspace::Before::always : Metaspace::Before::never, *split};
    if (value(json, "prepend_scheme").is_null()) return metaspace;
    const Result<std::string> scheme = text(json, "prepend_scheme", where);
    if (!scheme) return scheme.error();
    if (*scheme == "always")
        metaspace.before = Metaspace::Before::always;
    else if (*scheme == "first")
        metaspace.before = Metaspace::Before::first;
    else if (*scheme == "never")
        metaspace.before = Metaspace::Before::never;
    else
        return not_supported("scheme", *scheme, where + ".prepend_scheme");
    return metaspace;
}

}  // namespace tokenizer_json

namespace {

using Wrong = std::optional<Error>;
using Normalizers = std::vector<Normalizer>;

Wrong add_strip(const Json& json, const std::string& where, Normalizers& into) {
    const Result<bool> left = truth(json, "strip_left", true, where), right = truth(json, "strip_right", true, where);
    if (!left) return left.error();
    if (!right) return right.error();
    into.emplace_back(StripSpaces{*left, *right});
    return std::nullopt;
}

// BERT's is one in the file and a list of steps here. Accents are left out with capitals where it does not say.
Wrong add_bert(const Json& json, const std::string& where, Normalizers& into) {
    const Result<bool> clean = truth(json, "clean_text", true, where);
    const Result<bool> apart = truth(json, "handle_chinese_chars", true, where);
    const Result<bool> lower = truth(json, "lowercase", true, where);
    for (const auto* each : {&clean, &apart, &lower})
        if (!*each) return each->error();
    const Result<bool> accents = truth(json, "strip_accents", *lower, where);
    if (!accents) return accents.error();
    if (*clean) into.emplace_back(CleanText{});
    if (*apart) into.emplace_back(IdeographsApart{});
    if (*accents) into.insert(into.end(), {NormalForm::nfd, WithoutMarks{}});
    if (*lower) into.emplace_back(Lowercase{});
    return std::nullopt;
}

Wrong add_charsmap(const Json& json, const std::string& where, Normalizers& into) {
    const Result<std::string> table = text(json, "precompiled_charsmap", where);
    if (!table) return table.error();
    Result<Charsmap> charsmap = Charsmap::read(*table, where + ".precompiled_charsmap");
    if (!charsmap) return charsmap.error();
    into.emplace_back(*std::move(charsmap));
    return std::nullopt;
}

Wrong add_normalizer(const Json& json, const std::string& type, const std::string& where, Normalizers& into) {
    const std::pair<const char*, Normalizer> plain[] = {{"NFC", NormalForm::nfc},   {"NFD", NormalForm::nfd},
                                                        {"NFKC", NormalForm::nfkc}, {"NFKD", NormalForm::nfkd},
                                                        {"ByteLevel", ToLetters{}}, {"Lowercase", Lowercase{}}};
    for (const auto& [name, step] : plain)
        if (type == name) {
            into.push_back(step);
            return std::nullopt;
        }
    if (type == "Prepend") {
        Result<std::string> what = text(json, "prepend", where);
        if (!what) return what.error();
        into.emplace_back(Prepend{*std::move(what)});
        return std::nullopt;
    }
    if (type == "Strip") return add_strip(json, where, into);
    if (type == "BertNormalizer") return add_bert(json, where, into);
    if (type == "Precompiled") return add_charsmap(json, where, into);
    if (type != "Replace") return not_supported("normalizer", type, where);
    Result<ReplaceText> replace = read_replace(json, where);
    if (!replace) return replace.error();
    into.emplace_back(*std::move(replace));
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
    return not_supported("behavior", *wanted, where + ".behavior");
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

// Pre-tokenizers that have a pattern of their own.
Result<PreTokenizer> read_named(const Json& json, const std::string& type, const std::string& where) {
    // Unicode's White_Space; PCRE2's \s has U+180E besides, which was one once.
    const std::string space = R"(\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})";
    const std::string letter = R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc})", mark = R"(!-/:-@\[-`{-~\p{P})";
    const auto split = [&](const std::string& expression, Behavior behavior, bool inverted) -> Result<PreTokenizer> {
        Result<Pattern> pattern = Pattern::expression(expression, where);
        if (!pattern) return pattern.error();
        return PreTokenizer(Split{*std::move(pattern), behavior, inverted});
    };
    if (type == "Digits") {
        const Result<bool> each = truth(json, "individual_digits", false, where);
        if (!each) return each.error();
        return split(R"(\p{N})", *each ? Behavior::isolated : Behavior::contiguous, false);
    }
    if (type == "WhitespaceSplit") return split("[" + space + "]", Behavior::removed, false);
    if (type == "Whitespace") return split("[" + letter + "]+|[^" + letter + space + "]+", Behavior::removed, true);
    if (type == "BertPreTokenizer")  // words and marks, each mark by itself
        return split("[" + mark + "]|[^" + mark + space + "]+", Behavior::removed, true);
    return not_supported("pre-tokenizer", type, where);
}

Result<PreTokenizer> read_punctuation(const Json& json, const std::string& where) {
    Json split = json;
    split["pattern"] = {{"Regex", R"([!-/:-@\[-`{-~]|\p{P})"}};
    if (value(json, "behavior").is_null()) split["behavior"] = "Isolated";
    return read_split(split, where);
}

Result<PreTokenizer> read_pre_tokenizer(const Json& json, const std::string& type, const std::string& where) {
    if (type == "Split") return read_split(json, where);
    if (type == "ByteLevel") return read_byte_level(json, where);
    if (type == "Metaspace") {
        Result<Metaspace> metaspace = read_metaspace(json, where);
        if (!metaspace) return metaspace.error();
        return PreTokenizer(*std::move(metaspace));
    }
    return type == "Punctuation" ? read_punctuation(json, where) : read_named(json, type, where);
}

}  // namespace

Result<std::vector<Normalizer>> read_normalizers(const Json& json, const std::string& where) {
    Normalizers normalizers;
    if (json.is_null()) return normalizers;
    Wrong wrong =
        each_step(json, "normalizers", where, [&](const Json& step, const std::string& type, const std::string& place) {
            return add_normalizer(step, type, place, normalizers);
        });
    if (wrong) return *std::move(wrong);
    return normalizers;
}

Result<std::vector<PreTokenizer>> read_pre_tokenizers(const Json& json, const std::string& where) {
    std::vector<PreTokenizer> steps;
    if (json.is_null()) return steps;
    Wrong wrong = each_step(json, "pretokenizers", where,
                            [&](const Json& step, const std::string& type, const std::string& place) -> Wrong {
                                Result<PreTokenizer> made = read_pre_tokenizer(step, type, place);
                                if (!made) return made.error();
                                steps.push_back(*std::move(made));
                                return std::nullopt;
                            });
    if (wrong) return *std::move(wrong);
    return steps;
}

}  // namespace headcount
