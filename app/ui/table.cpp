// The clipped table; see the header.
#include "app/ui/table.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/shapes.hpp"
#include "app/ui/tooltip.hpp"

namespace headcount {
namespace {

constexpr float cell_gap = 16;  // between a column's text and the next column
using Edges = std::array<float, most_columns + 1>;

struct Frame {
    const Ui& ui;
    std::string_view name;
    std::span<const TableColumn> columns;
    Edges edges;
};

float heading_line(const Ui& ui) { return wrapped_extent(ui.fonts.caption, "x", FLT_MAX).y; }

// Of a heading in so much room. A number's, which stands at the right, is one.
int lines_of(const Ui& ui, const TableColumn& column, float width, int most) {
    if (width <= 0 || column.align != Align::left || text_width(ui.fonts.caption, column.title) <= width) return 1;
    const float lines = wrapped_extent(ui.fonts.caption, column.title, width).y / heading_line(ui);
    return std::clamp(static_cast<int>(std::lround(lines)), 1, most);
}

float headings_height(const Frame& frame, int most) {
    int lines = 1;
    for (std::size_t i = 0; i < frame.columns.size(); ++i)
        lines = std::max(lines, lines_of(frame.ui, frame.columns[i],
                                         frame.edges[i + 1] - frame.edges[i] - frame.ui.px(cell_gap), most));
    return std::round(frame.ui.px(size::table_header) + static_cast<float>(lines - 1) * heading_line(frame.ui));
}

// Each ends above its column; what a heading has more than `most` lines of is cut.
void draw_header(const Frame& frame, ImVec2 start, float height, int most) {
    const Ui& ui = frame.ui;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float last = std::round(ui.px(size::table_header)), line = heading_line(ui);
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        const TableColumn& column = frame.columns[i];
        const float from = start.x + frame.edges[i], to = start.x + frame.edges[i + 1] - ui.px(cell_gap);
        if (to <= from) continue;
        const int lines = lines_of(ui, column, to - from, most);
        if (lines == 1) {
            draw_text_in(list, ui.fonts.caption, ImVec2(from, start.y + height - last), ImVec2(to, start.y + height),
                         ui.theme.text_low, column.title, column.align);
            continue;
        }
        const float top = start.y + height - last / 2 - line * (static_cast<float>(lines) - 0.5F);
        list.PushClipRect(ImVec2(from, top), ImVec2(to, top + line * static_cast<float>(lines)), true);
        draw_wrapped(list, ui.fonts.caption, ImVec2(from, std::round(top)), ui.theme.text_low, column.title, to - from);
        list.PopClipRect();
    }
}

// Behind the headings, `width` wide: how many columns have no room, and which these are.
void draw_left_out(const Frame& frame, ImVec2 min, float width, float height) {
    std::string titles;
    std::size_t count = 0;
    for (std::size_t i = 1; i < frame.columns.size(); ++i) {
        if (frame.edges[i + 1] > frame.edges[i] || frame.columns[i].title.empty()) continue;
        titles += (titles.empty() ? "" : ", ") + std::string(frame.columns[i].title);
        ++count;
    }
    if (count == 0) return;
    const Ui& ui = frame.ui;
    const ImVec2 max = min + ImVec2(width, height);
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, min, max, ui.theme.text_mid,
                 "+" + std::to_string(count));
    ui.recorder.record(frame.name, "left_out", min, max);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max))
        show_tooltip(ui, {.title = titles,
                          .remark = "No room for " + std::string(count == 1 ? "this column" : "these columns") +
                                    ": make the window wider, or the interface smaller with Ctrl+-."});
}

// The end of a text that fits, behind three dots; at least its last character.
std::string end_of(const Font& font, std::string_view text, float room) {
    constexpr std::string_view dots = "…";
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
    constexpr std::size_t longest = 500;  // bytes, wider than any cell: each step measures all of them again
    std::size_t from = text.size() - std::min(text.size(), longest);
    while (from + 1 < text.size() && continues(text[from])) ++from;
    while (from + 1 < text.size() && text_width(font, dots) + text_width(font, text.substr(from)) > room) {
        ++from;
        while (from + 1 < text.size() && continues(text[from])) ++from;
    }
    return std::string(dots) + std::string(text.substr(from));
}

void draw_bar(const Ui& ui, const TableCell& cell, ImVec2 min, ImVec2 max) {
    const float middle = std::round((min.x + max.x) / 2), centre = std::round((min.y + max.y) / 2);
    const float reach = std::clamp(cell.bar, -1.0F, 1.0F) * (max.x - min.x) / 2;
    const float end = cell.bar < 0 ? std::min(middle - 1, middle + reach) : std::max(middle + 1, middle + reach);
    const float half = std::round(ui.px(4.5F));
    const ImVec2 from(std::min(middle, end), centre - half), to(std::max(middle, end), centre + half);
    draw_box(*ImGui::GetWindowDrawList(), from, to, cell.colour, edge_of(ui.theme, cell.colour), 1);
}

