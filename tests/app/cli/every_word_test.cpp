// Each option of each command that has it changes the answer, or is refused; or it says what is so anyway.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::Ran;
using testing_data::run;

std::vector<std::string> one_by_one(std::string_view line) {
    std::vector<std::string> words;
    std::istringstream read{std::string(line)};
    for (std::string word; read >> word;) words.push_back(word);
    return words;
}

// What is answered, less what was asked.
json answer_to(const std::string& line) {
    std::vector<std::string> words = one_by_one(line);
    if (words.front() == "ask") words.insert(words.begin() + 1, "how many parameters");
    words.emplace_back("--json");
    const Ran ran = run(words);
    if (ran.status() != 0) return nullptr;
    json answer = ran.json();
    for (json* each :
         {&answer, answer.contains("a") ? &answer["a"] : &answer, answer.contains("b") ? &answer["b"] : &answer})
        for (const char* asked : {"headcount", "schema", "input"})
            if (each->is_object()) each->erase(asked);
    return answer;
}

constexpr std::array tried_lines{
    "memory llama-3-8b --tokens 4k",
    "memory llama-3-8b --tokens 4k --train adam --device b200",
    "memory llama-3-8b --tokens 4k --phase decode --device h100",
    "memory bert-base-uncased --tokens 512 --device h100",
    "memory mamba-130m --tokens 4k --device h100",
    "compute llama-3-8b --tokens 4k",
    "compute llama-3-8b --tokens 4k --device h100",
    "compute llama-3-8b --tokens 4k --device h100 --phase train",
    "sweep llama-3-8b --tokens 4k --vary layers=8,16",
    "sweep llama-3-8b --tokens 4k --vary layers=8,16 --device h100",
    "sweep llama-3-8b --vary layers=8,16 --show total,weights",
    "sensitivity gpt2 --tokens 512",
    "compare gpt2 llama-3-8b --tokens 512",
    "solve llama-3-8b --vary layers --total 9B",
    "solve llama-3-8b --free layers --memory 24GiB",
    "solve llama-3-8b --size 9B",
    "solve llama-3-8b --compute 1e23",
    "ask llama-3-8b",
    "count llama-3-8b",
};
constexpr std::array tried_options{
    "--batch 4",         "--cached 64",   "--source 50",      "--dtype int8",     "--dtype experts=mxfp4",
    "--kv-dtype int8",   "--device a100", "--devices 8",      "--tensor 2",       "--pipeline 2",
    "--context 2",       "--expert 2",    "--phase decode",   "--phase train",    "--full",
    "--link 450GB/s",    "--train adam8", "--recipe pure",    "--recompute full", "--dropout",
    "--scores",          "--fused",       "--sequence",       "--chunk 512",      "--block 48",
    "--pad 5000",        "--reserve 30",  "--zero 3",         "--offload",        "--gpu-layers 5",
    "--adapter lora",    "--rank 64",     "--targets q_proj", "--price 2",        "--mfu 40%",
    "--train-tokens 1T", "--memory",      "--multiple 256",   "--any-shape",      "--answers 2",
};

// Where the answer is as without it, and why that is right.
struct SoAnyway {
    std::string_view command, option, why;
};
constexpr std::string_view of_all = "each has a copy and a batch of its own, and the figures are those of one";
constexpr std::string_view of_fitting = "whether there is room is as before";
constexpr std::array so_anyway{
    SoAnyway{"memory llama-3-8b --tokens 4k --train", "--devices 8", of_all},
    SoAnyway{"memory llama-3-8b --tokens 4k --train", "--phase train", "--train says it, too"},
    SoAnyway{"memory bert-base-uncased", "--scores", "the most is there at once while the logits are made"},
    SoAnyway{"memory mamba-130m", "--cached 64", "a state is as large however many tokens there were"},
    SoAnyway{"compute llama-3-8b --tokens 4k --device h100", "--reserve 30", of_fitting},
    SoAnyway{"sweep llama-3-8b --tokens 4k --vary layers=8,16 --device h100", "--memory", "--device shows it, too"},
    SoAnyway{"solve llama-3-8b --free layers", "--any-shape", "the number of layers makes no shape of a matrix"},
};

TEST(EveryWord, ChangesTheAnswerOrIsRefused) {
    for (const std::string command : tried_lines) {
        const json before = answer_to(command);
        ASSERT_FALSE(before.is_null()) << command;
        for (const std::string option : tried_options) {
            if (command.find(option.substr(0, option.find(' ')) + " ") != std::string::npos) continue;
            const bool same = answer_to(command + " " + option) == before;
            const bool right = std::ranges::any_of(so_anyway, [&](const SoAnyway& each) {
                return command.starts_with(each.command) && option == each.option;
            });
            EXPECT_EQ(same, right) << command << " " << option;
        }
    }
}

}  // namespace
}  // namespace headcount
