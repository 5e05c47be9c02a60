// One question of a worksheet with its texts filled in and its answers known.
#pragma once

#include <cstdint>
#include <span>

#include "core/worksheet/sheet.hpp"

namespace headcount {

// What its steps and its choices are mixed by.
struct QuestionSeeds {
    std::uint64_t steps, choices;
};
Result<SheetQuestion> fill_question(const Question& question, CountedModelPtr model, std::span<const Preset> presets,
                                    QuestionSeeds seeds);

}  // namespace headcount
