// The values of one or two numbers that come nearest to a size.
#include "core/analysis/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"
#include "core/analysis/pass.hpp"
#include "core/analysis/sweep.hpp"
#include "core/arch/validate.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::preset;
using testing_data::total_of;
using testing_data::with;

Field field_named(std::string_view key) { return *number_field(key); }

Wish for_total(std::string_view key, std::int64_t total, std::int64_t multiple = 1) {
    return {{{field_named(key), multiple}}, Metric::total, total};
}

TEST(Solve, FindsWhatATotalWasMadeWith) {
    for (const auto& [id, key] : {std::pair{"llama-2-7b", "dim"},
                                  {"llama-2-7b", "layers"},
                                  {"llama-3-8b", "kv_heads"},
                                  {"deepseek-v3", "layers"},
                                  {"deepseek-v3", "experts"},
                                  {"gpt2", "context"},
                                  {"gemma-2-9b", "ffn_dim"},
                                  {"mixtral-8x7b", "expert_dim"},
                                  {"opt-350m", "vocab"}}) {
        const Architecture arch = preset(id);
        const std::int64_t total = total_of(arch);
        const Result<std::vector<Answer>> found = solve(arch, for_total(key, total));
        ASSERT_TRUE(found) << id << " " << key << ": " << sentence(found.error());
        EXPECT_EQ(found->front().values, std::vector{*field_number(arch, field_named(key))}) << id << " " << key;
        EXPECT_EQ(found->front().amount, total) << id << " " << key;
        EXPECT_EQ(found->front().parameters.total, total) << id << " " << key;
    }
}

TEST(Solve, IsNeverWorseThanItsNeighbours) {
    for (const auto& [id, key] : {std::pair{"llama-2-7b", "dim"},
                                  {"llama-2-7b", "ffn_multiple_of"},
                                  {"llama-3-8b", "heads"},
                                  {"llama-3-8b", "kv_heads"},
                                  {"gemma-3-27b", "layers"},
                                  {"kimi-k2", "experts"},
                                  {"deepseek-v2-lite", "kv_rank"},
                                  {"gpt2", "vocab"}}) {
        const Architecture arch = preset(id);
        PointMaker maker(Input{.tokens = 1});
        const std::int64_t now = *maker.total_of(arch);
        for (std::int64_t part : {1, 30, 90, 101, 170, 1000}) {
            const std::int64_t wanted = now / 100 * part;
            const Result<std::vector<Answer>> found = solve(arch, for_total(key, wanted));
            ASSERT_TRUE(found) << id << " " << key << ": " << sentence(found.error());
            const std::int64_t best = found->front().values.front();
            const std::int64_t away = std::abs(found->front().amount - wanted);
            for (std::int64_t value = std::max<std::int64_t>(1, best - 300); value <= best + 300; ++value) {
                const Architecture changed = with(arch, key, std::to_string(value));
                if (!validate(changed).empty()) continue;
                const std::optional<std::int64_t> total = maker.total_of(changed);
                ASSERT_TRUE(total);
                EXPECT_LE(away, std::abs(*total - wanted)) << id << " " << key << "=" << value << " for " << wanted;
            }
            for (std::size_t i = 1; i < found->size(); ++i)
                EXPECT_LE(std::abs((*found)[i - 1].amount - wanted), std::abs((*found)[i].amount - wanted));
        }
    }
}

