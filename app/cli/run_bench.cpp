// What is said of how fast loading and running go.
#include "app/cli/run_bench.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "core/base/text.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/this_machine.hpp"

namespace headcount {
namespace {

std::string fixed(double value) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(value < 100 ? 1 : 0) << value;
    return text.str();
}

// Of work with so many bytes of weights; silent where it is short.
Watch tenths_watch(std::ostream& err, std::int64_t bytes, const std::string& what, const std::string& of) {
    constexpr std::int64_t short_work = std::int64_t{1} << 30;
    if (bytes < short_work) return {};
    return {.progress = [&err, what, of, tenths = 0](double share) mutable {
        if (static_cast<int>(share * 10) <= tenths) return;
        tenths = static_cast<int>(share * 10);
        err << what << tenths * 10 << " %" << of << '\n' << std::flush;
    }};
}

// "Q4_K 210.0 MiB, F32 1.2 MiB", most first.
std::string types_text(const std::vector<KeptNumbers>& kept) {
    std::vector<std::pair<std::string_view, std::int64_t>> types;
    for (const KeptNumbers& each : kept) {
        auto found = std::ranges::find(types, each.type, &std::pair<std::string_view, std::int64_t>::first);
        if (found == types.end()) found = types.insert(types.end(), {each.type, 0});
        found->second += each.bytes;
    }
    return listed(types, [](const auto& each) { return std::string(each.first) + " " + bytes_text(each.second); });
}

// How many bytes a number takes that is multiplied, on average.
double bytes_of_one(const std::vector<KeptNumbers>& kept) {
    std::int64_t bytes = 0, numbers = 0;
    for (const KeptNumbers& each : kept)
        if (each.multiplied) bytes += each.bytes, numbers += each.numbers;
    return numbers > 0 ? static_cast<double>(bytes) / static_cast<double>(numbers) : sizeof(float);
}

}  // namespace

void write_bench(std::ostream& out, const MemoryNeed& need, const std::vector<KeptNumbers>& kept,
                 std::int64_t multiplied, int threads, const RunSpeeds& speeds) {
    const bool all_floats = std::ranges::all_of(kept, [](const KeptNumbers& each) { return each.type == "F32"; });
    out << "weights " << bytes_text(need.weights) << (all_floats ? "" : " (" + types_text(kept) + ")") << ", caches "
        << bytes_text(need.caches) << ", activations " << bytes_text(need.activations)
        << (all_floats ? ", all in float32\n" : ", both in float32\n") << kernels::instruction_set() << ", " << threads
        << (threads == 1 ? " thread\n" : " threads\n") << "prompt: " << grouped(speeds.prompt) << " tokens, "
        << fixed(speeds.of_prompt()) << " a second\n";
    if (speeds.made == 0) return;
    const double read = static_cast<double>(multiplied) * bytes_of_one(kept) * speeds.of_made();
    const double memory = best_read_speed(threads).value_or(0);
    out << "one by one: " << grouped(speeds.made) << " tokens, " << fixed(speeds.of_made()) << " a second, which is "
        << fixed(read / 1e9) << " GB of weights a second; from memory this machine reads " << fixed(memory / 1e9)
        << (read > memory ? " GB, so they came from its caches\n" : " GB\n");
}

Watch weights_watch(std::ostream& err, std::int64_t bytes) {
    return tenths_watch(err, bytes, "weights: ", " of " + bytes_text(bytes));
}

Watch rank_watch(std::ostream& err, std::int64_t bytes) { return tenths_watch(err, bytes, "rank: ", ""); }

}  // namespace headcount
