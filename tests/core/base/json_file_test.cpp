// JSON files are somebody else's: whatever is in them, the answer is a value or a sentence that names the place.
#include "core/base/json_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

TEST(JsonFile, ReadsAnObject) {
    Result<nlohmann::json> json = parse_json(R"({"a": 1})", "test");
    ASSERT_TRUE(json);
    EXPECT_EQ((*json)["a"], 1);
}

TEST(JsonFile, ALinkThatLeadsNowhereIsToldFromANameThatIsNotThere) {
    testing_data::Scratch scratch;
    const auto circle = scratch.folder() / "circle", away = scratch.folder() / "away";
    std::filesystem::create_symlink("circle", circle);
    std::filesystem::create_symlink("nothing", away);
    ASSERT_TRUE(leads_nowhere(circle) && leads_nowhere(away));
    EXPECT_EQ(leads_nowhere(circle)->what, "Too many levels of symbolic links");
    EXPECT_EQ(leads_nowhere(circle / "config.json")->what, "Too many levels of symbolic links");
    EXPECT_EQ(leads_nowhere(away)->what, "this link leads nowhere");
    EXPECT_FALSE(leads_nowhere(scratch.folder() / "nothing"));
    EXPECT_FALSE(leads_nowhere(scratch.folder()));
    EXPECT_FALSE(leads_nowhere(""));
}

TEST(JsonFile, RefusesWhatIsNoObject) {
    for (const char* text : {"[]", "7", "null", "\"text\"", "true"}) {
        Result<nlohmann::json> json = parse_json(text, "test");
        ASSERT_FALSE(json) << text;
        EXPECT_TRUE(json.error().what.starts_with("a JSON object was expected")) << json.error().what;
    }
}

TEST(JsonFile, KnowsWhatWasSavedInItsPlace) {
    for (const auto& [text, said] :
         {std::pair("\n<!DOCTYPE html>\n<html>", "this is a web page: config.json, byte 0: download the file itself"),
          {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
           "this is a Git LFS pointer that stands for the file: config.json, byte 0: fetch the file: git lfs pull"},
          {"[1,2]", "a JSON object was expected, not array: config.json: give a file that begins with {"}}) {
        const Result<nlohmann::json> json = parse_json(text, "config.json");
        ASSERT_FALSE(json) << text;
        EXPECT_EQ(sentence(json.error()), said);
    }
}

TEST(JsonFile, RefusesNestingThatWouldExhaustTheStack) {
    for (const std::string& deep : {"{\"a\":" + std::string(1'000'000, '['), [] {
                                        std::string objects;
                                        for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
                                        return objects;
                                    }()}) {
        Result<nlohmann::json> json = parse_json(deep, "test");
        ASSERT_FALSE(json);
        EXPECT_EQ(json.error().what, "nested more than 64 deep");
    }
    EXPECT_TRUE(parse_json("{\"a\": \"" + std::string(1000, '[') + "\"}", "test")) << "brackets in text do not count";
    EXPECT_TRUE(
        parse_json(R"({"a": "\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["})", "test"));
}

TEST(JsonFile, RefusesAKeyThatStandsTwice) {
    for (const auto& [text, path] : std::initializer_list<std::pair<const char*, std::string>>{
             {R"({"a": 1, "b": 2, "a": 3})", "/a"},
             {R"({"a": 1, "a": 1})", "/a"},
             {R"({"x": [{}, {"a": {}, "a": 2}]})", "/x/1/a"},
             {R"({"x": {"a": 1}, "a": 1, "y": {"b": 1}, "a": 1})", "/a"}}) {
        Result<nlohmann::json> json = parse_json(text, "config.json");
        ASSERT_FALSE(json) << text;
        EXPECT_EQ(sentence(json.error()),
                  "the key \"a\" stands twice in one object: config.json, " + path + ": keep one of the two");
    }
    EXPECT_TRUE(parse_json(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 3}})", "config.json"))
        << "one in each object";
    Result<nlohmann::json> json = parse_json(R"({"\u001b[31m": 1, "\u001b[31m": 2})", "config.json");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().what.find('\x1b'), std::string::npos) << "nothing steers a terminal";
}

TEST(JsonFile, NamesLineAndColumnAtWhichItStopsBeingJson) {
    Result<nlohmann::json> json = parse_json("{\"a\": 1,\n  }", "config.json");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().what, "this is not JSON: a key in quotes was expected");
    EXPECT_EQ(json.error().where, "config.json, line 2, column 3");
}

