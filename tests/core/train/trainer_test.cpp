// Learning itself: what is predicted, what is learned, and that a pause changes nothing.
#include "core/train/trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/checkpoints/checkpoint.hpp"
#include "core/files/config.hpp"
#include "core/train/lines.hpp"
#include "tests/core/runtime/weight_file.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

// Learned positions, two layers of four heads.
Architecture micro(std::int64_t width = 64) {
    return testing_data::architecture_of({{"model_type", "gpt2"},
                                          {"n_embd", width},
                                          {"n_layer", 2},
                                          {"n_head", 4},
                                          {"n_inner", 2 * width},
                                          {"vocab_size", 28},
                                          {"n_positions", 17},
                                          {"tie_word_embeddings", false}});
}

Architecture two_stacks() {
    return testing_data::architecture_of({{"model_type", "t5"},
                                          {"d_model", 32},
                                          {"num_layers", 1},
                                          {"num_heads", 4},
                                          {"d_kv", 8},
                                          {"d_ff", 64},
                                          {"vocab_size", 30}});
}

TrainSettings small(TaskKind kind, std::int64_t letters = 3) {
    TrainSettings settings;
    settings.task.kind = kind;
    settings.task.letters = letters;
    settings.batch = 8;
    settings.held_out = 16;
    settings.warm_up = 5;
    return settings;
}

Trainer start(const Architecture& of, const TrainSettings& settings) {
    const Result<Task> task = Task::make(settings.task);
    if (!task) throw std::runtime_error(sentence(task.error()));
    const Result<Architecture> arch = architecture_for(of, *task);
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    Result<Trainer> trainer = Trainer::make(*arch, settings);
    if (!trainer) throw std::runtime_error(sentence(trainer.error()));
    return *std::move(trainer);
}

std::vector<double> losses(Trainer& trainer, int steps) {
    std::vector<double> all;
    for (int i = 0; i < steps; ++i) {
        const Result<StepFigures> made = trainer.step();
        if (!made) throw std::runtime_error(sentence(made.error()));
        all.push_back(made->loss);
    }
    return all;
}

std::vector<float> logits_after(const std::shared_ptr<const Model>& model) {
    Result<Run> run = Run::start(model, {});
    const std::vector<std::int32_t> ids{1, 7, 3, 9, 2};
    if (!run || run->append(ids)) throw std::runtime_error("the model does not run");
    return {run->logits().begin(), run->logits().end()};
}

TEST(Tasks, FloorIsWhatTheDrawnLinesSay) {
    for (const TaskKind kind : {TaskKind::copy, TaskKind::reverse, TaskKind::sort, TaskKind::add, TaskKind::modular,
                                TaskKind::induction, TaskKind::brackets, TaskKind::masked}) {
        TaskSettings settings{.kind = kind, .letters = 4, .modulus = 11};
        const Result<Task> task = Task::make(settings);
        ASSERT_TRUE(task);
        EXPECT_GT(*task->floor(), 0);
        EXPECT_LT(*task->floor(), std::log(static_cast<double>(task->vocab())));
        for (std::uint64_t i = 0; i < 50; ++i) {
            const TaskLine line = task->line(1, i, false), held = task->line(1, i, true);
            EXPECT_EQ(std::ssize(line.ids), task->line_length());
            EXPECT_EQ(line, task->line(1, i, false));
            const std::vector<std::int32_t> question(line.ids.begin(),
                                                     line.ids.begin() + static_cast<std::ptrdiff_t>(line.answer)),
                other(held.ids.begin(), held.ids.begin() + static_cast<std::ptrdiff_t>(held.answer));
            EXPECT_NE(question, other);
            for (const std::int32_t id : line.ids) EXPECT_LT(id, task->vocab());
        }
    }
    // Seven of the seventeen tokens behind the first of eight letters backwards are drawn.
    const Result<Task> reverse = Task::make({.kind = TaskKind::reverse, .letters = 8});
    EXPECT_EQ(reverse->vocab(), 28);
    EXPECT_NEAR(*reverse->floor(), 7 * std::log(26.0) / 17, 1e-12);
    EXPECT_EQ(reverse->floor_words(), "7 · ln 26 / 17");
}

