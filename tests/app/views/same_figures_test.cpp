// A pass's operations and its time are the same in every place that shows them.
#include <array>
#include <random>
#include <stdexcept>

#include "app/state/what_if/page.hpp"
#include "app/views/compare/panels.hpp"
#include "core/arch/validate.hpp"
#include "core/ask/ask.hpp"
#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/app/views/compare/bench.hpp"

namespace headcount {
namespace {

using test::ask;
using test::session_of;

// What is chosen in the Costs view and above it.
struct Chosen {
    Input input;
    CostsPlace place;
};

Chosen any_choice(std::mt19937_64& random) {
    const auto one_of = [&](auto first, auto... others) {
        const std::array all{first, others...};
        return all[random() % all.size()];
    };
    Chosen chosen;
    chosen.input = {.tokens = one_of(1, 3, 100, 1024),
                    .batch = one_of(1, 1, 4),
                    .cached = 0,
                    .precision = one_of(Precision::bf16, Precision::fp32, Precision::int8)};
    chosen.place.device = one_of("laptop", "rtx-4090", "h100");
    chosen.place.full = one_of(false, false, true);
    if (one_of(true, false)) chosen.place.cache = one_of(Precision::int8, Precision::fp32);
    return chosen;
}

nlohmann::json printed(const Preset& preset, const Chosen& chosen) {
    const Input& input = chosen.input;
    std::vector<std::string> words{"compute",
                                   preset.id,
                                   "--json",
                                   "--hardware",
                                   chosen.place.device,
                                   "--tokens",
                                   std::to_string(input.tokens),
                                   "--batch",
                                   std::to_string(input.batch),
                                   "--dtype",
                                   formats_text(input.precision)};
    if (chosen.place.full) words.emplace_back("--full");
    if (chosen.place.cache) {
        words.emplace_back("--kv-dtype");
        words.emplace_back(info(*chosen.place.cache).key);
    }
    const testing_data::Ran ran = testing_data::run(words);
    if (ran.status() != 0) throw std::runtime_error(preset.id + ": " + ran.err);
    return ran.json();
}

// What `memory` says that a decoding step takes.
std::int64_t held_decoding(const Preset& preset, const Chosen& chosen) {
    std::vector<std::string> words{"memory", preset.id, "--json", "--phase", "decode"};
    words.insert(words.end(), {"--tokens", std::to_string(chosen.input.tokens), "--batch",
                               std::to_string(chosen.input.batch), "--dtype", formats_text(chosen.input.precision)});
    if (chosen.place.cache) words.insert(words.end(), {"--kv-dtype", std::string(info(*chosen.place.cache).key)});
    const testing_data::Ran ran = testing_data::run(words);
    if (ran.status() != 0) throw std::runtime_error(preset.id + ": " + ran.err);
    return ran.json()["total"];
}

void expect_the_same_everywhere(const Preset& preset, const Chosen& chosen) {
    SCOPED_TRACE(preset.id + ", " + std::to_string(chosen.input.tokens) + " tokens on " + chosen.place.device);
    const nlohmann::json found = printed(preset, chosen)["prefill"];
    const std::int64_t flops = found["flops"];
    const double seconds = found["seconds"];

    Session session = session_of(preset.id);
    session.document.input = chosen.input;
    session.derived = derive(session.document, nullptr);
    session.view.costs = chosen.place;
    ask(session, ShowWorkspace{costs_view});
    ASSERT_TRUE(session.costs.shown);
    const Pass& pass = session.costs.shown->run;
    EXPECT_EQ(pass.work.flops.counted(), flops) << "Costs";
    EXPECT_EQ(pass.seconds, seconds) << "Costs";
    for (const Phase phase : {Phase::decode, Phase::training}) {
        CostsPlace other = chosen.place;
        other.phase = phase;
        ask(session, AtCosts{SetCosts{other}});
        const nlohmann::json passes = printed(preset, chosen);
        // What reads all tokens at once has no decode.
        const bool at_once = sees_all(session.document.architecture);
        EXPECT_EQ(passes.contains("decode"), !at_once);
        const nlohmann::json row = passes[phase == Phase::training ? "train" : at_once ? "prefill" : "decode"];
        EXPECT_EQ(session.costs.shown->run.work.flops.counted(), row["flops"].get<std::int64_t>());
        EXPECT_EQ(session.costs.shown->run.seconds, row["seconds"].get<double>());
        if (phase == Phase::decode && !at_once) {
            EXPECT_EQ(session.costs.shown->memory.total, held_decoding(preset, chosen)) << "Costs, memory";
        }
    }

    ask(session, ShowWorkspace{what_if_view});
    for (const Metric metric : {Metric::flops, Metric::seconds}) {
        ask(session, AtWhatIf{SetSweep{{{{Field::layers, 1, 1, 1}}, metric}}});
        ASSERT_TRUE(session.what_if.sweep->now);
        EXPECT_EQ(session.what_if.sweep->now->flops, flops) << "What-if";
    }
    EXPECT_EQ(session.what_if.sweep->now->seconds, seconds) << "What-if";

    ask(session, ShowWorkspace{compare_view});
    const CompareTable table = compare_compute_table(dark_theme(), test::both_of(session));
    ASSERT_TRUE(table.failure.empty()) << table.failure;
    EXPECT_EQ(std::get<std::int64_t>(table.rows.back().cells[2]), flops) << "Compare";

    const Document& document = session.document;
    const Asked asked = headcount::ask("flops", {document.architecture,
                                                 document.input,
                                                 document.preset,
                                                 session.presets,
                                                 {},
                                                 nullptr,
                                                 pass_options(session.costs, session.view.costs)});
    ASSERT_TRUE(asked.answer) << asked.problem;
    EXPECT_EQ(asked.answer->number, grouped(flops)) << "Ask";
}

TEST(SameFigures, StandInEveryPlaceForEveryPreset) {
    std::mt19937_64 random(3);
    for (const Preset& preset : test::all_presets()) {
        const Chosen chosen = any_choice(random);
        if (validate(preset.architecture, chosen.input).empty()) expect_the_same_everywhere(preset, chosen);
    }
}

// One device for all views: choosing it in one chooses it in the others.
TEST(SameFigures, AreOfTheSameDeviceWithoutAnyChoice) {
    Session session = session_of("gemma-3-27b");
    session.document.input.tokens = 131'072;
    session.derived = derive(session.document, nullptr);
    ask(session, ShowWorkspace{what_if_view});
    ask(session, AtWhatIf{SetSweep{{{}, Metric::seconds}}});
    ASSERT_TRUE(session.what_if.sweep->now);
    const std::optional<double> seconds = session.what_if.sweep->now->seconds;
    ask(session, ShowWorkspace{costs_view});
    EXPECT_EQ(session.costs.shown->run.seconds, seconds);
    const auto said = testing_data::run({"compute", "gemma-3-27b", "--tokens", "131072", "--hardware",
                                         session.view.costs.device, "--json"})
                          .json()["prefill"];
    EXPECT_EQ(said["seconds"], *seconds);
    ASSERT_TRUE(session.costs.shown->likely);
    EXPECT_EQ(said["likely"]["seconds"], session.costs.shown->likely->seconds());
}

}  // namespace
}  // namespace headcount
