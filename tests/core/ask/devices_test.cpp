// Claims about devices in questions: one that is known is itself, and one that is not is no number.
#include "core/base/text.hpp"
#include "tests/core/ask/asking.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(AskDevices, EveryShippedDeviceIsWhatSomethingFitsOn) {
    AskMemory memory;
    for (const Device& device : devices())
        for (const std::string& name : {device.id, device.name}) {
            const Asked all = asked("does gpt2 fit on " + name, "llama-2-7b", {}, &memory);
            ASSERT_TRUE(all.answer) << name << ": " << all.problem;
            EXPECT_EQ(all.answer->title,
                      "GPT-2 small fits in the " + bytes_text(device.memory) + " of " + device.name + " less 10 %");
        }
}

TEST(AskDevices, TheirMemoryIsTheBudget) {
    EXPECT_EQ(answer("does llama 3 70b fit on an h100").title,
              "Llama 3 70B does not fit in the 79.6 GiB of NVIDIA H100 SXM less 10 %");
    for (const char* text :
         {"memory llama 3 8b h100", "llama 3 8b on H100", "does llama 3 8b run on an nvidia h100 gpu"})
        EXPECT_EQ(answer(text).title, "Llama 3 8B fits in the 79.6 GiB of NVIDIA H100 SXM less 10 %") << text;
    EXPECT_EQ(answer("does llama 3 8b fit on an RTX4090").title,
              "Llama 3 8B fits in the 24.0 GiB of NVIDIA GeForce RTX 4090 less 10 %");
    EXPECT_EQ(answer("what fits on a t4").title, "Shipped models that fit in the 15.0 GiB of NVIDIA T4 less 10 %");
    EXPECT_EQ(answer("does llama 3 8b fit on an a100 with 40 GB").title, "Llama 3 8B fits in 40 GB")
        << "what is said counts more than what is known";
}

TEST(AskDevices, WhereTheyPlayNoPartTheyAreNoNumber) {
    for (const auto& [text, plain] : std::vector<std::pair<const char*, const char*>>{
             {"parameters of llama 3 8b on an h100", "parameters of llama 3 8b"},
             {"kv cache llama 3 8b t4", "kv cache llama 3 8b"},
             {"weights of llama 3 8b on l4", "weights of llama 3 8b"}}) {
        EXPECT_EQ(answer(text).number, answer(plain).number) << text;
        EXPECT_TRUE(says(answer(text).notes, "plays no part in this answer.")) << text;
    }
}

TEST(AskDevices, ALetterStuckToANumberIsNoField) {
    for (const auto& [text, name] :
         std::vector<std::pair<const char*, const char*>>{{"does llama 3 70b fit on v200", "v200"},
                                                          {"does llama 3 70b fit on a b500", "b500"},
                                                          {"memory llama 3 8b h30", "h30"},
                                                          {"params of llama 3 8b in q4", "q4"}}) {
        const Asked all = asked(text);
        EXPECT_FALSE(all.answer) << text;
        ASSERT_EQ(all.unknown.size(), 1U) << text;
        EXPECT_EQ(all.unknown.front().words, name);
    }
    EXPECT_FALSE(asked("does llama 3 70b fit on 2 h100s").answer) << "how they share it is not said";
    for (const AskReading& reading : asked("does llama 3 70b fit on 2 h100s").readings)
        EXPECT_EQ(reading.meaning.find("heads"), std::string::npos);
}

TEST(AskDevices, SymbolsStayInputs) {
    EXPECT_EQ(answer("scores T64").number, "64 × 64");
    EXPECT_EQ(answer("scores T = 4").number, "4 × 4");
    EXPECT_EQ(answer("L").number, "32");
}

TEST(AskDevices, MemoryIsThatOfACardHoweverItIsSaid) {
    const std::string fits = answer("does it fit in 24 GB").title;
    for (const char* text :
         {"does it fit a 24 GB card?", "can i run it on my 24 gb gpu", "does it fit our 24 GB machine"})
        EXPECT_EQ(answer(text).title, fits) << text;
    EXPECT_EQ(answer("which models run on my 8 gb gpu").title, answer("what fits in 8 GB").title);
}

}  // namespace
}  // namespace headcount
