// The way to what is shown of a run: menus between chevrons; and the page that they choose.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/state/run/page.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/icons.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/run/parts.hpp"
#include "core/base/text.hpp"
#include "core/graph/ops.hpp"
#include "core/graph/written.hpp"

namespace headcount {
namespace {

class Way {
  public:
    Way(const Ui& ui, ImVec2 start) : ui_(ui), x_(start.x + ui.px(16)), y_(start.y) {}

    // As wide as its words.
    std::optional<int> menu(std::string_view name, std::string_view label, std::span<const MenuEntry> entries,
                            int current) {
        const float width = std::max(84.0F, width_of(label) + 44);
        float longest = 0;
        for (const MenuEntry& each : entries) longest = std::max(longest, width_of(each.name));
        if (!first_) {
            draw_icon(*ImGui::GetWindowDrawList(), Icon::chevron_right,
                      ImVec2(x_ + ui_.px(8), y_ + ui_.px(run_way_height / 2)), ui_.px(12), ui_.theme.text_low);
            x_ += ui_.px(20);
        }
        first_ = false;
        ImGui::SetCursorScreenPos({std::round(x_), std::round(y_ + ui_.px((run_way_height - size::button) / 2))});
        const MenuButton button{.label = label,
                                .width = width,
                                .list_width = std::max({width, longest + 48, 160.0F}),
                                .current = current,
                                .searchable = entries.size() > 12};
        x_ += ui_.px(width) + ui_.px(4);
        return menu_button(ui_, name, button, entries);
    }
    float end() const { return x_; }

  private:
    float width_of(std::string_view words) const {
        return std::ceil(text_width(ui_.fonts.body_medium, words) / ui_.scale);  // unscaled
    }

