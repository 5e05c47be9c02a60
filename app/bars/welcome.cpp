// The card of the first minute: four ways in, and what to try first.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/bars/panels.hpp"
#include "app/parts/actions.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/shapes.hpp"

namespace headcount {
namespace {

constexpr float way_gap = 8, way_padding = 9, way_title = 20, way_icon = 22, numeral = 16, captions = 68;  // unscaled
constexpr float title_row = 30, trial_row = 22, other_row = 24, row_gap = 8;

struct WayIn {
    std::string_view name, title, short_title;
    Icon icon;
    std::string says, short_says;
    Intents intents;
};

std::vector<WayIn> ways_in(const Session& session) {
    const std::string first_tour = session.tours.empty() ? "" : session.tours.front().id;
    const std::string presets = std::to_string(session.presets.size());
    std::vector<WayIn> ways;
    if (!first_tour.empty())
        ways.push_back({"welcome.tour",
                        "Take a tour",
                        "Tour",
                        Icon::monitor,
                        "What is in a transformer, one idea at a time",
                        "One idea at a time",
                        {ShowWelcome{false}, StartTour{first_tour}}});
    ways.push_back({"welcome.worksheet",
                    "Try a worksheet",
                    "Worksheet",
                    Icon::check,
                    "It says which factor of an answer is off",
                    "Checked as you go",
                    {ShowWelcome{false}, ShowWorkspace{worksheet_view}}});
    ways.push_back({"welcome.design",
                    "Design a model",
                    "Design",
                    Icon::sliders,
                    "Start from one of " + presets + ", drag its fields",
                    "Drag any field",
                    {ShowWelcome{false}, Select{Field::dim}}});
    ways.push_back({"welcome.run",
                    "Watch one run",
                    "Run",
                    Icon::play,
                    "It writes a story here, and every number is real",
                    "Every number is real",
                    {ShowWelcome{false}, ShowWorkspace{run_view}, AtRun{PlayRun{true}}}});
    return ways;
}

// Whether every title has so much room.
bool fit(const Ui& ui, const std::vector<WayIn>& ways, float room) {
    return std::ranges::all_of(ways,
                               [&](const WayIn& way) { return text_width(ui.fonts.body_bold, way.title) <= room; });
}

// Its title, and below it one sentence on at most two lines. Returns whether it was pressed.
bool draw_way(const Ui& ui, const WayIn& way, ImVec2 min, ImVec2 max, bool with_icon) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Press press = press_area(ui, std::string(way.name).c_str(), min, max, size::radius_button);
    const ImU32 border = press.hovered ? ui.theme.text_mid : ui.theme.strong_line;
    draw_box(list, min, max, press.hovered ? ui.theme.hover : ui.theme.field, border, ui.px(size::radius_button));
    ui.recorder.record(way.name, min, max);
    const float inset = ui.px(way_padding), room = max.x - min.x - 2 * inset;
    const Font& font = ui.fonts.table;
    const float two_lines = wrapped_extent(font, "a\nb", room).y;
    const float top = std::round((min.y + max.y - ui.px(way_title) - two_lines) / 2);
    const float middle = std::round(top + ui.px(way_title / 2 - 1));
    float x = min.x + inset;
    if (with_icon) {
        draw_icon(list, way.icon, ImVec2(x + ui.px(8), middle), ui.px(size::icon), ui.theme.text_high);
        x += ui.px(way_icon);
    }
    draw_text(list, ui.fonts.body_bold, ImVec2(x, text_top(ui.fonts.body_bold, middle)), ui.theme.text_high, way.title,
              max.x - inset - x);
    const bool whole = wrapped_extent(font, way.says, room).y <= two_lines + 1;
    draw_wrapped(list, font, ImVec2(min.x + inset, top + std::round(ui.px(way_title))), ui.theme.text_mid,
                 whole ? way.says : way.short_says, room);
    return press.pressed;
}

float least_way_height(const Ui& ui) {
    return std::round(ui.px(2 * way_padding + way_title) + wrapped_extent(ui.fonts.table, "a\nb", 1000).y);
}

void draw_ways(const Ui& ui, const Session& session, float height, Intents& intents) {
    std::vector<WayIn> ways = ways_in(session);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const auto count = static_cast<float>(ways.size());
    const float width = available_width(), gap = std::round(ui.px(way_gap));
    const float each = std::floor((width - (count - 1) * gap) / count);
    const float room = each - ui.px(2 * way_padding);
    if (!fit(ui, ways, room))
        for (WayIn& way : ways) way.title = way.short_title;
    const bool icons = fit(ui, ways, room - ui.px(way_icon));
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const ImVec2 min(start.x + static_cast<float>(i) * (each + gap), start.y);
        if (draw_way(ui, ways[i], min, min + ImVec2(each, height), icons)) intents = std::move(ways[i].intents);
    }
    place(start, ImVec2(width, height));
}

