// Numbers that a class is to guess. Each is drawn with what it is about: where that would tell what is hidden, a box of
// its width with a question mark stands in its place.
#pragma once

#include <imgui.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/fonts.hpp"

namespace headcount {

struct Veil {
    struct Blank {
        ImVec2 min, max;
        int of = 0;            // the place in `keys` of what it hides
        bool pointed = false;  // by the pointer, with nothing else above it
    };
    std::vector<std::string> keys;                    // what is hidden, by whatever name the caller has for it
    std::map<std::string, int, std::less<>> told_by;  // what a number may be about that tells which of them
    std::map<std::string, int, std::less<>> letters;  // numbers that tell which of them wherever they stand
    std::optional<int> now;                           // which of them a number drawn at the moment would tell
    bool everything = false;                          // whatever a number is about, it tells the first of them
    std::vector<Blank> blanks;                        // that this frame has drawn
    std::function<void(const Blank&)> drawn;          // called for each, where it is drawn
    std::string* beside = nullptr;                    // gets what is seen beside blanks, piece by piece: for tests
};

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

// What is drawn while it lives is about the things of these keys, and about whatever it was about before.
class About {
  public:
    explicit About(std::string_view key) : About() { add(key); }
    explicit About(std::span<const std::string> keys) : About() {
        for (const std::string& key : keys) add(key);
    }
    // ... and about each number that is written in the text: one that is hidden tells itself wherever it stands.
    About(std::string_view key, std::string_view text);
    ~About();
    About(const About&) = delete;
    About& operator=(const About&) = delete;

  private:
    About();
    void add(std::string_view key);

    Veil* const veil_;  // null where there is none
    const std::optional<int> before_;
};

// What is drawn while it lives is about nothing of what is around it: the words beside a hidden number, what was asked
// for. A number that tells by its letters is covered all the same.
class Aside {
  public:
    Aside();
    ~Aside();
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

  private:
    Veil* const veil_;  // null where there is none
    const std::optional<int> before_;
};

// The key of what is about any part of a model, one of which may be hidden. The whole is none.
inline constexpr std::string_view anything = "anything";

// The numbers that are written in a text, with how large they are in words: "6.74 B", "1,024", "12.6 GiB".
std::vector<std::string> numbers_in(std::string_view text);

// Whether a number in this text is covered here.
bool covers(std::string_view text);

// The text with "?" in place of each number that is covered here.
std::string covered_text(std::string_view text);

// Draws a line of letters with boxes over the numbers that are covered here.
void put_covered(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text);

}  // namespace headcount
