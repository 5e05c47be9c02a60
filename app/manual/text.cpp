// Breaks words into lines, and draws the blocks of a page. Lines are laid out anew in every frame: a page has some
// thousand words, and is drawn when something happens.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/manual/manual.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr float widest_lines = 760, indent = 18;
constexpr float line_spacing = 1.35F;
constexpr float paragraph_gap = 10, item_gap = 5, heading_gap = 20, code_padding = 2;
constexpr float listing_padding = 10, row_padding = 5, column_gap = 20, least_column = 48;

// What lines are made of: a word, or a part of one that changes its style.
struct WordPiece {
    const ManualWords* words = nullptr;
    std::string_view text = {};
    const Font* font = nullptr;
    float width = 0;
    float space = 0;      // before it, where it begins no line
    bool begins = false;  // a line may begin with it
    ImVec2 at = {};       // from where the lines start
};

// As much of a word that is wider than a line as fits, at least a letter.
std::string_view fitting(const Font& font, std::string_view word, float width) {
    std::size_t end = whole_letters(word, 1).size();
    if (end == 0) end = std::min<std::size_t>(word.size(), 4);
    for (std::size_t next = end + 1; next <= word.size(); ++next) {
        const std::string_view longer = whole_letters(word, next);
        if (text_width(font, longer) > width) break;
        end = std::max(end, longer.size());
    }
    return word.substr(0, end);
}

std::vector<WordPiece> pieces_of(const Ui& ui, const ManualLine& line, const Font& plain, float most) {
    std::vector<WordPiece> pieces;
    bool spaced = true;
    for (const ManualWords& words : line) {
        const Font& font = words.code ? ui.fonts.mono : words.strong ? ui.fonts.body_medium : plain;
        std::string_view rest = words.text;
        bool inside = false;  // behind its first word: the space is its own
        while (!rest.empty()) {
            if (rest.front() == ' ') {
                spaced = true;
                rest.remove_prefix(1);
                continue;
            }
            const std::string_view word = rest.substr(0, std::min(rest.find(' '), rest.size()));
            rest.remove_prefix(word.size());
            for (std::string_view left = word; !left.empty(); spaced = false, inside = true) {
                const float width = text_width(font, left);
                const std::string_view part = width > most ? fitting(font, left, most) : left;
                const bool cut = left.size() < word.size();
                pieces.push_back({.words = &words,
                                  .text = part,
                                  .font = &font,
                                  .width = part.size() < left.size() ? most : width,
                                  .space = spaced ? text_width(inside ? font : plain, " ") : 0,
                                  .begins = spaced || cut});
                left.remove_prefix(part.size());
            }
        }
    }
    return pieces;
}

struct WordLines {
    std::vector<WordPiece> pieces;
    ImVec2 extent;
};

float line_height(const Font& font) { return std::round(font.size * line_spacing); }

WordLines lines_of(const Ui& ui, const ManualLine& line, const Font& plain, float most) {
    WordLines lines{pieces_of(ui, line, plain, most), ImVec2(0, line_height(plain))};
    ImVec2 at(0, 0);
    const auto end = lines.pieces.end();
    for (auto word = lines.pieces.begin(); word != end;) {
        const auto next = std::find_if(std::next(word), end, [](const WordPiece& piece) { return piece.begins; });
        const float width =
            std::accumulate(word, next, 0.0F, [](float sum, const WordPiece& piece) { return sum + piece.width; });
        if (at.x > 0 && at.x + word->space + width > most)
            at = ImVec2(0, at.y + line_height(plain));
        else if (at.x > 0)
            at.x += word->space;
        for (; word != next; ++word) {
            word->at = at;
            at.x += word->width;
        }
        lines.extent.x = std::max(lines.extent.x, at.x);
    }
    lines.extent.y = at.y + line_height(plain);
    return lines;
}

// Draws what there is of a page, and hears of its links.
class PageWriter {
  public:
    explicit PageWriter(const Ui& ui) : ui_(ui), list_(*ImGui::GetWindowDrawList()) {}

    std::optional<std::string> pressed;