struct TrialWords {
    std::string_view does, then;
};

constexpr std::array<TrialWords, 3> trials{{{"Drag Layers", "the numbers follow"},
                                            {"Turn the wheel", "down to one cell"},
                                            {"Press the total", "see what it is made of"}}};

// A number in a disc, or a mark that it was done.
void draw_numeral(const Ui& ui, ImDrawList& list, ImVec2 centre, std::size_t number, bool done) {
    const float radius = std::round(ui.px(numeral)) / 2;
    if (done) return draw_icon(list, Icon::check, centre, ui.px(14), ui.theme.right);
    list.AddCircleFilled(centre, radius, ui.theme.selection, 24);
    const ImVec2 half(radius, radius);
    draw_text_in(list, ui.fonts.caption_medium, centre - half, centre + half, ui.theme.selection_ink,
                 std::to_string(number), Align::centre);
}

// "(1) Drag Layers  the numbers follow  (2) ...": what each leads to is said where all of it has room.
void draw_trials(const Ui& ui, const Welcome& welcome) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width(), line = std::round(ui.px(trial_row)), between = ui.px(20), gap = ui.px(7);
    const auto tried = std::ranges::count(welcome.tried, true);
    const std::string count = std::to_string(tried) + " of 3 tried";
    const float count_width = text_width(ui.fonts.table, count), caption_width = ui.px(captions);
    const auto wide = [&](bool caption, bool whole) {
        float all = caption ? caption_width : 0;
        for (const TrialWords& each : trials)
            all += ui.px(numeral) + gap + text_width(ui.fonts.body_medium, each.does) +
                   (whole ? gap + text_width(ui.fonts.table, each.then) : 0) + between;
        return all;
    };
    const bool whole = wide(true, true) + count_width <= width, caption = wide(true, whole) + count_width <= width;
    const bool counted = wide(caption, whole) + count_width <= width;
    ui.recorder.record("welcome", "trials", start, start + ImVec2(width, line));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = start.y + std::round(line / 2);
    float x = start.x;
    const auto put = [&](const Font& font, ImU32 ink, std::string_view text) {
        put_text(list, font, ImVec2(std::round(x), text_top(font, middle)), ink, text);
        x += text_width(font, text);
    };
    if (caption) {
        put(ui.fonts.table, ui.theme.text_low, "Try first");
        x = start.x + caption_width;
    }
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const bool done = welcome.tried[i];
        draw_numeral(ui, list, ImVec2(std::round(x + ui.px(numeral / 2)), middle), i + 1, done);
        x += ui.px(numeral) + gap;
        put(ui.fonts.body_medium, done ? ui.theme.text_low : ui.theme.text_high, trials[i].does);
        if (whole) {
            x += gap;
            put(ui.fonts.table, ui.theme.text_low, trials[i].then);
        }
        x += between;
    }
    if (counted)
        draw_text_in(list, ui.fonts.table, start, start + ImVec2(width, line), ui.theme.text_low, count, Align::right);
    place(start, ImVec2(width, line));
}

