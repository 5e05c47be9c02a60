// Chinese, Japanese and Korean letters: tens of thousands, of which a text has a few. Those that are asked for are
// drawn with a font of the system, where it has one; nothing is looked for before. Not for scripts that join their
// letters.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headcount {

// The best of the known fonts with such letters that lie in these folders or below them; nothing where there is none.
std::optional<std::filesystem::path> find_far_font(std::span<const std::filesystem::path> folders);
// Where systems keep their fonts, and people their own.
std::vector<std::filesystem::path> font_folders();

class FarLetters {
  public:
    explicit FarLetters(std::vector<std::filesystem::path> folders = font_folders()) : folders_(std::move(folders)) {}

    // Of every text that is measured or drawn: whether it has such letters, which are wanted from then on.
    bool ask(std::string_view text);

    // Whether some were asked for since the fonts were made: they are to be made anew, after `take`. False from it
    // where the system has no font with them.
    bool wanting() const { return !nowhere_ && asked_.size() > taken_; }
    bool take();

    std::string_view font() const { return font_; }         // a file; empty: there is none
    const ImWchar* range() const { return range_.data(); }  // of what was taken

  private:
    std::vector<std::filesystem::path> folders_;
    std::set<ImWchar> asked_;
    std::size_t taken_ = 0;
    bool nowhere_ = false;
    std::string font_;
    std::vector<ImWchar> range_{0};
};

}  // namespace headcount
