// Claims about models' names: each is found however it is written, and of a name that there is not no number stands.
#include <cctype>

#include "core/base/text.hpp"
#include "tests/core/ask/asking.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::string with(std::string text, char from, std::string_view instead) {
    std::string out;
    for (const char c : text) out += c == from ? std::string(instead) : std::string(1, c);
    return out;
}

std::string in_case(std::string text, int (*change)(int)) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x80) c = static_cast<char>(change(c));
    return text;
}

// "llama3 8b" of "llama 3 8b": no space between a word and its version.
std::string glued(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool between = text[i] == ' ' && i > 0 && i + 1 < text.size() && std::isalpha(text[i - 1]) != 0 &&
                             std::isdigit(text[i + 1]) != 0;
        if (!between) out += text[i];
    }
    return out;
}

// As people write it.
std::vector<std::string> spellings(const Preset& preset) {
    const std::string& name = preset.architecture.name;
    return {preset.id,
            with(preset.id, '-', " "),
            with(preset.id, '-', "_"),
            in_case(preset.id, std::toupper),
            name,
            in_case(name, std::tolower),
            in_case(name, std::toupper),
            with(name, ' ', "-"),
            with(in_case(name, std::tolower), '-', " "),
            glued(in_case(name, std::tolower)),
            glued(with(preset.id, '-', " ")),
            "the " + name + " model"};
}

TEST(AskNames, ParametersOfANameAreThoseOfThatModel) {
    for (const Preset& preset : tried_presets()) {
        const Result<CountedModelPtr> model = counted_model(preset.architecture, {});
        ASSERT_TRUE(model) << preset.id;
        const std::string total = grouped((*model)->parameters.total);
        const std::string at_hand = preset.id == "gpt2" ? "llama-2-7b" : "gpt2";
        for (const std::string& name : spellings(preset)) {
            const AskAnswer answered = answer("parameters of " + name, at_hand);
            EXPECT_EQ(answered.number, total) << name;
            EXPECT_EQ(answered.preset, preset.id) << name;
        }
    }
}

TEST(AskNames, OtherSpellingsAreFound) {
    for (const auto& [name, id] : std::vector<std::pair<const char*, const char*>>{
             {"llama3 8b", "llama-3-8b"},
             {"Meta-Llama-3-8B", "llama-3-8b"},
             {"llama 3 8b instruct", "llama-3-8b"},
             {"Llama-2-7b-hf", "llama-2-7b"},
             {"llama2 13b chat", "llama-2-13b"},
             {"Llama-3.1-405B", "llama-3.1-405b"},
             {"mistral 7b", "mistral-7b"},
             {"Mistral-7B-v0.1", "mistral-7b"},
             {"gpt-2 xl", "gpt2-xl"},
             {"gpt2 xl", "gpt2-xl"},
             {"deepseek v3", "deepseek-v3"},
             {"DeepSeek-V3", "deepseek-v3"},
             {"deep seek v3", "deepseek-v3"},
             {"qwen 2.5 7b", "qwen2.5-7b"},
             {"qwen2.5 7b", "qwen2.5-7b"},
             {"gemma 2 2b", "gemma-2-2b"},
             {"gemma 2b", "gemma-2b"},
             {"gemma2 9b", "gemma-2-9b"},
             {"tiny llama 1.1b", "tinyllama-1.1b"},
             {"gptj 6b", "gpt-j-6b"},
             {"gpt neox 20b", "gpt-neox-20b"},
             {"phi 3 mini", "phi-3-mini"},
             {"phi-2", "phi-2"},
             {"Mixtral 8x7B", "mixtral-8x7b"},
             {"codellama 34b", "codellama-34b"},
             {"command r+", "command-r-plus-104b"},
             {"command r plus", "command-r-plus-104b"},
             {"bloom", "bloom-176b"},
         })
        EXPECT_EQ(answer("parameters of " + std::string(name), "pythia-70m").preset, id) << name;
}

TEST(AskNames, WordsThatAreSaidOfModelsFindThem) {
    for (const auto& [word, id] :
         {std::pair("bert", "bert"), std::pair("vaswani", "transformer"), std::pair("whisper", "whisper"),
          std::pair("mamba", "mamba"), std::pair("minilm", "minilm"), std::pair("hybrid", "")}) {
        const AskAnswer found = answer("parameters of " + std::string(word), "pythia-70m");
        EXPECT_NE(found.preset.find(id), found.preset.npos) << word << ": " << found.preset;
        EXPECT_NE(found.preset, "pythia-70m") << word;
    }
    EXPECT_TRUE(attends(find_preset(all_presets(), answer("parameters of hybrid").preset)->architecture));
}

