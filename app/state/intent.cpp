// What copying and destroying an intent means, and what is said of a size that the window has no room for.
#include "app/state/intent.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {

Intent::Intent(const Intent& other) = default;
Intent::Intent(Intent&& other) noexcept = default;
Intent& Intent::operator=(const Intent& other) = default;
Intent& Intent::operator=(Intent&& other) noexcept = default;
Intent::~Intent() = default;

Notice room_for_scale(float room) {
    return notice_of_program("This window has room for an interface of " + std::to_string(std::lround(room * 100)) +
                             " %, and for no larger one");
}

void set_scale(View& view, const SetScale& set) {
    view.scale = std::clamp(set.scale, least_scale, most_scale);
    if (set.room && *set.room < view.scale) view.notice = room_for_scale(*set.room);
}

}  // namespace headcount
