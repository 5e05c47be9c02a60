// Reads the tokenizer of a GGUF file (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, "Tokenizer").
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/base/find.hpp"
#include "core/base/utf8.hpp"
#include "core/checkpoints/gguf.hpp"
#include "core/tokenizer/json_steps.hpp"
#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/parts.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {
namespace {

using Wrong = std::optional<Error>;

// llama_token_type.
enum class TokenType { normal = 1, unknown, control, user_defined, unused, byte };

constexpr const char* space_letter = "\u2581";
constexpr const char *tokens_key = "tokenizer.ggml.tokens", *merges_key = "tokenizer.ggml.merges",
                     *scores_key = "tokenizer.ggml.scores", *types_key = "tokenizer.ggml.token_type";

// How the models that tokenizer.ggml.pre names cut a text into words: GGUF has the name alone. The patterns are those
// of the tokenizer.json that each name was made from; the names are those of llama.cpp's convert_hf_to_gguf.py.
struct GgufWords {
    std::vector<PreTokenizer> steps;  // the last makes letters of bytes
    bool whole_words = false;         // see TokenizerParts
    bool bos = false;                 // <s> goes before a text where the file does not say
};

// Each is cut by one pattern after the other.
struct Rule {
    std::array<std::string_view, 20> names;
    std::array<const char*, 4> patterns;
    bool whole_words = false;
    bool bos = false;
};

constexpr const char* one_digit = R"(\p{N})";
constexpr const char* three_digits = R"(\p{N}{1,3})";
constexpr const char* llama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* qwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* tekken =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* gpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* deepseek3 =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* cjk = R"([\x{4E00}-\x{9FA5}\x{3040}-\x{309F}\x{30A0}-\x{30FF}]+)";
constexpr const char* bloom = R"( ?[^(\s|.,!?…。，、।۔،)]+)";

const std::array rules{
    Rule{{"gpt-2", "phi-2", "mpt", "olmo", "jais", "roberta-bpe", "default", "granite-docling", "trillion", "gigachat",
          "modern-bert", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "a.x-4.0", "mellum", "exaone4"},
         {gpt2_words}},
    Rule{{"llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2"},
         {llama3},
         true,
         true},
    Rule{{"dbrx", "smaug-bpe", "chatglm-bpe", "glm4"}, {llama3}},
    Rule{{"qwen2", "stablelm2", "deepseek-r1-qwen", "megrez", "hunyuan", "grok-2", "solar-open"}, {qwen2}},
    Rule{{"starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b"}, {one_digit, gpt2_words}},
    Rule{{"tekken"}, {tekken}, true, true},
    Rule{{"gpt-4o", "llama4", "kanana2"}, {gpt4o}},
    Rule{{"deepseek-v3", "hunyuan-dense"}, {three_digits, cjk, deepseek3}},
    Rule{{"bloom", "poro-chat", "gpt3-finnish"}, {bloom}},
};

constexpr std::string_view falcon = "falcon";

Result<GgufWords> words_of(std::span<const char* const> patterns, Behavior behavior, const std::string& where) {
    GgufWords words;
    for (const char* expression : patterns) {
        if (!expression) continue;
        Result<Pattern> pattern = Pattern::expression(expression, where);
        if (!pattern) return pattern.error();
        words.steps.emplace_back(Split{*std::move(pattern), behavior});
    }
    words.steps.emplace_back(ByteLevel{});
    return words;
}

// Runs of punctuation, then GPT-2's words, then digits by threes.
Result<GgufWords> falcon_words(const std::string& where) {
    constexpr std::array<const char*, 1> runs{R"([!-/:-@\[-`{-~\p{P}])"};
    constexpr std::array<const char*, 2> rest{gpt2_words, "[0-9][0-9][0-9]"};
    Result<GgufWords> first = words_of(runs, Behavior::contiguous, where);
    Result<GgufWords> second = words_of(rest, Behavior::isolated, where);
    if (!first) return first;
    if (!second) return second;
    first->steps.pop_back();
    std::move(second->steps.begin(), second->steps.end(), std::back_inserter(first->steps));
    return first;
}

// An unknown name is an error: any other pattern would make other tokens.
Result<GgufWords> gguf_words(std::string_view name, const std::string& where) {
    if (name == falcon) return falcon_words(where);
    for (const Rule& rule : rules) {
        if (!contains(rule.names, name) || name.empty()) continue;
        Result<GgufWords> words = words_of(rule.patterns, Behavior::isolated, where);
        if (!words) return words;
        words->whole_words = rule.whole_words;
        words->bos = rule.bos;
        return words;
    }
    return Error{"the way " + in_quotes(name) + " to cut a text into words is not known", where,
                 "give ids of tokens in the place of a text"};
}

Error damaged(std::string what, std::string where) {
    return {std::move(what), std::move(where), "convert the model again"};
}

class GgufReader {
  public:
    GgufReader(const nlohmann::json& metadata, const GgufArrays& arrays, std::string name)
        : metadata_(metadata), arrays_(arrays), name_(std::move(name)) {}

