// serve: sessions as programs hold them, a message a line.
#include "app/cli/serve.hpp"

#include <gtest/gtest.h>

#include "app/cli/command.hpp"
#include "tests/app/cli/session.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::Ran;
using testing_data::run;

std::vector<CommandRow> table() {
    CLI::App program("", "headcount");
    std::vector<CommandAction> actions;
    for (const Command& command : all_commands(testing_data::views, {}))
        actions.push_back(command.describe(program.add_subcommand(command.name, command.what)));
    return command_table(program);
}

Answered by_command_line(std::span<const std::string> words) {
    const Ran ran = run({words.begin(), words.end()});
    return {ran.status(), ran.out, ran.err};
}

std::vector<json> talk(const std::vector<std::string>& lines, const RunCommand& run_command = by_command_line) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    std::istringstream in(text), answers;
    std::ostringstream out;
    serve(in, out, table(), run_command);
    answers.str(out.str());
    std::vector<json> all;
    for (std::string line; std::getline(answers, line);) all.push_back(json::parse(line));
    return all;
}

json call(const std::string& tool, const json& arguments) {
    const json request{{"jsonrpc", "2.0"},
                       {"id", "a"},
                       {"method", "tools/call"},
                       {"params", {{"name", tool}, {"arguments", arguments}}}};
    const std::vector<json> answers = talk({request.dump()});
    EXPECT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers.front()["id"], "a");
    return answers.front();
}

// What a client sends first, and what it gets.
TEST(Serve, GreetsAndListsItsTools) {
    const std::vector<json> answers = talk(
        {R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"any","version":"1"}}})",
         R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "", R"({"jsonrpc":"2.0","id":1,"method":"ping"})",
         R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"});
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_EQ(answers[0]["result"]["protocolVersion"], "2024-11-05");
    EXPECT_EQ(answers[0]["result"]["serverInfo"]["name"], "headcount");
    EXPECT_EQ(answers[1], (json{{"jsonrpc", "2.0"}, {"id", 1}, {"result", json::object()}}));
    const json& tools = answers[2]["result"]["tools"];
    EXPECT_GE(tools.size(), 14U);
    for (const json& tool : tools) {
        EXPECT_FALSE(tool["description"].get<std::string>().empty());
        const json& schema = tool["inputSchema"];
        for (const json& required : schema["required"]) EXPECT_TRUE(schema["properties"].contains(required));
        EXPECT_FALSE(schema["properties"].contains("json"));
        EXPECT_FALSE(schema["properties"].contains("output"));
        if (tool["name"] == "memory") {
            EXPECT_EQ(schema["required"], (json{"arch", "tokens"}));
            EXPECT_EQ(schema["properties"]["set"]["type"], "array");
            EXPECT_EQ(schema["properties"]["dropout"]["type"], "boolean");
            for (const char* key : {"kv_dtype", "device", "devices", "phase"})
                EXPECT_TRUE(schema["properties"].contains(key)) << key;
        }
        if (tool["name"] == "count") {
            EXPECT_FALSE(schema["properties"].contains("tokens"));
        }
    }
}

TEST(Serve, AnswersWhatTheCommandsPrint) {
    const json memory = call(
        "memory", {{"arch", "llama-3-8b"}, {"tokens", "8k"}, {"batch", 2}, {"kv_dtype", "int8"}, {"phase", "decode"}});
    const Ran alone = run({"memory", "llama-3-8b", "--tokens", "8192", "--batch", "2", "--kv-dtype", "int8", "--phase",
                           "decode", "--json"});
    EXPECT_EQ(memory["result"]["isError"], false);
    EXPECT_EQ(memory["result"]["structuredContent"], alone.json());
    EXPECT_EQ(json::parse(memory["result"]["content"][0]["text"].get<std::string>()), alone.json());
    const json count = call("count", {{"arch", "gpt2"}, {"set", {"layers=13", "vocab=50000"}}});
    EXPECT_EQ(count["result"]["structuredContent"],
              run({"count", "gpt2", "--set", "layers=13", "--set", "vocab=50000", "--json"}).json());
    const json tree = call("tree", {{"arch", "gpt2"}, {"counts", true}, {"base", false}});
    EXPECT_EQ(tree["result"]["content"][0]["text"], run({"tree", "gpt2", "--counts"}).out);
    const json ask = call("ask", {{"question", "kv cache 8k tokens"}, {"arch", "llama-3-8b"}});
    EXPECT_EQ(ask["result"]["structuredContent"]["number"], "1,073,741,824");
    const json diff = call("diff", {{"old", "gpt2"}, {"new", "gpt2-xl"}, {"fail_on", "params>1%"}});
    EXPECT_EQ(diff["result"]["isError"], true);
    EXPECT_EQ(diff["result"]["structuredContent"]["conditions"][0]["holds"], true);
}

