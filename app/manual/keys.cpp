// What keys and the pointer do, and what the symbols stand for: the first page of the manual.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "app/manual/manual.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {
namespace {

struct Gesture {
    std::string_view pointer, meaning;
};

// A line of keys, each of which does the same.
struct Keys {
    std::string_view meaning;
    std::array<std::string_view, 2> keys;
};

constexpr std::array canvas_gestures{
    Gesture{"Point", "Lights the same thing everywhere"},
    Gesture{"Click", "Selects it, or the slider of a factor"},
    Gesture{"Wheel", "Nearer and farther; with Shift sideways"},
    Gesture{"Double-click", "Goes in: block, head, matrix, cells"},
    Gesture{"Drag", "Moves the picture"},
    Gesture{"Right-drag", "Turns it while it is tilted"},
    Gesture{"Right-click", "A menu of what is under it"},
};
// What they mean in the diagram alone.
constexpr std::array canvas_keys{
    Keys{"Goes in, to what is selected first", {"Enter"}},
    Keys{"Up to the place around", {"Esc", "Backspace"}},
    Keys{"To the neighbour", {"Arrow keys"}},
};

// Done by the control that has the keyboard, or by a tour.
constexpr std::array component_keys{
    Keys{"Next control; with Shift the one before", {"Tab"}},
    Keys{"Press what has the keyboard", {"Space"}},
    Keys{"Type into a slider; in the diagram, go in", {"Enter"}},
    Keys{"Step a slider down; Right steps it up", {"Left"}},
    Keys{"Choose a tour", {"Ctrl+T"}},
    Keys{"A tour on; PageUp back; Space, arrows", {"PageDown"}},
};

constexpr std::array gestures{
    Gesture{"Double-click a slider", "Back to the preset's value"},
    Gesture{"Ctrl+click a slider", "Type a value"},
    Gesture{"Right-click the total", "Copy it"},
};

constexpr float row_height = 21, first_column = 204, symbol_height = 23;
constexpr float two_columns = 800, between_columns = 32;  // the least width that they need

// One line: the first column is drawn by `first` at its top left; the meaning wraps beside it.
template <class First>
void help_line(const Ui& ui, float width, std::string_view meaning, First&& first) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float least = std::round(ui.px(row_height)), left = start.x + std::round(ui.px(first_column));
    const float wrap = std::max(ui.px(80), width - ui.px(first_column));
    const Font& font = ui.fonts.body;
    const char* const end = meaning.data() + meaning.size();
    const float words = font.face->CalcTextSizeA(font.size, FLT_MAX, wrap, meaning.data(), end).y;
    const float height = std::max(least, std::round(words + ui.px(4)));
    ImGui::GetWindowDrawList()->AddText(font.face, font.size, ImVec2(left, text_top(font, start.y + least / 2)),
                                        ui.theme.text_mid, meaning.data(), end, wrap);
    first(start, least);
    place(start, ImVec2(width, height));
}

void draw_keys(const Ui& ui, float width, std::span<const Keys> all) {
    for (const Keys& line : all)
        help_line(ui, width, line.meaning, [&](ImVec2 start, float height) {
            float x = start.x;
            const float top = start.y + std::round((height - ui.px(size::chip)) / 2);
            for (const std::string_view keys : line.keys) {
                if (keys.empty()) continue;
                ImGui::SetCursorScreenPos(ImVec2(x, top));
                x += key_caps(ui, keys) + ui.px(8);
            }
        });
}

void draw_gestures(const Ui& ui, float width, std::span<const Gesture> all) {
    for (const Gesture& gesture : all)
        help_line(ui, width, gesture.meaning, [&](ImVec2 start, float height) {
            draw_text_in(*ImGui::GetWindowDrawList(), ui.fonts.body, start,
                         ImVec2(start.x + ui.px(first_column), start.y + height), ui.theme.text_high, gesture.pointer);
        });
}

// Those that the model at hand has: a dense one has no experts.
std::vector<Symbol> symbols_of(const Counted& shown) {
    std::vector<Symbol> known;
    for (const SymbolInfo& symbol : symbols()) {
        const bool follows = symbol.symbol == Symbol::embedding_dim && !shown.architecture.embedding_dim;
        if (shown.bindings[symbol.symbol] && !follows) known.push_back(symbol.symbol);
    }
    return known;
}

