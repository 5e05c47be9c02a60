// A model on the screen: the user's own, the one beside a lesson, the other one of a comparison.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/state/derived.hpp"
#include "app/state/subject.hpp"

namespace headcount {

// A place of the canvas: "" is the whole model, "layer", a block of the graph, a tensor's id.
struct Place {
    std::string id;
    std::int64_t copy = 0;                            // of a block that is repeated: which head
    std::optional<std::array<std::int64_t, 2>> cell;  // of a tensor: row and column

    bool operator==(const Place&) const = default;
};

// How a model is looked at. Never part of undo.
struct Look {
    Subject selection;
    Subject hover;                // what the pointer was on in the last frame
    Place here;                   // where the canvas is
    Place asked_for;              // where it was asked to go
    int askings = 0;              // how often: the same place may be asked for again
    int inwards = 0;              // how often it was asked to go further in
    bool tilted = false;          // the canvas is seen in perspective
    bool log_sides = false;       // its sides are drawn by their logarithm
    std::optional<Field> edited;  // the field edited last: an impossible combination is said beside it

    bool operator==(const Look&) const = default;
};

struct Shown {
    Document document;
    Derived derived;
    Look look;
    std::string unit = {};  // of its total, where that is another than "parameters"
};

// A model that nobody has looked at yet. Its base can be counted.
Shown newly_shown(Document document);

// Another document in its place, with what follows from it. Returns whether it is another.
bool set_document(Shown& model, Document document);

// Puts this model there. Where it is there already, nothing changes; another one is seen as the one before it was.
// Errors: it is impossible, or a number does not fit; then what was there stays.
std::optional<Error> show_model(std::optional<Shown>& there, const Architecture& architecture, const Input& input);

// Goes to a place.
void go_to(Look& look, const Place& place);

// Goes to a block of the model, or lights a tensor and goes to the block that it is in; "" is the whole model, with
// nothing lit. What the model does not have leaves it as it is.
void light(Shown& model, std::string_view at);

// Notes where its canvas has come to. What is selected of a head is, in another head's place, that head's.
void arrive_at(Shown& model, const Place& place);

// A selection of something that neither the model nor the `other` has is dropped, so that no panel shows a ghost.
void drop_lost_selection(Shown& model, const Shown* other = nullptr);

}  // namespace headcount
