// What somebody does, caught as the steps of a tour.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/files/document.hpp"
#include "core/tours/record.hpp"

namespace headcount {

struct Session;
struct View;

// A step as it was caught. Words that nobody has written are those of `step_between`, where it stood before it was
// moved.
struct RecordedStep {
    std::string title, caption, ask, answer;
    Caught caught;
    std::string moved_title = {}, moved_caption = {};  // as `step_between` had them; empty: it was not moved

    bool operator==(const RecordedStep&) const = default;
};

struct Recording {
    std::string title = "My tour";
    Caught begun;                     // as it was when it began
    Caught seen;                      // as it is now: of the last step, unless that was moved or thrown away
    std::vector<RecordedStep> steps;  // each whole, so that they can be put in another order
    std::size_t chosen = 0;           // of them, whose words are written
    bool settles = false;             // a run has just been opened, and is still to find the head that it shows
    bool returns = false;             // a tour has been left, and the camera is on its way back

    bool operator==(const Recording&) const = default;
};
inline constexpr std::size_t most_recorded = 100;

// The tour that it is by now: each step only what differs from the one before.
Tour tour_of(const Recording& recording, std::span<const Preset> presets);

// Whether what the view shows can be a step: of a run and of a training those of the models that ship.
bool can_be_step(const View& view);

// As it is now, before anything is done.
Recording recording_of(const Session& session);

// After everything that was asked for: what is there now is a further step, or the last one goes on, where that only
// looks elsewhere too, drags the same slider, types in the same prompt or says with which model it compares. Nothing
// while a tour runs, or where the view shows what no step can. Returns whether anything was caught.
bool follow_recording(Session& session);
// What is there now is no step, such as what a tour leads back to.
void skip_recording(Session& session);

// From its beginning, in the list of tours too: the document of its first step; nothing where nothing was recorded.
std::optional<Document> play_recording(Session& session);

inline constexpr std::string_view recorded_tour = "recorded";  // the id of what is played

}  // namespace headcount