// "[128256, 4096]" as its numbers and what stands between them.
std::vector<std::string_view> pieces_of(std::string_view text) {
    std::vector<std::string_view> pieces;
    const auto digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    for (std::size_t from = 0, to = 0; from < text.size(); from = to) {
        while (to < text.size() && digit(text[to]) == digit(text[from])) ++to;
        pieces.push_back(text.substr(from, to - from));
    }
    return pieces;
}

void draw_beside(const Ui& ui, const TableCell& cell, ImVec2 min, ImVec2 max, Align align) {
    const std::vector<std::string_view> own = pieces_of(cell.text), other = pieces_of(cell.beside);
    const float spare = max.x - min.x - text_width(ui.fonts.mono, cell.text);
    float x = min.x + (align == Align::right ? spare : 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
        const bool same = own.size() == other.size() && own[i] == other[i];
        const Font& font = same ? ui.fonts.mono : ui.fonts.mono_medium;
        const float width = text_width(font, own[i]);
        draw_text_in(*ImGui::GetWindowDrawList(), font, ImVec2(x, min.y), ImVec2(x + width + 1, max.y),
                     same ? ui.theme.text_mid : ui.theme.text_high, own[i]);
        x += width;
    }
}

void draw_cells(const Frame& frame, const TableRow& row, ImVec2 start, float height) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        const TableColumn& column = frame.columns[i];
        const TableCell& cell = row.cells[i];
        float from = start.x + frame.edges[i];
        const float to = start.x + frame.edges[i + 1] - ui.px(cell_gap);
        if (i == 0) {
            from += ui.px(row.indent);
            draw_swatch(ui, list, ImVec2(from, start.y + height / 2), row.swatch, size::swatch - 1);
            if (row.swatch.look != SwatchLook::none) from += ui.px(19);
        }
        if (to > from && cell.bar != 0) draw_bar(ui, cell, ImVec2(from, start.y), ImVec2(to, start.y + height));
        if (to <= from || cell.text.empty()) continue;
        const About about(i == 0 ? std::string_view{} : row.about), cells_own(cell.about);
        ImU32 ink = cell.colour;
        if (!ink) ink = column.mono || i == 0 || row.selected ? theme.text_high : theme.text_mid;
        const Font& words = row.strong ? ui.fonts.body_medium : ui.fonts.table;
        const Font& font = column.mono ? (row.strong ? ui.fonts.mono_medium : ui.fonts.mono) : words;
        if (!cell.beside.empty() && text_width(font, cell.text) <= to - from) {
            draw_beside(ui, cell, ImVec2(from, start.y), ImVec2(to, start.y + height), column.align);
            continue;
        }
        const bool cut = column.keeps_end && text_width(font, cell.text) > to - from;
        const std::string end = cut ? end_of(font, cell.text, to - from) : std::string();
        draw_text_in(list, font, ImVec2(from, start.y), ImVec2(to, start.y + height), ink,
                     cut ? std::string_view(end) : cell.text, column.align, column.scripts);
    }
}

void draw_background(const Ui& ui, const TableRow& row, bool hovered, ImVec2 min, ImVec2 max) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (row.group) list.AddRectFilled(min, max, group_tint(ui.theme));
    if (row.selected) {
        list.AddRectFilled(min, max, selected_tint(ui.theme));
        list.AddRectFilled(min, ImVec2(min.x + ui.px(2), max.y), ui.theme.selection);
    } else if (hovered || row.lit) {
        list.AddRectFilled(min, max, hover_tint(ui.theme));
    }
}

void record_row(const Frame& frame, const TableRow& row, int index, ImVec2 min, ImVec2 max) {
    const std::string part = "row." + (row.name.empty() ? std::to_string(index) : std::string(row.name));
    frame.ui.recorder.record(frame.name, part, min, max);
}

// One visible row, in the scrolled region.
void draw_row(const Frame& frame, const TableRow& row, int index, float padding, const TableOptions& options,
              TableResult& result) {
    const Ui& ui = frame.ui;
    const float height = std::round(ui.px(size::table_row));
    const ImVec2 min = ImGui::GetCursorScreenPos();
    const ImVec2 max(min.x + available_width(), min.y + height);
    record_row(frame, row, index, min, max);
    ImGui::PushID(index);
    const ImGuiID id = ImGui::GetID("row");
    const bool stop = options.selected >= 0 ? index == options.selected : index == 0;
    const Press press = press_area(ui, "row", min, max, -1, stop);
    if (press.hovered && ImGui::IsMouseDoubleClicked(0)) result.double_clicked = index;
    ImGui::PopID();
    if (press.hovered) result.hovered = index;
    if (press.pressed) result.clicked = index;
    if (press.focused && ui.memory.table_row != id) {
        // The focus has come here by the keyboard: the selection follows it.
        ui.memory.table_row = id;
        if (!row.selected) result.clicked = index;
    }
    draw_background(ui, row, press.hovered, min, max);
    draw_cells(frame, row, ImVec2(min.x + padding, min.y), height);
    if (press.focused)
        ImGui::GetWindowDrawList()->AddRect(ImVec2(min.x + 1, min.y + 1), ImVec2(max.x - 1, max.y - 1),
                                            ui.theme.selection, ui.px(size::radius_matrix), 0, ui.px(1.5F));
    place(min, ImVec2(max.x - min.x, height));
}

