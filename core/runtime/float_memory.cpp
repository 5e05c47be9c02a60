// Taking and giving back a block of floats.
#include "core/runtime/float_memory.hpp"

#include <cstdlib>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t behind = 256;  // floats that a vector may read beyond the end

Error no_memory(std::int64_t floats) {
    const std::optional<std::int64_t> bytes = checked_multiply(floats, std::int64_t{sizeof(float)});
    return {(bytes ? bytes_text(*bytes) : grouped(floats) + " floats") + " of memory cannot be had", "",
            "take a smaller model, or fewer tokens"};
}

// Small blocks stay as they are: little of a large page would be theirs.
void ask_for_large_pages([[maybe_unused]] void* block, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    constexpr std::size_t many = std::size_t{8} << 20;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (bytes >= many && std::align(page, page, block, bytes)) madvise(block, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

void FloatMemory::Free::operator()(void* memory) const { std::free(memory); }

Result<FloatMemory> FloatMemory::take(std::int64_t floats, Pages pages) {
    const std::optional<std::int64_t> all = checked_add(floats, behind + alignment);
    const std::optional<std::int64_t> bytes = all ? checked_multiply(*all, std::int64_t{sizeof(float)}) : std::nullopt;
    if (floats < 0 || !bytes) return no_memory(floats);
    FloatMemory taken;
    // calloc, since large blocks of it are pages that the system gives zeroed when they are touched.
    taken.memory_.reset(std::calloc(static_cast<std::size_t>(*bytes), 1));
    if (!taken.memory_) return no_memory(floats);
    void* start = taken.memory_.get();
    std::size_t room = static_cast<std::size_t>(*bytes);
    if (pages == Pages::large) ask_for_large_pages(start, room);
    taken.floats_ = static_cast<float*>(std::align(alignment * sizeof(float), sizeof(float), start, room));
    taken.size_ = floats;
    return taken;
}

}  // namespace headcount
