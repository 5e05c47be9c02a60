// The decoder of a tokenizer.json, and what it makes of single tokens.
#include "core/tokenizer/json_steps.hpp"
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
std::optional<Error> read_spaces(const Json& json, const std::string& where, Reading& into) {
    const Result<Metaspace> metaspace = read_metaspace(json, where);
    if (!metaspace) return metaspace.error();
    Result<Pattern> letter = Pattern::text(metaspace->letter, where);
    if (!letter) return letter.error();
    into.decoder.of_token.emplace_back(ReplaceText{*std::move(letter), " "});
    if (metaspace->before != Metaspace::Before::never) into.decoder.of_text.left = 1;
    return std::nullopt;
}

// A space before each piece but those that go on with a word; and, with `cleanup`, none where English has none.
std::optional<Error> read_joined(const Json& json, const std::string& where, Reading& into) {
    Result<std::string> prefix = text(json, "prefix", where);
    if (!prefix) return prefix.error();
    const Result<bool> cleanup = truth(json, "cleanup", true, where);
    if (!cleanup) return cleanup.error();
    into.decoder.of_token.emplace_back(JoinPieces{*std::move(prefix)});
    into.decoder.of_text.left = 1;
    if (!*cleanup) return std::nullopt;
    constexpr std::pair<const char*, const char*> closed[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [apart, together] : closed) {
        Result<Pattern> what = Pattern::text(apart, where);
        if (!what) return what.error();
        into.decoder.of_token.emplace_back(ReplaceText{*std::move(what), together});
    }
    return std::nullopt;
}

// One step of the decoder.
std::optional<Error> read_decoding(const Json& json, const std::string& type, const std::string& where, Reading& into) {
    if (type == "Strip") return read_strip(json, where, into);
    if (type == "Metaspace") return read_spaces(json, where, into);
    if (type == "WordPiece") return read_joined(json, where, into);
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
        return not_supported("decoder", type, where);
    }
    return std::nullopt;
}

}  // namespace

Result<Decoder> read_decoder(const Json& json, const std::string& where) {
    Reading reading;
    if (json.is_null()) return reading.decoder;
    std::optional<Error> wrong =
        each_step(json, "decoders", where, [&](const Json& step, const std::string& type, const std::string& place) {
            return read_decoding(step, type, place, reading);
        });
    if (wrong) return *std::move(wrong);
    return reading.decoder;
}

Result<std::string> decoded(const Decoder& decoder, std::string text, bool added, const TimeLimit& limit) {
    const std::size_t most = most_made_of(text.size());
    for (const auto& step : decoder.of_token) {
        if (std::holds_alternative<LettersToBytes>(step)) {
            if (!added) text = bytes_of_letters(text).value_or(text);
        } else if (std::holds_alternative<ByteTokens>(step)) {
            if (const std::optional<unsigned char> byte = byte_of_token(text)) text.assign(1, static_cast<char>(*byte));
        } else if (const auto* join = std::get_if<JoinPieces>(&step)) {
            text = text.starts_with(join->prefix) ? text.substr(join->prefix.size()) : " " + text;
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
