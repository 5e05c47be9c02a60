// Predict, then reveal: what numbers would tell the hidden ones, so that every panel shows blanks in their places.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"
#include "app/ui/veil.hpp"

namespace headcount {

// What a key would hide now: what the pointer is on, else what is selected, else the total. Nothing where that has no
// number.
std::optional<Subject> number_to_hide(const Session& session);

// Whether the model has it, and it has one.
bool has_number(const Counted& model, const Subject& subject);

// Covers what is drawn about it, and about what would tell it: what has as many numbers, of a component its matrices,
// of a dimension what has it along a side. It is the veil's last key.
void hide(Veil& veil, const Counted& model, const Subject& subject);

// What the numbers in texts with references (core/lesson/reference.hpp) are about, as keys.
std::vector<std::string> keys_in(std::initializer_list<std::string_view> texts);

// What the frame's veil calls the answers of the open sheet that are neither found nor shown.
inline constexpr std::string_view unfound_key = "worksheet";

// Covers what is drawn about what of the model in view has such an answer: as many numbers, its shape either way round,
// one of its sides. Nothing while the key is shown.
void hide_unfound(Veil& veil, const Desk& desk, const Counted& seen);

// What it calls the answer to what the step of a tour asks, until that is shown.
inline constexpr std::string_view asked_key = "tour";

// Covers what that answer is about, of every one of these models, and its numbers wherever they stand: but what the
// step itself says, and numbers of one or two digits, which say nothing by themselves. Nothing where nothing is asked,
// or it has been answered.
void hide_asked(Veil& veil, const Session& session, std::span<const Counted* const> seen);

// What covers the numbers that the view hides, of every model on the screen, the answer that a tour asks for, and in
// the Worksheet view the answers that are still to be found, which come last.
Veil veil_of(const Session& session);

// The one of a frame, made anew in each.
Veil& frame_veil(const Ui& ui);

// One frame: what is drawn while it lives shows blanks.
class HiddenNumbers {
  public:
    HiddenNumbers(const Ui& ui, const Session& session);
    HiddenNumbers(const HiddenNumbers&) = delete;
    HiddenNumbers& operator=(const HiddenNumbers&) = delete;
    ~HiddenNumbers();
    // What a press on a blank asks for, after everything is drawn.
    Intents pressed() const;

  private:
    const Ui& ui_;
    const Session& session_;
    Veil& veil_;
    std::optional<VeilOver> over_;
};

}  // namespace headcount