TEST(JsonFile, InfinityAsPythonWritesItIsReadInQuotes) {
    using nlohmann::json;
    const Result<json> read = parse_json(R"({"limits": [0.0, Infinity], "text": "\\\"Infinity", "Infinity": 1})", "f");
    ASSERT_TRUE(read) << sentence(read.error());
    EXPECT_EQ(*read, json({{"limits", {0.0, "Infinity"}}, {"text", "\\\"Infinity"}, {"Infinity", 1}}));
    for (const char* text : {R"({"a": -Infinity})", R"({"a": Infinity)", R"({"a": Infinit})"}) {
        const Result<json> refused = parse_json(text, "f");
        ASSERT_FALSE(refused) << text;
        EXPECT_NE(refused.error().where.find("column"), std::string::npos) << text;
    }
}

TEST(JsonFile, SaysWhatWasExpected) {
    for (const auto& [text, what] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {" \n", "there is nothing in it"},
             {R"({"a": [1, 2)", "this is not JSON: it ends in the middle"},
             {R"({"a": "b)", "this is not JSON: it ends in the middle"},
             {R"({"a" 1})", "this is not JSON: ':' was expected"},
             {R"({"a": 1 "b": 2})", "this is not JSON: ',' or '}' was expected"},
             {R"({"a": [1 2]})", "this is not JSON: ',' or ']' was expected"},
             {R"({"a": 1} 2)", "this is not JSON: nothing more was expected"},
             {R"({"a": one})", "this is not JSON: a value was expected"},
             {R"({"a": "\q"})", "this is not JSON: a text is written wrongly"},
             {"{\"a\": \"\xff\"}", "a text is not UTF-8"}}) {
        const Result<nlohmann::json> json = parse_json(text, "config.json");
        ASSERT_FALSE(json) << text;
        EXPECT_EQ(json.error().what, what) << text;
    }
    const Result<nlohmann::json> empty = parse_json("", "config.json");
    EXPECT_EQ(sentence(empty.error()), "there is nothing in it: config.json: copy the whole file again")
        << "as of any other empty file; there is no byte to mend";
}

// `count` times the entry in a list, or under keys of their own.
std::string list_of(std::string_view entry, std::size_t count) {
    std::string text = R"({"x": [)";
    for (std::size_t i = 0; i < count; ++i) text += (i ? "," : "") + std::string(entry);
    return text + "]}";
}
std::string members_of(std::string_view entry, std::size_t count) {
    std::string text = R"({"x": {)";
    for (std::size_t i = 0; i < count; ++i) text += (i ? ",\"" : "\"") + std::to_string(i) + "\":" + std::string(entry);
    return text + "}}";
}