    void write(const WordLines& lines, ImVec2 start, const Font& plain, ImU32 colour) {
        // What is of one style and on one line is written as one, with the spaces between its words.
        for (auto first = lines.pieces.begin(); first != lines.pieces.end();) {
            const auto next = std::find_if(first, lines.pieces.end(), [&](const WordPiece& piece) {
                return piece.words != first->words || piece.at.y != first->at.y;
            });
            const WordPiece& last = *std::prev(next);
            WordPiece all = *first;
            const char* const end = last.text.data() + last.text.size();
            all.text = {first->text.data(), static_cast<std::size_t>(end - first->text.data())};
            all.width = last.at.x + last.width - first->at.x;
            write(all, start + all.at, plain, colour);
            first = next;
        }
    }

    void listing(const std::string& text, float width) {
        const Font& font = ui_.fonts.mono_caption;
        const float padding = std::round(ui_.px(listing_padding)), height = line_height(font);
        const auto count = static_cast<float>(std::ranges::count(text, '\n'));
        const ImVec2 start = ImGui::GetCursorScreenPos();
        float widest = 0;
        each_line(text, [&](std::string_view line) { widest = std::max(widest, text_width(font, line)); });
        const bool scrolls = widest + 2 * padding > width;
        const ImVec2 extent(width, count * height + 2 * padding + (scrolls ? ImGui::GetStyle().ScrollbarSize : 0));
        draw_box(list_, start, start + extent, ui_.theme.canvas, ui_.theme.line, ui_.px(size::radius_field));
        const std::string name = "listing." + std::to_string(listings_++);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
        if (compat::begin_child(name.c_str(), extent, true, true, ImGuiWindowFlags_HorizontalScrollbar)) {
            ImVec2 at = ImGui::GetCursorScreenPos();
            const ImVec2 first = at;
            each_line(text, [&](std::string_view line) {
                put_text(*ImGui::GetWindowDrawList(), font, at, ui_.theme.text_mid, line);
                at.y += height;
            });
            place(first, ImVec2(widest, at.y - first.y));
        }
        ImGui::EndChild();
        ImGui::PopStyleVar();
        place(start, extent);
    }

    void table(const std::vector<std::vector<ManualLine>>& rows, float width) {
        const std::vector<float> columns = columns_of(rows, width);
        const bool headless = std::ranges::all_of(rows.front(), [](const ManualLine& cell) { return cell.empty(); });
        for (std::size_t i = headless ? 1 : 0; i < rows.size(); ++i) row(rows[i], columns, i == 0);
    }