TEST(Tasks, AnswersAreRight) {
    const auto written = [](TaskKind kind, std::int64_t letters) {
        const Result<Task> task = Task::make({.kind = kind, .letters = letters});
        const TaskLine line = task->line(3, 5, false);
        return std::pair(task->text(line.ids.data(), line.answer),
                         task->text(line.ids.data() + line.answer, line.ids.size() - line.answer));
    };
    const auto [forwards, backwards] = written(TaskKind::reverse, 5);
    EXPECT_EQ(std::string(forwards.rend() - 5, forwards.rend()), std::string(backwards.begin(), backwards.begin() + 5));
    const auto [sum, made] = written(TaskKind::add, 2);
    EXPECT_EQ(std::stoi(sum.substr(0, 2)) + std::stoi(sum.substr(3, 2)), std::stoi(made.substr(0, 3)));
    const auto [open, closed] = written(TaskKind::brackets, 6);
    std::string stack;
    for (const char each : open + closed) {
        if (each == '(' || each == '[') stack += each;
        if (each == ')' || each == ']') {
            ASSERT_FALSE(stack.empty());
            EXPECT_EQ(stack.back(), each == ')' ? '(' : '[');
            stack.pop_back();
        }
    }
    EXPECT_EQ(stack, "");
}

TEST(Tasks, ATextThatTeachesNothingIsRefused) {
    const auto refused = [](const std::string& text) {
        const Result<Task> task = Task::make({.kind = TaskKind::text, .tokens = 4, .text = text});
        return task ? std::string() : sentence(task.error());
    };
    EXPECT_THAT(refused(""), testing::HasSubstr("0 characters"));
    EXPECT_THAT(refused(std::string(1000, 'a')), testing::HasSubstr("are the same"));
    std::string text;
    for (int i = 0; i < 100; ++i) text += "aé";
    EXPECT_EQ(refused(text), "");
    EXPECT_THAT(refused(text + "\xff"), testing::HasSubstr("not UTF-8"));
    EXPECT_FALSE(
        Task::make({.kind = TaskKind::text, .tokens = std::numeric_limits<std::int64_t>::max(), .text = text}));
}

TEST(Tasks, WindowsOfATextThatATokenizerCutsBeginWithItsLines) {
    const std::filesystem::path shipped = std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "models" / "tiny-stories";
    const auto tokenizer = std::make_shared<const Tokenizer>(*Tokenizer::of_model(shipped, 512));
    TaskSettings settings{.kind = TaskKind::text, .tokens = 6, .text = {}, .tokenizer = tokenizer};
    EXPECT_FALSE(Task::make(settings));
    for (int i = 0; i < 40; ++i) settings.text += "Tom had a ball. ";
    EXPECT_FALSE(Task::make(settings)) << "no line begins in what is held out";
    // The last line begins behind the last place where a window has room, and before what is held out.
    settings.text = "Tom had a ball.\nTom had a ball.\nTom.";
    EXPECT_FALSE(Task::make(settings));
    settings.text.clear();
    for (int i = 0; i < 40; ++i) settings.text += i % 2 ? "Tom had a ball.\n\n" : "Lily saw the dog.\n";
    const Result<Task> task = Task::make(settings);
    ASSERT_TRUE(task) << sentence(task.error());
    EXPECT_EQ(task->vocab(), 512);
    for (const bool held_out : {false, true})
        for (std::uint64_t i = 0; i < 20; ++i) {
            const TaskLine line = task->line(1, i, held_out);
            const std::string text = task->text(line.ids.data(), line.ids.size());
            EXPECT_TRUE(text == "<s>Tom had a ball.</s>" || text == "<s>Lily saw the dog.</s>") << text;
        }
}

