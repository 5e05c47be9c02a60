// The boxes in place of numbers; see the header.
#include "app/ui/veil.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/colour.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// With its separators, which have digits on both sides, and with how large it is in words: "6.74 B", "12.6 GiB".
std::size_t end_with_size(std::string_view text, std::size_t at) {
    constexpr std::array<std::string_view, 8> sizes{"k", "M", "B", "T", "KiB", "MiB", "GiB", "TiB"};
    const auto digit = [&](std::size_t place) { return place < text.size() && is_digit(text[place]); };
    while (digit(at) || (at < text.size() && (text[at] == ',' || text[at] == '.') && digit(at + 1))) ++at;
    if (at == text.size() || text[at] != ' ') return at;
    const std::string_view word = text.substr(at + 1, text.find_first_of(" ,;)", at + 1) - at - 1);
    return !contains(sizes, word) ? at : at + 1 + word.size();
}

// Calls piece(text, whether it is a number) for one after the other.
template <class Piece>
void for_each_number(std::string_view text, Piece&& piece) {
    std::size_t from = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at])) {
            ++at;
            continue;
        }
        if (at > from) piece(text.substr(from, at - from), false);
        from = end_with_size(text, at);
        piece(text.substr(at, from - at), true);
        at = from;
    }
    if (from < text.size()) piece(text.substr(from), false);
}

Veil* installed() { return static_cast<Veil*>(ImGui::GetIO().UserData); }

// Two numbers do not become one.
void append_apart(std::string& text, std::string_view more) {
    if (!text.empty() && !more.empty() && is_digit(text.back()) && is_digit(more.front())) text += '\n';
    text += more;
}

// What a number tells that is drawn now.
std::optional<int> told(const Veil& veil, std::string_view number) {
    if (veil.now) return veil.now;
    const auto told = veil.letters.find(number);
    return told == veil.letters.end() ? std::nullopt : std::optional(told->second);
}

// A box with a question mark, as wide as what it stands for.
void draw_blank(Veil& veil, int of, ImDrawList& list, const Font& font, ImVec2 position, float width, ImU32 colour) {
    constexpr std::string_view mark = "?";
    const float top = text_top(font, position.y + font.size / 2);
    const ImVec2 min(std::round(position.x), std::round(top + font.size * 0.14F));
    const ImVec2 max(std::round(position.x + width), std::round(top + font.size * 0.88F));
    const float radius = std::min(font.size * 0.2F, (max.x - min.x) / 3);
    list.AddRectFilled(min, max, with_alpha(colour, 0.16F), radius);
    list.AddRect(min, max, with_alpha(colour, 0.6F), radius);
    const float wide = text_width(font, mark);
    add_letters(list, font, ImVec2(min.x + (max.x - min.x - wide) / 2, position.y), colour, mark);
    const bool over =
        ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    veil.blanks.push_back({min, max, of, over});
    if (veil.drawn) veil.drawn(veil.blanks.back());
}

}  // namespace

VeilOver::VeilOver(Veil& veil) : before_(ImGui::GetIO().UserData) {
    veil.blanks.clear();
    veil.now.reset();
    ImGui::GetIO().UserData = &veil;
}

VeilOver::~VeilOver() { ImGui::GetIO().UserData = before_; }

About::About() : veil_(installed()), before_(veil_ ? veil_->now : std::nullopt) {}

About::About(std::string_view key, std::string_view text) : About(key) {
    if (!veil_ || veil_->told_by.empty()) return;
    for_each_number(text, [&](std::string_view piece, bool number) {
        if (number) add(piece);
    });
}

void About::add(std::string_view key) {
    if (!veil_) return;
    if (veil_->everything && !key.empty()) veil_->now = 0;
    if (const auto told = veil_->told_by.find(key); told != veil_->told_by.end()) veil_->now = told->second;
}

About::~About() {
    if (veil_) veil_->now = before_;
}

Aside::Aside() : veil_(installed()), before_(veil_ ? veil_->now : std::nullopt) {
    if (veil_) veil_->now.reset();
}

Aside::~Aside() {
    if (veil_) veil_->now = before_;
}

std::vector<std::string> numbers_in(std::string_view text) {
    std::vector<std::string> numbers;
    for_each_number(text, [&](std::string_view piece, bool number) {
        if (number) numbers.emplace_back(piece);
    });
    return numbers;
}

bool covers(std::string_view text) {
    const Veil* const veil = installed();
    if (!veil || (!veil->now && veil->letters.empty())) return false;
    bool any = false;
    for_each_number(text, [&](std::string_view piece, bool number) { any = any || (number && told(*veil, piece)); });
    return any;
}

std::string covered_text(std::string_view text) {
    const Veil* const veil = installed();
    if (!veil) return std::string(text);
    std::string shown;
    for_each_number(text, [&](std::string_view piece, bool number) {
        shown += number && told(*veil, piece) ? std::string_view("?") : piece;
    });
    if (veil->beside) append_apart(*veil->beside, shown);
    return shown;
}

void put_covered(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text) {
    Veil* const veil = installed();
    if (veil && veil->beside) covered_text(text);
    if (!covers(text)) {
        add_letters(list, font, position, colour, text);
        return;
    }
    for_each_number(text, [&](std::string_view piece, bool number) {
        const float width = text_width(font, piece);
        if (const std::optional<int> of = number ? told(*veil, piece) : std::nullopt)
            draw_blank(*veil, *of, list, font, position, width, colour);
        else
            add_letters(list, font, position, colour, piece);
        position.x += width;
    });
}

}  // namespace headcount
