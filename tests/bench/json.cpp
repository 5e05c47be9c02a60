// How long JSON takes to be read and written, and how long that takes of twice the bytes: whatever shape it has, not
// much more than twice as long.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>

#include "core/base/json_file.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"
#include "tests/bench/processor_time.hpp"

namespace headcount {
namespace {

constexpr std::size_t kilobyte = 1000;

// A top of so many bytes, of entries that are made of their number, which has as many digits in each.
template <class Entry>
std::string filled(std::size_t bytes, char open, char close, Entry entry) {
    std::string text = R"({"model_type": "llama", "x": )";
    text += open;
    for (std::size_t i = 0; text.size() < bytes; ++i) text += (i ? "," : "") + entry(std::to_string(10'000'000 + i));
    return text + close + "}";
}

std::string objects(std::size_t bytes) {
    // In no order.
    return filled(bytes, '{', '}', [](const std::string& number) {
        return '"' + std::string(number.rbegin(), number.rend()) + "\":{}";
    });
}
std::string objects_in_a_list(std::size_t bytes) {
    return filled(bytes, '[', ']', [](const std::string& number) { return "{\"id\":" + number + "}"; });
}
std::string vocabulary(std::size_t bytes) {
    return filled(bytes, '{', '}', [](const std::string& number) { return "\"token" + number + "\":" + number; });
}
std::string pairs(std::size_t bytes) {
    return filled(bytes, '[', ']', [](const std::string& number) { return "[\"to\",\"ken" + number + "\"]"; });
}
std::string numbers(std::size_t bytes) {
    return filled(bytes, '[', ']', [](const std::string& number) { return number + ".5"; });
}
std::string fields(std::size_t bytes) {
    std::string text = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
                           "intermediate_size": 128, "vocab_size": 100)";
    for (int i = 0; text.size() < bytes; ++i) text += ",\"field_" + std::to_string(10'000'000 + i) + "\":1";
    return text + "}";
}
std::string one_text(std::size_t bytes) { return R"({"x": ")" + std::string(bytes, 'x') + R"("})"; }

bool read(const std::string& text) { return static_cast<bool>(parse_json(text, "bench.json")); }

// As a configuration, which is exported and saved again with all that it carries.
bool write_again(const std::string& text) {
    const Result<nlohmann::json> json = parse_json(text, "bench.json");
    const Result<Architecture> model = json ? read_config(*json, "bench.json") : json.error();
    return model && write_config(*model) && !architecture_to_json(*model).empty();
}

// The shortest of several times each, taken in turns, so that whatever else the machine does falls on both.
void grow(benchmark::State& state, std::string (*made)(std::size_t bytes),
          bool (*work)(const std::string& text) = read) {
    constexpr int rounds = 15;
    const std::array<std::string, 2> texts{made(400 * kilobyte), made(800 * kilobyte)};
    std::array<double, 2> shortest{1e9, 1e9};
    for ([[maybe_unused]] auto _ : state)
        for (int round = 0; round < rounds; ++round)
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const double begin = processor_microseconds();
                const bool done = work(texts[i]);
                shortest[i] = std::min(shortest[i], processor_microseconds() - begin);
                if (!done) return state.SkipWithError("the text of the benchmark cannot be read");
            }
    state.counters["once_us"] = shortest[0];
    state.counters["twice_us"] = shortest[1];
}

void once(benchmark::internal::Benchmark* each) { each->Iterations(1)->Unit(benchmark::kMillisecond); }

void json_objects(benchmark::State& state) { grow(state, objects); }
void json_objects_in_a_list(benchmark::State& state) { grow(state, objects_in_a_list); }
void json_vocabulary(benchmark::State& state) { grow(state, vocabulary); }
void json_pairs(benchmark::State& state) { grow(state, pairs); }
void json_numbers(benchmark::State& state) { grow(state, numbers); }
void json_one_text(benchmark::State& state) { grow(state, one_text); }

void json_written_again(benchmark::State& state) { grow(state, fields, write_again); }

BENCHMARK(json_objects)->Apply(once);
BENCHMARK(json_objects_in_a_list)->Apply(once);
BENCHMARK(json_vocabulary)->Apply(once);
BENCHMARK(json_pairs)->Apply(once);
BENCHMARK(json_numbers)->Apply(once);
BENCHMARK(json_one_text)->Apply(once);
BENCHMARK(json_written_again)->Apply(once);

}  // namespace
}  // namespace headcount
