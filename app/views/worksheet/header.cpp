// The row above a worksheet: how far one is, other numbers, paper, files, and the teacher's key.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/parts/file_tasks.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/swatch.hpp"
#include "app/views/worksheet/view.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array print_tasks{FileTask::sheet_html, FileTask::key_html, FileTask::sheet_markdown};
constexpr std::array export_tasks{
    FileTask::open_class, FileTask::answers_csv, FileTask::answers_json, FileTask::answers_markdown,
    FileTask::moodle,     FileTask::qti,         FileTask::scorm};
constexpr float beside_entry = 56;  // of a menu: what its list has at both sides of the words
constexpr std::size_t longest_word = 100;
constexpr std::uint64_t most_seeds = 9999;  // four digits are said aloud in a class

// What a question's dash shows: all right, written, something wrong, begun, or nothing yet. The one in sight is strong.
ImU32 question_colour(const Ui& ui, const Desk& desk, std::size_t at) {
    const Score score = desk.score(desk.sheet->questions[at]);
    if (score.complete()) return score.of > 0 ? ui.theme.right : ui.theme.text_mid;
    if (at == desk.progress().question) return ui.theme.text_high;
    if (score.wrong > 0) return ui.theme.wrong;
    return score.filled > 0 ? ui.theme.text_low : ui.theme.track;
}

void draw_place(const Ui& ui, const Desk& desk, ImVec2 left_centre, float right) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    float x = left_centre.x;
    x += draw_text(list, ui.fonts.body_bold, ImVec2(x, text_top(ui.fonts.body_bold, left_centre.y)), ui.theme.text_high,
                   "Worksheet") +
         ui.px(14);
    if (!desk.sheet) return;
    const std::size_t count = desk.sheet->questions.size(), at = desk.progress().question;
    const std::string words = std::to_string(at + 1) + " of " + std::to_string(count);
    if (x + text_width(ui.fonts.body, words) > right) return;
    x += draw_text(list, ui.fonts.body, ImVec2(x, text_top(ui.fonts.body, left_centre.y)), ui.theme.text_mid, words) +
         ui.px(14);
    std::vector<ImU32> dashes;
    for (std::size_t i = 0; i < count; ++i) dashes.push_back(question_colour(ui, desk, i));
    const float width = std::min(ui.px(28) * static_cast<float>(count), ui.px(190));
    if (x + width <= right) draw_dashes(ui, dashes, ImVec2(std::round(x), std::round(left_centre.y - ui.px(2))), width);
}

// A button that opens a list of files to write.
template <std::size_t count>
void draw_files(SheetView& view, std::string_view name, const Button& look, ImVec2 at,
                const std::array<FileTask, count>& tasks) {
    const Ui& ui = view.ui;
    const IdScope scope(name);
    ImGui::SetCursorScreenPos(at);
    if (button(ui, name, look)) open_menu(ui, "files");
    std::array<MenuEntry, count> entries;
    float widest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        entries[i] = {.name = info(tasks[i]).menu};
        widest = std::max(widest, text_width(ui.fonts.body, entries[i].name) / ui.scale);
    }
    const MenuButton list{.list_width = std::ceil(widest) + beside_entry, .searchable = false};
    const ImVec2 below(at.x, at.y + std::round(ui.px(size::button + 4)));
    const std::optional<int> chosen = popup_menu(ui, "files", list, entries, below);
    record_keys(ui.recorder, "files", name, tasks, [](FileTask task) { return info(task).key; });
    if (chosen) view.intents.push_back(AskForFile{tasks[static_cast<std::size_t>(*chosen)]});
}

// From the clock: whoever wants a certain one types it on the command line.
std::uint64_t another_seed(const Desk& desk) {
    auto seed = static_cast<std::uint64_t>(ImGui::GetTime() * 1000) % most_seeds + 1;
    if (desk.kept.sheet.seed == seed) seed = seed % most_seeds + 1;
    return seed;
}