void scroll_to(const Ui& ui, int row) {
    const float height = std::round(ui.px(size::table_row));
    const float top = static_cast<float>(row) * height;
    const float view = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY())
        ImGui::SetScrollY(std::max(0.0F, top - height));
    else if (top + height > ImGui::GetScrollY() + view)
        ImGui::SetScrollY(top + 2 * height - view);
}

}  // namespace

std::array<float, most_columns + 1> column_edges(std::span<const TableColumn> columns, float width, float scale) {
    std::array<float, most_columns> widths{};
    std::size_t count = std::min<std::size_t>(columns.size(), most_columns);
    float needed = 0;
    for (std::size_t i = 0; i < count; ++i) needed += std::min(columns[i].minimum, columns[i].width) * scale;
    // The last ones are left out where their minimum has no room: half a number is another one.
    for (; count > 1 && needed > width; --count)
        needed -= std::min(columns[count - 1].minimum, columns[count - 1].width) * scale;
    float wanted = 0, least = 0;
    std::ptrdiff_t grow = 0;  // of them; the last, where none is said to
    for (std::size_t i = 0; i < count; ++i) {
        wanted += columns[i].width * scale;
        least += std::min(columns[i].minimum, columns[i].width) * scale;
        grow += columns[i].grows ? 1 : 0;
    }
    // Between wanted and minimum all columns give way by the same part of what they can spare.
    const float spare = wanted - least;
    const float part = spare <= 0 ? 0 : std::clamp((width - least) / spare, 0.0F, 1.0F);
    for (std::size_t i = 0; i < count; ++i) {
        const float minimum = std::min(columns[i].minimum, columns[i].width) * scale;
        widths[i] = std::round(minimum + (columns[i].width * scale - minimum) * part);
    }
    for (std::size_t i = 0; i < count && width > wanted; ++i)
        if (grow > 0 ? columns[i].grows : i + 1 == count)
            widths[i] += std::floor((width - wanted) / static_cast<float>(std::max<std::ptrdiff_t>(grow, 1)));
    std::array<float, most_columns + 1> edges{};
    for (std::size_t i = 0; i < most_columns; ++i) edges[i + 1] = std::min(width, edges[i] + widths[i]);
    for (std::size_t i = count; i <= most_columns; ++i) edges[i] = width;
    return edges;
}

namespace {

// In so much room.
Frame frame_of(const Ui& ui, std::string_view name, std::span<const TableColumn> columns, float room) {
    // The last column's gap to a next one serves as padding at the right.
    const float padding = ui.px(size::panel_padding), bar = ImGui::GetStyle().ScrollbarSize;
    const float width = std::max(1.0F, room - 2 * padding - bar) + ui.px(cell_gap);
    const auto shown = columns.first(std::min<std::size_t>(columns.size(), most_columns));
    return {ui, name, shown, column_edges(columns, width, ui.scale)};
}

}  // namespace

float headings_height(const Ui& ui, std::span<const TableColumn> columns, int lines) {
    return headings_height(frame_of(ui, "", columns, available_width()), lines);
}

TableResult table(const Ui& ui, std::string_view name, std::span<const TableColumn> columns,
                  const TableOptions& options, const FillRow& fill) {
    TableResult result;
    const IdScope scope(name);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const Frame frame = frame_of(ui, name, columns, room.x);
    const float header = headings_height(frame, options.heading_lines), padding = ui.px(size::panel_padding);
    const float height = options.height > 0 ? options.height : std::max(header + 1, room.y);
    ui.recorder.record(name, start, ImVec2(start.x + room.x, start.y + height));
    draw_header(frame, ImVec2(start.x + padding, start.y), header, options.heading_lines);
    const float end = padding + frame.edges.back() - ui.px(cell_gap - 3), left_out = ui.px(cell_gap);
    draw_left_out(frame, ImVec2(start.x + std::min(end, room.x - left_out), start.y), left_out, header);

    ImGui::SetCursorScreenPos(ImVec2(start.x, start.y + header));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    compat::begin_child("rows", ImVec2(room.x, std::max(1.0F, height - header)), false, true, 0);
    if (options.scroll_to >= 0 && options.scroll_to < options.rows) scroll_to(ui, options.scroll_to);
    ImGuiListClipper clipper;
    clipper.Begin(options.rows, std::round(ui.px(size::table_row)));
    while (clipper.Step()) {
        for (int index = clipper.DisplayStart; index < clipper.DisplayEnd; ++index) {
            TableRow row;
            fill(index, row);
            draw_row(frame, row, index, padding, options, result);
        }
    }
    const bool active = ImGui::IsWindowFocused() && !ImGui::GetIO().WantTextInput;
    result.copy = active && ImGui::GetIO().KeyCtrl && compat::key_pressed(ImGuiKey_C, false);
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return result;
}

}  // namespace headcount