    const Ui& ui_;
    float x_, y_;
    bool first_ = true;
};

struct PageWords {
    std::string_view name, remark;
};
// In the order of RunShows.
constexpr std::array<PageWords, run_shows_keys.size()> page_words{{
    {"Words", "rows look at columns"},
    {"Diagram", "one cell = one number: point at it, press it"},
    {"Map of words", "one dot = one row of the embedding: point at it, press it"},
    {"Tokens", "what the tokenizer does with the prompt: type another"},
    {"What may follow", "press a word to take the text as far as there"},
}};

const PageWords& page_of(RunShows shows) { return page_words[static_cast<std::size_t>(shows)]; }

std::vector<RunShows> pages_of(const RunSnapshot& run) {
    std::vector<RunShows> pages;
    for (std::size_t i = 0; i < page_words.size(); ++i)
        if (can_show(run, static_cast<RunShows>(i))) pages.push_back(static_cast<RunShows>(i));
    return pages;
}

// The button at the end of the way, where there is room for it.
struct WayButton {
    float right = 0;  // where what is left of it ends
    bool pressed = false;
};

// Called `less` where there is room for no more.
WayButton end_button(const Ui& ui, std::string_view name, Button look, std::string_view less, ImVec2 start,
                     float from) {
    const float right = start.x + available_width() - ui.px(16);
    const auto left_of = [&] { return right - button_width(ui, look); };
    if (left_of() < from + ui.px(16)) look.label = less;
    const float left = left_of();
    if (left < from + ui.px(16)) return {right};
    ImGui::SetCursorScreenPos({std::round(left), std::round(start.y + ui.px((run_way_height - size::button) / 2))});
    const bool pressed = button(ui, name, look);
    return {left - ui.px(16), pressed};
}

// Watches the computation from the layer that is looked at, or ends that.
float watch_button(RunPanel& panel, const RunSnapshot& run, ImVec2 start, float from) {
    const bool on = panel.page.watch.has_value();
    const Button look{.label = on ? "All numbers" : "Watch it compute",
                      .icon = on ? Icon::eye : Icon::play,
                      .look = on ? ButtonLook::primary : ButtonLook::plain,
                      .disabled = !on && !run.whole(),
                      .tooltip = on ? "Every number of the run again"
                                    : "One operation after the other, as the chosen token passes this layer"};
    const auto [right, pressed] = end_button(panel.ui, "run.watch", look, on ? "All" : "Watch", start, from);
    if (pressed) {
        WatchRun asked;
        if (!on)
            asked.watch =
                RunWatch{.step = first_step_of(*run.values, watch_steps(*run.values), panel.layer()), .playing = true};
        panel.ask(asked);
    }
    return right;
}

// Leads to the head's place in the diagram.
float open_button(RunPanel& panel, ImVec2 start, float from) {
    const Button look{.label = "How this head computes it", .tooltip = "Every matrix of this head, with its numbers"};
    const auto [right, pressed] = end_button(panel.ui, "run.words.open", look, "Its matrices", start, from);
    if (pressed)
        panel.set([](RunPlace& place) {
            place.shows = RunShows::diagram;
            place.goes = true;
        });
    return right;
}

// "12 of 118: U = X_n · W_up", to be drawn with scripts; with its name alone where the equation is wider.
std::string watch_words(const RunPanel& panel, const RunValues& values, float width) {
    const Watched watched(values, *panel.page.watch, panel.position());
    if (!watched.step()) return {};
    const ModelGraph& graph = values.model().graph;
    const Node& node = graph.nodes[watched.step()->node];
    const std::string number =
        grouped(watched.step() - watched.steps().data() + 1) + " of " + grouped(std::ssize(watched.steps())) + ": ";
    std::string words = number + written_text(graph, equation_of(graph, node));
    return symbol_width(panel.ui.fonts.caption, words) <= width ? words : number + std::string(info(node.op).name);
}

}  // namespace

void draw_run_way(RunPanel& panel, const RunSnapshot& run) {
    const Ui& ui = panel.ui;
    const RunValues& values = *run.values;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = available_width();
    const RunShows shows = panel.shows();
    Way way(ui, start);
    if (const std::vector<RunShows> pages = pages_of(run); pages.size() > 1) {
        std::vector<MenuEntry> offered;
        for (const RunShows each : pages) offered.push_back({.name = page_of(each).name});
        const auto now = static_cast<int>(std::ranges::find(pages, shows) - pages.begin());
        if (const auto chosen = way.menu("run.way.model", page_of(shows).name, offered, now))
            panel.set([&](RunPlace& place) {
                place.shows = pages[static_cast<std::size_t>(*chosen)];
                place.trail.clear();
            });
    }
    const bool drawn = shows == RunShows::diagram, words = shows == RunShows::words;
    const auto number = [&](std::string_view name, const std::string& word, std::int64_t count, std::int64_t now) {
        const NumberedEntries all(word, count);
        return way.menu(name, all.names[static_cast<std::size_t>(now)], all.entries, static_cast<int>(now));
    };
    if (drawn || words) {
        // The diagram has both stacks, of which one may have more layers.
        const std::int64_t layers = drawn ? std::max(values.layers(), values.layers(true)) : values.layers();
        const std::int64_t now = std::clamp<std::int64_t>(panel.place.layer, 0, layers - 1);
        if (const auto chosen = number("run.way.layer", "Layer", layers, now))
            panel.set([&](RunPlace& place) {
                place.layer = *chosen;
                place.trail.clear();
            });
    }
    if (const std::int64_t heads = words ? values.heads_of(panel.layer()) : 0; heads > 0)
        if (const auto chosen = number("run.way.head", "Head", heads, panel.head()))
            panel.set([&](RunPlace& place) { place.head = *chosen; });
    const float right = drawn   ? watch_button(panel, run, start, way.end())
                        : words ? open_button(panel, start, way.end())
                                : start.x + width - ui.px(16);
    const bool watched = drawn && panel.page.watch;
    const float room = right - way.end() - ui.px(16);
    const std::string remark = watched ? watch_words(panel, values, room) : std::string(page_of(shows).remark);
    if (symbol_width(ui.fonts.caption, remark) <= room)
        draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.caption, start, {right, start.y + ui.px(run_way_height)},
                     ui.theme.text_mid, remark, Align::right, watched);
    ImGui::SetCursorScreenPos({start.x, start.y + ui.px(run_way_height)});
}

namespace {

// A page that may be higher than there is room.
void scrolling(RunPanel& panel, const RunSnapshot& run, const char* name, void (*draw)(RunPanel&, const RunSnapshot&)) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (room.x < 8 || room.y < 8) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, panel.ui.px(8));
    if (compat::begin_child(name, room, false, true, 0)) draw(panel, run);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace

void draw_run_page(RunPanel& panel, const RunSnapshot& run) {
    switch (panel.shows()) {
        case RunShows::words: return draw_run_words(panel, run);
        case RunShows::map: return scrolling(panel, run, "run.map", draw_run_map);
        case RunShows::tokens: return scrolling(panel, run, "run.steps", draw_run_steps);
        case RunShows::tree: return scrolling(panel, run, "run.tree", draw_run_tree);
        case RunShows::diagram: return;
    }
}

}  // namespace headcount
