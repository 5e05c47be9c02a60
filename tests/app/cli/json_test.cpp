// What every JSON document has that the program prints, whichever command it is.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "app/cli/command.hpp"
#include "app/cli/command_table.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

using Words = std::vector<std::string>;

// The commands that take --json, by their words behind the program's name.
std::vector<std::string> commands_with_json() {
    CLI::App program("", "headcount");
    std::vector<CommandAction> actions;
    for (const Command& command : all_commands(testing_data::views, {}))
        actions.push_back(command.describe(program.add_subcommand(command.name, command.what)));
    std::vector<std::string> paths;
    for (const CommandRow& row : command_table(program))
        for (const OptionRow& option : row.options)
            if (std::ranges::count(option.names, "--json") > 0)
                paths.push_back(row.path.substr(row.path.find(' ') + 1));
    return paths;
}

TEST(Json, HasTheVersionAndTheSchemaWhereverItIsAnObject) {
    const Scratch scratch;
    const std::string small = HEADCOUNT_ASSETS_DIR "/models/tiny-stories",
                      diagnose = std::string(HEADCOUNT_TESTS_DIR) + "/golden/diagnose/",
                      answers = scratch.file("answers.json", R"({"student": "Ann", "answers": {}})");
    const std::map<std::string, Words> examples{
        {"presets", {}},
        {"ask", {"how many parameters", "gpt2"}},
        {"count", {"gpt2"}},
        {"tensors", {"gpt2"}},
        {"match", {small}},
        {"shapes", {"gpt2", "--tokens", "8"}},
        {"equations", {"gpt2"}},
        {"compare", {"gpt2", "llama-2-7b"}},
        {"diff", {"gpt2", "llama-2-7b"}},
        {"memory", {"gpt2", "--tokens", "8"}},
        {"compute", {"gpt2", "--tokens", "8"}},
        {"devices", {}},
        {"measured", {}},
        {"sweep", {"gpt2", "--vary", "layers=1,2"}},
        {"sensitivity", {"gpt2"}},
        {"solve", {"gpt2", "--vary", "layers", "--total", "200M"}},
        {"run", {small, "--prompt-ids", "1", "--tokens", "1"}},
        {"tokenize", {small, "Once"}},
        {"diagnose",
         {diagnose + "llama-1", "--against", diagnose + "llama-rope-neighbours-seen.safetensors", "--prompt-ids",
          "3,17,41,8,29,60,5"}},
        {"train", {"gpt2",  "--set",      "dim=16",    "--set",  "layers=1", "--set",   "heads=2",
                   "--set", "ffn_dim=32", "--letters", "2",      "--batch",  "4",       "--held-out",
                   "8",     "--threads",  "1",         "--task", "copy",     "--steps", "1"}},
        {"claims", {"205-b"}},
        {"worksheet list", {}},
        {"worksheet answer", {"1-one-head", "--answers", answers}},
    };
    const json first = run({"count", "gpt2", "--json"}).json();
    // Lists, for scripts that read them as such.
    const std::set<std::string> lists{"presets", "tensors", "shapes", "equations", "claims", "worksheet list"};
    for (const std::string& path : commands_with_json()) {
        const auto example = examples.find(path);
        ASSERT_NE(example, examples.end()) << path << " has no example here";
        Words words;
        for (std::size_t at = 0; at < path.size();) {
            const std::size_t end = std::min(path.find(' ', at), path.size());
            words.push_back(path.substr(at, end - at));
            at = end + 1;
        }
        words.insert(words.end(), example->second.begin(), example->second.end());
        words.emplace_back("--json");
        const Ran ran = run(words);
        const json found = json::parse(ran.out, nullptr, false);
        if (lists.contains(path)) {
            EXPECT_TRUE(found.is_array() && !found.empty()) << path << ": " << ran.out.substr(0, 200) << ran.err;
            continue;
        }
        ASSERT_TRUE(found.is_object()) << path << ": " << ran.out.substr(0, 200) << ran.err;
        EXPECT_EQ(found["headcount"], first["headcount"]) << path;
        EXPECT_EQ(found["schema"], first["schema"]) << path;
        EXPECT_TRUE(found["notes"].is_array()) << path;
    }
}

}  // namespace
}  // namespace headcount
