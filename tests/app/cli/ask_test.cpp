// headcount ask: what it prints, and how it says that it did not understand.
#include <gtest/gtest.h>

#include "core/files/presets.hpp"
#include "core/tours/tour.hpp"
#include "core/worksheet/worksheet.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(AskCommandLine, PrintsTheFigureItsDerivationAndTheWords) {
    const Ran asked = run({"ask", "attention parameters"});
    EXPECT_EQ(asked.status(), 0) << asked.err;
    EXPECT_TRUE(has(asked.out, "Llama 2 7B")) << "the model that the window opens with";
    EXPECT_TRUE(has(asked.out, "2,147,483,648 parameters"));
    EXPECT_TRUE(has(asked.out, "symbols  "));
    EXPECT_TRUE(has(asked.out, "understood as: attention = attention; parameters = parameters"));
}

TEST(AskCommandLine, IsAboutTheModelAndTheInputThatAreGiven) {
    const Ran asked = run({"ask", "kv cache", "llama-3-8b", "--set", "kv_heads=4", "--tokens", "1024", "--json"});
    ASSERT_EQ(asked.status(), 0) << asked.err;
    const nlohmann::json answer = asked.json();
    EXPECT_EQ(answer["number"], "67,108,864");
    EXPECT_EQ(answer["understood"][0]["as"], "KV cache");
    EXPECT_TRUE(has(answer["says"], "Keys and values")) << answer["says"];
    EXPECT_FALSE(answer["notes"].empty());
}

std::string number(const std::vector<std::string>& words, const char* key = "number") {
    std::vector<std::string> all{"ask"};
    all.insert(all.end(), words.begin(), words.end());
    all.emplace_back("--json");
    const Ran ran = run(all);
    EXPECT_EQ(ran.status(), 0) << ran.err;
    return ran.status() == 0 ? ran.json()[key].get<std::string>() : "";
}

TEST(AskCommandLine, TakesTheModelBeforeTheQuestionOrBehindIt) {
    const std::string size = number({"kv cache 8k tokens", "llama-3-8b"});
    EXPECT_EQ(number({"llama-3-8b", "kv cache 8k tokens"}), size);
    EXPECT_EQ(number({"#v=1&m=llama-3-8b", "kv cache 8k tokens"}), size);
    EXPECT_EQ(number({"llama-3-8b", "cache", "--tokens", "8k"}), size) << "a question of one word";
    EXPECT_TRUE(has(run({"ask", "how large is the cache", "lama-3"}).err, "lama-3")) << "which is no model";
}

TEST(AskCommandLine, UnderstandsHowPeopleAskForServing) {
    EXPECT_EQ(number({"how long does one token take on an h100", "llama-3-8b"}),
              number({"time per token on an h100", "llama-3-8b"}));
    EXPECT_EQ(number({"how many users can i serve on two h100 with 8k tokens", "llama-3-8b"}),
              number({"largest batch on 2 h100 with 8k tokens", "llama-3-8b"}));
    EXPECT_TRUE(has(number({"how many users on an h100 with 8k tokens", "llama-3-8b"}, "about"), "bf16"));
    EXPECT_EQ(number({"what is laurel"}, "title"), "LAuReL");
    EXPECT_EQ(number({"altup", "gemma-3n-e4b"}), "4");
}

TEST(AskCommandLine, TakesWhatIsSaidBesideTheQuestionAsIfItStoodThere) {
    const std::string in_words = number({"memory of llama 3 8b 4k tokens batch 3"});
    EXPECT_EQ(number({"memory", "llama-3-8b", "--tokens", "4k", "--batch", "3"}), in_words);
    EXPECT_EQ(number({"memory", "#v=1&m=llama-3-8b&tokens=4096&batch=3"}), in_words);
    EXPECT_EQ(number({"memory", "#v=1&m=llama-3-8b&tokens=100"}), number({"memory of llama 3 8b 100 tokens"}))
        << "a link says as many as there are anyway";
    EXPECT_EQ(number({"longest context", "llama-3-8b", "--device", "h100"}),
              number({"longest context of llama 3 8b on h100"}));
    EXPECT_EQ(number({"longest context", "llama-3-8b"}), number({"context of llama 3 8b"}));
    EXPECT_EQ(number({"which model has the longest context", "llama-3-8b"}),
              number({"which model has the longest context"}));
    EXPECT_EQ(run({"ask", "memory", "llama-3-8b", "--tokens", "64", "--phase", "train", "--json"}).json()["number"],
              number({"memory to train llama 3 8b, 64 tokens"}));
}

