// Text to tokens and back as a model's own files define it: byte pair encoding, WordPiece, Unigram. No model, no
// sampling.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/file_bytes.hpp"
#include "core/tokenizer/pattern.hpp"
#include "core/tokenizer/text_steps.hpp"
#include "core/tokenizer/token_counts.hpp"

namespace headcount {

struct TokenizerParts;  // core/tokenizer/parts.hpp

enum class Specials {
    kept,      // "<s>" stands in the text
    left_out,  // control tokens say nothing
};

// A value that never changes once made; copies share what they hold, also between threads.
//
// The ids are those of Hugging Face's tokenizers for the same file. What comes back is, byte for byte, what was given,
// but where the file itself says otherwise: a normalizer (Qwen's NFC), "▁" in a text for a tokenizer that writes spaces
// so, one that puts a space before every text but not where there is one, and BERT's, which keeps words alone.
class Tokenizer {
  public:
    // tokenizer.json of Hugging Face's tokenizers, with a model of type BPE, WordPiece or Unigram. What it asks for and
    // is not known here is refused by its name.
    static Result<Tokenizer> from_json(std::string_view text, const std::string& name);
    // GGUF's tokenizer.ggml.* keys: models "gpt2" and "llama".
    static Result<Tokenizer> from_gguf(FileBytes bytes, const std::string& name);
    // llama2.c's tokenizer.bin, which has no more pieces than the model's vocabulary.
    static Result<Tokenizer> from_llama2c(FileBytes bytes, const std::string& name, std::int64_t vocab);

    // The one that belongs to a model: of a directory its tokenizer.json, of a .gguf file itself, else the
    // tokenizer.json or tokenizer.bin beside the file. Without one the error says where it was looked for.
    static Result<Tokenizer> of_model(const std::filesystem::path& model, std::int64_t vocab);
    static Result<std::filesystem::path> file_of_model(const std::filesystem::path& model);

    std::int64_t size() const;  // the highest id, and one

    // With `whole`, what the model expects around a text (<s>) is put there. Fails where a letter has no token, and
    // where bytes are not UTF-8 and the tokenizer has no tokens for single bytes; else every byte counts. Fails also
    // where the file asks for so much that the time is over.
    Result<std::vector<std::int32_t>> encode(std::string_view text, bool whole = true,
                                             const TimeLimit& limit = TimeLimit::of_text()) const;

    // What it does to come there, with the same errors.
    Result<TextSteps> steps(std::string_view text, const TimeLimit& limit = TimeLimit::of_text()) const;

    // Bytes; not always UTF-8, since a token may end within a letter. Ids that are not there say nothing.
    std::string decode(std::span<const std::int32_t> ids, Specials specials = Specials::kept) const;

    // What the token adds within a text: " there". Empty for an id that is not there.
    std::string_view bytes(std::int32_t id) const;
    // The same to be shown: "\n" for a line's end, "\xE2" for what is no letter by itself, "[512]" for an id without a
    // token. Spaces stay.
    std::string piece(std::int32_t id) const;
    static std::string piece(std::string_view bytes);            // of any bytes
    static std::string piece_with_dots(std::string_view bytes);  // and a space as "·"
    bool special(std::int32_t id) const;
    bool added(std::int32_t id) const;  // to the vocabulary of the model, which may be without it

    // Of a table of so many rows those that no text has, ascending: of single bytes that UTF-8 never has (C0, C1, F5 to
    // FF), and behind the last token.
    std::vector<std::int32_t> ids_of_no_text(std::int64_t rows) const;

    std::optional<std::int32_t> bos() const;        // stands before every text
    std::optional<std::int32_t> mask() const;       // stands for a token that a model is to tell: [MASK]
    std::optional<std::int32_t> unknown() const;    // stands for letters that have no token: <unk>, [UNK]
    const std::vector<std::int32_t>& ends() const;  // after any of these a text is over

    // How often a training has read each token, where a file beside the tokenizer says so; else null.
    const TokenCounts* counts() const { return counts_.get(); }
    bool hardly_read(std::int32_t id) const { return counts_ && counts_->hardly_read(id); }

    explicit Tokenizer(std::shared_ptr<const TokenizerParts> parts) : parts_(std::move(parts)) {}

  private:
    std::shared_ptr<const TokenizerParts> parts_;
    std::shared_ptr<const TokenCounts> counts_ = {};
};

// Whether it can be the tokenizer of a model with that vocabulary: what a table is padded by is at most an eighth of
// it, and beyond it are at most 64 ids, all of tokens that were added (Gemma 3 1B has no row for <image_soft_token>).
std::optional<Error> wrong_size(const Tokenizer& tokenizer, std::int64_t vocab);

}  // namespace headcount
