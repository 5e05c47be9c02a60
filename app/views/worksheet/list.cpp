// The left of the Worksheet view: which sheet, its questions and how they stand, and whose answers they are.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/state/lessons.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr float list_row_height = 38, least_row_height = 21;  // where all that is below them has room, too
constexpr float below_height = 214, above_below = 16;
constexpr float beside_sheet = 72;  // of the list of sheets: what it has at both sides and between its words
constexpr std::size_t longest_name = 200;

std::string amount(std::size_t questions, int minutes) {
    std::string text = std::to_string(questions) + (questions == 1 ? " question" : " questions");
    if (minutes > 0) text += ", about " + std::to_string(minutes) + " min";
    return text;
}

// "sheet 0007"
std::string numbers_name(const std::optional<std::uint64_t>& seed) {
    if (!seed) return "as written";
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%04llu", static_cast<unsigned long long>(*seed));
    return "sheet " + std::string(digits.data());
}

struct SheetEntry {
    SheetChoice choice;
    std::string name, detail;
};

// With the numbers that it was left with; and below, those of its other numbers that have answers.
void add_sheet(std::vector<SheetEntry>& sheets, const Desk& desk, const std::string& id, const std::string& title,
               const std::string& detail) {
    const SheetChoice left = desk.kept.as_left(id);
    sheets.push_back({left, left.seed ? title + ", " + numbers_name(left.seed) : title, detail});
    for (const auto& [choice, progress] : desk.kept.progress)
        if (choice.worksheet == id && choice != left && !progress.given.empty())
            sheets.push_back({choice, title + ", " + numbers_name(choice.seed), detail});
}

// Those that ship, and the file that is open.
std::vector<SheetEntry> sheets_of(const Desk& desk) {
    std::vector<SheetEntry> sheets;
    if (desk.shipped)
        for (const Worksheet& each : *desk.shipped)
            add_sheet(sheets, desk, each.id, numbered(each.id, each.title), std::to_string(each.minutes) + " min");
    const std::string& open = desk.kept.sheet.worksheet;
    const bool there =
        std::ranges::any_of(sheets, [&](const SheetEntry& each) { return each.choice.worksheet == open; });
    if (!there && !open.empty())
        add_sheet(sheets, desk, open, desk.sheet ? desk.sheet->title : std::filesystem::path(open).filename().string(),
                  "file");
    return sheets;
}

void draw_sheet_menu(const Ui& ui, const Desk& desk, Intents& intents) {
    const std::vector<SheetEntry> sheets = sheets_of(desk);
    std::vector<MenuEntry> entries;
    int current = -1;
    float widest = 0;
    for (const SheetEntry& each : sheets) {
        if (each.choice == desk.kept.sheet) current = static_cast<int>(entries.size());
        entries.push_back({.name = each.name, .detail = each.detail});
        widest =
            std::max(widest, text_width(ui.fonts.body, each.name) + text_width(ui.fonts.mono_caption, each.detail));
    }
    const MenuButton menu{.label = "Worksheets",
                          .width = available_width() / ui.scale,
                          .list_width = std::ceil(widest / ui.scale) + beside_sheet,
                          .current = current,
                          .searchable = false};
    const std::optional<int> chosen = menu_button(ui, "worksheet.sheets", menu, entries);
    if (!chosen) return;
    const SheetChoice& choice = sheets[static_cast<std::size_t>(*chosen)].choice;
    intents.push_back(AtDesk{OpenSheet{choice.worksheet, choice.seed}});
    sheet_memory(ui).blank.clear();
}

void draw_number(const Ui& ui, ImVec2 centre, std::size_t number, const Score& score, bool here) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(10);
    if (score.complete() && score.fields > 0) {
        const ImU32 hue = score.of > 0 ? ui.theme.right : ui.theme.text_mid;  // free text is kept, not judged
        list.AddCircleFilled(centre, radius, mix(ui.theme.panel, hue, 0.16F), 32);
        draw_icon(list, Icon::check, centre, ui.px(12), hue);
        return;
    }
    if (here)
        list.AddCircleFilled(centre, radius, ui.theme.selection, 32);
    else
        list.AddCircle(centre, radius, score.wrong > 0 ? ui.theme.wrong : ui.theme.strong_line, 32, ui.px(1.25F));
    const std::string text = std::to_string(number);
    draw_text_in(list, ui.fonts.mono_caption, ImVec2(centre.x - radius, centre.y - radius),
                 ImVec2(centre.x + radius, centre.y + radius), here ? ui.theme.selection_ink : ui.theme.text_mid, text,
                 Align::centre);
}