TEST(Trainer, KnowsNothingAtFirst) {
    TrainSettings settings = small(TaskKind::reverse, 8);
    nlohmann::json config = testing_data::small_llama();
    config.update({{"hidden_size", 64}, {"num_key_value_heads", 4}, {"intermediate_size", 128}});
    Architecture arch = testing_data::architecture_of(config);
    arch.positions = Positions::learned;
    Trainer trainer = start(arch, settings);
    EXPECT_EQ(trainer.parameters().trained(), 86912);
    EXPECT_EQ(trainer.architecture().context, 17);
    EXPECT_NEAR(trainer.held_out().loss, std::log(28.0), 0.05);
    settings.batch = 32;
    const Result<StepWork> work = start(arch, settings).work();
    ASSERT_TRUE(work);
    EXPECT_EQ(work->tokens, 544);
    // Forwards, and twice as much back: the matrices for each token, and scores and mix of 4 heads in 2 layers.
    EXPECT_EQ(work->flops, 3 * (2 * 544 * 83712 + 2 * 2 * 17 * 17 * 16 * 4 * 2 * 32));
}

TEST(Trainer, TakesTheMemoryThatIsPredicted) {
    for (const OptimizerKind kind : {OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::muon})
        for (const Architecture& arch : {micro(), testing_data::architecture_of(testing_data::small_llama())}) {
            TrainSettings settings = small(TaskKind::copy);
            settings.optimizer.kind = kind;
            Trainer trainer = start(arch, settings);
            losses(trainer, 1);
            const Result<TrainMemory> predicted = trainer.predicted_memory();
            ASSERT_TRUE(predicted);
            EXPECT_EQ(*predicted, trainer.measured_memory());
        }
}

TEST(Trainer, LearnsToCopyWithEveryOptimizer) {
    for (const OptimizerKind kind : {OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::muon}) {
        TrainSettings settings = small(TaskKind::copy, 2);
        settings.optimizer.kind = kind;
        settings.learning_rate = kind == OptimizerKind::sgd ? 0.05 : 3e-3;
        settings.threads = 2;
        Trainer trainer = start(micro(32), settings);
        const double before = trainer.held_out().loss;
        losses(trainer, 60);
        EXPECT_LT(trainer.held_out().loss, before - 0.5);
    }
}

TEST(Trainer, GoesOnWithTheSameNumbersAfterAPause) {
    const testing_data::Scratch scratch;
    const TrainSettings settings = small(TaskKind::sort);
    Trainer whole = start(micro(16), settings);
    const std::vector<double> expected = losses(whole, 8);
    {
        Trainer first = start(micro(16), settings);
        losses(first, 4);
        ASSERT_EQ(first.save(scratch.folder() / "saved"), std::nullopt);
    }
    Trainer second = start(micro(16), settings);
    ASSERT_EQ(second.resume(scratch.folder() / "saved"), std::nullopt);
    EXPECT_EQ(second.steps_done(), 4);
    EXPECT_EQ(losses(second, 4), std::vector<double>(expected.begin() + 4, expected.end()));
    EXPECT_TRUE(std::ranges::equal(second.weights(), whole.weights()));
    Architecture fewer_heads = micro(16);
    fewer_heads.layer.attention.heads = 2;
    fewer_heads.layer.attention.kv_heads = 2;
    Trainer of_other_model = start(fewer_heads, settings);
    EXPECT_THAT(sentence(of_other_model.resume(scratch.folder() / "saved").value_or(Error{})),
                testing::HasSubstr("begun otherwise: another model"));
    TrainSettings other = settings;
    other.batch = 4;
    Trainer third = start(micro(16), other);
    EXPECT_THAT(sentence(third.resume(scratch.folder() / "saved").value_or(Error{})),
                testing::HasSubstr("begun otherwise: batch 8, not 4"));
}

TEST(Trainer, SavesAModelThatRunsAsItLearned) {
    const testing_data::Scratch scratch;
    for (const Architecture& arch : {micro(16), testing_data::architecture_of(testing_data::small_llama())}) {
        Trainer trainer = start(arch, small(TaskKind::reverse));
        losses(trainer, 3);
        const std::filesystem::path folder = scratch.folder() / arch.family->type;
        ASSERT_EQ(trainer.save(folder), std::nullopt);
        const auto config =
            read_config(nlohmann::json::parse(testing_data::read_file(folder / "config.json")), "config.json");
        ASSERT_TRUE(config) << sentence(config.error());
        const auto loaded = testing_data::load(*config, (folder / "model.safetensors").string());
        ASSERT_TRUE(loaded) << sentence(loaded.error());
        const auto own = trainer.model();
        ASSERT_TRUE(own);
        EXPECT_EQ(logits_after(*loaded), logits_after(*own));
    }
}

