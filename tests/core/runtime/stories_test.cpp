// llama2.c's smallest model against what its author's program says; skipped where the file is not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/files/open.hpp"
#include "core/runtime/run.hpp"
#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using testing_data::likeliest;

const std::filesystem::path folder = std::filesystem::path(HEADCOUNT_TESTS_DIR) / "../../shared/data";

class Stories : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(folder / "stories260K.bin")) GTEST_SKIP() << "no stories260K.bin here";
        const Result<Opened> opened = open_architecture((folder / "stories260K.bin").string(), {});
        ASSERT_TRUE(opened) << sentence(opened.error());
        ASSERT_TRUE(opened->checkpoint);
        Result<std::shared_ptr<const Model>> loaded = load_model(opened->architecture, *opened->checkpoint);
        ASSERT_TRUE(loaded) << sentence(loaded.error());
        model = *loaded;
        expected = nlohmann::json::parse(std::ifstream(folder / "stories260K.greedy.json"));
    }

    std::shared_ptr<const Model> model;
    nlohmann::json expected;
};

TEST_F(Stories, GreedyContinuationIsThatOfLlama2c) {
    for (const Keep keep : {Keep::nothing, Keep::all}) {
        Result<headcount::Run> run = headcount::Run::start(model, {.capacity = 512, .keep = keep});
        ASSERT_TRUE(run) << sentence(run.error());
        const auto ids = expected["ids"].get<std::vector<std::int32_t>>();
        std::vector<std::int32_t> made, next = expected["prompt_ids"].get<std::vector<std::int32_t>>();
        while (made.size() < ids.size()) {
            const std::optional<Error> error = run->append(next);
            ASSERT_FALSE(error) << sentence(*error);
            next = {likeliest(run->logits())};
            made.push_back(next.front());
        }
        EXPECT_EQ(made, ids);
    }
}

// Of the prompt's one token and the three that it says after it.
TEST_F(Stories, LogitsAreThoseOfLlama2c) {
    const auto logits = expected["logits_first_4_positions"].get<std::vector<std::vector<float>>>();
    std::vector<std::int32_t> ids = expected["prompt_ids"].get<std::vector<std::int32_t>>();
    for (std::size_t i = 0; ids.size() < logits.size(); ++i) ids.push_back(expected["ids"][i].get<std::int32_t>());
    Result<headcount::Run> run = headcount::Run::start(model, {.capacity = 8});
    ASSERT_TRUE(run) << sentence(run.error());
    for (std::size_t i = 0; i < logits.size(); ++i) {
        ASSERT_FALSE(run->append(std::span(ids).subspan(i, 1)));
        EXPECT_THAT(std::vector(run->logits().begin(), run->logits().end()),
                    testing::Pointwise(testing::FloatNear(1e-3F), logits[i]))
            << "of token " << i;
    }
}

}  // namespace
}  // namespace headcount
