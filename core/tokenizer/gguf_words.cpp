// How the models that tokenizer.ggml.pre names cut a text into words. The patterns are those of the tokenizer.json that
// each name was made from; the names are those of llama.cpp's convert_hf_to_gguf.py.
#include "core/tokenizer/gguf_words.hpp"

#include <algorithm>
#include <array>

#include "core/base/utf8.hpp"
#include "core/tokenizer/json_steps.hpp"

namespace headcount {
namespace {

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

}  // namespace

Result<GgufWords> gguf_words(std::string_view name, const std::string& where) {
    if (name == falcon) return falcon_words(where);
    for (const Rule& rule : rules) {
        if (std::find(rule.names.begin(), rule.names.end(), name) == rule.names.end() || name.empty()) continue;
        Result<GgufWords> words = words_of(rule.patterns, Behavior::isolated, where);
        if (!words) return words;
        words->whole_words = rule.whole_words;
        words->bos = rule.bos;
        return words;
    }
    return Error{"the way " + in_quotes(name) + " to cut a text into words is not known", where,
                 "give ids of tokens in the place of a text"};
}

}  // namespace headcount
