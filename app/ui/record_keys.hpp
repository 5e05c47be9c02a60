// Recorded things by what they are instead of by their place.
#pragma once

#include <functional>
#include <string>

#include "app/ui/recorder.hpp"

namespace headcount {

// What is recorded as "from.N" for the Nth of `all`, counted from `first`, is recorded as "to.KEY", too. What is not
// seen is left out.
template <class All, class KeyOf = std::identity>
void record_keys(Recorder& recorder, std::string_view from, std::string_view to, const All& all, KeyOf key_of = {},
                 std::size_t first = 0) {
    for (const auto& each : all) {
        const NamedRect* const rect = recorder.find(std::string(from) + "." + std::to_string(first++));
        if (!rect) continue;
        const ImVec2 min = rect->min, max = rect->max;  // recording moves it
        recorder.record(to, std::invoke(key_of, each), min, max);
    }
}

}  // namespace headcount
