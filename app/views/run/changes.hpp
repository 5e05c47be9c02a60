// What the panels of an experiment share: how a change is called, where its badge stands, what a press makes of a
// place.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/state/run/trial.hpp"
#include "app/views/run/parts.hpp"

namespace headcount {

// "Layer 1 · head 3", "Encoder layer 0 · feed-forward", "Layer 1 · stream at “little”".
std::string place_title(const RunSnapshot& run, const ChangePlace& place, bool brief = false);
std::string part_words(std::string_view block);  // "feed-forward"

// Whether it is of a parameter of the model, and not of what the run computes.
bool is_of_weight(const RunSnapshot& run, const ChangePlace& place);

// How many there are of a block inside of the one around it: of heads, or experts.
std::int64_t copies_of(const Model& model, BlockIndex block);
// The number of the diagram, a weight or one of the run, as a change calls it: a head's in the matrix in which all
// stand side by side. Nothing where it cannot be changed.
std::optional<ChangePlace> change_place_of(const RunValues& values, const CellAt& cell);

// The sub-block that this block of a layer is, or is in; of a head or an expert, the one of that index.
std::optional<ChangePlace> change_place_of(const ModelGraph& graph, BlockIndex block, std::int64_t layer,
                                           std::int64_t copy);

// What a change of this kind is at first.
inline double first_number(Change::Kind kind) {
    return kind == Change::Kind::scale ? 0.5 : kind == Change::Kind::put ? 1 : 0;
}
// A patch needs another prompt: until one is typed, the same.
void take_from_other(const RunPanel& panel, RunPlace& place, Change::Kind kind);

// What comes of the experiment, where it is of the model that is shown.
const RunTrial* trial_of(const RunPanel& panel);

// The same where changes are on, and it is known how far they have moved the stream; null to a class. And that as a
// strip on the model, at the foot of its diagram's window.
const RunTrial* moved_trial(const RunPanel& panel);
void draw_moved_strip(RunPanel& panel);

// The number of the first change at a place, from 1.
std::optional<std::size_t> change_at(const RunPlace& run, const ChangePlace& place);
// A place that is pressed is off from then on, and a head is looked at; one with a change is switched.
void press_place(RunPanel& panel, const ChangePlace& place);
void add_change(RunPanel& panel, Change change);
// All sub-blocks of a layer, which these are: off, or on again where all are off.
void press_layer(RunPanel& panel, const std::vector<ChangePlace>& parts);

// A disc with the change's number, an outline where it is off.
void draw_badge(const Ui& ui, ImDrawList& list, ImVec2 centre, std::size_t number, bool on);
// The badge of what is changed at a place, at the upper right corner of where that is drawn, whose edge is dashed.
void mark_place(const RunPanel& panel, const ChangePlace& place, ImVec2 min, ImVec2 max);

// The menu of what can be made of a place, beside the pointer from the frame on in which it is opened: of a head also
// of the sub-block that it is in, and of a sub-block of each of its heads or experts. Once in every frame of a panel.
void change_menu(RunPanel& panel, std::string_view name, const std::optional<ChangePlace>& opened);

// Shows what the chip of this index can be, and no other's.
void unfold_change(const Ui& ui, std::size_t index);

// A part of the left panel; `own` is the user's model.
void draw_run_changes(RunPanel& panel, const Document& own);

}  // namespace headcount