TEST(Solve, KeepsMultiples) {
    const Result<std::vector<Answer>> found = solve(preset("llama-2-7b"), for_total("ffn_dim", 8'000'000'000, 256));
    ASSERT_TRUE(found);
    for (const Answer& answer : *found) EXPECT_EQ(answer.values.front() % 256, 0);
    EXPECT_LT(std::abs(found->front().amount - 8'000'000'000), 3ll * 4096 * 32 * 256);
}

// What an answer's architecture comes to when it is counted by itself.
std::optional<std::int64_t> amount_with(const Architecture& arch, const Wish& wish,
                                        const std::vector<std::int64_t>& values) {
    Architecture changed = arch;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::optional<Architecture> next = with_number(changed, wish.free[i].field, values[i]);
        if (!next) return std::nullopt;
        changed = *next;
    }
    PointMaker alone(wish.input, {.memory = true, .pass = {}});
    if (alone.refusal(changed)) return std::nullopt;
    const Result<SweepPoint> point = alone.at(changed);
    return point ? whole_value_of(*point, wish.held) : std::nullopt;
}

// How far from what the model is, by the logarithms of its values.
double change(const Architecture& arch, const Wish& wish, const std::vector<std::int64_t>& values) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += std::abs(
            std::log(static_cast<double>(values[i]) / static_cast<double>(*field_number(arch, wish.free[i].field))));
    return sum;
}

// A hundredth off the wish weighs as much as a tenth of change. A total may be passed, a budget may not.
double distance(const Architecture& arch, const Wish& wish, std::int64_t amount,
                const std::vector<std::int64_t>& values) {
    if (wish.held != Metric::total && amount > wish.amount) return 1e9;
    const double away = std::abs(static_cast<double>(amount - wish.amount)) / static_cast<double>(wish.amount);
    return away + 0.1 * change(arch, wish, values);
}

TEST(Solve, OfTwoFieldsIsPossibleExactAndNeverWorseThanAStepOfEither) {
    struct Case {
        const char *id, *first, *second;
        Metric held;
    };
    for (const Case& each :
         {Case{"llama-2-7b", "dim", "layers", Metric::total}, Case{"llama-3-8b", "layers", "ffn_dim", Metric::total},
          Case{"llama-3-8b", "heads", "kv_heads", Metric::total}, Case{"gpt2", "dim", "vocab", Metric::total},
          Case{"mixtral-8x7b", "experts", "expert_dim", Metric::total},
          Case{"gemma-2-2b", "dim", "ffn_dim", Metric::memory}, Case{"llama-2-7b", "layers", "dim", Metric::memory},
          Case{"llama-2-7b", "layers", "ffn_dim", Metric::flops}}) {
        const Architecture arch = preset(each.id);
        Wish wish{{}, each.held, 1, Input{.tokens = 512}};
        for (const char* key : {each.first, each.second}) {
            const Field field = field_named(key);
            wish.free.push_back({field, kept_multiple(field, *field_number(arch, field))});
        }
        const std::int64_t now = *amount_with(
            arch, wish, {*field_number(arch, wish.free[0].field), *field_number(arch, wish.free[1].field)});
        for (std::int64_t part : {40, 100, 123, 300}) {
            wish.amount = now / 100 * part;
            const std::string name =
                std::string(each.id) + " " + each.first + "," + each.second + " " + std::to_string(part);
            const Result<std::vector<Answer>> found = solve(arch, wish);
            ASSERT_TRUE(found) << name << ": " << sentence(found.error());
            for (std::size_t i = 0; i < found->size(); ++i) {
                EXPECT_EQ(amount_with(arch, wish, (*found)[i].values), (*found)[i].amount) << name;
                EXPECT_TRUE(each.held == Metric::total || (*found)[i].amount <= wish.amount) << name;
                const Answer& before = (*found)[i == 0 ? 0 : i - 1];
                EXPECT_LE(distance(arch, wish, before.amount, before.values),
                          distance(arch, wish, (*found)[i].amount, (*found)[i].values))
                    << name;
            }
            const Answer& best = found->front();
            for (std::size_t i = 0; i < 2; ++i) {
                EXPECT_EQ(best.values[i] % wish.free[i].multiple, 0) << name;
                for (std::int64_t step : {-3, -2, -1, 1, 2, 3}) {
                    std::vector<std::int64_t> values = best.values;
                    values[i] += step * wish.free[i].multiple;
                    const std::optional<std::int64_t> amount = amount_with(arch, wish, values);
                    if (!amount || std::abs(step) > 1) continue;
                    EXPECT_LE(distance(arch, wish, best.amount, best.values),
                              distance(arch, wish, *amount, values) + 1e-12)
                        << name << ": " << values[0] << ", " << values[1];
                }
            }
        }
    }
}

TEST(Solve, OfTwoFieldsStaysNearWhatTheModelIs) {
    const Architecture arch = preset("llama-2-7b");
    const Result<std::vector<Answer>> found =
        solve(arch, {{{Field::dim, 128}, {Field::layers}}, Metric::total, 8'000'000'000});
    ASSERT_TRUE(found);
    EXPECT_GT(found->size(), 3u);
    for (const Answer& answer : *found) {
        EXPECT_GE(answer.values[0], 2048);
        EXPECT_LE(answer.values[0], 8192);
        EXPECT_LT(std::abs(answer.amount - 8'000'000'000), 160'000'000);
    }
}

TEST(Solve, OfTiesWhatTheModelIsComesFirst) {
    const Architecture arch = preset("llama-3-8b");
    const Result<std::vector<Answer>> found = solve(
        arch, {.free = {{field_named("heads")}, {field_named("kv_heads")}}, .amount = 8'000'000'000, .answers = 100});
    ASSERT_TRUE(found) << sentence(found.error());
    EXPECT_EQ(found->front().values, (std::vector<std::int64_t>{32, 8}));
    EXPECT_GT(std::ranges::count(*found, found->front().amount, &Answer::amount), 1) << "another is as near";
}

TEST(Solve, ABudgetIsNeverExceeded) {
    const Architecture arch = preset("llama-2-7b");
    const std::int64_t budget = std::int64_t{10} << 30;
    const Result<std::vector<Answer>> found =
        solve(arch, {{{Field::layers}}, Metric::memory, budget, Input{.tokens = 2048}});
    ASSERT_TRUE(found) << sentence(found.error());
    for (const Answer& answer : *found) EXPECT_LE(answer.amount, budget);
    const Wish wish{{{Field::layers}}, Metric::memory, budget, Input{.tokens = 2048}};
    EXPECT_GT(*amount_with(arch, wish, {found->front().values.front() + 1}), budget) << "one layer more is too much";
}

TEST(Solve, ABudgetThatNothingMeetsIsAnsweredWithTheNearest) {
    const auto said = [](const Wish& wish) { return sentence(solve(preset("llama-2-7b"), wish).error()); };
    EXPECT_EQ(said({{{Field::layers}}, Metric::memory, 1 << 20, Input{.tokens = 8}}),
              "nothing with layers free stays within 1.00 MiB: --memory: the nearest possible is 887 MiB, with "
              "layers=1");
    const std::string two = said({{{Field::layers}, {Field::dim, 128}}, Metric::flops, 1000, Input{.tokens = 8}});
    EXPECT_EQ(two.find("nothing with layers and dim free stays within 1.00 kFLOP: --flops: the nearest possible is"),
              0u)
        << two;
    EXPECT_NE(said({{{Field::layers}}, Metric::memory, 0, {}}).find("holds nothing"), std::string::npos);
}

TEST(Solve, SaysWhereThereIsNoAnswer) {
    const auto said = [](const Architecture& arch, const Wish& wish) { return sentence(solve(arch, wish).error()); };
    const Architecture arch = preset("llama-2-7b");
    EXPECT_EQ(said(arch, for_total("context", 7'000'000'000)),
              "the total does not depend on context: --vary: free a field that shapes a matrix, such as dim, layers or "
              "vocab");
    EXPECT_NE(said(arch, {{{Field::norm}}, Metric::total, 1}).find("no number"), std::string::npos);
    EXPECT_EQ(solve(arch, for_total("layers", 1))->front().values.front(), 1) << "the nearest there is";
    const Architecture large = with(arch, "vocab", "9000000000000000000");
    EXPECT_EQ(
        said(large, for_total("layers", 7'000'000'000)),
        "the total does not fit in 64 bits, whatever layers is: --vary: make another dimension smaller, with --set");
    EXPECT_EQ(said(large, for_total("kv_heads", 7'000'000'000)),
              "the total does not fit in 64 bits, whatever kv_heads is: --vary: make another dimension smaller, with "
              "--set");
    EXPECT_NE(said(preset("mixtral-8x7b"), for_total("experts_per_token", 100'000'000'000)).find("does not depend"),
              std::string::npos);
    EXPECT_NE(said(with(arch, "kv_heads", "auto"), for_total("heads", 1)).find("does not depend"), std::string::npos);
    EXPECT_EQ(
        said(arch, {{{Field::layers}}, Metric::memory, 1, Input{.tokens = INT64_MAX}}),
        "the memory does not fit in 64 bits, whatever layers is: --vary: give fewer tokens or a smaller batch, or "
        "make another dimension smaller");
    EXPECT_NE(said(arch, {{{Field::dim, INT64_MAX}, {Field::layers}}, Metric::total, 1}).find("larger than any model"),
              std::string::npos);
    EXPECT_EQ(said(arch, {{}, Metric::total, 1}), "0 fields cannot be free: --free: free one to 4");
    EXPECT_EQ(said(arch, {{{Field::dim}, {Field::dim}}, Metric::total, 1}), "dim is free twice: --free: name it once");
}

constexpr std::int64_t gibi = std::int64_t{1} << 30;

Device a_device() {
    return {.id = "one", .name = "One", .memory = 80 * gibi, .bandwidth = 3e12, .flops_16 = 1e15, .flops_32 = 1e14};
}

Goal goal(std::string_view text) { return *parse_goal(text, ""); }

Architecture with_values(Architecture arch, const Wish& wish, const Answer& answer) {
    for (std::size_t i = 0; i < answer.values.size(); ++i)
        arch = *with_number(arch, wish.free[i].field, answer.values[i]);
    return arch;
}

TEST(Solve, KeepsAllConditionsAtOnceAsTheyAreCountedElsewhere) {
    const Architecture arch = preset("llama-3-8b");
    Wish wish;
    const std::vector<Field> free{Field::dim, Field::layers, Field::ffn_dim};
    wish.friendly = true;
    wish.free = freed(arch, free, true, {});
    wish.amount = 6'000'000'000;
    wish.input = {.tokens = 4096};
    wish.pass.device = a_device();
    wish.pass.phase = Phase::decode;
    for (const char* text : {"memory<=12GiB", "tokens_per_second>=280", "longest_context>=16k", "largest_batch>=2",
                             "kv_cache_per_token<=120000", "total>=5B"})
        wish.goals.push_back(goal(text));
    const Result<std::vector<Answer>> found = solve(arch, wish);
    ASSERT_TRUE(found) << sentence(found.error());
    for (const Answer& answer : *found) {
        const Architecture is = with_values(arch, wish, answer);
        ASSERT_TRUE(validate(is).empty());
        const ModelGraph graph = expand(is);
        const Memory held = *memory(is, graph, bindings(is, wish.input), wish.pass.held(wish.input));
        EXPECT_LE(held.total, 12 * gibi);
        EXPECT_EQ(static_cast<double>(held.total), answer.figures[0]);
        const Pass pass = *pass_of(is, wish.input, Phase::decode, wish.pass);
        EXPECT_GE(1 / *pass.seconds, 280);
        EXPECT_NEAR(1 / *pass.seconds, answer.figures[1], 1e-9 / *pass.seconds);
        Device room = a_device();
        room.memory = 12 * gibi;
        MemoryOptions options = wish.pass.held(wish.input);
        options.serving.reserve = 0;
        const Room fits = MemoryFormulas(is, graph, options).room(room, bindings(is, wish.input));
        EXPECT_EQ(static_cast<double>(fits.longest_context), answer.figures[2]);
        EXPECT_EQ(static_cast<double>(fits.largest_batch), answer.figures[3]);
        for (std::size_t i = 0; i < wish.goals.size(); ++i) EXPECT_TRUE(wish.goals[i].keeps(answer.figures[i])) << i;
        EXPECT_EQ(is.dim % 128, 0);
        const std::int64_t size = *field_number(is, Field::head_dim);
        EXPECT_TRUE(size == 64 || size == 96 || size == 128 || size == 256) << size;
    }
}

TEST(Solve, OfConditionsThatNothingKeepsSaysAllAndTheNearest) {
    Wish wish{{{Field::layers}}, Metric::total, 8'000'000'000, Input{.tokens = 1024}};
    wish.goals = {goal("memory<=10GiB"), goal("total>=12B")};
    const std::string said = sentence(solve(preset("llama-3-8b"), wish).error());
    EXPECT_EQ(said.find("nothing with layers free stays within 10.0 GiB and reaches 12,000,000,000 parameters: "
                        "--memory: the nearest possible is "),
              0u)
        << said;
    wish.goals = {goal("longest_context>=32k")};
    EXPECT_EQ(sentence(solve(preset("llama-3-8b"), wish).error()),
              "longest_context hangs on a memory: --where: add --device, such as --device h100, or --memory");
    wish.goals = {goal("seconds<=1")};
    EXPECT_EQ(sentence(solve(preset("llama-3-8b"), wish).error()),
              "seconds hangs on a device, and there is none: --where: add --device, such as --device h100");
}

TEST(Solve, HeadsGoAlongWithAWidthThatIsTheirs) {
    const Architecture arch = preset("llama-3-8b");
    const std::vector<Field> dim{Field::dim}, both{Field::dim, Field::head_dim}, kv{Field::kv_heads};
    EXPECT_EQ(freed(arch, dim, true, {}).size(), 2u);
    EXPECT_EQ(freed(arch, dim, true, {}).back().field, Field::heads);
    EXPECT_EQ(freed(arch, dim, false, {}).size(), 1u) << "any shape";
    EXPECT_EQ(freed(arch, both, true, {}).size(), 2u);
    EXPECT_EQ(freed(preset("gemma-3-27b"), dim, true, {}).size(), 1u) << "its heads have a size of their own";
    const std::vector<Architecture> family{preset("llama-3-8b"), preset("llama-2-7b")};
    EXPECT_EQ(freed(arch, kv, true, family).front().listed, (std::vector<std::int64_t>{8, 32}));
}

// Each number of its layers has formulas of its own.
TEST(Solve, SearchesAModelWhoseLayersShareWeightsToo) {
    const Architecture arch = preset("zamba2-1.2b");
    const std::int64_t wished = 2 * testing_data::CountedArchitecture(arch).parameters.total;
    const Field fields[]{Field::dim, Field::layers, Field::ffn_dim};
    const Result<std::vector<Answer>> found = solve(arch, {.free = freed(arch, fields, true, {}), .amount = wished});
    ASSERT_TRUE(found) << sentence(found.error());
    EXPECT_FALSE(found->empty());
    for (const Answer& answer : *found)
        EXPECT_NEAR(static_cast<double>(answer.amount), static_cast<double>(wished),
                    0.02 * static_cast<double>(wished));
    // More layers than can be told apart are no answer, and are not counted to find that out.
    const Result<std::vector<Answer>> far = solve(arch, {.free = {{Field::layers}}, .amount = 1000 * wished});
    ASSERT_TRUE(far) << sentence(far.error());
    EXPECT_TRUE(possible(with(arch, "layers", std::to_string(far->front().values.front()))));
}

TEST(Solve, TheModelItselfComesFirstWhereItKeepsAll) {
    const Architecture arch = preset("llama-3-8b");
    const std::vector<Field> free{Field::dim, Field::layers};
    Wish wish;
    wish.friendly = true;
    wish.free = freed(arch, free, true, {});
    wish.amount = total_of(arch);
    wish.input = {.tokens = 1024};
    wish.goals = {goal("memory<=20GiB")};
    EXPECT_EQ(solve(arch, wish)->front().values, (std::vector<std::int64_t>{4096, 32, 32}));
}

TEST(Front, NoneOfItIsBeatenAndAllElseIs) {
    const Architecture arch = preset("llama-3-8b");
    const std::vector<Field> free{Field::dim, Field::layers};
    for (const char* upwards : {"seconds", "tokens_per_second", "flops", "total"}) {
        Wish wish;
        wish.friendly = true;
        wish.free = freed(arch, free, true, {});
        wish.amount = total_of(arch);
        wish.input = {.tokens = 4096};
        wish.pass.device = a_device();
        wish.pass.phase = Phase::decode;
        wish.answers = 100;
        wish.shown = {*parse_metric("kv_cache", ""), *parse_metric(upwards, "")};
        const Result<std::vector<Answer>> found = solve(arch, wish);
        ASSERT_TRUE(found) << sentence(found.error());
        const std::vector<std::size_t> front = front_of(wish, *found, 0, 1);
        ASSERT_FALSE(front.empty());
        const auto beats = [&](std::size_t a, std::size_t b) {
            bool less = false;
            for (std::size_t i = 0; i < 2; ++i) {
                const double sign = better_with_more(metric_at(wish, i)) ? -1 : 1;
                const double x = sign * (*found)[a].figures[i], y = sign * (*found)[b].figures[i];
                if (x > y) return false;
                less = less || x < y;
            }
            return less;
        };
        for (std::size_t each = 0; each < found->size(); ++each) {
            const bool in_front = std::ranges::find(front, each) != front.end();
            bool beaten = false, twin = false;
            for (std::size_t other = 0; other < found->size(); ++other) {
                beaten = beaten || beats(other, each);
                twin = twin || (other != each && (*found)[other].figures == (*found)[each].figures);
            }
            EXPECT_TRUE(in_front ? !beaten : beaten || twin) << upwards << " " << each;
        }
        EXPECT_TRUE(std::ranges::is_sorted(front, {}, [&](std::size_t each) { return (*found)[each].figures[0]; }));
    }
}

}  // namespace
}  // namespace headcount
