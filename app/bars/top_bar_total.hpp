// The exact total at the right end of the top bar.
#pragma once

#include <string>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

inline constexpr float top_bar_gap = 12;  // between the bar's parts

// What it says: of the model, or in Compare by how much B differs from A, with the share of A beside it.
struct TotalTexts {
    std::string exact, rounded;  // one stands for the other where there is no room
    std::string beside, change, unit;
    bool current = true;  // of the numbers that stand there now

    static TotalTexts of(const Shown& model);
    static TotalTexts of_both(const Session& session);
};

// "+503,316,480   7,241,732,096 parameters | 7.24 B", ending at `right`. What does not fit right of `from` is left out:
// first the change, then the word, then the rounded total (before the word where that says whose total it is); where
// even the exact one does not fit, the rounded one stands for it, or nothing.
class TopBarTotal {
  public:
    TopBarTotal(const Ui& ui, const Session& session, float from, float right);

    const std::string& exact() const { return exact_; }
    void draw(const Ui& ui, const Session& session, float centre, Intents& intents) const;

  private:
    void press(const Ui& ui, const Session& session, ImVec2 min, ImVec2 max, Intents& intents) const;

    std::string exact_, shown_, rounded_, change_, unit_;
    float change_at_ = 0, exact_at_ = 0, unit_at_ = 0, line_at_ = 0, rounded_at_ = 0;
    bool with_change_ = false, with_unit_ = false, with_rounded_ = false, current_ = true;
};

}  // namespace headcount
