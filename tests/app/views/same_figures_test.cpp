// A pass's operations and its time are the same in every place that shows them.
#include <array>
#include <random>
#include <stdexcept>

#include "app/state/open_link.hpp"
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
    if (one_of(true, false)) chosen.input.cache = one_of(Precision::int8, Precision::fp32);
    return chosen;
}

// What a model has no use for is not said of it.
Chosen chosen_for(const Architecture& arch, Chosen chosen) {
    const ModelGraph graph = expand(arch);
    const auto keeps = [](const Tensor& each) { return each.role == Role::cache || each.role == Role::state; };
    if (std::ranges::none_of(graph.tensors, keeps)) chosen.input.cache.reset();
    const auto masks = [](const Node& each) { return each.op == Op::masked_softmax && !each.rule<Mask>().sees_all(); };
    if (std::ranges::none_of(graph.nodes, masks)) chosen.place.full = false;
    chosen.input.tokens = bindings(arch, chosen.input)[Symbol::tokens].value_or(chosen.input.tokens);
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
    if (input.cache) words.insert(words.end(), {"--kv-dtype", precision_text(*input.cache)});
    const testing_data::Ran ran = testing_data::run(words);
    if (ran.status() != 0) throw std::runtime_error(preset.id + ": " + ran.err);
    return ran.json();
}

// What `memory` says that a decoding step takes.
std::int64_t held_decoding(const Preset& preset, const Chosen& chosen) {
    std::vector<std::string> words{"memory", preset.id, "--json", "--phase", "decode"};
    words.insert(words.end(), {"--tokens", std::to_string(chosen.input.tokens), "--batch",
                               std::to_string(chosen.input.batch), "--dtype", formats_text(chosen.input.precision)});
    const std::optional<Precision>& cache = chosen.input.cache;
    if (cache) words.insert(words.end(), {"--kv-dtype", std::string(info(*cache).key)});
    const testing_data::Ran ran = testing_data::run(words);
    if (ran.status() != 0) throw std::runtime_error(preset.id + ": " + ran.err);
    return ran.json()["total"];
}

// Where a phase was chosen in Costs, What-if and Compare are of it too.
void expect_the_same_beside_costs(Session& session, std::int64_t flops, std::optional<double> seconds) {
    ask(session, ShowWorkspace{what_if_view});
    for (const Metric metric : {Metric::flops, Metric::seconds}) {
        ask(session, AtWhatIf{SetSweep{{{{Field::layers, 1, 1, 1}}, metric}}});
        ASSERT_TRUE(session.what_if.sweep->now);
        EXPECT_EQ(session.what_if.sweep->now->flops, flops) << "What-if";
    }
    EXPECT_EQ(session.what_if.sweep->now->seconds, seconds) << "What-if";
    ask(session, ShowWorkspace{compare_view});
    // Beside a model that has none nothing is decoded.
    if (session.view.costs.phase == Phase::decode && sees_all(session.comparison.other->document.architecture)) return;
    const CompareTable table = compare_compute_table(dark_theme(), test::both_of(session));
    ASSERT_TRUE(table.failure.empty()) << table.failure;
    const auto sum = std::ranges::find(table.rows, "sum", &CompareRow::name);
    ASSERT_NE(sum, table.rows.end());
    EXPECT_EQ(std::get<std::int64_t>(sum->cells[2]), flops) << "Compare";
}

// What Explore says of the cache is what the cache takes.
std::int64_t cache_in_tables(const Counted& shown) {
    std::int64_t bytes = 0;
    for (const ActivationRow& row : shown.activations)
        if (shown.graph.tensors[row.tensor].role == Role::cache) bytes += row.bytes * row.copies;
    return bytes;
}

// A link of the Costs view has all that it was made for.
void expect_the_same_of_a_link(const Session& session, const Preset& preset) {
    const WrittenLink link = *write_link(linked_of(session), session.presets);
    const testing_data::Ran ran = testing_data::run({"memory", link.text, "--json"});
    ASSERT_EQ(ran.status(), 0) << preset.id << ran.err;
    const nlohmann::json json = ran.json();
    EXPECT_EQ(json["total"], session.costs.shown->memory.total) << link.text;
    EXPECT_EQ(json["input"]["kv_dtype"], precision_text(session.document.input.cached_in()));
    EXPECT_EQ(json["input"]["phase"], phase_words[static_cast<std::size_t>(session.costs.shown->of.place.phase)]);
    if (session.view.costs.device != CostsPlace{}.device) {
        EXPECT_EQ(json["input"]["device"], session.view.costs.device);
    }
}

void expect_the_same_everywhere(const Preset& preset, const Chosen& chosen) {
    SCOPED_TRACE(preset.id + ", " + std::to_string(chosen.input.tokens) + " tokens on " + chosen.place.device);
    const nlohmann::json passes = printed(preset, chosen), found = passes["prefill"];
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
    expect_the_same_beside_costs(session, flops, seconds);
    for (const Phase phase : {Phase::decode, Phase::training}) {
        CostsPlace other = chosen.place;
        other.phase = phase;
        ask(session, AtCosts{SetCosts{other}});
        ask(session, ShowWorkspace{costs_view});
        if (session.costs.wrong) {
            EXPECT_EQ(session.costs.wrong->where, "dtype") << "weights of few bits are not trained";
            continue;
        }
        // What reads all tokens at once has no decode.
        const bool at_once = sees_all(session.document.architecture);
        EXPECT_EQ(passes.contains("decode"), !at_once);
        const nlohmann::json row = passes[phase == Phase::training ? "train" : at_once ? "prefill" : "decode"];
        EXPECT_EQ(session.costs.shown->run.work.flops.counted(), row["flops"].get<std::int64_t>());
        EXPECT_EQ(session.costs.shown->run.seconds, row["seconds"].get<double>());
        expect_the_same_beside_costs(session, row["flops"], row["seconds"].get<double>());
        expect_the_same_of_a_link(session, preset);
        if (phase == Phase::decode && !at_once) {
            EXPECT_EQ(session.costs.shown->memory.total, held_decoding(preset, chosen)) << "Costs, memory";
        }
    }

    ask(session, AtCosts{SetCosts{chosen.place}});
    if (session.costs.shown->memory.cache.bytes > 0 && !session.document.architecture.encoder) {
        EXPECT_EQ(cache_in_tables(session.derived.shown), session.costs.shown->memory.cache.bytes) << "Explore";
    }
    const Document& document = session.document;
    const Asked asked =
        headcount::ask("flops", {document.architecture,
                                 document.input,
                                 document.preset,
                                 session.presets,
                                 {},
                                 nullptr,
                                 pass_options(session.costs, session.view.costs, document.architecture)});
    ASSERT_TRUE(asked.answer) << asked.problem;
    EXPECT_EQ(asked.answer->number, grouped(flops)) << "Ask";
}

TEST(SameFigures, StandInEveryPlaceForEveryPreset) {
    std::mt19937_64 random(3);
    for (const Preset& preset : test::all_presets()) {
        const Chosen chosen = chosen_for(preset.architecture, any_choice(random));
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