TEST(Trainer, SavesHowMuchTwoStacksRead) {
    const testing_data::Scratch scratch;
    Trainer trainer = start(two_stacks(), small(TaskKind::reverse, 5));
    ASSERT_EQ(trainer.save(scratch.folder()), std::nullopt);
    const auto config =
        read_config(nlohmann::json::parse(testing_data::read_file(scratch.folder() / "config.json")), "config.json");
    ASSERT_TRUE(config) << sentence(config.error());
    const auto own = trainer.model();
    ASSERT_TRUE(own);
    EXPECT_EQ(config->context, (*own)->architecture.context);
}

TEST(Trainer, TakesTheSameStepWithTheLinesInSeveralPasses) {
    TrainSettings at_once = small(TaskKind::reverse), in_turn = at_once;
    in_turn.batch = 2;
    in_turn.passes = 4;
    Trainer one = start(micro(16), at_once), other = start(micro(16), in_turn);
    EXPECT_NEAR(losses(one, 1)[0], losses(other, 1)[0], 1e-6);
    for (std::size_t i = 0; i < one.gradients().size(); ++i)
        ASSERT_NEAR(one.gradients()[i], other.gradients()[i], 1e-6) << i;
    EXPECT_LT(other.measured_memory().kept, one.measured_memory().kept);
}

TEST(Trainer, LooksBackAtSnapshots) {
    TrainSettings settings = small(TaskKind::reverse);
    settings.snapshot_every = 2;
    Trainer trainer = start(micro(16), settings);
    const std::vector<float> first(trainer.weights().begin(), trainer.weights().end());
    losses(trainer, 5);
    EXPECT_EQ(trainer.snapshots(), (std::vector<std::int64_t>{0, 2, 4}));
    ASSERT_EQ(trainer.look_at(0), std::nullopt);
    EXPECT_EQ(trainer.looked_at(), 0);
    EXPECT_TRUE(std::ranges::equal(trainer.weights(), first));
    EXPECT_NE(trainer.look_at(3), std::nullopt);
    losses(trainer, 1);
    EXPECT_EQ(trainer.looked_at(), 6);
    EXPECT_EQ(trainer.answers(3).size(), 3u);
}

TEST(Trainer, AGradientIsTheSumThatItIsSaidToBe) {
    nlohmann::json mixture = testing_data::small_llama();
    mixture.update({{"model_type", "mixtral"}, {"num_local_experts", 3}, {"num_experts_per_tok", 2}});
    for (const nlohmann::json& config : {testing_data::small_llama(), mixture}) {
        TrainSettings settings = small(TaskKind::reverse);
        settings.batch = 2;
        settings.passes = 2;
        Trainer trainer = start(testing_data::architecture_of(config), settings);
        losses(trainer, 2);
        int told = 0;
        for (const ParameterCopy& copy : trainer.parameters().copies()) {
            const CellAt cell{copy.tensor, copy.layer, copy.copy, copy.rows - 1, copy.columns / 2};
            const Tensor& tensor = trainer.graph().tensors[copy.tensor];
            const Result<Explanation> said = trainer.explain_gradient(cell);
            if (!copy.of_layer || !copy.matrix) continue;
            ASSERT_TRUE(said) << tensor.id << sentence(said.error());
            ++told;
            EXPECT_NEAR(said->result, said->kept, 1e-6 + 1e-4 * std::abs(said->kept)) << tensor.id;
            double sum = 0;
            for (const Term& term : said->terms) sum += term.factors[0].value * term.factors[1].value;
            EXPECT_NEAR(sum, said->sum, 1e-9);
            EXPECT_LE(said->terms.size(), 4U * 7) << "a token of each line at most once";
            EXPECT_NE(said->kept, 0) << tensor.id;
        }
        EXPECT_GT(told, 6);
    }
    Trainer trainer = start(micro(16), small(TaskKind::reverse));
    EXPECT_FALSE(trainer.explain_gradient({.tensor = 0, .row = 1 << 20}));
}

