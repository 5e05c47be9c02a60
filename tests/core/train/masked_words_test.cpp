// Words of sentences that an encoder is to fill in: what can be known of them, who can learn them, and that one does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/train/lines.hpp"
#include "core/train/trainer.hpp"
#include "tests/core/runtime/weight_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

Architecture encoder() {
    return testing_data::architecture_of({{"model_type", "bert"},
                                          {"hidden_size", 32},
                                          {"num_hidden_layers", 2},
                                          {"num_attention_heads", 4},
                                          {"intermediate_size", 64},
                                          {"vocab_size", 30}});
}

TaskSettings sentences(std::int64_t count) { return {.kind = TaskKind::masked, .letters = count}; }

TEST(MaskedWords, AreOneOfEachSentence) {
    const Result<Task> task = Task::make(sentences(3));
    ASSERT_TRUE(task) << sentence(task.error());
    EXPECT_EQ(task_title(task->settings()), "Masked, 3 sentences");
    EXPECT_EQ(task->line_length(), 12);
    std::set<std::size_t> places;
    for (std::uint64_t i = 0; i < 60; ++i) {
        const TaskLine line = task->line(1, i, false);
        EXPECT_EQ(line, task->line(1, i, false));
        EXPECT_NE(line.ids, task->line(1, i, true).ids) << "what is held out is never learned from";
        ASSERT_EQ(line.hidden.size(), 3U);
        for (std::size_t each = 0; each < 3; ++each) {
            EXPECT_EQ(line.hidden[each] / 4, each);
            EXPECT_NE(line.hidden[each] % 4, 3U) << "the full stop is known";
            places.insert(line.hidden[each] % 4);
        }
    }
    EXPECT_EQ(places.size(), 3U);
}

// Who and what that one does say each other; how it is done is one of four.
TEST(MaskedWords, FloorIsThatOfTheOneThatIsDrawn) {
    const Result<Task> task = Task::make(sentences(2));
    std::map<std::int32_t, std::set<std::int32_t>> follows, manners;
    for (std::uint64_t i = 0; i < 200; ++i) {
        const TaskLine line = task->line(1, i, false);
        for (std::size_t at = 0; at < line.ids.size(); at += 4) {
            follows[line.ids[at]].insert(line.ids[at + 1]);
            manners[line.ids[at]].insert(line.ids[at + 2]);
        }
    }
    EXPECT_EQ(follows.size(), 8U);
    for (const auto& [animal, doings] : follows) EXPECT_EQ(doings.size(), 1U);
    for (const auto& [animal, found] : manners) EXPECT_EQ(found.size(), 4U);
    EXPECT_NEAR(*task->floor(), std::log(4.0) / 3, 1e-12);
    EXPECT_EQ(task->floor_words(), "ln 4 / 3");
    const Result<Architecture> arch = architecture_for(encoder(), *task);
    ASSERT_TRUE(arch) << sentence(arch.error());
    EXPECT_EQ(arch->vocab, 22);
    EXPECT_EQ(arch->context, 8);
    EXPECT_NEAR(floor_of(line_form(*arch, *task), *task)->nats, std::log(4.0) / 3, 1e-12);
}

TEST(MaskedWords, AreRefusedToWhomDoesNotSeeWhatStandsBehindThem) {
    const Result<Task> task = Task::make(sentences(2));
    for (const nlohmann::json& config :
         {nlohmann::json{{"model_type", "gpt2"}, {"n_embd", 32}, {"n_layer", 1}, {"n_head", 2}},
          nlohmann::json{{"model_type", "t5"}, {"d_model", 32}, {"num_layers", 1}, {"num_heads", 2}, {"d_kv", 16}}}) {
        const Result<Architecture> arch = architecture_for(testing_data::architecture_of(config), *task);
        ASSERT_FALSE(arch);
        EXPECT_THAT(sentence(arch.error()), testing::HasSubstr("an encoder alone"));
    }
}

TEST(MaskedWords, AreLearnedByASmallEncoder) {
    TrainSettings settings;
    settings.task = sentences(3);
    settings.batch = 16;
    settings.steps = 400;
    settings.warm_up = 20;
    settings.learning_rate = 5e-3;
    settings.held_out = 64;
    const Result<Task> task = Task::make(settings.task);
    Result<Trainer> trainer = Trainer::make(*architecture_for(encoder(), *task), settings);
    ASSERT_TRUE(trainer) << sentence(trainer.error());
    EXPECT_NEAR(trainer->held_out().loss, std::log(22.0), 0.3) << "it knows nothing";
    while (trainer->steps_done() < settings.steps) ASSERT_TRUE(trainer->step());
    const HeldOut held = trainer->held_out();
    EXPECT_LT(held.loss, 0.6) << "the floor is 0.46";
    EXPECT_GT(held.tokens_right, 2.0 / 3);
    for (const TaskAnswer& answer : trainer->answers(4)) {
        EXPECT_EQ(answer.right.size(), 3U);
        EXPECT_EQ(std::ranges::count(answer.question, '_'), 3) << answer.question;
        EXPECT_EQ(answer.question.find('>'), std::string::npos);
        EXPECT_EQ(answer.whole(), answer.answer == answer.expected);
    }
    const TaskPrompt prompt = trainer->prompts(1).front();
    EXPECT_THAT(prompt.text, testing::HasSubstr("[MASK]"));
    EXPECT_EQ(std::ranges::count(prompt.expected, ' '), 3) << prompt.expected;
    // The tokenizer that is saved cuts the prompt into what the model was asked.
    const testing_data::Scratch scratch;
    ASSERT_EQ(trainer->save_model(scratch.folder()), std::nullopt);
    const Result<Tokenizer> tokenizer = Tokenizer::of_model(scratch.folder(), 22);
    ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
    const TaskLine line = trainer->task().line(settings.seed, 0, true);
    const LineForm form = line_form(trainer->architecture(), trainer->task());
    EXPECT_EQ(*tokenizer->encode(prompt.text), form.batch(trainer->task(), {&line, 1}, 1).ids);
}

}  // namespace
}  // namespace headcount
