// How much a test tries. Under the sanitizers, which make everything some ten times slower, tests that try many things
// alike try fewer: as released they try all, and what the sanitizers look for shows in the first of a kind.
#pragma once

#include <cstddef>

namespace headcount::testing_data {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

// Of so many tries those that are made: all of them as released, every eighth under the sanitizers.
inline constexpr std::size_t stride = sanitized ? 8 : 1;
inline constexpr int tries(int all) { return all / static_cast<int>(stride); }

}  // namespace headcount::testing_data
