// Mistakes are made in models of every family, whatever their graphs look like: each runs to its end, and numbers that
// none of them makes accuse nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/diagnose/diagnose.hpp"
#include "core/diagnose/trial.hpp"
#include "core/runtime/dump.hpp"
#include "tests/core/runtime/golden_model.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::golden_run;
using testing_data::GoldenModel;

bool can_be_diagnosed(const GoldenModel& golden) {
    return !golden.shipped && !reads_numbers(golden.architecture) && !golden.architecture.sound &&
           golden.types.empty() && has_head(golden.architecture);
}

std::vector<TheirTensor> as_theirs(const GoldenModel& golden, const std::vector<float>& logits) {
    const auto tokens = std::ssize(golden.prompt);
    return {{.name = "logits", .shape = {tokens, std::ssize(logits) / tokens}, .numbers = logits, .tolerance = 5e-4}};
}

TEST(EveryFamily, IsEqualToWhatTransformersMakesOfIt) {
    int compared = 0;
    for (const std::string& name : testing_data::files_in("runtime")) {
        const GoldenModel golden = golden_run(name);
        if (!can_be_diagnosed(golden)) continue;
        SCOPED_TRACE(name);
        const Result<std::shared_ptr<const Model>> model = random_model(golden.architecture, golden.seed);
        ASSERT_TRUE(model) << name << ": " << sentence(model.error());
        const Result<Diagnosis> found = diagnose(*model, golden.prompt, as_theirs(golden, golden.logits),
                                                 {.threads = 1, .pairs = 0, .source = golden.source});
        ASSERT_TRUE(found) << name << ": " << sentence(found.error());
        EXPECT_FALSE(found->first) << name << " " << found->compared.front().difference;
        ++compared;
    }
    EXPECT_GT(compared, 100);
}

// No name that a run gives is taken for another.
TEST(EveryFamily, IsEqualToWhatItHasWrittenItself) {
    const testing_data::Scratch scratch;
    for (const std::string& name : testing_data::files_in("runtime")) {
        const GoldenModel golden = golden_run(name);
        if (!can_be_diagnosed(golden)) continue;
        SCOPED_TRACE(name);
        const Result<std::shared_ptr<const Model>> model = random_model(golden.architecture, golden.seed);
        ASSERT_TRUE(model) << name << ": " << sentence(model.error());
        const auto run = run_kept(*model, golden.prompt, {}, golden.source);
        ASSERT_TRUE(run) << name << ": " << sentence(run.error());
        const std::filesystem::path file = scratch.folder() / "own.safetensors";
        ASSERT_FALSE(write_activations(*run, file)) << name;
        const Result<std::vector<TheirTensor>> own = read_theirs(file);
        ASSERT_TRUE(own) << name << ": " << sentence(own.error());
        const Result<Diagnosis> found = diagnose(*model, golden.prompt, *own, {.source = golden.source});
        ASSERT_TRUE(found) << name << ": " << sentence(found.error());
        EXPECT_FALSE(found->first) << name;
        EXPECT_GT(found->compared.size(), 5u) << name;
        for (const ComparedTensor& each : found->compared)
            EXPECT_EQ(each.by, LinkedBy::name) << name << ": " << each.theirs << " as " << each.ours;
    }
}

TEST(EveryFamily, CanHaveEveryMistakeThatIsListedForIt) {
    for (const std::string& name : testing_data::files_in("runtime")) {
        const GoldenModel golden = golden_run(name);
        if (!can_be_diagnosed(golden)) continue;
        SCOPED_TRACE(name);
        const Result<std::shared_ptr<const Model>> model = random_model(golden.architecture, golden.seed);
        ASSERT_TRUE(model) << name << ": " << sentence(model.error());
        std::vector<float> other = golden.logits;
        for (std::size_t i = 0; i < other.size(); ++i) other[i] = 0.3f * other[i] + (i % 3 == 0 ? 1.0f : -1.0f);
        const Result<Diagnosis> found = diagnose(*model, golden.prompt, as_theirs(golden, other),
                                                 {.threads = 1, .pairs = 0, .source = golden.source});
        ASSERT_TRUE(found) << name << ": " << sentence(found.error());
        EXPECT_TRUE(found->first) << name;
        EXPECT_TRUE(found->causes.empty()) << name << ": " << found->causes.front().names.front();
        EXPECT_GT(found->tried, 5) << name;
    }
}

