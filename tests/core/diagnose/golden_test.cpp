// Mistakes planted in PyTorch, as tests/golden/diagnose.py writes them: each is named first, and right programs are
// accused of nothing.
#include "tests/golden/golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "core/diagnose/diagnose.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

using nlohmann::json;

std::filesystem::path folder() { return testing_data::golden_folder() / "diagnose"; }

std::shared_ptr<const Model> model_of(const std::string& name) {
    const Result<Opened> opened = open_architecture((folder() / name).string(), testing_data::all_presets());
    if (!opened || !opened->checkpoint) throw std::runtime_error("cannot open " + name);
    const Result<std::shared_ptr<const Model>> model = load_model(opened->architecture, *opened->checkpoint);
    if (!model) throw std::runtime_error(sentence(model.error()));
    return *model;
}

Diagnosis diagnosed(const json& one, const std::vector<std::int32_t>& ids) {
    const Result<std::vector<TheirTensor>> theirs =
        read_theirs(folder() / (one["case"].get<std::string>() + ".safetensors"));
    if (!theirs) throw std::runtime_error(sentence(theirs.error()));
    const Result<Diagnosis> found = diagnose(model_of(one["model"]), ids, *theirs, {.threads = 2, .pairs = 100'000});
    if (!found) throw std::runtime_error(sentence(found.error()));
    return *found;
}

std::string told(const Diagnosis& found) {
    std::string text;
    for (const Cause& cause : found.causes) {
        for (const std::string& name : cause.names) text += name + " ";
        text += std::to_string(cause.difference) + "; ";
    }
    for (const ComparedTensor& each : found.compared)
        text += "\n  " + each.theirs + " as " + each.ours + " by " + std::string(key(each.by)) + ": " +
                std::to_string(each.difference);
    for (const std::string& each : found.unknown) text += "\n  not compared: " + each;
    return text;
}

class Planted : public testing::Test {
  protected:
    const json golden = testing_data::read_json_file(folder() / "cases.json");
    const std::vector<std::int32_t> ids = golden["ids"];
};

TEST_F(Planted, IsNamedFirst) {
    for (const json& one : golden["cases"]) {
        if (one["planted"].empty()) continue;
        const Diagnosis found = diagnosed(one, ids);
        std::vector<std::string> named;
        if (!found.causes.empty()) named = found.causes.front().names;
        std::ranges::sort(named);
        EXPECT_EQ(named, one["planted"].get<std::vector<std::string>>()) << one["case"] << ": " << told(found);
        EXPECT_TRUE(found.first.has_value()) << one["case"];
        EXPECT_TRUE(found.unknown.empty()) << one["case"] << told(found);
    }
}

// Mistakes that no row knows.
TEST_F(Planted, WhatIsNotKnownAccusesNothing) {
    int unknown = 0;
    for (const json& one : golden["cases"]) {
        if (one["right"] || !one["planted"].empty()) continue;
        const Diagnosis found = diagnosed(one, ids);
        EXPECT_TRUE(found.first.has_value()) << one["case"];
        EXPECT_FALSE(found.rounding) << one["case"] << ": " << told(found);
        EXPECT_TRUE(found.causes.empty()) << one["case"] << ": " << told(found);
        EXPECT_EQ(found.pairs_tried, found.pairs) << one["case"];
        ++unknown;
    }
    EXPECT_EQ(unknown, 7);
}

TEST_F(Planted, NoMorePairsAreTriedThanAreAskedFor) {
    const Result<std::vector<TheirTensor>> theirs = read_theirs(folder() / "llama-unknown-clamp.safetensors");
    ASSERT_TRUE(theirs);
    const Result<Diagnosis> some = diagnose(model_of("llama-1"), ids, *theirs, {.pairs = 7});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->pairs_tried, 7);
    EXPECT_GT(some->pairs, 1000);
    // So small a model is asked for all of them.
    const Result<Diagnosis> all = diagnose(model_of("llama-1"), ids, *theirs, {.threads = 2});
    ASSERT_TRUE(all);
    EXPECT_EQ(all->pairs_tried, all->pairs);
}

// What is called attention's output is twice that, and nothing behind it shows it.
TEST_F(Planted, NamesThatMeanSomethingElseAccuseNothing) {
    Result<std::vector<TheirTensor>> theirs = read_theirs(folder() / "llama-right-1.safetensors");
    ASSERT_TRUE(theirs);
    TheirTensor& made = *std::ranges::find(*theirs, "layers.1.mlp", &TheirTensor::name);
    for (float& each : made.numbers) each *= 2;
    const Result<Diagnosis> found = diagnose(model_of("llama-1"), ids, *theirs);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->first);
    EXPECT_EQ(found->compared[*found->first].ours, "layer.1.feed_forward.output");
    EXPECT_TRUE(found->causes.empty()) << told(*found);
    EXPECT_EQ(found->agrees_behind, "logits");
    EXPECT_EQ(found->pairs_tried, 0);
}

