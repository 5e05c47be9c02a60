// The normalizers, the pre-tokenizers and the decoder of a tokenizer.json.
#include "core/tokenizer/json_steps.hpp"

#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"

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

// Reads the steps of a Sequence, which has them in that list, or the one step that there is: read(json, type, where).
template <class Read>
std::optional<Error> each_step(const Json& json, const char* list, const std::string& where, const Read& read) {
    const Result<std::string> type = text(json, "type", where);
    if (!type) return type.error();
    if (*type != "Sequence") return read(json, *type, where);
    const Json& steps = value(json, list);
    const std::string place = where + "." + list;
    if (!steps.is_array()) return expected("a list", place);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (std::optional<Error> error = each_step(steps[i], list, at(place, i), read)) return error;
    return std::nullopt;
}

Result<Normalizer> read_normalizer(const Json& json, const std::string& type, const std::string& where) {
    constexpr std::pair<const char*, NormalForm> forms[] = {
        {"NFC", NormalForm::nfc}, {"NFD", NormalForm::nfd}, {"NFKC", NormalForm::nfkc}, {"NFKD", NormalForm::nfkd}};
    for (const auto& [name, form] : forms)
        if (type == name) return Normalizer(form);
    if (type == "ByteLevel") return Normalizer(ToLetters{});
    if (type == "Prepend") {
        Result<std::string> what = text(json, "prepend", where);
        if (!what) return what.error();
        return Normalizer(Prepend{*std::move(what)});
    }
    if (type != "Replace") return not_known("normalizer", type, where);
    Result<ReplaceText> replace = read_replace(json, where);
    if (!replace) return replace.error();
    return Normalizer(*std::move(replace));
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

Result<PreTokenizer> read_pre_tokenizer(const Json& json, const std::string& type, const std::string& where) {
    if (type == "Split") return read_split(json, where);
    if (type == "ByteLevel") return read_byte_level(json, where);
    if (type == "Metaspace") return read_metaspace(json, where);
    return type == "Punctuation" ? read_punctuation(json, where) : read_named(json, type, where);
}

template <class Step>
Result<std::vector<Step>> read_steps(const Json& json, const char* list, const std::string& where,
                                     Result<Step> (*read)(const Json&, const std::string&, const std::string&)) {
    std::vector<Step> steps;
    const auto add = [&](const Json& step, const std::string& type, const std::string& place) -> std::optional<Error> {
        Result<Step> made = read(step, type, place);
        if (!made) return made.error();
        steps.push_back(*std::move(made));
        return std::nullopt;
    };
    if (!json.is_null())
        if (std::optional<Error> error = each_step(json, list, where, add)) return *std::move(error);
    return steps;
}

struct Reading {
    Decoder decoder;
    bool fused = false;  // what follows is done to the whole text
};

Result<int> count(const Json& json, const char* key, const std::string& where) {
    constexpr std::uint64_t most = 1000;
    const Json& found = value(json, key);
    if (!found.is_number_unsigned() || found.get<std::uint64_t>() > most)
        return expected("a small number", where + "." + key);
    return found.get<int>();
}

std::optional<Error> read_strip(const Json& json, const std::string& where, Reading& into) {
    Result<std::string> letter = text(json, "content", where);
    if (!letter) return letter.error();
    const Result<int> left = count(json, "start", where), right = count(json, "stop", where);
    if (!left) return left.error();
    if (!right) return right.error();
    const StripText strip{*std::move(letter), *left, *right};
    if (into.fused)
        into.decoder.of_text = strip;
    else
        into.decoder.of_token.emplace_back(strip);
    return std::nullopt;
}

// Spaces again; the one that was put before the text is taken away.
std::optional<Error> read_spaces(const Json& json, const std::string& where, Reading& into) {
    const Result<PreTokenizer> step = read_metaspace(json, where);
    if (!step) return step.error();
    const auto& metaspace = std::get<Metaspace>(*step);
    Result<Pattern> letter = Pattern::text(metaspace.letter, where);
    if (!letter) return letter.error();
    into.decoder.of_token.emplace_back(ReplaceText{*std::move(letter), " "});
    if (metaspace.before != Metaspace::Before::never) into.decoder.of_text.left = 1;
    return std::nullopt;
}

// One step of the decoder.
std::optional<Error> read_decoding(const Json& json, const std::string& type, const std::string& where, Reading& into) {
    if (type == "Strip") return read_strip(json, where, into);
    if (type == "Metaspace") return read_spaces(json, where, into);
    if (type == "Fuse") {
        into.fused = true;
    } else if (type == "ByteLevel") {
        into.decoder.of_token.emplace_back(LettersToBytes{});
    } else if (type == "ByteFallback") {
        into.decoder.of_token.emplace_back(ByteTokens{});
    } else if (type == "Replace") {
        Result<ReplaceText> replace = read_replace(json, where);
        if (!replace) return replace.error();
        into.decoder.of_token.emplace_back(*std::move(replace));
    } else {
        return not_known("decoder", type, where);
    }
    return std::nullopt;
}

}  // namespace

Result<std::vector<Normalizer>> read_normalizers(const Json& json, const std::string& where) {
    return read_steps(json, "normalizers", where, read_normalizer);
}

Result<std::vector<PreTokenizer>> read_pre_tokenizers(const Json& json, const std::string& where) {
    return read_steps(json, "pretokenizers", where, read_pre_tokenizer);
}

Result<Decoder> read_decoder(const Json& json, const std::string& where) {
    Reading reading;
    if (!json.is_null())
        if (std::optional<Error> error = each_step(
                json, "decoders", where, [&](const Json& step, const std::string& type, const std::string& place) {
                    return read_decoding(step, type, place, reading);
                }))
            return *std::move(error);
    return reading.decoder;
}

Result<std::string> decoded(const Decoder& decoder, std::string text, bool added, const TimeLimit& limit) {
    const std::size_t most = most_made_of(text.size());
    for (const auto& step : decoder.of_token) {
        if (std::holds_alternative<LettersToBytes>(step)) {
            if (!added) text = bytes_of_letters(text).value_or(text);
        } else if (std::holds_alternative<ByteTokens>(step)) {
            if (const std::optional<unsigned char> byte = byte_of_token(text)) text.assign(1, static_cast<char>(*byte));
        } else if (const auto* replace = std::get_if<ReplaceText>(&step)) {
            Result<std::string> changed = normalized({*replace}, std::move(text), limit);
            if (!changed) return changed.error();
            text = *std::move(changed);
            if (text.size() > most) return grows_too_much();
        } else {
            text = stripped(std::get<StripText>(step), std::move(text));
        }
    }
    return text;
}

}  // namespace headcount