// Which model it is, and the press that takes the card away.
void draw_title(const Ui& ui, const Session& session, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const Button got_it{
        .label = "Got it", .look = ButtonLook::primary, .tooltip = "Not again; Help > Welcome shows it"};
    const float width = available_width(), height = std::round(ui.px(title_row));
    const float button_left = std::round(start.x + width - button_width(ui, got_it));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string name = session.document.architecture.name;
    const std::array titles{"This is " + name + ", drawn to scale. Where do you want to begin?",
                            name + ", to scale. Where do you want to begin?",
                            std::string("Where do you want to begin?")};
    const auto fits = std::find_if(titles.begin(), titles.end() - 1, [&](const std::string& title) {
        return start.x + text_width(ui.fonts.title, title) + ui.px(16) <= button_left;
    });
    draw_text_in(list, ui.fonts.title, start, ImVec2(button_left, start.y + height), ui.theme.text_high, *fits);
    constexpr std::string_view back = "Help > Welcome brings this back";
    const float remark = button_left - ui.px(16) - text_width(ui.fonts.table, back);
    if (remark > start.x + text_width(ui.fonts.title, *fits) + ui.px(24))
        put_text(list, ui.fonts.table, ImVec2(std::round(remark), text_top(ui.fonts.table, start.y + height / 2)),
                 ui.theme.text_low, back);
    ImGui::SetCursorScreenPos(ImVec2(button_left, start.y));
    if (button(ui, "welcome.dismiss", got_it)) intents = {ShowWelcome{false}};
    place(start, ImVec2(width, height));
}

// What one can begin with besides.
void draw_others(const Ui& ui, Intents& intents) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(other_row)), left = std::round(ui.px(captions));
    draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.table, start, start + ImVec2(left, height), ui.theme.text_low,
                 "Or else");
    const Button open{.label = "Open or drop a file", .icon = Icon::open, .small = true};
    const std::string tooltip = tooltip_of("ask");
    const Button ask{.label = "Ask a question", .icon = Icon::search, .small = true, .tooltip = tooltip};
    ImGui::SetCursorScreenPos(start + ImVec2(left, 0));
    if (button(ui, "welcome.open", open)) intents = {AskForFile{FileTask::open}};
    ImGui::SetCursorScreenPos(start + ImVec2(left + std::round(ui.px(way_gap)) + button_width(ui, open), 0));
    if (button(ui, "welcome.ask", ask)) intents = {Ask{true}};
    place(start, ImVec2(available_width(), height));
}

float pin_width(const Ui& ui, std::string_view words) {
    return std::round(ui.px(size::chip) + text_width(ui.fonts.caption_medium, words) + ui.px(9));
}

// A pill with a number and a few words, whose left end and centre are there.
void draw_pin(const Ui& ui, std::string_view name, std::size_t number, std::string_view words, ImVec2 left_centre) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float height = std::round(ui.px(size::chip));
    const ImVec2 min(std::round(left_centre.x), std::round(left_centre.y - height / 2));
    const ImVec2 max(min.x + pin_width(ui, words), min.y + height);
    list.AddRectFilled(min, max, ui.theme.selection, height / 2);
    const float radius = height / 2 - std::round(ui.px(3));
    const ImVec2 centre(min.x + height / 2, min.y + height / 2), half(radius, radius);
    list.AddCircleFilled(centre, radius, ui.theme.selection_ink, 24);
    draw_text_in(list, ui.fonts.caption_medium, centre - half, centre + half, ui.theme.selection,
                 std::to_string(number), Align::centre);
    draw_text_in(list, ui.fonts.caption_medium, ImVec2(min.x + height, min.y), max, ui.theme.selection_ink, words);
    ui.recorder.record("welcome.pin", name, min, max);
}

void draw_ring(const Ui& ui, ImVec2 min, ImVec2 max) {
    const ImVec2 out(ui.px(size::ring_gap), ui.px(size::ring_gap));
    ImGui::GetWindowDrawList()->AddRect(min - out, max + out, ui.theme.selection, ui.px(size::radius_button), 0,
                                        ui.px(size::ring));
}

bool inside(const NamedRect& part, const NamedRect* whole) {
    return whole && part.min.x >= whole->min.x && part.max.x <= whole->max.x && part.min.y >= whole->min.y &&
           part.max.y <= whole->max.y;
}

