// The time that this thread has had of a processor, which waits for nobody.
#pragma once

#include <ctime>

namespace headcount {

inline double processor_microseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

}  // namespace headcount