    Result<Tokenizer> read() {
        if (Wrong wrong = read_tokens()) return *std::move(wrong);
        const auto model = metadata_.find("tokenizer.ggml.model");
        const std::string name = model != metadata_.end() && model->is_string() ? model->get<std::string>() : "";
        if (name != "llama" && name != "gpt2")
            return Error{"a tokenizer of the model " + in_quotes(name) + " is not supported, only 'llama' and 'gpt2'",
                         place("tokenizer.ggml.model"), "give ids of tokens in the place of a text"};
        if (Wrong wrong = name == "llama" ? read_pieces() : read_bytes()) return *std::move(wrong);
        find_ends();
        return Tokenizer(std::make_shared<const TokenizerParts>(std::move(parts_)));
    }

  private:
    Wrong read_tokens() {
        const GgufArray* tokens = array(tokens_key);
        if (!tokens || tokens->texts.empty())
            return Error{"there is no tokenizer in this file", place(tokens_key),
                         "give ids of tokens in the place of a text"};
        for (std::size_t id = 0; id < tokens->texts.size(); ++id) {
            const std::string& text = tokens->texts[id];
            const auto number = static_cast<std::int32_t>(id);
            if (!put_token(parts_, number, text, tokens->texts.size()))
                return damaged("too many tokens", place(tokens_key));
            parts_.ids.emplace(text, number);
            const TokenType kind = type(id);
            parts_.tokens[id].special = kind == TokenType::control || kind == TokenType::unknown;
            parts_.tokens[id].added = parts_.tokens[id].special || kind == TokenType::user_defined;
            if (!text.empty() && parts_.tokens[id].added)
                parts_.in_raw.add(
                    {.id = number, .text = text, .normalized = false, .special = parts_.tokens[id].special}, text);
        }
        return std::nullopt;
    }

    // "llama": SentencePiece's, with scores.
    Wrong read_pieces() {
        const GgufArray* scores = array(scores_key);
        const std::size_t there = scores ? scores->numbers.size() : 0;
        if (there != parts_.tokens.size())
            return damaged(std::to_string(there) + " scores for " + std::to_string(parts_.tokens.size()) + " tokens",
                           place(scores_key));
        for (const double score : scores->numbers) {
            if (std::isnan(score)) return damaged("a score is not a number", place(scores_key));
            parts_.scores.push_back(score);
        }
        parts_.segmentation = Segmentation::scored_merges;
        find_byte_tokens(parts_);
        set_spaces();
        set_said(true);
        parts_.unknown = id("tokenizer.ggml.unknown_token_id");
        put_before(true);
        return std::nullopt;
    }

    // "gpt2": byte level, with merges.
    Wrong read_bytes() {
        const auto pre = metadata_.find("tokenizer.ggml.pre");
        const std::string name = pre != metadata_.end() && pre->is_string() ? pre->get<std::string>() : "default";
        Result<GgufWords> words = gguf_words(name, place("tokenizer.ggml.pre"));
        if (!words) return words.error();
        parts_.pre_tokenizers = std::move(words->steps);
        parts_.whole_words = words->whole_words;
        set_said(false);
        put_before(words->bos);
        return read_merges();
    }

    Wrong read_merges() {
        const GgufArray* merges = array(merges_key);
        if (!merges) return damaged("a tokenizer without merges", place(merges_key));
        for (std::size_t rank = 0; rank < merges->texts.size(); ++rank) {
            const std::string_view both = merges->texts[rank];
            const std::size_t space = both.find(' ', 1);  // the first letter may be one
            const std::string_view left = both.substr(0, space),
                                   right = space < both.size() ? both.substr(space + 1) : "";
            const auto a = parts_.ids.find(left), b = parts_.ids.find(right);
            const auto made = parts_.ids.find(std::string(left) + std::string(right));
            if (a == parts_.ids.end() || b == parts_.ids.end() || made == parts_.ids.end())
                return damaged("the merge " + in_quotes(both) + " is of texts that are no tokens",
                               place(merges_key) + ", number " + std::to_string(rank));
            parts_.merges.try_emplace(pair_key(a->second, b->second), Merged{static_cast<double>(rank), made->second});
        }
        return std::nullopt;
    }

