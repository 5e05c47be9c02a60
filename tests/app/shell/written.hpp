// What a whole frame writes.
#pragma once

#include "app/parts/hidden.hpp"
#include "tests/app/shell/explore_stage.hpp"

namespace headcount::test {

// With "?" for each blank; nothing where there is no veil.
inline std::string written(ExploreStage& stage) {
    std::string text;
    std::string*& beside = frame_veil(stage.screen.ui()).beside;
    beside = &text;
    stage.frame();
    beside = nullptr;
    return text;
}

}  // namespace headcount::test