// The last token may agree where others are wrong: that its row does is no reason to say that nothing is.
TEST_F(Planted, OneTokensRowDoesNotClearTheOthers) {
    Result<std::vector<TheirTensor>> theirs = read_theirs(folder() / "llama-right-1.safetensors");
    ASSERT_TRUE(theirs);
    std::erase_if(*theirs, [](const TheirTensor& each) { return each.name == "layers.1"; });
    for (float& each : std::ranges::find(*theirs, "layers.1.mlp", &TheirTensor::name)->numbers) each *= 2;
    TheirTensor& logits = *std::ranges::find(*theirs, "logits", &TheirTensor::name);
    const std::int64_t columns = logits.shape.back();
    logits.shape = {columns};
    logits.numbers.erase(logits.numbers.begin(), logits.numbers.end() - columns);
    const Result<Diagnosis> found = diagnose(model_of("llama-1"), ids, *theirs, {.pairs = 0});
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->first);
    EXPECT_TRUE(found->compared.back().agrees()) << told(*found);
    EXPECT_EQ(found->agrees_behind, "");
    EXPECT_TRUE(found->causes.empty()) << told(*found);
    for (float& each : logits.numbers) each += 1;
    const Result<Diagnosis> one = diagnose(model_of("llama-1"), ids, {&logits, 1}, {.pairs = 0});
    ASSERT_TRUE(one);
    EXPECT_TRUE(one->where.tokens.empty());
    EXPECT_EQ(std::ssize(one->where.columns), columns);
}

// Neither a name nor a shape of the other's says what it is: its numbers do.
TEST_F(Planted, NumbersThatAgreeSayWhatATensorIs) {
    Result<std::vector<TheirTensor>> theirs = read_theirs(folder() / "gpt2-right-2.safetensors");
    ASSERT_TRUE(theirs);
    std::erase_if(*theirs, [](const TheirTensor& each) { return each.name == "h.0.attn.c_attn"; });  // three in one
    for (std::size_t i = 0; i < theirs->size(); ++i) (*theirs)[i].name = "t" + std::to_string(i);
    const Result<Diagnosis> found = diagnose(model_of("gpt2-2"), ids, *theirs);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->first) << told(*found);
    EXPECT_EQ(found->compared.size(), theirs->size());
    EXPECT_EQ(found->compared.front().ours, "positioned");
    EXPECT_EQ(found->compared.front().by, LinkedBy::values);
    EXPECT_EQ(found->compared.back().ours, "logits");
}

// One tensor of a layer, under a name that says nothing, and wrong: a mistake makes it somewhere.
TEST_F(Planted, OneTensorThatNothingNamesIsEnough) {
    Result<std::vector<TheirTensor>> theirs = read_theirs(folder() / "gpt2-activation-relu-seen.safetensors");
    ASSERT_TRUE(theirs);
    TheirTensor& made = *std::ranges::find(*theirs, "h.0.mlp", &TheirTensor::name);
    made.name = "mine";
    const Result<Diagnosis> found = diagnose(model_of("gpt2-1"), ids, {&made, 1});
    ASSERT_TRUE(found) << sentence(found.error());
    ASSERT_FALSE(found->causes.empty()) << told(*found);
    EXPECT_EQ(found->causes.front().names, std::vector<std::string>{"activation-relu"}) << told(*found);
    // But what a right program makes on its way is no mistake: an embedding's rows before they are scaled.
    Result<std::vector<TheirTensor>> rows = read_theirs(folder() / "gemma-embedding-unscaled-seen.safetensors");
    ASSERT_TRUE(rows);
    std::erase_if(*rows, [](const TheirTensor& each) { return each.name.find("embed") == std::string::npos; });
    ASSERT_EQ(rows->size(), 1u);
    rows->front().name = "mine";
    const Result<Diagnosis> right = diagnose(model_of("gemma-1"), ids, *rows);
    ASSERT_TRUE(right) << sentence(right.error());
    EXPECT_TRUE(right->causes.empty()) << told(*right);
    for (float& each : made.numbers) each = 3 * each + 1;
    const Result<Diagnosis> none = diagnose(model_of("gpt2-1"), ids, {&made, 1}, {.pairs = 0});
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->first.has_value());
    EXPECT_TRUE(none->causes.empty()) << told(*none);
}

TEST_F(Planted, AModelThatMakesNoFiniteNumbersIsRefused) {
    Model broken = *model_of("llama-1");
    const Node* const norm = broken.graph.first(Op::norm);
    broken.weights.floats(norm->parameters.front(), 0, 0)[0] = std::numeric_limits<float>::infinity();
    const Result<std::vector<TheirTensor>> theirs = read_theirs(folder() / "llama-right-1.safetensors");
    ASSERT_TRUE(theirs);
    const Result<Diagnosis> found = diagnose(std::make_shared<const Model>(broken), ids, *theirs);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().where, "ARCH");
}

TEST_F(Planted, RightProgramsAreAccusedOfNothing) {
    int right = 0;
    for (const json& one : golden["cases"]) {
        if (!one["right"]) continue;
        const Diagnosis found = diagnosed(one, ids);
        EXPECT_TRUE(found.causes.empty()) << one["case"] << ": " << told(found);
        EXPECT_EQ(found.first.has_value(), one["rounded"].get<bool>()) << one["case"] << ": " << told(found);
        EXPECT_EQ(found.rounding, one["rounded"].get<bool>()) << one["case"] << ": " << told(found);
        EXPECT_TRUE(found.unknown.empty()) << one["case"] << told(found);
        ++right;
    }
    EXPECT_EQ(right, 14);
}

}  // namespace
}  // namespace headcount