// The file is for who runs the command: no caller names one.
TEST(Serve, AnswersWithAPictureWhereACommandDraws) {
    const RunCommand draw = [](std::span<const std::string> words) {
        EXPECT_EQ((std::vector<std::string>(words.begin(), words.end())),
                  (std::vector<std::string>{"render", "--view=costs", "--", "gpt2"}));
        return Answered{.picture = "PNG"};
    };
    const json arguments{{"arch", "gpt2"}, {"view", "costs"}};
    const json request{{"jsonrpc", "2.0"},
                       {"id", 1},
                       {"method", "tools/call"},
                       {"params", {{"name", "render"}, {"arguments", arguments}}}};
    const json result = talk({request.dump()}, draw).at(0)["result"];
    EXPECT_EQ(result["isError"], false);
    EXPECT_EQ(result["content"], json::array({{{"type", "image"}, {"data", "UE5H"}, {"mimeType", "image/png"}}}));
    for (const char* argument : {"output", "format"})
        EXPECT_EQ(call("render", {{"arch", "gpt2"}, {argument, "x"}})["error"]["code"], -32602) << argument;
}

TEST(Serve, SaysWhatIsWrongWithACall) {
    const json unknown = call("count", {{"arch", "llama-9"}});
    EXPECT_EQ(unknown["result"]["isError"], true);
    EXPECT_NE(unknown["result"]["content"][0]["text"].get<std::string>().find("no preset and no file"),
              std::string::npos);
    EXPECT_EQ(call("memory", {{"arch", "gpt2"}})["result"]["isError"], true) << "no tokens";
    EXPECT_EQ(call("count", {{"arch", "--help"}})["result"]["isError"], true) << "a model, and no option";
    for (const auto& [tool, arguments] : {std::pair<const char*, json>{"fly", json::object()},
                                          {"count", {{"arch", "gpt2"}, {"tokens", 8}}},
                                          {"count", {{"arch", {"gpt2"}}}},
                                          {"count", {{"arch", nullptr}}},
                                          {"tree", {{"arch", "gpt2"}, {"counts", "yes"}}},
                                          {"count", {{"arch", "gpt2"}, {"json", true}}},
                                          {"count", json::array()},
                                          {"run", {{"arch", "tiny-stories"}}}})
        EXPECT_EQ(call(tool, arguments)["error"]["code"], -32602) << tool << ' ' << arguments;
}

TEST(Serve, SaysHowAnArgumentIsGiven) {
    const auto refused = [](const char* tool, const json& arguments) {
        return call(tool, arguments)["error"]["message"].get<std::string>();
    };
    EXPECT_EQ(refused("count", {{"arch", "gpt2"}, {"set", {{"layers", 13}}}}),
              "\"set\" cannot be {\"layers\":13}: give a list of texts, each KEY=VALUE, such as [\"kv_heads=32\"]");
    EXPECT_EQ(refused("sweep", {{"arch", {"gpt2", "gpt2-xl"}}, {"vary", {"tokens=1,2"}}}),
              "\"arch\" cannot be [\"gpt2\",\"gpt2-xl\"]: give a text or a number (ARCH), and further ones as the list "
              "\"more\"");
    EXPECT_EQ(refused("tree", {{"arch", "gpt2"}, {"counts", "yes"}}),
              "\"counts\" cannot be \"yes\": give true or false");
}

TEST(Serve, KnowsTheDevicesAndWhatElseIsRead) {
    const json devices = call("devices", json::object())["result"]["structuredContent"]["devices"];
    EXPECT_GT(devices.size(), 40U);
    EXPECT_EQ(call("devices", {{"measure", true}})["error"]["code"], -32602) << "which leaves a file";
    const json equations = call("equations", {{"arch", "gpt2"}})["result"];
    EXPECT_EQ(equations["content"][0]["text"], run({"equations", "gpt2", "--json"}).out);
    const json link = call("link", {{"arch", "gpt2"}})["result"]["content"][0]["text"];
    EXPECT_EQ(link.get<std::string>().rfind("#v=1&m=gpt2", 0), 0U) << link;
}

TEST(Serve, AnswersBadMessagesAndGoesOn) {
    for (const auto& [line, code] : {std::pair("{", -32700),
                                     {"\xff\xfe", -32700},
                                     {"[]", -32600},
                                     {"7", -32600},
                                     {"{}", -32600},
                                     {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
                                     {R"({"jsonrpc":"2.0","id":1,"method":7})", -32600},
                                     {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
                                     {R"({"jsonrpc":"2.0","id":1,"method":"fly"})", -32601},
                                     {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]})", -32602},
                                     {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", -32602}}) {
        const std::vector<json> answers = talk({line, R"({"jsonrpc":"2.0","id":9,"method":"ping"})"});
        ASSERT_EQ(answers.size(), 2U) << line;
        EXPECT_EQ(answers[0]["error"]["code"], code) << line;
        EXPECT_EQ(answers[1]["id"], 9);
    }
    EXPECT_EQ(talk({std::string(2 << 20, ' ') + "{}"})[0]["error"]["code"], -32700);
    for (const char* open : {"[", R"({"a":)"}) {
        std::string deep;
        for (int i = 0; i < 100'000; ++i) deep += open;
        EXPECT_EQ(talk({R"({"jsonrpc":"2.0","id":1,"method":"ping","params":)" + deep})[0]["error"]["code"], -32700);
    }
    EXPECT_EQ(talk({R"({"jsonrpc":"2.0","id":7})"})[0]["id"], 7) << "who asked hears of it";
    EXPECT_TRUE(talk({R"({"jsonrpc":"2.0","id":7,"result":{}})"}).empty()) << "nothing was asked";
    EXPECT_TRUE(talk({}).empty());
    EXPECT_EQ(run({"serve"}).status(), 2);
}

}  // namespace
}  // namespace headcount
