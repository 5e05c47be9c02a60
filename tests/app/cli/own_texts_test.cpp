// The manual and the shells' completions: whatever --help names is in each of them, so that no command is forgotten.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli/session.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using testing_data::has;
using testing_data::run;

struct Helped {
    std::string path;                  // "headcount worksheet list"
    std::vector<std::string> options;  // "--json", "-o"
    std::string help;
};

void read_help(std::vector<Helped>& all, const std::vector<std::string>& words) {
    std::vector<std::string> asked = words;
    asked.push_back("--help");
    Helped found{.path = "headcount", .options = {}, .help = run(asked).out};
    for (const std::string& word : words) found.path += ' ' + word;
    std::istringstream lines(found.help);
    std::vector<std::string> inside;
    bool commands = false;
    for (std::string line; std::getline(lines, line);) {
        std::string name;
        std::istringstream(line) >> name;
        if (line == "Subcommands:" || line == "SUBCOMMANDS:") commands = true;
        if (!line.starts_with("  ") || name.empty() || line[2] == ' ') {
            if (name.empty()) commands = false;
        } else if (name.front() == '-') {
            std::istringstream names(name);
            for (std::string each; std::getline(names, each, ',');) found.options.push_back(each);
        } else if (commands) {
            inside.push_back(name);
        }
    }
    all.push_back(found);
    for (const std::string& name : inside) {
        std::vector<std::string> deeper = words;
        deeper.push_back(name);
        read_help(all, deeper);
    }
}

std::vector<Helped> everything_helped() {
    std::vector<Helped> all;
    read_help(all, {});
    return all;
}

// From where it begins to where it ends; empty where it is not there.
std::string part_of(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t from = text.find(begin);
    return from == std::string::npos ? "" : text.substr(from, text.find(end, from + begin.size()) - from);
}

std::string in_roff(std::string_view name) {
    std::string bold = "\\fB";
    for (const char letter : name) bold += letter == '-' ? "\\-" : std::string(1, letter);
    return bold + "\\fR";
}

TEST(Manual, HasEveryCommandAndOptionOfTheHelp) {
    const std::string page = run({"manual"}).out;
    const std::vector<Helped> helped = everything_helped();
    EXPECT_GT(helped.size(), 20u);
    for (const Helped& command : helped) {
        const bool program = command.path == "headcount";
        const std::string section = program ? part_of(page, ".SH OPTIONS\n", "\n.SH")
                                            : part_of(page, ".SS " + in_roff(command.path) + " [", "\n.S") +
                                                  part_of(page, ".SS " + in_roff(command.path) + " \\fB", "\n.S");
        EXPECT_NE(section, "") << command.path;
        for (const std::string& option : command.options) {
            if (program || (option != "-h" && option != "--help")) {
                EXPECT_TRUE(has(section, in_roff(option))) << command.path << ' ' << option;
            }
        }
    }
}

TEST(Manual, HasNoLineThatRoffTakesForARequestOfItsOwn) {
    std::istringstream lines(run({"manual"}).out);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_NE(line, "");
        const std::string request = line.substr(0, line.find(' '));
        if (line.front() == '.') {
            EXPECT_TRUE(has(" .\\\" .TH .SH .SS .TP .PP .br ", ' ' + request + ' ')) << line;
        }
        EXPECT_NE(line.front(), '\'') << line;
    }
}

TEST(Manual, IsAsciiSinceRoffReadsBytes) {
    const std::string page = run({"manual"}).out;
    EXPECT_TRUE(std::ranges::all_of(page, [](char letter) { return static_cast<unsigned char>(letter) < 0x80; }));
    EXPECT_TRUE(has(page, "\\[u00D7]")) << "what is no ASCII stands there by its number";
}

TEST(Completion, OfEveryShellHasEveryCommandAndOptionOfTheHelp) {
    const std::string bash = run({"completion", "bash"}).out;
    const std::string zsh = run({"completion", "zsh"}).out;
    const std::string fish = run({"completion", "fish"}).out;
    for (const Helped& command : everything_helped()) {
        const std::string in_bash = part_of(bash, '\'' + command.path + "') commands=", "\n");
        const std::string in_zsh = part_of(zsh, '\'' + command.path + "')\n", ";;\n");
        EXPECT_NE(in_bash, "") << command.path;
        EXPECT_NE(in_zsh, "") << command.path;
        const std::string at = "complete -c headcount -n '__headcount_at " + command.path + "' ";
        for (const std::string& option : command.options) {
            EXPECT_TRUE(has(in_bash, option + ' ') || has(in_bash, option + '\'')) << command.path << ' ' << option;
            EXPECT_TRUE(has(in_zsh, option + '[') || has(in_zsh, option + "=[")) << command.path << ' ' << option;
            const bool word = option.starts_with("--");
            std::istringstream lines(fish);
            bool found = false;
            for (std::string line; std::getline(lines, line);)
                found |= line.starts_with(at) &&
                         has(line, word ? " -l " + option.substr(2) + ' ' : " -s " + option.substr(1) + ' ');
            EXPECT_TRUE(found) << command.path << ' ' << option;
        }
    }
}

TEST(Completion, OffersEveryPresetForAModel) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string script = run({"completion", shell}).out;
        for (const Preset& preset : testing_data::all_presets())
            EXPECT_TRUE(has(script, preset.id + ' ')) << shell << ' ' << preset.id;
        EXPECT_TRUE(has(script, " tiny-stories")) << "weights that ship are named as presets are";
    }
}

// What the help names as "dark|light" is what the option takes.
TEST(Completion, OffersTheWordsThatAnOptionTakes) {
    const std::string script = run({"completion", "bash"}).out;
    std::size_t choices = 0;
    for (const Helped& command : everything_helped()) {
        std::istringstream words(command.help);
        for (std::string word; words >> word;) {
            if (word.find('|') == std::string::npos) continue;
            std::string list = word;
            std::replace(list.begin(), list.end(), '|', ' ');
            EXPECT_TRUE(has(script, '\'' + word + "') known='" + list + "'")) << command.path << ' ' << word;
            ++choices;
        }
    }
    EXPECT_GT(choices, 10u);
    for (const char* word : {"adam", "adam8", "sgd", "muon", "adafactor"})
        EXPECT_EQ(run({"memory", "gpt2", "--tokens", "8", "--train", word}).status(), 0) << word;
    EXPECT_TRUE(has(script, "'adam|adam8|sgd|muon|adafactor')"));
}

TEST(Completion, IsRefusedForAShellThatItDoesNotKnow) {
    EXPECT_EQ(run({"completion", "tcsh"}).status(), 2);
    EXPECT_TRUE(has(run({"completion", "tcsh"}).err, "bash, zsh, fish"));
    EXPECT_EQ(run({"completion"}).status(), 2);
}

}  // namespace
}  // namespace headcount
