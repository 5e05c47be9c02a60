// What is said of how fast loading and running go.
#include "app/cli/run_bench.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <vector>

#include "core/base/text.hpp"
#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {
namespace {

// Bytes a second that the threads together can read; 0 where there is no memory to try it with.
double read_speed(int threads) {
    constexpr std::int64_t floats = std::int64_t{1} << 25;
    Result<FloatMemory> memory = FloatMemory::take(floats);
    if (!memory) return 0;
    std::fill_n(memory->data(), floats, 1.0F);
    Pool pool(threads);
    const std::int64_t part = floats / threads;
    double best = 0;
    for (int i = 0; i < 4; ++i) {
        const auto start = std::chrono::steady_clock::now();
        std::vector<float> sums(static_cast<std::size_t>(threads));
        pool.run(threads, [&](std::int64_t each, int) {
            sums[static_cast<std::size_t>(each)] = kernels::sum(memory->data() + part * each, part);
        });
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(floats * 4) / took.count());
    }
    return best;
}

std::string fixed(double value) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(value < 100 ? 1 : 0) << value;
    return text.str();
}

}  // namespace

void write_bench(std::ostream& out, const MemoryNeed& need, std::int64_t multiplied, int threads,
                 const RunSpeeds& speeds) {
    out << "weights " << bytes_text(need.weights) << ", caches " << bytes_text(need.caches) << ", activations "
        << bytes_text(need.activations) << ", all in float32\n"
        << kernels::instruction_set() << ", " << threads << (threads == 1 ? " thread\n" : " threads\n")
        << "prompt: " << grouped(speeds.prompt) << " tokens, " << fixed(speeds.of_prompt()) << " a second\n";
    if (speeds.made == 0) return;
    const double read = static_cast<double>(multiplied) * sizeof(float) * speeds.of_made();
    const double memory = read_speed(threads);
    out << "one by one: " << grouped(speeds.made) << " tokens, " << fixed(speeds.of_made()) << " a second, which is "
        << fixed(read / 1e9) << " GB of weights a second; from memory this machine reads " << fixed(memory / 1e9)
        << (read > memory ? " GB, so they came from its caches\n" : " GB\n");
}

Watch weights_watch(std::ostream& err, std::int64_t bytes) {
    constexpr std::int64_t short_work = std::int64_t{1} << 30;
    if (bytes < short_work) return {};
    return {.progress = [&err, bytes, tenths = 0](double share) mutable {
        if (static_cast<int>(share * 10) <= tenths) return;
        tenths = static_cast<int>(share * 10);
        err << "weights: " << tenths * 10 << " % of " << bytes_text(bytes) << '\n' << std::flush;
    }};
}

}  // namespace headcount
