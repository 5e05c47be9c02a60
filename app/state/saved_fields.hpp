// What outlives the program: the view with the place of each view, the input, and what was answered in worksheets. Each
// names its fields once, to be written and to be read (fields.hpp).
#pragma once

#include "app/state/fields.hpp"
#include "app/state/view.hpp"
#include "app/state/worksheet/desk.hpp"
#include "core/arch/input.hpp"

namespace headcount {

struct SavedView {
    View view;
    Subject selection;
};

void saved_cache(Fields& saved, Input& input);  // the format alone
void saved_stored(Fields& saved, std::optional<Formats>& stored);
// What a saved sweep names: a shipped device, or one of the user's own.
Result<Device> known_device(std::string_view id);
void saved_fields(Fields& saved, Input& input);
void saved_fields(Fields& saved, WindowPlace& place);
void saved_fields(Fields& saved, ClaimPlace& place);
void saved_fields(Fields& saved, ComparePlace& place);
void saved_fields(Fields& saved, CostsPlace& place);
void saved_fields(Fields& saved, RunPlace& place);
void saved_head(Fields& saved, RunPlace& place);  // in a link beside what is looked at elsewhere
void saved_fields(Fields& saved, TrainPlace& place);
void saved_fields(Fields& saved, SweepPlace& place);
void saved_fields(Fields& saved, SolvePlace& place);
void saved_fields(Fields& saved, ShelfPlace& place);
void saved_fields(Fields& saved, WhatIfPlace& place);
void saved_fields(Fields& saved, SavedView& seen);
// What is damaged is left out: an answer lost must not cost the others.
void saved_fields(Fields& saved, DeskState& desk);

}  // namespace headcount
