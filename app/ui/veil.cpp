// Finding what is covered in a text, and drawing the boxes; see the header.
#include "app/ui/veil.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/colour.hpp"

namespace headcount {
namespace {

bool digit(char letter) {
    return letter >= '0' && letter <= '9';
}

// A separator belongs to a number where digits stand on both of its sides.
bool inside_number(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    if (digit(text[at])) return true;
    const bool separator = text[at] == ',' || text[at] == '.';
    return separator && at > 0 && at + 1 < text.size() && digit(text[at - 1]) && digit(text[at + 1]);
}

bool stands_alone(std::string_view text, std::size_t from, std::size_t to) {
    const bool before = from > 0 && digit(text[from]) && inside_number(text, from - 1);
    const bool after = digit(text[to - 1]) && inside_number(text, to);
    return !before && !after;
}

void add_numbers(std::vector<Covered>& covered, std::string_view text, int of) {
    for (std::size_t at = 0; at < text.size();) {
        if (!digit(text[at])) {
            ++at;
            continue;
        }
        const std::size_t from = at;
        while (inside_number(text, at)) ++at;
        covered.push_back({from, at, of});
    }
}

Veil* installed() {
    return static_cast<Veil*>(ImGui::GetIO().UserData);
}

// A box with a question mark, as wide as what it stands for.
void draw_blank(ImDrawList& list, const Font& font, ImVec2 position, float width, ImU32 colour, int of) {
    constexpr std::string_view mark = "?";
    const float top = text_top(font, position.y + font.size / 2);
    const ImVec2 min(std::round(position.x), std::round(top + font.size * 0.14F));
    const ImVec2 max(std::round(position.x + width), std::round(top + font.size * 0.88F));
    const float radius = std::min(font.size * 0.2F, (max.x - min.x) / 3);
    if (std::string* const beside = installed()->beside) beside->append("?");
    list.AddRectFilled(min, max, with_alpha(colour, 0.16F), radius);
    list.AddRect(min, max, with_alpha(colour, 0.6F), radius);
    const float wide = text_width(font, mark);
    add_letters(list, font, ImVec2(min.x + (max.x - min.x - wide) / 2, position.y), colour, mark);
    const bool over =
        ImGui::IsMouseHoveringRect(min, max) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    Veil& veil = *installed();
    veil.blanks.push_back({min, max, of, over});
    if (veil.drawn) veil.drawn(veil.blanks.back());
}

void put_plain(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text) {
    if (text.empty()) return;
    add_letters(list, font, position, colour, text);
    if (std::string* const beside = installed()->beside) beside->append(text);
}

}  // namespace

std::vector<Covered> covered_in(const Veil& veil, std::string_view text) {
    std::vector<Covered> covered;
    if (veil.now.all) {
        add_numbers(covered, text, *veil.now.all);
        return covered;
    }
    for (const Veil::Number& number : veil.numbers) {
        if (veil.now.lifted == number.of || (number.near && !veil.now.near)) continue;
        for (std::size_t at = text.find(number.text); at != std::string_view::npos && !number.text.empty();
             at = text.find(number.text, at + 1))
            if (stands_alone(text, at, at + number.text.size()))
                covered.push_back({at, at + number.text.size(), number.of});
    }
    // Of those that overlap, the longer one.
    std::stable_sort(covered.begin(), covered.end(), [](const Covered& a, const Covered& b) {
        return a.from != b.from ? a.from < b.from : a.to > b.to;
    });
    std::size_t end = 0;
    std::erase_if(covered, [&](const Covered& each) {
        if (each.from < end) return true;
        end = each.to;
        return false;
    });
    return covered;
}

VeilOver::VeilOver(Veil& veil) : before_(ImGui::GetIO().UserData) {
    veil.blanks.clear();
    veil.now = {};
    ImGui::GetIO().UserData = &veil;
}

VeilOver::~VeilOver() {
    ImGui::GetIO().UserData = before_;
}

VeilChange::VeilChange() : veil_(installed()) {
    if (veil_) before_ = veil_->now;
}

VeilChange::~VeilChange() {
    if (veil_) veil_->now = before_;
}

std::optional<int> VeilChange::place_of(std::string_view key) const {
    if (!veil_) return std::nullopt;
    const auto found = std::find(veil_->keys.begin(), veil_->keys.end(), key);
    if (found == veil_->keys.end()) return std::nullopt;
    return static_cast<int>(found - veil_->keys.begin());
}

VeilScope::VeilScope(std::string_view key) {
    if (const std::optional<int> place = place_of(key)) veil_->now.all = place;
}

VeilLift::VeilLift(std::string_view key) {
    if (const std::optional<int> place = place_of(key)) veil_->now.lifted = place;
}

VeilNear::VeilNear() {
    if (veil_) veil_->now.near = true;
}

Veil* veil_here() {
    Veil* const veil = installed();
    return veil && (veil->now.all || veil->beside || !veil->numbers.empty()) ? veil : nullptr;
}

std::string covered_text(std::string_view text) {
    Veil* const veil = veil_here();
    std::string shown;
    std::size_t at = 0;
    if (veil)
        for (const Covered& stretch : covered_in(*veil, text)) {
            shown.append(text.substr(at, stretch.from - at)).append("?");
            at = stretch.to;
        }
    shown.append(text.substr(at));
    if (veil && veil->beside) veil->beside->append(shown);
    return shown;
}

void put_covered(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view part,
                 std::size_t from, const std::vector<Covered>& covered) {
    std::size_t at = 0;
    float x = position.x;
    const auto step = [&](std::size_t to) {
        const std::string_view piece = part.substr(at, to - at);
        at = to;
        const float left = x;
        x += text_width(font, piece);
        return std::pair(piece, left);
    };
    for (const Covered& stretch : covered) {
        if (stretch.to <= from + at) continue;
        if (stretch.from >= from + part.size()) break;
        const auto [plain, left] = step(std::max(stretch.from, from + at) - from);
        put_plain(list, font, ImVec2(left, position.y), colour, plain);
        const auto [hidden, begin] = step(std::min(stretch.to - from, part.size()));
        draw_blank(list, font, ImVec2(begin, position.y), x - begin, colour, stretch.of);
    }
    put_plain(list, font, ImVec2(x, position.y), colour, part.substr(at));
}

}  // namespace headcount