// A question of more tokens than the answer: 26+17> and 043.
TEST(Trainer, WhatADecoderReadsOfAnEncoderIsOfTheEncodersTokens) {
    TrainSettings settings = small(TaskKind::add, 2);
    Trainer trainer = start(two_stacks(), settings);
    losses(trainer, 1);
    int of_question = 0;
    for (const ParameterCopy& copy : trainer.parameters().copies()) {
        if (!copy.of_layer || !copy.matrix) continue;
        const Result<Explanation> said =
            trainer.explain_gradient({.tensor = copy.tensor, .layer = copy.layer, .copy = copy.copy});
        if (!said) continue;  // a table of distances
        EXPECT_NEAR(said->result, said->kept, 1e-6 + 1e-4 * std::abs(said->kept));
        const bool question = std::ssize(said->terms) == settings.batch * 6;
        of_question += question ? 1 : 0;
        for (const Term& term : said->terms)
            EXPECT_EQ(term.name.starts_with("+ "), question && term.index % 6 == 2) << term.name;
    }
    EXPECT_GE(of_question, 8) << "all of the encoder, and the decoder's keys and values of it";
}

TEST(Trainer, GivesUpSnapshotsBeforeTheyTakeTooMuch) {
    TrainSettings settings = small(TaskKind::reverse);
    settings.snapshot_every = 1;
    settings.most_snapshot_bytes = 4 * start(micro(16), settings).snapshot_bytes();
    Trainer trainer = start(micro(16), settings);
    losses(trainer, 3);
    EXPECT_EQ(trainer.snapshots(), (std::vector<std::int64_t>{0, 1, 2, 3}));
    losses(trainer, 6);
    EXPECT_EQ(trainer.snapshot_every(), 4);
    EXPECT_EQ(trainer.snapshots(), (std::vector<std::int64_t>{0, 4, 8}));
    EXPECT_EQ(trainer.look_at(4), std::nullopt);
    EXPECT_NE(trainer.look_at(2), std::nullopt);
}

TEST(Trainer, NamesTheFirstTensorThatIsNoNumber) {
    TrainSettings settings = small(TaskKind::reverse);
    settings.clip = 0;
    settings.warm_up = 0;
    settings.optimizer.kind = OptimizerKind::sgd;
    // Of an activation, and of a gradient behind a loss that is still a number.
    for (const double rate : {1e30, 1e6}) {
        settings.learning_rate = rate;
        Trainer trainer = start(micro(16), settings);
        Result<StepFigures> made = trainer.step();
        for (int i = 0; made && i < 30; ++i) made = trainer.step();
        ASSERT_FALSE(made) << rate;
        EXPECT_THAT(made.error().what, testing::HasSubstr("is no number in step"));
        EXPECT_THAT(made.error().where, testing::AnyOf(testing::HasSubstr("layer."), testing::StartsWith("embed"),
                                                       testing::HasSubstr("norm"), testing::HasSubstr("output")));
    }
}

TEST(Trainer, EncodersAndTwoStacksLearnToo) {
    const Architecture bert = testing_data::architecture_of({{"model_type", "bert"},
                                                             {"hidden_size", 32},
                                                             {"num_hidden_layers", 1},
                                                             {"num_attention_heads", 4},
                                                             {"intermediate_size", 64},
                                                             {"vocab_size", 30},
                                                             {"max_position_embeddings", 32},
                                                             {"architectures", {"BertForMaskedLM"}}});
    for (const Architecture& arch : {bert, two_stacks()}) {
        TrainSettings settings = small(TaskKind::copy, 1);
        settings.learning_rate = 5e-3;
        Trainer trainer = start(arch, settings);
        const double before = trainer.held_out().loss;
        losses(trainer, 60);
        EXPECT_LT(trainer.held_out().loss, before - 0.3) << arch.family->type;
    }
}

}  // namespace
}  // namespace headcount
