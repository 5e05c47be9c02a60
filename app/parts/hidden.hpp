// Predict, then reveal: which texts the hidden numbers are, so that every panel shows blanks in their places.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
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

// What covers the numbers that the view hides, of every model on the screen, and in the Worksheet view the answers that
// are still to be found, which come last. The one veil of a frame.
Veil veil_of(const Session& session);

// The veil that is kept while nothing changes that it was made from.
struct FrameVeil {
    struct Model {
        Architecture shown, base;
        Input shown_input, base_input;
        std::map<Field, std::int64_t> effects;
    };
    Veil veil;
    int made = 0;  // how often

    std::vector<Subject> hidden;
    std::vector<Model> models;  // where anything is hidden
    std::shared_ptr<const Sheet> sheet;
    std::optional<DeskState> desk;  // where the sheet's answers are covered
};
FrameVeil& frame_veil(const Ui& ui);

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
