// Numbers that a class is to guess. Wherever text is drawn that has one of them in it, a box of its width with a
// question mark stands in its place, so that no component has to know of them.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/fonts.hpp"

namespace headcount {

struct Veil {
    struct Number {
        std::string text;   // "6,738,415,616"
        int of = 0;         // the place in `keys` of what it is a number of
        bool near = false;  // covered only where a VeilNear lives: elsewhere it may be any number
    };
    struct Blank {
        ImVec2 min, max;
        int of = 0;
        bool pointed = false;  // by the pointer, with nothing else above it
    };
    std::vector<std::string> keys;  // what is hidden, by whatever name the caller has for it
    std::vector<Number> numbers;
    struct Now {
        std::optional<int> all;     // every number, whichever it is: see VeilScope
        std::optional<int> lifted;  // not covered at the moment: see VeilLift
        bool near = false;          // see VeilNear
    };
    Now now;
    std::vector<Blank> blanks;                // that this frame has drawn
    std::function<void(const Blank&)> drawn;  // called for each, where it is drawn
    std::string* beside = nullptr;            // gets what is seen beside blanks, piece by piece: for tests
};

// The stretches of a text that are covered, in order. A number counts as whole: 128 is not found in 4128 or 128,256.
struct Covered {
    std::size_t from = 0, to = 0;
    int of = 0;
};
std::vector<Covered> covered_in(const Veil& veil, std::string_view text);

// Everything that is drawn while it lives is seen through the veil, in this ImGui context.
class VeilOver {
  public:
    explicit VeilOver(Veil& veil);
    ~VeilOver();
    VeilOver(const VeilOver&) = delete;
    VeilOver& operator=(const VeilOver&) = delete;

  private:
    void* before_;  // the veil that it takes the place of; may be null
};

// What is drawn while one of these lives is seen otherwise; then as before.
class VeilChange {
  public:
    ~VeilChange();
    VeilChange(const VeilChange&) = delete;
    VeilChange& operator=(const VeilChange&) = delete;

  protected:
    VeilChange();
    std::optional<int> place_of(std::string_view key) const;  // nothing where that is not hidden

    Veil* const veil_;  // null where there is none

  private:
    Veil::Now before_;
};

// It is about the thing of that key: if that is hidden, every number is covered.
struct VeilScope : VeilChange {
    explicit VeilScope(std::string_view key);
};

// What is hidden by that key is seen, as where it is given.
struct VeilLift : VeilChange {
    explicit VeilLift(std::string_view key);
};

// It is about the things that are hidden: short numbers are covered, too.
struct VeilNear : VeilChange {
    VeilNear();
};

// Null where there is none, or it covers nothing at the moment.
Veil* veil_here();

// The text with "?" in place of what is covered here.
std::string covered_text(std::string_view text);

// Draws the part from `from` on of a text whose covered stretches are known; for lines of one longer text.
void put_covered(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view part,
                 std::size_t from, const std::vector<Covered>& covered);

}  // namespace headcount