TEST(JsonFile, HoldsNoMoreValuesThanItsBytesAreWorth) {
    for (const char* entry : {"0", "[]", "{}", "[0]", "\"\""}) {
        const Result<nlohmann::json> json = parse_json(list_of(entry, 2'000'000), "big.json");
        ASSERT_FALSE(json) << entry;
        EXPECT_NE(json.error().what.find("values and keys"), std::string::npos) << json.error().what;
        EXPECT_TRUE(json.error().where.starts_with("big.json, /x/")) << json.error().where;
        EXPECT_TRUE(parse_json(list_of(entry, 50'000), "small.json")) << "a small file may be as it likes: " << entry;
    }
    EXPECT_TRUE(parse_json(members_of("{}", 80'000), "keys.json"));
    EXPECT_TRUE(parse_json(list_of(R"(["under","stand"])", 300'000), "tokenizer.json")) << "as pairs of tokens are";
    EXPECT_TRUE(parse_json(members_of("123456", 300'000), "tokenizer.json")) << "as a vocabulary is";
}

TEST(JsonFile, EveryTypeOfValueIsRead) {
    constexpr const char* text =
        R"({"": null, "a": [true, false, -1, 18446744073709551615, 0.5, "\u00e9\n"], "b": {}})";
    const Result<nlohmann::json> json = parse_json(text, "test");
    ASSERT_TRUE(json) << sentence(json.error());
    EXPECT_EQ(*json, nlohmann::json::parse(text));
    EXPECT_TRUE((*json)["a"][3].is_number_unsigned());
    EXPECT_EQ(parse_json("\xEF\xBB\xBF{\"a\": 1}", "test")->at("a"), 1) << "a byte order mark is no part of it";
}

TEST(JsonFile, WhatWasWrittenIsReadAgainWhateverItIs) {
    for (const char* text : {"null", "7", "\"a\"", "[1,2,[3]]", R"({"a":{"b":1}})"})
        EXPECT_EQ(parsed_again(text).dump(), text);
    const std::string dense = nlohmann::json(std::vector<int>(1'000'000)).dump();
    EXPECT_EQ(parsed_again(dense).size(), 1'000'000u) << "it was bounded when it was read";
    EXPECT_TRUE(parsed_again("one").is_discarded());
}

TEST(JsonFile, EveryTruncationOfARealFileIsRefusedOrRead) {
    std::string whole =
        testing_data::read_file(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets/llama-2-7b.json");
    while (whole.ends_with('\n') || whole.ends_with('}')) whole.pop_back();
    for (std::size_t length = 0; length <= whole.size(); ++length)
        EXPECT_FALSE(parse_json(std::string_view(whole).substr(0, length), "cut")) << length;
}

TEST(JsonFile, EveryByteOfARealFileMayBeAnything) {
    std::string whole =
        testing_data::read_file(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets/llama-2-70b.json");
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (char wrong : {'\0', '"', '{', '\xff', '9', '\\'}) {
            std::string damaged = whole;
            damaged[at] = wrong;
            Result<nlohmann::json> json = parse_json(damaged, "damaged");
            if (!json) {
                EXPECT_FALSE(json.error().where.empty());
            }
        }
}

TEST(JsonFile, NumbersBeyondEveryTypeAreRefused) {
    EXPECT_FALSE(parse_json(R"({"a": 1e999})", "test"));
    EXPECT_FALSE(parse_json(R"({"a": -1e999})", "test"));
    EXPECT_TRUE(parse_json(R"({"a": 1e-999})", "test"));
    EXPECT_TRUE(parse_json(R"({"a": 99999999999999999999999})", "test"))
        << "a large double, to be refused by its field";
}

TEST(JsonFile, TextThatIsNotUtf8IsRefused) {
    EXPECT_FALSE(parse_json("{\"a\": \"\xff\"}", "test"));
    EXPECT_FALSE(parse_json("{\"a\": \"\xc3\"}", "test"));
    EXPECT_FALSE(parse_json(std::string_view("{\"a\": \0}", 8), "test"));
    EXPECT_FALSE(parse_json("", "test"));
}

TEST(JsonFile, WhatCannotBeReadSaysWhyAndWhere) {
    Scratch scratch;
    Result<nlohmann::json> json = read_json(scratch.folder());
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().what, "this is a directory");
    EXPECT_EQ(json.error().where, scratch.folder().string());
    json = read_json(scratch.folder() / "nothing.json");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().what, "No such file or directory");
    for (const char* device : {"/dev/null", "/dev/zero"}) {
        json = read_json(device);
        ASSERT_FALSE(json) << device;
        EXPECT_EQ(json.error().what, "this is not a regular file");
    }
    std::string pipe = (scratch.folder() / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_FALSE(read_json(pipe)) << "which would wait for ever";
    std::string huge = scratch.file("huge.json", "{}");
    std::filesystem::resize_file(huge, 100u << 20);
    EXPECT_FALSE(read_json(huge));
}

TEST(JsonFile, OfTwoBytesALetterIsToBeSavedAgain) {
    const Scratch scratch;
    for (const std::string_view start : {std::string_view("\xff\xfe{\0}\0", 6), {"\xfe\xff\0{\0}", 6}}) {
        const Result<nlohmann::json> json = read_json(scratch.file("wide.json", std::string(start)));
        ASSERT_FALSE(json);
        EXPECT_EQ(json.error().what, "this is UTF-16");
        EXPECT_EQ(json.error().fix, "save it as UTF-8");
    }
}

}  // namespace
}  // namespace headcount
