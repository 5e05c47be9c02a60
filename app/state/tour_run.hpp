// A tour while it runs: what it was started from, and how it goes on.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "app/state/intent.hpp"
#include "app/state/run/place.hpp"
#include "app/state/shown.hpp"
#include "app/state/train/place.hpp"
#include "core/tours/tour.hpp"

namespace headcount {

struct Session;

struct TourRun {
    Tour source;
    WorkedTour tour;
    Document before;  // what leaving gives back
    Subject selection_before;
    Place place_before;
    RunPlace run_before;  // what ran, and the experiments on it
    TrainPlace train_before;
    StepWords words;  // of the step for what is shown now, which the class may have changed
    Architecture words_of;
    Input words_input;
};

// The step that is shown; null where no tour runs.
const WorkedStep* current_step(const Session& session);

// Whether the view on the screen is another than Explore, Run and Train, and the one that the step shows.
bool is_toured(const Session& session);

// What is to be kept over an end of the program: the document, or while a tour runs that which it was started from.
const Document& kept_document(const Session& session);
// The same of the selection.
const Subject& kept_selection(const Session& session);

// The functions below change all but the document, and return the one that is to be shown instead, if any.

// Where it cannot start, a notice says why.
std::optional<Document> start_tour(Session& session, std::string_view id);

// `by` presses forwards or, below 0, backwards. A press first reveals the answer to what is asked; with `whole` it does
// not, and steps that are passed count one each.
std::optional<Document> step_tour(Session& session, int by, bool whole);
// How many presses forwards, of those that reveal answers too, lead to the end of the last step.
std::size_t presses_left(const Session& session);
// What the next press forwards asks for: a step, or behind the last one, with nothing left to be answered, to leave.
Intent next_in_tour(const Session& session);

std::optional<Document> leave_tour(Session& session);

// Another model has been opened. A tour that follows goes on with it; one that names its own model ends.
std::optional<Document> follow_opened(Session& session);

// Words follow the document.
void follow_words(Session& session);

// An experiment that was brought about is answered.
void follow_experiment(Session& session);

}  // namespace headcount
