// Predict, then reveal: which texts the hidden numbers are, so that every panel shows blanks in their places.
#pragma once

#include <optional>
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

// Every text that the number is written as, or that would give it away: of a tensor its shape, too, of one copy and of
// all; of the total what changes add to it. Empty for what the model does not have.
std::vector<std::string> texts_of(const Derived& derived, const Subject& subject);

// What the frame's veil calls them all together. The worksheet's own panels lift it: there stands what is given and
// what the student has typed.
inline constexpr std::string_view unfound_key = "worksheet";

// Every text that tells an answer of the open sheet that is neither found nor shown: a count in any form, bytes, a
// shape either way round and what it makes. No number below 1000 alone and no dimension that is given, which stand in
// many places. Nothing while the key is shown.
std::vector<std::string> unfound_answers(const Desk& desk);

// For the sheet's own diagrams, where such numbers would be seen in another matrix: the sides of shapes and the counts
// that are still to be found, alone. Not what is given, nor what was found in another answer, nor a single digit.
std::vector<std::string> unfound_sides(const Desk& desk);

// What covers the numbers that the view hides, of every model on the screen, and in the Worksheet view the answers that
// are still to be found, which come last.
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
