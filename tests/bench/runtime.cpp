// How fast models of three sizes run: a prompt of 128 tokens and the tokens behind it, with one thread and two, with
// nothing kept and with everything; and beside it how fast the machine reads memory. Then models of other kinds: an
// encoder, and one with states beside its cache.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

#include "core/analysis/parameters.hpp"
#include "core/arch/fields.hpp"
#include "core/files/config.hpp"
#include "core/files/presets.hpp"
#include "core/runtime/read_speed.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

struct Size {
    const char *name, *dim, *layers, *heads, *kv_heads, *ffn_dim, *vocab;
};

constexpr Size small{"64 wide, 5 layers", "64", "5", "8", "4", "172", "512"};
constexpr Size middle{"288 wide, 6 layers, vocabulary 32,000", "288", "6", "6", "6", "768", "32000"};
constexpr Size large{"768 wide, 12 layers, vocabulary 32,000", "768", "12", "12", "12", "2048", "32000"};

constexpr int prompt_tokens = 128, new_tokens = 32;

// The shortest of several times, in seconds.
double shortest(const std::function<void()>& before, const std::function<void()>& work, int tries = 3) {
    double best = 1e9;
    for (int i = 0; i < tries; ++i) {
        before();
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

Result<Architecture> architecture_of(std::string_view id) {
    const auto presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    if (!presets) return presets.error();
    const Preset* preset = find_preset(*presets, id);
    if (!preset) return Error{"there is no " + std::string(id), "", ""};
    return preset->architecture;
}

Result<Architecture> architecture_of(const Size& size) {
    Result<Architecture> found = architecture_of("llama-2-7b");
    if (!found) return found.error();
    Architecture arch = *found;
    const std::pair<const char*, const char*> fields[] = {{"dim", size.dim},         {"layers", size.layers},
                                                          {"heads", size.heads},     {"kv_heads", size.kv_heads},
                                                          {"ffn_dim", size.ffn_dim}, {"vocab", size.vocab}};
    for (const auto& [field, value] : fields) {
        Result<Architecture> changed = with_field(arch, field, value);
        if (!changed) return changed.error();
        arch = *changed;
    }
    return arch;
}

struct Times {
    double prefill = 1e9, decode = 1e9;  // seconds: of the prompt, of one token
};

void measure(Run& run, Times& times, bool decodes) {
    const auto ids = static_cast<std::size_t>(std::min<std::int64_t>(500, run.model().architecture.vocab));
    std::vector<std::int32_t> prompt(prompt_tokens);
    for (std::size_t i = 0; i < prompt.size(); ++i) prompt[i] = static_cast<std::int32_t>(i * 37 % ids);
    const auto read = [&] { (void)run.append(prompt); };
    const auto go_on = [&] {
        for (std::int32_t i = 0; i < new_tokens; ++i) (void)run.append({&i, 1});
    };
    times.prefill = std::min(times.prefill, shortest([&] { run.keep_first(0); }, read));
    if (!decodes) return;
    times.decode = std::min(times.decode, shortest([&] { run.keep_first(prompt_tokens); }, go_on) / new_tokens);
}

struct Measured {
    std::vector<Times> runs;
    double read = 0;  // bytes a second; 0 where there is no memory to try it with
};

// Several runs of a model and the reading of memory, in turn, so that whatever else the machine does falls on all.
Result<Measured> measure(const std::shared_ptr<const Model>& model, int threads, std::span<const RunOptions> options) {
    Result<FloatMemory> memory = FloatMemory::take(std::int64_t{1} << 27, FloatMemory::Pages::large);
    if (memory) std::fill_n(memory->data(), memory->size(), 1.0F);
    Pool pool(threads);
    std::vector<Run> runs;
    for (const RunOptions& each : options) {
        Result<Run> run = Run::start(model, each);
        if (!run) return run.error();
        runs.push_back(std::move(*run));
    }
    Measured measured{std::vector<Times>(runs.size())};
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < 2 || std::chrono::steady_clock::now() - start < std::chrono::seconds(1); ++round) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            measure(runs[i], measured.runs[i], !sees_all(model->architecture));
            for (int pass = 0; memory && pass < 5; ++pass)
                measured.read = std::max(measured.read, read_speed(pool, *memory));
        }
    }
    return measured;
}

