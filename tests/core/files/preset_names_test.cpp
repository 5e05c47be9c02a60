// What people call the models that ship.
#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "core/files/open.hpp"
#include "core/files/preset_search.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using testing_data::all_presets;

std::string called(std::string_view name) {
    const Preset* const preset = preset_called(all_presets(), name);
    return preset ? preset->id : "";
}

TEST(PresetNames, AreTheIdTheNameAndWhatItIsPublishedAs) {
    for (const Preset& preset : all_presets()) {
        EXPECT_EQ(called(preset.id), preset.id);
        if (!preset.architecture.name.empty() && called(preset.architecture.name) != preset.id)
            ADD_FAILURE() << preset.architecture.name << " is " << called(preset.architecture.name);
    }
    EXPECT_EQ(called("Llama 2 7B"), "llama-2-7b");
    EXPECT_EQ(called("meta-llama/Llama-2-7b-hf"), "llama-2-7b");
    EXPECT_EQ(called("Llama-2-7b-hf"), "llama-2-7b");
    EXPECT_EQ(called("llama-3.1-70b"), "llama-3.1-70b");
    EXPECT_EQ(called("meta-llama/Llama-3.1-70B"), "llama-3.1-70b");
    EXPECT_EQ(called("llama3.1-70B"), "llama-3.1-70b");
    EXPECT_EQ(called("google-bert/bert-base-uncased"), "bert-base-uncased");
    EXPECT_EQ(called("microsoft/phi-1_5"), "phi-1.5");
    EXPECT_EQ(called("whisper"), "whisper-tiny");
    EXPECT_EQ(called("whisper-large"), "whisper-large-v3");
    EXPECT_EQ(called("openai/whisper-base"), "whisper-base");
    EXPECT_EQ(called("openai/clip-vit-large-patch14"), "clip-vit-l-14-vision");
    EXPECT_EQ(called("google/siglip-base-patch16-224"), "siglip-base-vision");
}

TEST(PresetNames, MayEndInHowTheModelWasTuned) {
    EXPECT_EQ(called("meta-llama/Llama-3.1-70B-Instruct"), "llama-3.1-70b");
    EXPECT_EQ(called("meta-llama/Llama-2-7b-chat-hf"), "llama-2-7b");
    EXPECT_EQ(called("google/gemma-2-9b-it"), "gemma-2-9b");
    EXPECT_EQ(called("Qwen/Qwen3-8B"), "qwen3-8b");
    EXPECT_EQ(called("deepseek-ai/DeepSeek-R1"), "deepseek-v3");
}

TEST(PresetNames, OfAnotherModelOrAnotherOwnerAreNone) {
    for (const char* name : {"", "/", "/gpt2", "gemma-3.4b", "llama-3.8b", "exaone 4.1 2b", "g\u00e9mma-7b", "gpt2?",
                             "llama", "bert-larger", "llama-3-170b", "llama-31-70b", "somebody/gpt2", "gpt2/",
                             "Qwen/Qwen2-Audio-7B", "../gpt2", "llama-2-7b-awq"})
        EXPECT_EQ(called(name), "") << name;
}

TEST(PresetNames, OfSeveralOpenNoneAndNameAll) {
    for (const char* name : {"google/gemma-3-4b-pt", "google/gemma-3-4b-it", "gemma-3-4b-it"}) {
        EXPECT_EQ(called(name), "") << name;
        const Result<Opened> opened = open_architecture(name, all_presets());
        ASSERT_FALSE(opened) << name;
        EXPECT_NE(sentence(opened.error()).find("gemma-3-4b, gemma-3-4b-whole"), std::string::npos)
            << sentence(opened.error());
    }
    for (const auto& [name, some] : {std::pair{"t5", "t5-small"}, std::pair{"llama3", "llama-3-8b"}}) {
        const Result<Opened> opened = open_architecture(name, all_presets());
        ASSERT_FALSE(opened) << name;
        EXPECT_NE(sentence(opened.error()).find(some), std::string::npos) << sentence(opened.error());
    }
    EXPECT_EQ(called("gemma-3-4b"), "gemma-3-4b");
    EXPECT_EQ(called("Gemma 3 4B, whole"), "gemma-3-4b-whole");
}

TEST(PresetNames, AreFoundByWordsThatAreSaidOfThem) {
    const auto about = [](std::string_view words) {
        return listed(presets_about(all_presets(), words), [](const Preset* each) { return each->id; });
    };
    for (const auto& [words, id] :
         {std::pair("vaswani", "transformer-base"), std::pair("minilm", "all-minilm-l6-v2"),
          std::pair("bert", "bert-base"), std::pair("hybrid", "qwen3-next-80b-a3b"),
          std::pair("whisper", "whisper-tiny"), std::pair("mamba", "mamba-130m"), std::pair("hybrid jamba", "jamba"),
          std::pair("google", "gemma-3-27b"), std::pair("skt 2026", "ax-k1")})
        EXPECT_NE(about(words).find(id), std::string::npos) << words << ": " << about(words);
    EXPECT_EQ(about("hybrid").find("llama-2-7b"), std::string::npos);
    for (const char* none : {"", "minil"}) EXPECT_EQ(about(none), "") << none;
    EXPECT_EQ(called("minilm"), "") << "it opens none by itself";
    const Result<Opened> opened = open_architecture("minilm", all_presets());
    ASSERT_FALSE(opened);
    EXPECT_EQ(sentence(opened.error()).find("no preset is called \"minilm\": ARCH: name one by its id: "), 0u)
        << sentence(opened.error());
}

TEST(PresetNames, AreAsShortAsOneModelAloneIsCalled) {
    EXPECT_EQ(called("tinyllama"), "tinyllama-1.1b");
    EXPECT_EQ(called("gpt-j"), "gpt-j-6b");
    EXPECT_EQ(called("distilbert"), "distilbert-base-uncased");
    EXPECT_EQ(called("bert-base"), "bert-base-uncased");
    EXPECT_EQ(called("bert-large"), "bert-large-uncased");
    EXPECT_EQ(called("somebody/tinyllama"), "");
}

TEST(PresetNames, OpenTheModel) {
    const Result<Opened> opened = open_architecture("Qwen/Qwen3-8B", all_presets());
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->preset->id, "qwen3-8b");
}

}  // namespace
}  // namespace headcount
