// Units of memory mistaken for one another: GB (10^9) for GiB (2^30), GiB for MiB, 1,000 for 1,024.
#include <array>
#include <cmath>

#include "core/base/text.hpp"
#include "core/grading/grade_parts.hpp"

namespace headcount {
namespace {

struct MemoryUnit {
    std::string_view name;
    long double ones;
    bool binary;
};
constexpr std::array<MemoryUnit, 8> memory_units{{{"KB", 1e3L, false},
                                                  {"KiB", 1024.0L, true},
                                                  {"MB", 1e6L, false},
                                                  {"MiB", 1048576.0L, true},
                                                  {"GB", 1e9L, false},
                                                  {"GiB", 1073741824.0L, true},
                                                  {"TB", 1e12L, false},
                                                  {"TiB", 1099511627776.0L, true}}};

const MemoryUnit* unit_named(std::string_view name) {
    for (const MemoryUnit& unit : memory_units)
        if (unit.name == name) return &unit;
    return nullptr;
}

std::string whole(long double ones) {
    return grouped(static_cast<std::int64_t>(ones));
}

// Of two units that mean the same power.
bool same_power(const MemoryUnit& a, const MemoryUnit& b) {
    return a.name.front() == b.name.front();
}

}  // namespace

std::string unit_mistake(const Rounded& typed, long double exact) {
    // Of one digit alone half a step is so much that some unit fits everything.
    const long double most = typed.significant < 2 ? 0 : typed.step / typed.ones / 2;
    const auto digits_are = [&](long double number, long double times) {
        return std::abs(number - typed.digits * times) <= most * times;
    };
    const MemoryUnit* given = unit_named(typed.unit);
    if (!given && typed.unit != "B" && !typed.unit.empty()) return "";
    for (const MemoryUnit& unit : memory_units) {
        if (!digits_are(exact / unit.ones, 1)) continue;
        if (!given) return "the digits are right, but not of single bytes. Which unit is it?";
        if (same_power(unit, *given)) {
            const MemoryUnit &binary = unit.binary ? unit : *given, &decimal = unit.binary ? *given : unit;
            return "the number is right for " + std::string(unit.name) + ", not for " + std::string(given->name) +
                   ". 1 " + std::string(binary.name) + " is " + whole(binary.ones) + " bytes, 1 " +
                   std::string(decimal.name) + " is " + whole(decimal.ones) + ".";
        }
        return std::string("the digits are right, the unit is too ") + (given->ones > unit.ones ? "large" : "small") +
               ": 1 " + std::string(given->name) + " is " + whole(given->ones) + " bytes.";
    }
    // 512 MiB as 0.512 GB: one step by 1,000 where the unit has 1,024, or the other way round.
    for (const MemoryUnit& unit : memory_units)
        if (given && unit.binary != given->binary && digits_are(exact / unit.ones, 1000))
            return "1,000 and 1,024 are mixed: 1 GiB is 1,024 MiB, 1 GB is 1,000 MB.";
    return "";
}

}  // namespace headcount