TEST(AskCommandLine, KnowsEveryTourAndWorksheetByItsTitle) {
    for (const Tour& tour : all_tours().tours) {
        const Ran asked = run({"ask", tour.title});
        EXPECT_TRUE(has(asked.out, "It opens with: headcount --tour " + tour.id)) << tour.title << asked.err;
    }
    for (const Worksheet& sheet : *shipped_worksheets()) {
        const Ran asked = run({"ask", "Worksheet: " + sheet.title, "--json"});
        ASSERT_EQ(asked.status(), 0) << sheet.title << asked.err;
        EXPECT_EQ(asked.json()["says"], "It opens with: headcount worksheet show " + sheet.id);
    }
}

TEST(LinkCommand, SwitchesAPartOffWhereBothRunsAreSeen) {
    const Ran link = run({"link", "gpt2", "--view", "run", "--off", "layer.1.attention.head:3"});
    ASSERT_EQ(link.status(), 0) << link.err;
    EXPECT_TRUE(has(link.out, "&off=layer.1.attention.head:3&layer=1&head=3&run.beside=1")) << link.out;
}

TEST(LinkCommand, SaysHowALinkWithoutAnAddressIsUsed) {
    const Ran link = run({"link", "gpt2"});
    EXPECT_EQ(link.out, "#v=1&m=gpt2\n");
    EXPECT_TRUE(has(link.err, "In a shell it stands in quotes")) << link.err;
    const Ran code = run({"link", "gpt2", "--qr"});
    EXPECT_NE(code.status(), 0);
    EXPECT_TRUE(has(code.err, "a telephone can open nothing without the address of a page: --qr: give --base URL"))
        << code.err;
    const Ran page = run({"link", "gpt2", "--qr", "--base", "https://example.org/"});
    EXPECT_EQ(page.status(), 0) << page.err;
    EXPECT_EQ(page.err, "");
}

TEST(AskCommandLine, SaysByWhichKeyTheWindowDoesIt) {
    const std::vector<AskCommand> actions{
        {"Ctrl+Z", "Undo", "undo"}, {"Ctrl+K", "Ask", "ask"}, {"", "Welcome: where to begin", "welcome"}};
    const auto said = [&](const std::string& question) {
        std::ostringstream out, err;
        const std::vector<std::string> words{"ask", question};
        parse_command_line(words, out, err, testing_data::views, {}, {}, actions);
        return out.str() + err.str();
    };
    EXPECT_TRUE(has(said("take back"), "Undo\nIn the window it is Ctrl+Z.\n")) << said("take back");
    EXPECT_TRUE(has(said("Undo"), "understood as: Undo = Undo\n")) << "found by its own name";
    EXPECT_TRUE(has(said("getting started"), "In the window it is in the list of Ctrl+K.")) << said("getting started");
    EXPECT_TRUE(has(said("dark mode"), "is something that is done in the window")) << "there is no such action here";
}

TEST(AskCommandLine, GivesNoNumberForWhatItDoesNotUnderstand) {
    for (const char* question : {"parameters of claude", "asdf", "dark mode", "", "how many bananas"}) {
        const Ran asked = run({"ask", question});
        EXPECT_EQ(asked.status(), 1) << question;
        EXPECT_EQ(asked.out, "") << question;
        EXPECT_TRUE(asked.err.starts_with("headcount: ")) << asked.err;
    }
    EXPECT_EQ(run({"ask"}).status(), 2);
}

}  // namespace
}  // namespace headcount
