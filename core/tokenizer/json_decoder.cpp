// The decoder of a tokenizer.json: what each of its tokens says.
#include "core/base/utf8.hpp"
#include "core/tokenizer/json_steps.hpp"
#include "core/tokenizer/json_value.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {

using namespace tokenizer_json;

namespace {

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
std::optional<Error> read_metaspace(const Json& json, const std::string& where, Reading& into) {
    const Result<std::vector<PreTokenizer>> steps = read_pre_tokenizers(json, where);
    if (!steps) return steps.error();
    const auto& metaspace = std::get<Metaspace>(steps->front());
    Result<Pattern> letter = Pattern::text(metaspace.letter, where);
    if (!letter) return letter.error();
    into.decoder.of_token.emplace_back(ReplaceText{*std::move(letter), " "});
    if (metaspace.before != Metaspace::Before::never) into.decoder.of_text.left = 1;
    return std::nullopt;
}

std::optional<Error> read(const Json& json, const std::string& where, Reading& into) {
    const Result<std::string> type = text(json, "type", where);
    if (!type) return type.error();
    if (*type == "Sequence") {
        const Json& list = value(json, "decoders");
        if (!list.is_array()) return expected("a list", where + ".decoders");
        for (std::size_t i = 0; i < list.size(); ++i)
            if (std::optional<Error> error = read(list[i], at(where + ".decoders", i), into)) return error;
        return std::nullopt;
    }
    if (*type == "Strip") return read_strip(json, where, into);
    if (*type == "Metaspace") return read_metaspace(json, where, into);
    if (*type == "Fuse") {
        into.fused = true;
    } else if (*type == "ByteLevel") {
        into.decoder.of_token.emplace_back(LettersToBytes{});
    } else if (*type == "ByteFallback") {
        into.decoder.of_token.emplace_back(ByteTokens{});
    } else if (*type == "Replace") {
        const Result<std::vector<Normalizer>> replace = read_normalizers(json, where);
        if (!replace) return replace.error();
        into.decoder.of_token.emplace_back(std::get<ReplaceText>(replace->front()));
    } else {
        return Error{"the decoder " + in_quotes(*type) + " is not supported", where, "use another tokenizer"};
    }
    return std::nullopt;
}

std::string stripped(const StripText& strip, std::string text) {
    if (strip.letter.empty()) return text;
    for (int i = 0; i < strip.left && text.starts_with(strip.letter); ++i) text.erase(0, strip.letter.size());
    for (int i = 0; i < strip.right && text.ends_with(strip.letter); ++i) text.erase(text.size() - strip.letter.size());
    return text;
}

}  // namespace

Result<Decoder> read_decoder(const Json& json, const std::string& where) {
    Reading reading;
    if (!json.is_null())
        if (std::optional<Error> error = read(json, where, reading)) return *std::move(error);
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
