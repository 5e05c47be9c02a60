// A block of floats, all 0 at first, aligned as vectors like it. The system gives pages when they are first touched.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.hpp"

namespace headcount {

class FloatMemory {
  public:
    FloatMemory() = default;
    // With room behind the end for a vector that reads beyond it. Fails where the system gives none.
    static Result<FloatMemory> take(std::int64_t floats);

    float* data() { return floats_; }
    const float* data() const { return floats_; }
    std::int64_t size() const { return size_; }

    static constexpr std::int64_t alignment = 16;  // floats: a cache line

  private:
    struct Free {
        void operator()(void* memory) const;
    };

    std::unique_ptr<void, Free> memory_;
    float* floats_ = nullptr;
    std::int64_t size_ = 0;
};

// The next whole number of cache lines.
inline std::int64_t whole_lines(std::int64_t floats) {
    return (floats + FloatMemory::alignment - 1) / FloatMemory::alignment * FloatMemory::alignment;
}

}  // namespace headcount