// Before the number of a slider's row.
void pin_field(const Ui& ui) {
    const NamedRect* const row = ui.recorder.find("architecture.layers");
    const NamedRect* const number = ui.recorder.find("architecture.layers.field");
    const NamedRect* const knob = ui.recorder.find("architecture.layers.knob");
    if (!row || !number || !knob || !inside(*row, ui.recorder.find("panel.architecture"))) return;
    const NamedRect field = *number;
    draw_ring(ui, row->min, ImVec2(row->max.x, knob->max.y));  // clear of the row below
    const std::string_view words = "drag this";
    const float left = field.min.x - ui.px(8) - pin_width(ui, words);
    draw_pin(ui, "field", Welcome::field + 1, words, ImVec2(left, (field.min.y + field.max.y) / 2));
}

// At the lower right end of a layer's first sub-block, where there is nothing but the residual stream; or in the
// middle.
void pin_zoom(const Ui& ui, const ModelGraph& graph) {
    const NamedRect* const canvas = ui.recorder.find("panel.canvas");
    if (!canvas) return;
    const NamedRect all = *canvas;
    const std::string_view words = "turn the wheel here";
    const float width = pin_width(ui, words);
    const BlockIndex layer = graph.main_layer().block;
    const auto first = std::ranges::find_if(graph.blocks, [&](const Block& each) { return each.parent == layer; });
    const NamedRect* block = first == graph.blocks.end() ? nullptr : ui.recorder.find("canvas.block." + first->id);
    ImVec2 at((all.min.x + all.max.x - width) / 2, (all.min.y + all.max.y) / 2);
    if (block && inside(*block, &all)) at = ImVec2(block->max.x - ui.px(12) - width, block->max.y + ui.px(10));
    draw_pin(ui, "zoom", Welcome::zoom + 1, words, at);
}

// Below the total, on the bar's lower edge.
void pin_number(const Ui& ui) {
    const NamedRect* const total = ui.recorder.find("topbar.total");
    const NamedRect* const bar = ui.recorder.find("panel.top_bar");
    if (!total || !bar) return;
    const NamedRect at = *total;
    const float edge = bar->max.y;
    const ImVec2 beside(ui.px(3), 0);
    draw_ring(ui, at.min - beside, at.max + beside);
    draw_pin(ui, "number", Welcome::number + 1, "press this", ImVec2(at.min.x, edge + ui.px(2)));
}

}  // namespace

void draw_welcome_pins(const Ui& ui, const Session& session) {
    const Welcome& welcome = session.view.welcome;
    if (!welcome.tried[Welcome::field]) pin_field(ui);
    if (!welcome.tried[Welcome::zoom]) pin_zoom(ui, session.derived.shown.graph);
    if (!welcome.tried[Welcome::number]) pin_number(ui);
}

Intents draw_welcome(const Ui& ui, const Session& session, ImVec2 min, ImVec2 max) {
    Intents intents;
    const float between = std::round(ui.px(row_gap)), room = max.y - min.y;
    const auto row = [&](float high) { return std::round(ui.px(high)) + between; };
    // Where little is high first what stands below gives way, then what the pins say by themselves.
    const float least = least_way_height(ui);
    float left = room - row(title_row);
    const bool with_trials = left - row(trial_row) >= least;
    if (with_trials) left -= row(trial_row);
    const bool with_others = with_trials && left - row(other_row) >= least;
    if (with_others) left -= row(other_row);
    const float ways = std::clamp(left, least, least + std::round(ui.px(24)));
    ImGui::SetCursorScreenPos(min + ImVec2(0, std::max(0.0F, std::floor((left - ways) / 2))));
    compat::begin_child("ways_in", ImVec2(max.x - min.x, max.y - ImGui::GetCursorScreenPos().y), false, true,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_title(ui, session, intents);
    gap(ui, row_gap);
    draw_ways(ui, session, ways, intents);
    if (with_trials) {
        gap(ui, row_gap);
        draw_trials(ui, session.view.welcome);
    }
    if (with_others) {
        gap(ui, row_gap);
        draw_others(ui, intents);
    }
    ImGui::EndChild();
    return intents;
}

}  // namespace headcount