void draw_questions(SheetView& view) {
    const Ui& ui = view.ui;
    const std::vector<SheetQuestion>& questions = view.desk.sheet->questions;
    const float room = ImGui::GetContentRegionAvail().y - ui.px(above_below + below_height);
    const float row = std::round(
        std::clamp(room / static_cast<float>(questions.size()), ui.px(least_row_height), ui.px(list_row_height)));
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const std::string name = "worksheet.question." + std::to_string(i + 1);
        const IdScope scope(name);
        const ImVec2 start = ImGui::GetCursorScreenPos();
        const ImVec2 end(start.x + available_width(), start.y + row);
        ui.recorder.record(name, start, end);
        const bool here = i == view.desk.progress().question;
        const float reach = ui.px(8);
        const Press press = press_area(ui, "question", ImVec2(start.x - reach, start.y), ImVec2(end.x + reach, end.y),
                                       size::radius_button);
        if (here || press.hovered)
            ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(start.x - reach, start.y), ImVec2(end.x + reach, end.y),
                                                      here ? selected_tint(ui.theme) : hover_tint(ui.theme),
                                                      ui.px(size::radius_button));
        const float middle = (start.y + end.y) / 2;
        draw_number(ui, ImVec2(start.x + ui.px(11), std::round(middle)), i + 1, view.desk.score(questions[i]), here);
        const Font& usual = here ? ui.fonts.body_bold : ui.fonts.body;
        const Font& smaller = here ? ui.fonts.table_medium : ui.fonts.table;
        const float title_room = end.x - start.x - ui.px(32);
        const Font& font = text_width(usual, questions[i].title) > title_room ? smaller : usual;
        draw_text(*ImGui::GetWindowDrawList(), font, ImVec2(start.x + ui.px(32), text_top(font, middle)),
                  ui.theme.text_high, questions[i].title, title_room);
        if (press.pressed) {
            view.ask(ShowQuestion{i});
            view.memory.blank.clear();
            if (!press.focused) view.memory.ask_next = true;
        }
        place(start, end - start);
    }
}

void draw_student(SheetView& view) {
    const Ui& ui = view.ui;
    const DeskState& kept = view.desk.kept;
    text_line(ui, ui.fonts.table, ui.theme.text_mid, "Name");
    gap(ui, 2);
    const TextFieldResult typed = text_field(
        ui, "worksheet.name", {.text = kept.student, .extent = ImVec2(available_width(), std::round(ui.px(34)))});
    if (typed.edited) view.ask(NameStudent{std::string(whole_letters(*typed.edited, longest_name))});
    gap(ui, 12);
    text_line(ui, ui.fonts.table, ui.theme.text_mid, "Answers are checked");
    gap(ui, 4);
    constexpr std::array<std::string_view, 2> when{"at once", "at the end"};
    const ChoiceResult chosen = segmented(ui, "worksheet.when", when, kept.at_end ? 1 : 0, true);
    if (chosen.chosen) view.ask(CheckAtEnd{*chosen.chosen == 1});
}

std::string numbers_text(SheetView& view) {
    std::string text = numbers_name(view.desk.kept.sheet.seed);
    std::size_t said = 0;
    for (const Symbol symbol : {Symbol::dim, Symbol::tokens, Symbol::heads})
        if (const auto value = view.desk.sheet->model->bindings[symbol]; value && ++said <= 2)
            text += ", " + std::string(info(symbol).text) + " " + std::to_string(*value);
    return text;
}

void draw_numbers(SheetView& view) {
    const Ui& ui = view.ui;
    text_line(ui, ui.fonts.table, ui.theme.text_mid, "Numbers");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const bool other = view.desk.kept.sheet.seed.has_value();
    const float width = available_width(), line = std::round(ui.px(size::small_button));
    const std::string text = numbers_text(view);
    const float room = width - (other ? line + ui.px(6) : 0);
    const Font& font = text_width(ui.fonts.mono, text) > room ? ui.fonts.mono_caption : ui.fonts.mono;
    draw_text(*ImGui::GetWindowDrawList(), font, ImVec2(start.x, text_top(font, start.y + line / 2)),
              ui.theme.text_high, text, room);
    if (other) {
        ImGui::SetCursorScreenPos(ImVec2(start.x + width - line, start.y));
        if (icon_button(ui, "worksheet.own_numbers", Icon::reset, "The sheet's own numbers",
                        {.side = size::small_button}))
            view.ask(OpenSheet{view.desk.kept.sheet.worksheet, std::nullopt});
    }
    place(start, ImVec2(width, line));
}

// Two presses: all that a class set holds goes.
void draw_reset(SheetView& view) {
    const Ui& ui = view.ui;
    const bool asks = view.memory.confirms == "class";
    const Button reset{.label = asks ? "Really erase all answers" : "Reset for the next student",
                       .look = asks ? ButtonLook::plain : ButtonLook::quiet,
                       .small = true,
                       .tooltip = "Erases the name and every answer in all sheets"};
    const float shift = asks ? 0 : ui.px(10);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(start - ImVec2(shift, 0));
    const bool pressed = button(ui, "worksheet.reset", reset);
    if (pressed && asks) view.ask(ResetDesk{});
    if (pressed)
        view.memory.confirms = asks ? std::string() : "class";
    else if (asks && ImGui::IsMouseReleased(0))
        view.memory.confirms.clear();
}

}  // namespace

Intents draw_worksheet_list(const Ui& ui, const Desk& desk) {
    Intents intents;
    draw_sheet_menu(ui, desk, intents);
    const SheetQuestion* const question = desk.question();
    if (!question) return intents;
    SheetView view{ui, desk, *question, sheet_memory(ui), std::move(intents)};
    gap(ui, 14);
    paragraph(ui, ui.fonts.body_bold, ui.theme.text_high, desk.sheet->title);
    gap(ui, 2);
    text_line(ui, ui.fonts.table, ui.theme.text_mid, amount(desk.sheet->questions.size(), desk.sheet->minutes));
    gap(ui, 10);
    draw_questions(view);
    for (const std::string& note : desk.sheet->notes) {
        gap(ui, 6);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, note);
    }
    gap(ui, above_below);
    // At the lower end, where there is room.
    const float rest = ImGui::GetContentRegionAvail().y - ui.px(below_height);
    if (rest > 1) gap(ui, rest / ui.scale);
    draw_student(view);
    gap(ui, 12);
    draw_numbers(view);
    gap(ui, 6);
    draw_reset(view);
    return std::move(view.intents);
}

}  // namespace headcount