  private:
    template <class Each>
    static void each_line(std::string_view text, Each&& each) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            each(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    void write(const WordPiece& piece, ImVec2 min, const Font& plain, ImU32 colour) {
        const ManualWords& words = *piece.words;
        const bool first = piece.text.data() == words.text.data();
        const ImVec2 max = min + ImVec2(piece.width, line_height(plain));
        const float baseline = std::round(min.y + (line_height(plain) - plain.size) / 2 + ascent(plain));
        ImU32 ink = words.strong || words.code ? ui_.theme.text_high : colour;
        if (words.code) {
            const float beside = ui_.px(code_padding), top = min.y + ui_.px(1), bottom = max.y - ui_.px(1);
            list_.AddRectFilled(ImVec2(min.x - beside, top), ImVec2(max.x + beside / 2, bottom), ui_.theme.raised);
        }
        if (!words.link.empty()) {
            const std::string id = "link." + std::to_string(links_++);
            const Press press = press_area(ui_, id.c_str(), min, max, ui_.px(size::radius_matrix), first);
            if (press.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (press.pressed) pressed = words.link;
            if (first) ui_.recorder.record("help.link", words.link, min, max);
            ink = ui_.theme.text_high;
            const ImU32 under = press.hovered ? ink : ui_.theme.text_low;
            list_.AddLine(ImVec2(min.x, baseline + ui_.px(2)), ImVec2(max.x, baseline + ui_.px(2)), under);
        }
        put_text(list_, *piece.font, ImVec2(min.x, baseline - ascent(*piece.font)), ink, piece.text);
    }

    // As wide as they want to be; where that is too much, the widest share what the others leave.
    std::vector<float> columns_of(const std::vector<std::vector<ManualLine>>& rows, float width) const {
        std::vector<float> wanted(rows.front().size());
        for (const std::vector<ManualLine>& row : rows)
            for (std::size_t i = 0; i < std::min(row.size(), wanted.size()); ++i)
                wanted[i] = std::max(wanted[i], std::ceil(lines_of(ui_, row[i], cell_font(), FLT_MAX).extent.x) + 1);
        const float between = std::round(ui_.px(column_gap));
        float left = width - between * static_cast<float>(wanted.size() - 1);
        std::vector<std::size_t> order(wanted.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            const float share = std::floor(left / static_cast<float>(order.size() - i));
            float& column = wanted[order[i]];
            column = std::max(ui_.px(least_column), std::min(column, share));
            left -= column;
        }
        return wanted;
    }

    const Font& cell_font() const { return ui_.fonts.table; }

    void row(const std::vector<ManualLine>& cells, const std::vector<float>& columns, bool head) {
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const float padding = std::round(ui_.px(row_padding)), between = std::round(ui_.px(column_gap));
        const Font& font = head ? ui_.fonts.table_medium : cell_font();
        float x = start.x, height = line_height(font);
        for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) {
            const WordLines lines = lines_of(ui_, cells[i], font, columns[i]);
            write(lines, ImVec2(x, start.y + padding), font, head ? ui_.theme.text_low : ui_.theme.text_mid);
            height = std::max(height, lines.extent.y);
            x += columns[i] + between;
        }
        const float bottom = start.y + height + 2 * padding;
        list_.AddLine(ImVec2(start.x, bottom), ImVec2(x - between, bottom), ui_.theme.line);
        place(start, ImVec2(x - between - start.x, height + 2 * padding + 1));
    }

    const Ui& ui_;
    ImDrawList& list_;
    int links_ = 0, listings_ = 0;
};

void draw_line(const Ui& ui, PageWriter& writer, const ManualBlock& block, float width) {
    const bool heads = block.kind == ManualKind::heading;
    const Font& font = heads ? ui.fonts.body_bold : ui.fonts.body;
    const ImU32 colour = heads ? ui.theme.text_high : ui.theme.text_mid;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float left = heads ? 0 : std::round(ui.px(indent) * static_cast<float>(block.level));
    const WordLines lines = lines_of(ui, block.line, font, width - left);
    if (!block.mark.empty())
        put_text(*ImGui::GetWindowDrawList(), font,
                 ImVec2(start.x + left - text_width(font, block.mark) - ui.px(7),
                        start.y + std::round((line_height(font) - font.size) / 2)),
                 ui.theme.text_low, block.mark);
    writer.write(lines, start + ImVec2(left, 0), font, colour);
    place(start, ImVec2(width, lines.extent.y));
}

void gap_before(const Ui& ui, const ManualBlock& block) {
    switch (block.kind) {
        case ManualKind::heading: return gap(ui, heading_gap);
        case ManualKind::item: return gap(ui, item_gap);
        default: return gap(ui, paragraph_gap);
    }
}

}  // namespace

std::optional<std::string> draw_manual_text(const Ui& ui, const ManualPage& page, std::string_view anchor,
                                            bool arrives) {
    const IdScope scope(place_of(page));  // each page scrolls its own listings
    PageWriter writer(ui);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float room = available_width(), prose = std::min(room, ui.px(widest_lines));
    for (const ManualBlock& block : page.blocks) {
        gap_before(ui, block);
        const bool heads = block.kind == ManualKind::heading;
        if (arrives && heads && anchor_of(text_of(block.line)) == anchor) {
            ImGui::SetScrollHereY(0);
            ui.memory.animating = true;
        }
        switch (block.kind) {
            case ManualKind::listing: writer.listing(block.listing, room); break;
            case ManualKind::table: writer.table(block.rows, room); break;
            default: draw_line(ui, writer, block, prose);
        }
    }
    ui.recorder.record("help.text", start, ImVec2(start.x + room, ImGui::GetCursorScreenPos().y));
    return std::move(writer.pressed);
}

}  // namespace headcount