// "d_ff   feed-forward width   11008" in two columns.
void draw_symbols(const Ui& ui, float width, const Counted& shown) {
    const std::vector<Symbol> known = symbols_of(shown);
    const Bindings& values = shown.bindings;
    constexpr float symbol_column = 44, between = 24;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float height = std::round(ui.px(symbol_height));
    const float column = std::floor((width - ui.px(between)) / 2);
    const std::size_t rows = std::max<std::size_t>(1, (known.size() + 1) / 2);
    for (std::size_t i = 0; i < known.size(); ++i) {
        const SymbolInfo& symbol = info(known[i]);
        const ImVec2 min(start.x + (i < rows ? 0 : column + ui.px(between)),
                         start.y + static_cast<float>(i % rows) * height);
        const ImVec2 max(min.x + column, min.y + height);
        draw_text_in(list, ui.fonts.mono_body, min, max, ui.theme.text_high, symbol.text, Align::left, true);
        draw_text_in(list, ui.fonts.body, ImVec2(min.x + ui.px(symbol_column), min.y), max, ui.theme.text_mid,
                     symbol.name);
        std::array<char, 24> text{};
        if (const auto value = values[symbol.symbol])
            std::snprintf(text.data(), text.size(), "%lld", static_cast<long long>(*value));
        draw_text_in(list, ui.fonts.mono, min, max, ui.theme.text_low, text.data(), Align::right);
    }
    place(start, ImVec2(width, static_cast<float>(rows) * height));
}

Keys line_of(const Action& action) {
    return {action.name, {action.keys.front(), action.keys.size() > 1 ? std::string_view(action.keys[1]) : ""}};
}

// The keys that do something to the diagram alone, or all others.
std::vector<Keys> keys_for(std::span<const Action> actions, bool diagram) {
    std::vector<Keys> lines;
    for (const Action& action : actions)
        if (action.in_manual && !action.keys.empty() && action.of_diagram == diagram) lines.push_back(line_of(action));
    return lines;
}

void draw_general(const Ui& ui, float width, const Views& views) {
    section_title(ui, "Everywhere");
    // The actions begin with those that go to a view, of which the first nine have a key.
    const std::size_t last = std::min(views.kinds.size(), std::size_t{9}) - 1;
    draw_keys(ui, width,
              std::array{Keys{"The views, from left to right",
                              {views.actions.front().keys.front(), views.actions[last].keys.front()}}});
    draw_keys(ui, width, keys_for(common_actions(), false));
    draw_keys(ui, width, component_keys);
    draw_gestures(ui, width, gestures);
}

// What keys do in one view alone.
void draw_views_own(const Ui& ui, float width, const Views& views) {
    for (const ViewKind& view : views.kinds) {
        if (!view.actions) continue;
        gap(ui, 14);
        section_title(ui, view.name);
        const std::vector<Action> own = view.actions();
        draw_keys(ui, width, keys_for(own, false));
    }
}

void draw_canvas_and_symbols(const Ui& ui, float width, const Views& views, const Counted& shown) {
    section_title(ui, "The diagram");
    draw_gestures(ui, width, canvas_gestures);
    draw_keys(ui, width, canvas_keys);
    draw_keys(ui, width, keys_for(common_actions(), true));
    draw_views_own(ui, width, views);
    gap(ui, 14);
    section_title(ui, "Symbols");
    draw_symbols(ui, width, shown);
}

}  // namespace

std::string words_of_keys(const Views& views) {
    std::string words;
    const auto add = [&](std::string_view text) { words += std::string(text) + "\n"; };
    for (const Action& action : views.actions) {
        add(action.name);
        for (const std::string& keys : action.keys) add(keys);
    }
    for (const std::span<const Keys> all : {std::span<const Keys>(canvas_keys), std::span<const Keys>(component_keys)})
        for (const Keys& line : all) {
            add(line.meaning);
            for (const std::string_view keys : line.keys) add(keys);
        }
    for (const std::span<const Gesture> all :
         {std::span<const Gesture>(canvas_gestures), std::span<const Gesture>(gestures)})
        for (const Gesture& gesture : all) {
            add(gesture.pointer);
            add(gesture.meaning);
        }
    for (const SymbolInfo& symbol : symbols()) add(symbol.name);
    return words;
}

void draw_keys_page(const Ui& ui, const Counted& shown, const Views& views) {
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float width = available_width();
    // Beside each other where both columns have room for their sentences.
    const bool beside = width >= ui.px(two_columns);
    const float between = std::round(ui.px(between_columns));
    const float column = beside ? std::floor((width - between) / 2) : width;
    draw_general(ui, column, views);
    const float first = ImGui::GetCursorScreenPos().y;
    if (beside)
        ImGui::SetCursorScreenPos(ImVec2(top.x + column + between, top.y));
    else
        gap(ui, 14);
    ImGui::BeginGroup();
    draw_canvas_and_symbols(ui, column, views, shown);
    ImGui::EndGroup();
    const float below = std::max(first, ImGui::GetCursorScreenPos().y);
    ImGui::SetCursorScreenPos(ImVec2(top.x, below));
    ImGui::Dummy(ImVec2(0, 0));
    ui.recorder.record("help.keys", top, ImVec2(top.x + width, below));
}

}  // namespace headcount