void draw_key(SheetView& view, float right, float centre) {
    const Ui& ui = view.ui;
    const bool on = view.desk.kept.key;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float left = std::round(right - ui.px(switch_width));
    ImGui::SetCursorScreenPos(ImVec2(left, std::round(centre - ui.px(switch_height) / 2)));
    const bool locked = !on && !view.desk.key_word().empty();
    std::optional<std::string>& typed = view.memory.key_word;
    if (switch_button(ui, "worksheet.key", on, on ? "Hide the answers" : "Show every answer")) {
        if (locked && !typed)
            ask_for_text(ui, "worksheet.key_word");
        else
            view.ask(ShowKey{!on, typed.value_or("")});
        typed = locked && !typed ? std::optional<std::string>("") : std::nullopt;
    }
    if (!locked) typed.reset();
    const float words = text_width(ui.fonts.body, "Teacher key"), x = left - ui.px(12) - words;
    // In the place of the label the word: that opens the key, or, while it is open, that shall open it.
    if (!typed && (!on || !view.desk.sheet->key_word.empty())) {
        draw_text(list, ui.fonts.body, ImVec2(x, text_top(ui.fonts.body, centre)), ui.theme.text_mid, "Teacher key");
        draw_icon(list, Icon::key, ImVec2(x - ui.px(16), centre), ui.px(15), ui.theme.text_mid);
        return;
    }
    const float side = std::round(ui.px(size::small_button)), from = x - ui.px(24);
    ImGui::SetCursorScreenPos(ImVec2(std::round(from), std::round(centre - side / 2)));
    const TextFieldResult field = text_field(ui, "worksheet.key_word",
                                             {.text = typed ? *typed : view.desk.kept.key_word,
                                              .prompt = typed ? "Its word" : "Key's word",
                                              .extent = ImVec2(std::round(left - ui.px(12) - from), side),
                                              .secret = typed.has_value()});
    if (field.edited) {
        const std::string word(whole_letters(*field.edited, longest_word));
        if (typed)
            typed = word;
        else
            view.ask(SetKeyWord{word});
    }
    if (!typed) return;
    if (field.entered) view.ask(ShowKey{true, *typed});
    if (field.entered && *typed != view.desk.key_word()) {
        typed = "";  // another try, and no keys of the view
        ask_for_text(ui, "worksheet.key_word");
    } else if (field.entered || (field.left && typed->empty())) {
        typed.reset();
    }
}

}  // namespace

Intents draw_worksheet_progress(const Ui& ui, const Desk& desk) {
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float padding = ui.px(size::panel_padding);
    draw_place(ui, desk, ImVec2(corner.x + padding + ui.px(4), std::round(corner.y + extent.y / 2)),
               corner.x + extent.x - padding);
    return {};
}

Intents draw_worksheet_header(const Ui& ui, const Desk& desk) {
    const ImVec2 corner = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float centre = std::round(corner.y + extent.y / 2), padding = ui.px(size::panel_padding);
    const ImVec2 place(corner.x + padding + ui.px(4), centre);
    const float right = corner.x + extent.x - padding;
    const SheetQuestion* const question = desk.question();
    if (!question) return draw_worksheet_progress(ui, desk);
    SheetView view{ui, desk, *question, sheet_memory(ui), {}};
    const bool one_set = desk.worksheet->new_numbers && desk.worksheet->new_numbers->empty();
    const Button numbers{.label = "New numbers",
                         .icon = Icon::dice,
                         .disabled = one_set,
                         .tooltip = one_set ? "This sheet has one set of numbers" : "The same questions, other sizes"};
    const Button prints{.label = "Print", .icon = Icon::printer, .tooltip = "A page to print, or the teacher's key"};
    const Button exports{
        .label = "Export",
        .icon = Icon::share,
        .tooltip = "The answers as a file, those of a class as a table; or the sheet for Moodle and other platforms"};
    const float apart = ui.px(10), top = std::round(centre - ui.px(size::button) / 2);
    const float line =
        std::round(right - ui.px(switch_width + 12 + 28 + 14) - text_width(ui.fonts.body, "Teacher key"));
    // Where not all have room, those at the left are left out.
    const float least = place.x + text_width(ui.fonts.body_bold, "Worksheet") + ui.px(14);
    float x = line - ui.px(14);
    bool room = line >= least;
    float first = room ? line : right;
    const auto next = [&](const Button& what, float before) {
        const float left = x - button_width(ui, what) - before;
        room = room && left >= least;
        if (!room) return false;
        first = x = left;
        return true;
    };
    const float export_at = next(exports, 0) ? x : 0, print_at = next(prints, apart) ? x : 0;
    const bool with_numbers = next(numbers, apart);
    draw_place(ui, desk, place, first - ui.px(14));
    ImGui::SetCursorScreenPos(ImVec2(std::round(x), top));
    if (with_numbers && button(ui, "worksheet.new_numbers", numbers))
        view.ask(OpenSheet{desk.kept.sheet.worksheet, another_seed(desk)});
    if (print_at > 0) draw_files(view, "worksheet.print", prints, ImVec2(std::round(print_at), top), print_tasks);
    if (export_at > 0) draw_files(view, "worksheet.export", exports, ImVec2(std::round(export_at), top), export_tasks);
    if (line < least) return std::move(view.intents);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(line, centre - ui.px(10)), ImVec2(line + 1, centre + ui.px(10)),
                                              ui.theme.strong_line);
    draw_key(view, right, centre);
    return std::move(view.intents);
}

}  // namespace headcount
