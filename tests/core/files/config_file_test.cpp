// How a configuration's JSON file is read: its size, and where what is wrong in it stands.
#include <gtest/gtest.h>

#include "core/files/config.hpp"
#include "core/files/open.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

std::string refusal(const Scratch& scratch, const std::string& text) {
    const Result<nlohmann::json> json = read_config_file(scratch.file("c.json", text));
    if (json) return "read";
    std::string where = json.error().where;
    const std::string folder = scratch.folder().string() + "/";
    if (where.starts_with(folder)) where.erase(0, folder.size());
    return json.error().what + ": " + where;
}

TEST(ConfigFile, AboveEightMebibytesIsRefusedUnread) {
    const Scratch scratch;
    const std::string path = scratch.file("config.json", "{}");
    std::filesystem::resize_file(path, (8u << 20) + 1);  // no JSON at all: whoever read it would say so
    const Result<Opened> opened = open_architecture(path, {});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().what, "a configuration has at most 8 MiB; this file has 8.00 MiB");
    EXPECT_EQ(opened.error().where, path);
    EXPECT_FALSE(open_architecture(scratch.folder().string(), {}));
    EXPECT_TRUE(read_config_file(scratch.file("full.json", "{}" + std::string((8u << 20) - 2, ' '))));
}

TEST(ConfigFile, AnIndexOrADocumentMayBeLarger) {
    const Scratch scratch;
    const std::string spaces((8u << 20) + 1, ' '), map = R"({"weight_map": {"a": "b.safetensors"}})";
    for (const char* name : {"big.json", "model.safetensors.index.json"}) {
        const Result<Opened> opened = open_architecture(scratch.file(name, map + spaces), {});
        ASSERT_FALSE(opened);
        EXPECT_NE(opened.error().where.find("b.safetensors"), std::string::npos) << sentence(opened.error());
    }
    EXPECT_TRUE(read_config_file(scratch.file("saved.headcount", "{}" + spaces)));
}

TEST(ConfigFile, AZeroByteBehindTheJsonIsRefused) {
    const Scratch scratch;
    EXPECT_EQ(refusal(scratch, std::string("{\"a\": 1}\0\0", 10)), "a zero byte within JSON: c.json, line 1, column 9");
}

TEST(ConfigFile, WhatStandsTwiceIsNamedByItsPath) {
    const Scratch scratch;
    EXPECT_EQ(refusal(scratch, R"({"a": 1, "b": [{"a": 1}, {"c": {"d": 1, "d": 2}}]})"),
              "the key \"d\" stands twice in one object: c.json, /b/1/c/d");
    EXPECT_EQ(refusal(scratch, R"({"a": {}, "a": []})"), "the key \"a\" stands twice in one object: c.json, /a");
    EXPECT_EQ(refusal(scratch, R"({"a": {"a": [1, 2, {"a": 3}]}, "b": {"a": 1}})"), "read");
}

TEST(ConfigFile, ANumberThatIsTooLargeIsNamedByItsPlace) {
    const Scratch scratch;
    const std::string expected = "a number is too large: c.json, line 2, column 11";
    for (const std::string mark : {"", "\xEF\xBB\xBF"})
        EXPECT_TRUE(refusal(scratch, mark + "{\"ä\": 1,\n \"ü\": 1e999}").starts_with(expected))
            << refusal(scratch, mark + "{\"ä\": 1,\n \"ü\": 1e999}");
}

TEST(Open, TakesATypeInCapitalsAndSaysSo) {
    const Scratch scratch;
    const Result<Opened> opened = open_architecture(
        scratch.file("config.json", R"({"model_type": "LLaMA", "hidden_size": 64, "num_hidden_layers": 2,
                                        "num_attention_heads": 2, "vocab_size": 100, "intermediate_size": 128,
                                        "tie_word_embeddings": false})"),
        {});
    ASSERT_TRUE(opened);
    EXPECT_TRUE(opened->architecture.family->verified && !opened->architecture.tied);
    EXPECT_EQ(opened->notes,
              std::vector<std::string>{"model_type \"LLaMA\" is taken as llama, as transformers writes it."});
}

// A text part may stand in another one.
TEST(ConfigFile, SaysNoSizeToBeAssumedThatItSaysFurtherInside) {
    const testing_data::Scratch scratch;
    const Result<Opened> opened = open_architecture(scratch.file("config.json", R"({"model_type": "foo", "text_config":
        {"text_config": {"model_type": "llama", "hidden_size": 96, "intermediate_size": 128, "num_hidden_layers": 2,
         "num_attention_heads": 2, "vocab_size": 100, "tie_word_embeddings": true}}})"),
                                                    {});
    ASSERT_TRUE(opened) << sentence(opened.error());
    EXPECT_EQ(opened->architecture.dim, 96);
    EXPECT_EQ(opened->notes, std::vector<std::string>{std::string(only_text_note)});
}

}  // namespace
}  // namespace headcount