TEST(AskNames, OfANameThatThereIsNotNoNumberStands) {
    std::vector<std::string> names{
        "llama 3.7 8b",    "Llama-3.7-70B", "llama 4 8b",    "llama 38b", "mistral 8b",  "gpt-4",      "gpt4",
        "gpt 5",           "qwen 4 7b",     "gemma 5 2b",    "gemma 5",   "deepseek v9", "phi 9",      "falcon 8b",
        "mixtral 8x9b",    "claude",        "claude 3 opus", "zephyr 7b", "orca",        "foobar 12b", "mistral medium",
        "mistral 7b v0.9", "gpt-2 huge",    "tinyllama 2b",  "lama 3 8b", "7b",          "opt 14b",    "pythia 3b",
        "reformer",        "grok 1"};
    // Every model with another size.
    for (const Preset& preset : tried_presets()) names.push_back(with(preset.id, '.', ".9") + "-987b");
    for (const std::string& name : names)
        for (const char* ask : {"parameters of ", "context length of ", "memory of ", "kv cache 100 tokens "}) {
            const Asked all = asked(ask + name);
            EXPECT_FALSE(all.answer) << ask << name << ": " << all.answer->title << ' ' << all.answer->number;
            EXPECT_FALSE(all.unknown.empty()) << ask << name;
        }
}

TEST(AskNames, AnUnknownWordLeavesNoNumber) {
    for (const char* text : {"params of atten", "queries of zzyzxqj", "number of frobs in llama 2 7b",
                             "training cost of llama 3 8b", "compare llama 2 7b with llama 3.7 8b"})
        EXPECT_FALSE(asked(text).answer) << text;
}

// Enter asks the first row: another model's question is not to stand there.
TEST(AskNames, OfANameThatThereIsNotNothingElseIsOffered) {
    for (const char* text :
         {"context length of llama 3.7 8b", "kv cache of llama 3.7 8b at 128k in int8", "parameters of lama 3 8b",
          "queries of lama", "7b model with 16 heads", "13b model", "parameters of claude", "parameters of reformer",
          "parameters of grok 1", "compare llama 2 7b with llama 3.7 8b", "rope theta of falcon 9b", "gpt4"}) {
        const Asked all = asked(text);
        EXPECT_FALSE(all.answer) << text;
        EXPECT_FALSE(all.unknown.empty()) << text;
        EXPECT_TRUE(all.matches.empty()) << text << ": " << all.matches.front().title;
    }
}

TEST(AskNames, ASizeOfManyModelsIsSaidToBeOne) {
    const Asked all = asked("7b model with 16 heads");
    ASSERT_EQ(all.unknown.size(), 1U);
    EXPECT_EQ(all.unknown.front().words, "7b");
    EXPECT_TRUE(all.unknown.front().nearest.empty()) << "none is nearer than the others";
    EXPECT_NE(all.problem.find("models: write one of them in full, such as "), std::string::npos) << all.problem;
}

// Letters that are units, symbols and words.
TEST(AskNames, UnitsAndSymbolsAreToldApart) {
    for (const auto& [text, number] : std::vector<std::pair<const char*, const char*>>{
             {"scores, 8k tokens", "8192 × 8192"},
             {"scores, 8 k tokens", "8192 × 8192"},
             {"scores T=8k", "8192 × 8192"},
             {"scores 64 T", "64 × 64"},
             {"scores 100T", "100 × 100"},
             {"scores T = 64", "64 × 64"},
             {"input 4k tokens", "4096 × 4096"},
             {"kv cache B=4 T=1k", "2,147,483,648"},
             {"kv cache, 1k tokens, batch 4", "2,147,483,648"},
             {"keys of one head, 64 tokens", "64 × 128"},
             {"k of one head, 64 tokens", "64 × 128"},
             {"top k of mixtral 8x7b", "2"},
             {"E of mixtral 8x7b", "8"},
             {"L", "32"},
             {"h", "32"},
             {"d", "4096"},
             {"d_h", "128"},
         })
        EXPECT_EQ(answer(text).number, number) << text;
}

}  // namespace
}  // namespace headcount
