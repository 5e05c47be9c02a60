// What copying and destroying an intent means.
#include "app/state/intent.hpp"

namespace headcount {

Intent::Intent(const Intent& other) = default;
Intent::Intent(Intent&& other) noexcept = default;
Intent& Intent::operator=(const Intent& other) = default;
Intent& Intent::operator=(Intent&& other) noexcept = default;
Intent::~Intent() = default;

}  // namespace headcount