void runtime(benchmark::State& state, const Size& size) {
    const auto skip = [&](const Error& error) { state.SkipWithError(error.what.c_str()); };
    const Result<Architecture> arch = architecture_of(size);
    if (!arch) return skip(arch.error());
    const Result<std::shared_ptr<const Model>> model = random_model(*arch, 1);
    if (!model) return skip(model.error());
    const Result<Parameters> counted = count_parameters((*model)->graph, bindings(*arch, Input{}));
    if (!counted) return skip(counted.error());
    for ([[maybe_unused]] auto _ : state) {
        for (const int threads : {1, 2}) {
            const std::string of = "_" + std::to_string(threads);
            const RunOptions plain{.capacity = 256, .threads = threads};
            // Everything kept has every token's logits in it: compared with the same work, nothing of it kept.
            RunOptions same = plain, kept = plain;
            same.all_logits = true;
            kept.keep = Keep::all;
            const Result<Measured> measured = measure(*model, threads, std::array{plain, same, kept});
            if (!measured) return skip(measured.error());
            const Times &times = measured->runs[0], &all = measured->runs[1], &keeping = measured->runs[2];
            state.counters["prefill" + of] = prompt_tokens / times.prefill;
            state.counters["decode" + of] = 1 / times.decode;
            state.counters["keeping_prefill" + of] = keeping.prefill / all.prefill;
            state.counters["keeping_decode" + of] = keeping.decode / all.decode;
            // Tokens a second if reading the weights from memory were all there is to do.
            state.counters["read" + of] = measured->read / (4.0 * static_cast<double>(counted->active_multiplied));
        }
    }
    state.SetLabel(size.name);
}

// All logits of a prompt, as PyTorch makes them, and the tokens behind it where a model makes some.
void speeds(benchmark::State& state, const Result<Architecture>& arch) {
    const auto skip = [&](const Error& error) { state.SkipWithError(error.what.c_str()); };
    if (!arch) return skip(arch.error());
    const Result<std::shared_ptr<const Model>> model = random_model(*arch, 1);
    if (!model) return skip(model.error());
    for ([[maybe_unused]] auto _ : state) {
        for (const int threads : {1, 2}) {
            const std::string of = "_" + std::to_string(threads);
            const RunOptions options{.capacity = 256, .threads = threads, .all_logits = true};
            const Result<Measured> measured = measure(*model, threads, std::array{options});
            if (!measured) return skip(measured.error());
            state.counters["prefill" + of] = prompt_tokens / measured->runs.front().prefill;
            if (!sees_all(*arch)) state.counters["decode" + of] = 1 / measured->runs.front().decode;
        }
    }
}

void runtime_bert(benchmark::State& state) {
    speeds(state, architecture_of("bert-base-uncased"));
    state.SetLabel("BERT base");
}

void runtime_qwen3_next(benchmark::State& state) {
    const auto file = read_config_file(std::filesystem::path(HEADCOUNT_TESTS_DIR) / "golden/runtime/qwen3_next.json");
    if (!file) return state.SkipWithError(file.error().what.c_str());
    speeds(state, read_config(file->at("config"), "qwen3_next.json"));
    state.SetLabel("a tiny Qwen3-Next, 32 wide, 4 layers");
}

BENCHMARK(runtime_bert)->Iterations(1);
BENCHMARK(runtime_qwen3_next)->Iterations(1);
BENCHMARK_CAPTURE(runtime, small, small)->Name("runtime_small")->Iterations(1);
BENCHMARK_CAPTURE(runtime, middle, middle)->Name("runtime_middle")->Iterations(1);
BENCHMARK_CAPTURE(runtime, large, large)->Name("runtime_large")->Iterations(1);

}  // namespace
}  // namespace headcount
