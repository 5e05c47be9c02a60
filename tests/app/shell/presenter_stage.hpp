// What the tests of presenting share.
#pragma once

#include <algorithm>

#include "app/shell/interface.hpp"
#include "app/views/show/presenter.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount::test {

inline constexpr const char* first_tour = "1-what-is-in-a-transformer";

inline void add_tours(ExploreStage& stage) { stage.session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours; }

inline void ask(ExploreStage& stage, Intent intent) { headcount::apply(stage.session, Intents{std::move(intent)}); }

inline float scale_for(ImVec2 size) { return std::min(largest_presenter_scale(size), presenter_scale(size, 1)); }

}  // namespace headcount::test
