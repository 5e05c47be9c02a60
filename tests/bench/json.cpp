// How long JSON takes to be read, and how long that takes of twice the bytes: whatever shape it has, not much more than
// twice as long.
#include <benchmark/benchmark.h>

#include "core/base/json_file.hpp"

namespace headcount {
namespace {

constexpr std::size_t megabyte = 1'000'000;

// A top of so many bytes, of entries that are made of their number.
template <class Entry>
std::string filled(std::size_t bytes, char open, char close, Entry entry) {
    std::string text = R"({"model_type": "llama", "x": )";
    text += open;
    for (std::size_t i = 0; text.size() < bytes; ++i) text += (i ? "," : "") + entry(std::to_string(i));
    return text + close + "}";
}

std::string objects(std::size_t bytes) {
    return filled(bytes, '{', '}', [](const std::string& number) { return '"' + number + "\":{}"; });
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
std::string one_text(std::size_t bytes) {
    return R"({"x": ")" + std::string(bytes, 'x') + R"("})";
}

void read_json(benchmark::State& state, std::string (*made)(std::size_t bytes)) {
    const std::string text = made(static_cast<std::size_t>(state.range(0)) * megabyte);
    for ([[maybe_unused]] auto _ : state)
        if (!parse_json(text, "bench.json")) {
            state.SkipWithError("the text of the benchmark cannot be read");
            return;
        }
}

void twice(benchmark::internal::Benchmark* each) {
    each->ArgName("")
        ->Arg(8)
        ->Arg(16)
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1)
        ->Repetitions(9)
        ->ReportAggregatesOnly();
}

BENCHMARK_CAPTURE(read_json, objects, objects)->Apply(twice);
BENCHMARK_CAPTURE(read_json, objects_in_a_list, objects_in_a_list)->Apply(twice);
BENCHMARK_CAPTURE(read_json, vocabulary, vocabulary)->Apply(twice);
BENCHMARK_CAPTURE(read_json, pairs, pairs)->Apply(twice);
BENCHMARK_CAPTURE(read_json, numbers, numbers)->Apply(twice);
BENCHMARK_CAPTURE(read_json, one_text, one_text)->Apply(twice);

}  // namespace
}  // namespace headcount
