// A file that is given in another's place is called what it is.
#include "core/files/json_kind.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace headcount {
namespace {

using nlohmann::json;

TEST(JsonKind, IsToldByItsKeys) {
    const std::optional<Error> config = other_kind(json{{"model_type", "llama"}}, JsonKind::worksheet, "a.json");
    ASSERT_TRUE(config);
    EXPECT_EQ(sentence(*config), "this is a model's configuration, no worksheet: a.json: \"headcount count\" reads it");
    EXPECT_TRUE(other_kind(json{{"questions", 1}, {"architecture", "gpt2"}}, JsonKind::model, "a.json"));
    EXPECT_TRUE(other_kind(json{{"steps", 1}}, JsonKind::claims, "a.json"));
}

TEST(JsonKind, WhatIsOfTheWantedKindOrOfNoneIsForItsReader) {
    EXPECT_FALSE(other_kind(json{{"questions", 1}}, JsonKind::worksheet, ""));
    EXPECT_FALSE(other_kind(json{{"model_type", "llama"}, {"steps", 1}}, JsonKind::model, ""));
    EXPECT_FALSE(other_kind(json{{"title", "x"}}, JsonKind::worksheet, ""));
    EXPECT_FALSE(other_kind(json{{"architecture", json::object()}}, JsonKind::model, ""));
}

}  // namespace
}  // namespace headcount