    void find_ends() {
        for (const char* key :
             {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"})
            if (const std::optional<std::int32_t> end = id(key)) parts_.ends.push_back(*end);
        for (std::size_t id = 0; id < parts_.tokens.size(); ++id)
            if (parts_.tokens[id].special && ends_a_text(parts_.tokens[id].text))
                parts_.ends.push_back(static_cast<std::int32_t>(id));
        std::ranges::sort(parts_.ends);
        parts_.ends.erase(std::unique(parts_.ends.begin(), parts_.ends.end()), parts_.ends.end());
    }

    void set_spaces() {
        if (truth("tokenizer.ggml.add_space_prefix", true)) {
            parts_.normalizers.emplace_back(Prepend{" "});
            parts_.strip.left = 1;
        }
        if (Result<Pattern> space = Pattern::text(" ", ""))
            parts_.normalizers.emplace_back(ReplaceText{*std::move(space), space_letter});
    }

    // A control token's text is what it says; others say their letters' bytes, or their spaces and bytes.
    void set_said(bool pieces) {
        for (std::size_t id = 0; id < parts_.tokens.size(); ++id) {
            Token& token = parts_.tokens[id];
            const TokenType kind = type(id);
            token.bytes = token.text;
            if (token.added) continue;
            if (!pieces) {
                token.bytes = bytes_of_letters(token.text).value_or(token.text);
            } else if (const auto byte = byte_of_token(token.text); byte && kind == TokenType::byte) {
                token.bytes.assign(1, static_cast<char>(*byte));
            } else {
                token.bytes.clear();
                for (std::string_view rest = token.text; !rest.empty();) {
                    const bool space = rest.starts_with(space_letter);
                    token.bytes += space ? ' ' : rest.front();
                    rest.remove_prefix(space ? std::string_view(space_letter).size() : 1);
                }
            }
        }
    }

    void put_before(bool otherwise) {
        const std::optional<std::int32_t> bos = id("tokenizer.ggml.bos_token_id");
        if (bos && truth("tokenizer.ggml.add_bos_token", otherwise)) parts_.before.push_back(*bos);
        const std::optional<std::int32_t> eos = id("tokenizer.ggml.eos_token_id");
        if (eos && truth("tokenizer.ggml.add_eos_token", false)) parts_.after.push_back(*eos);
    }

    TokenType type(std::size_t id) const {
        const GgufArray* types = array(types_key);
        const double number = types && id < types->numbers.size() ? types->numbers[id] : 1;
        return number >= 1 && number <= 6 ? static_cast<TokenType>(static_cast<int>(number)) : TokenType::normal;
    }

    const GgufArray* array(const char* key) const {
        const auto found = arrays_.find(key);
        return found != arrays_.end() && found->second ? &*found->second : nullptr;
    }
    bool truth(const char* key, bool otherwise) const {
        const auto found = metadata_.find(key);
        return found != metadata_.end() && found->is_boolean() ? found->get<bool>() : otherwise;
    }

    std::optional<std::int32_t> id(const char* key) const {
        const auto found = metadata_.find(key);
        if (found == metadata_.end() || !found->is_number_unsigned()) return std::nullopt;
        const auto id = found->get<std::uint64_t>();
        return id < parts_.tokens.size() ? std::optional(static_cast<std::int32_t>(id)) : std::nullopt;
    }

    std::string place(const char* key) const { return name_ + ", " + key; }

    const nlohmann::json& metadata_;
    const GgufArrays& arrays_;
    std::string name_;
    TokenizerParts parts_;
};

}  // namespace

Result<Tokenizer> Tokenizer::from_gguf(FileBytes bytes, const std::string& name) {
    GgufArrays arrays{{tokens_key, {}}, {merges_key, {}}, {scores_key, {}}, {types_key, {}}};
    const Result<GgufPart> part = read_gguf_part(std::move(bytes), name, &arrays);
    if (!part) return part.error();
    return GgufReader(part->metadata, arrays, name).read();
}

}  // namespace headcount