// Also where a text is longer than what it is read beside, or than there are heads, or shorter: for the sanitizers.
TEST(EveryFamily, CanHaveEveryMistakeWhateverTheLengths) {
    struct Lengths {
        std::size_t tokens, source;
    };
    for (const std::string name : {"t5", "bart", "t5gemma", "llama", "bloom", "gpt_oss", "bert"})
        for (const Lengths& lengths : {Lengths{20, 5}, Lengths{3, 18}, Lengths{2, 2}}) {
            const GoldenModel golden = golden_run(name);
            SCOPED_TRACE(name + ", " + std::to_string(lengths.tokens) + " tokens");
            const Result<std::shared_ptr<const Model>> model = random_model(golden.architecture, golden.seed);
            ASSERT_TRUE(model) << sentence(model.error());
            const auto repeated = [](std::span<const std::int32_t> ids, std::size_t count) {
                std::vector<std::int32_t> all;
                for (std::size_t i = 0; !ids.empty() && i < count; ++i) all.push_back(ids[i % ids.size()]);
                return all;
            };
            const std::vector<std::int32_t> ids = repeated(golden.prompt, lengths.tokens),
                                            source = repeated(golden.source, lengths.source);
            const std::size_t columns = golden.logits.size() / golden.prompt.size();
            std::vector<float> numbers(columns * ids.size());
            for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 7) - 3;
            const TheirTensor theirs{.name = "logits",
                                     .shape = {std::ssize(ids), static_cast<std::int64_t>(columns)},
                                     .numbers = numbers,
                                     .tolerance = 5e-4};
            const Result<Diagnosis> found =
                diagnose(*model, ids, {&theirs, 1}, {.threads = 1, .pairs = 0, .source = source});
            ASSERT_TRUE(found) << sentence(found.error());
            EXPECT_TRUE(found->causes.empty());
            EXPECT_GT(found->tried, 5);
        }
}

// Whatever changes something is named when it is made, alone or beside what makes the same numbers: a diagnosis tries
// one mistake after the other, and names those that explain. Of a few mistakes all others are tried too.
TEST(EveryFamily, MistakesAreNamedByTheirLogits) {
    constexpr int a_whole_diagnosis = 16;
    for (const std::string name :
         {"bloom", "t5", "modernbert", "gpt_oss", "bert", "phi", "bart", "granite", "gemma3_text"}) {
        const GoldenModel golden = golden_run(name);
        const Result<std::shared_ptr<const Model>> model = random_model(golden.architecture, golden.seed);
        ASSERT_TRUE(model) << name << ": " << sentence(model.error());
        const auto right = run_kept(*model, golden.prompt, {}, golden.source);
        ASSERT_TRUE(right) << name << ": " << sentence(right.error());
        const Against beside = against_run(*model, golden.prompt, golden.source, *right);
        const Site& logits = beside.places.back();
        int named = 0;
        for (const Mutation& mistake : mutations_of(**model)) {
            SCOPED_TRACE(name + " " + mistake.name);
            Mutant mutant{.model = **model, .tokens = std::ssize(golden.prompt)};
            if (!mistake.make(mutant)) continue;
            const auto changes = mutant.changes;
            const auto run =
                run_kept(std::make_shared<const Model>(std::move(mutant.model)), golden.prompt, changes, golden.source);
            ASSERT_TRUE(run) << sentence(run.error());
            std::vector<float> numbers = numbers_at(*run, logits, run->model().graph.nodes.back().output);
            write_down(mutant, numbers, logits.columns);
            TheirTensor theirs = as_theirs(golden, numbers).front();
            theirs.tolerance = 5e-5;
            const double apart = difference(theirs, Lie::plain, logits, beside.numbers.back());
            if (!(apart > 4 * theirs.tolerance) || !std::isfinite(apart)) continue;  // too small to be seen
            Against with = beside;
            link_theirs(with, {&theirs, 1}, *right);
            with.noise.assign(with.links.size(), 0);
            const Mutation* const made = &mistake;
            EXPECT_TRUE(try_mistakes(with, {&made, 1}).explains);
            if (named++ % a_whole_diagnosis != 0) continue;
            const Result<Diagnosis> found =
                diagnose(*model, golden.prompt, {&theirs, 1}, {.pairs = 0, .source = golden.source});
            ASSERT_TRUE(found) << sentence(found.error());
            EXPECT_TRUE(std::ranges::any_of(
                found->causes, [&](const Cause& cause) { return cause.names == std::vector{mistake.name}; }));
        }
        EXPECT_GT(named, 60) << name;
    }
}

}  // namespace
}  // namespace headcount
