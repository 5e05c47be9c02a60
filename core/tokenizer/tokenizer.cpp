// Text to tokens and back, and the tokenizer that belongs to a model on disk.
#include "core/tokenizer/tokenizer.hpp"

#include <algorithm>
#include <cstdio>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/words.hpp"

namespace headcount {
namespace {

std::optional<Error> not_taken(const TokenizerParts& parts, std::string_view text) {
    if (is_utf8(text) || takes_any_byte(parts)) return std::nullopt;
    std::size_t at = 0;
    while (letter_at(text.substr(at)).code) at += letter_at(text.substr(at)).length;
    return Error{"the text is not UTF-8, and this tokenizer has no tokens for single bytes",
                 "prompt, byte " + std::to_string(at), "give a text in UTF-8"};
}

// The text without its added tokens, normalized and cut into words; `clean_text` is told what the normalizers leave.
Result<std::vector<TextPart>> words(const TokenizerParts& parts, std::string_view text, const TimeLimit& limit,
                                    std::string* clean_text = nullptr) {
    std::vector<TextPart> raw, clean;
    if (std::optional<Error> error = parts.in_raw.find({std::string(text), true, std::nullopt}, limit, raw))
        return *std::move(error);
    for (TextPart& part : raw) {
        if (!part.id) {
            Result<std::string> changed = normalized(parts.normalizers, std::move(part.text), limit);
            if (!changed) return changed.error();
            part.text = *std::move(changed);
            if (clean_text) *clean_text += part.text;
            if (part.text.empty()) continue;
        }
        if (std::optional<Error> error = parts.in_normalized.find(std::move(part), limit, clean))
            return *std::move(error);
    }
    return cut(parts.pre_tokenizers, std::move(clean), limit);
}

bool steers(char32_t code) { return code < ' ' || (code >= 0x7F && code < 0xA0); }

void append_shown(std::string& shown, std::string_view bytes, const Letter& letter) {
    if (letter.code && !steers(*letter.code)) {
        shown += bytes.substr(0, letter.length);
    } else if (letter.code == U'\n') {
        shown += "\\n";
    } else if (letter.code == U'\t') {
        shown += "\\t";
    } else if (letter.code == U'\r') {
        shown += "\\r";
    } else {
        for (const char byte : bytes.substr(0, letter.length)) {
            char text[8];
            std::snprintf(text, sizeof(text), "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(byte)));
            shown += text;
        }
    }
}

const Token* token_at(const TokenizerParts& parts, std::int32_t id) {
    if (id < 0 || static_cast<std::size_t>(id) >= parts.tokens.size()) return nullptr;
    const Token& token = parts.tokens[static_cast<std::size_t>(id)];
    return token.text.empty() ? nullptr : &token;
}

}  // namespace

std::int64_t Tokenizer::size() const { return static_cast<std::int64_t>(parts_->tokens.size()); }

Result<std::vector<std::int32_t>> Tokenizer::encode(std::string_view text, bool whole, const TimeLimit& limit) const {
    if (std::optional<Error> error = not_taken(*parts_, text)) return *std::move(error);
    Result<std::vector<TextPart>> parts = words(*parts_, text, limit);
    if (!parts) return parts.error();
    std::vector<std::int32_t> ids;
    if (whole) ids = parts_->before;
    for (const TextPart& part : *parts) {
        if (limit.passed()) return takes_too_long();
        if (part.id)
            ids.push_back(*part.id);
        else if (std::optional<Error> error = append_word(*parts_, part.text, limit, ids))
            return *std::move(error);
    }
    if (whole) ids.insert(ids.end(), parts_->after.begin(), parts_->after.end());
    return ids;
}

Result<TextSteps> Tokenizer::steps(std::string_view text, const TimeLimit& limit) const {
    if (std::optional<Error> error = not_taken(*parts_, text)) return *std::move(error);
    TextSteps all{.by = parts_->segmentation, .before = parts_->before, .after = parts_->after};
    Result<std::vector<TextPart>> parts = words(*parts_, text, limit, &all.normalized);
    if (!parts) return parts.error();
    // Vocabularies of bytes write these as letters.
    const bool letters = makes_letters_of_bytes(*parts_);
    const auto typed = [&](std::string& bytes) {
        if (std::optional<std::string> found = letters ? bytes_of_letters(bytes) : std::nullopt) bytes = *found;
    };
    for (const TextPart& part : *parts) {
        if (limit.passed()) return takes_too_long();
        WordSteps& word = all.words.emplace_back(WordSteps{.text = part.text, .added = part.id.has_value()});
        if (part.id) {
            word.ids.push_back(*part.id);
            continue;
        }
        if (std::optional<Error> error = append_word(*parts_, part.text, limit, word.ids, &word))
            return *std::move(error);
        if (all.by == Segmentation::likeliest_pieces)
            for (const std::int32_t id : word.ids) word.scores.push_back(parts_->scores[static_cast<std::size_t>(id)]);
        typed(word.text);
        for (WordPiece& each : word.first) typed(each.text);
        for (MergeStep& each : word.merges) {
            typed(each.left.text);
            typed(each.right);
        }
    }
    return all;
}

std::vector<std::vector<std::string>> lines_of_merges(const WordSteps& word, std::size_t most) {
    std::vector<WordPiece> now = word.first;
    std::vector<std::vector<std::string>> lines;
    const auto add = [&] {
        std::vector<std::string>& line = lines.emplace_back();
        for (const WordPiece& each : now) line.push_back(each.text);
    };
    if (!now.empty() && most > 0) add();
    for (const MergeStep& each : word.merges) {
        if (lines.size() >= most) break;
        const auto left = std::ranges::find(now, each.left.begin, &WordPiece::begin);
        left->text += each.right;
        now.erase(left + 1);
        add();
    }
    return lines;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids, Specials specials) const {
    std::string text;
    for (const std::int32_t id : ids)
        if (specials == Specials::kept || !special(id)) text += bytes(id);
    return stripped(parts_->strip, std::move(text));
}

std::string_view Tokenizer::bytes(std::int32_t id) const {
    const Token* token = token_at(*parts_, id);
    return token ? std::string_view(token->bytes) : std::string_view();
}

std::string Tokenizer::piece(std::int32_t id) const {
    const Token* token = token_at(*parts_, id);
    return token ? piece(token->bytes) : "[" + std::to_string(id) + "]";
}

std::string Tokenizer::piece(std::string_view bytes) {
    std::string shown;
    for (std::string_view rest = bytes; !rest.empty();) {
        const Letter letter = letter_at(rest);
        append_shown(shown, rest, letter);
        rest.remove_prefix(letter.length);
    }
    return shown;
}

std::string Tokenizer::piece_with_dots(std::string_view bytes) {
    std::string text = piece(bytes);
    replace_all(text, " ", "·");
    return text;
}

bool Tokenizer::special(std::int32_t id) const {
    const Token* token = token_at(*parts_, id);
    return token && token->special;
}

bool Tokenizer::added(std::int32_t id) const {
    const Token* token = token_at(*parts_, id);
    return token && token->added;
}

std::vector<std::int32_t> Tokenizer::ids_of_no_text(std::int64_t rows) const {
    const auto never = [](unsigned char byte) { return byte == 0xC0 || byte == 0xC1 || byte >= 0xF5; };
    std::vector<std::int32_t> ids;
    for (std::int64_t id = 0; id < rows; ++id) {
        const Token* token = id < size() ? &parts_->tokens[static_cast<std::size_t>(id)] : nullptr;
        const bool byte = token && !token->text.empty() && token->bytes.size() == 1;
        if (!token || (byte && never(static_cast<unsigned char>(token->bytes.front()))))
            ids.push_back(static_cast<std::int32_t>(id));
    }
    return ids;
}

std::optional<std::int32_t> Tokenizer::bos() const {
    return parts_->before.empty() ? std::nullopt : std::optional(parts_->before.front());
}

std::optional<std::int32_t> Tokenizer::mask() const { return parts_->mask; }

std::optional<std::int32_t> Tokenizer::unknown() const { return parts_->unknown; }

const std::vector<std::int32_t>& Tokenizer::ends() const { return parts_->ends; }

std::optional<Error> wrong_size(const Tokenizer& tokenizer, std::int64_t vocab) {
    constexpr std::int64_t most_padding = 8, most_beyond = 64;  // an eighth
    bool fits = vocab - tokenizer.size() <= vocab / most_padding && tokenizer.size() - vocab <= most_beyond;
    for (std::int64_t id = vocab; fits && id < tokenizer.size(); ++id)
        fits = tokenizer.added(static_cast<std::int32_t>(id));
    if (fits) return std::nullopt;
    return Error{"the tokenizer has " + grouped(tokenizer.size()) + " tokens, the model's vocabulary " + grouped(vocab),
                 "", "give the tokenizer that belongs to the model"};
}

Result<std::filesystem::path> Tokenizer::file_of_model(const std::filesystem::path& model) {
    std::error_code ignored;
    if (!std::filesystem::exists(model, ignored))
        return Error{"a tokenizer lies beside a model's weights, and there are none", model.string(),
                     "give ids of tokens in the place of a text"};
    const bool directory = std::filesystem::is_directory(model, ignored);
    if (model.extension() == ".gguf" && !directory) return model;
    const std::filesystem::path beside = directory ? model : model.parent_path();
    for (const char* name : {"tokenizer.json", "tokenizer.bin"})
        if (std::filesystem::exists(beside / name, ignored)) return beside / name;
    return Error{"there is no tokenizer.json", (beside.empty() ? "." : beside).string(),
                 "put the model's there, or give ids of tokens in the place of a text"};
}

Result<Tokenizer> Tokenizer::of_model(const std::filesystem::path& model, std::int64_t vocab) {
    const Result<std::filesystem::path> path = file_of_model(model);
    if (!path) return path.error();
    if (path->extension() == ".json") {
        const Result<std::string> text = read_text(*path);
        if (!text) return text.error();
        Result<Tokenizer> made = from_json(*text, path->string());
        if (!made) return made;
        Result<std::optional<TokenCounts>> counts = read_token_counts(path->parent_path(), made->size());
        if (!counts) return counts.error();
        if (*counts) made->counts_ = std::make_shared<const TokenCounts>(**std::move(counts));
        return made;
    }
    Result<FileBytes> file = FileBytes::open(*path);
    if (!file) return file.error();
    return path->extension() == ".gguf" ? from_gguf(*std::move(file), path->string())
                                        : from_llama2c(*std::move(file), path->string(), vocab);
}

}  // namespace headcount
