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
#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"

namespace headcount {
namespace {

// What the pointer does to something, or a key, or each of several keys.
struct KeyLine {
    std::string_view pointer, meaning;
    std::array<std::string_view, 5> keys = {};
};

// In the diagram alone.
constexpr std::array canvas_lines{
    KeyLine{"Point", "Lights the same thing everywhere"},
    KeyLine{"Click", "Selects it, or the slider of a factor"},
    KeyLine{"Wheel", "Nearer and farther; with Shift sideways"},
    KeyLine{"Double-click", "Goes in: block, head, matrix, cells"},
    KeyLine{"Drag", "Moves the picture"},
    KeyLine{"Right-drag", "Turns it while it is tilted"},
    KeyLine{"Right-click", "A menu of what is under it"},
    KeyLine{"", "Goes in, to what is selected first", {"Enter"}},
    KeyLine{"", "Up to the place around", {"Esc", "Backspace"}},
    KeyLine{"", "To the neighbour", {"Arrow keys"}},
};

// Done by the control that has the keyboard or the pointer, or by a tour.
constexpr std::array component_lines{
    KeyLine{"", "Next control, with Shift before; press it", {"Tab", "Space"}},
    KeyLine{"", "Step a slider down, up; type into it", {"Left", "Right", "Enter"}},
    KeyLine{"", "Choose a tour", {"Ctrl+T", "F2"}},
    KeyLine{"", "A tour on; PageUp back; Space, arrows", {"PageDown"}},
    KeyLine{"", "Presenting: black, white, dot, pen, erase", {"B", "W", "S", "I", "E"}},
    KeyLine{"Double-click a slider", "Back to the preset's value"},
};

constexpr float row_height = 21, first_column = 204, symbol_height = 23;
constexpr float two_columns = 800, between_columns = 32;  // the least width that they need

// The pointer or the keys in the first column; the meaning wraps beside it.
void draw_line(const Ui& ui, float width, const KeyLine& line) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float least = std::round(ui.px(row_height)), left = start.x + std::round(ui.px(first_column));
    const float wrap = std::max(ui.px(80), width - ui.px(first_column));
    const Font& font = ui.fonts.body;
    const char* const end = line.meaning.data() + line.meaning.size();
    const float words = font.face->CalcTextSizeA(font.size, FLT_MAX, wrap, line.meaning.data(), end).y;
    const float height = std::max(least, std::round(words + ui.px(4)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddText(font.face, font.size, ImVec2(left, text_top(font, start.y + least / 2)), ui.theme.text_mid,
                 line.meaning.data(), end, wrap);
    if (!line.pointer.empty())
        draw_text_in(list, font, start, ImVec2(start.x + ui.px(first_column), start.y + least), ui.theme.text_high,
                     line.pointer);
    float x = start.x;
    const float top = start.y + std::round((least - ui.px(size::chip)) / 2);
    for (const std::string_view keys : line.keys) {
        if (keys.empty()) continue;
        ImGui::SetCursorScreenPos(ImVec2(x, top));
        const float wide = key_caps(ui, keys);
        ui.recorder.record("help.key", keys, ImVec2(x, top), ImVec2(x + wide, top + ui.px(size::chip)));
        x += wide + ui.px(8);
    }
    place(start, ImVec2(width, height));
}

void draw_lines(const Ui& ui, float width, std::span<const KeyLine> lines) {
    for (const KeyLine& line : lines) draw_line(ui, width, line);
}

// Those that the model at hand has: a dense one has no experts.
std::vector<Symbol> symbols_of(const Counted& shown) {
    std::vector<Symbol> known;
    for (const SymbolInfo& symbol : symbols()) {
        const bool follows = symbol.symbol == Symbol::embedding_dim && !shown.architecture.embedding_dim;
        const std::optional<Field> field = field_of(symbol.symbol);
        const bool used = !field || matters(shown.architecture, *field);
        if (shown.bindings[symbol.symbol] && !follows && used) known.push_back(symbol.symbol);
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

// The keys that do something to the diagram alone, or all others.
void draw_actions(const Ui& ui, float width, std::span<const Action> actions, bool diagram) {
    for (const Action& action : actions)
        if (action.in_manual && !action.keys.empty() && action.of_diagram == diagram)
            draw_line(ui, width,
                      {"",
                       action.name,
                       {action.keys.front(), action.keys.size() > 1 ? std::string_view(action.keys[1]) : ""}});
}

void draw_general(const Ui& ui, float width, const Views& views) {
    section_title(ui, "Everywhere");
    // The actions begin with those that go to a view, of which the first nine have a key.
    const std::size_t last = std::min(views.kinds.size(), std::size_t{9}) - 1;
    draw_line(ui, width,
              {"",
               "From the first view to the last",
               {views.actions.front().keys.front(), views.actions[last].keys.front()}});
    draw_actions(ui, width, common_actions(), false);
    draw_lines(ui, width, component_lines);
}

void draw_canvas_and_symbols(const Ui& ui, float width, const Views& views, const Counted& shown) {
    section_title(ui, "The diagram");
    draw_lines(ui, width, canvas_lines);
    draw_actions(ui, width, common_actions(), true);
    for (const ViewKind& view : views.kinds) {
        const std::vector<Action> own = view.actions ? view.actions() : std::vector<Action>{};
        if (std::ranges::none_of(own, &Action::in_manual)) continue;
        gap(ui, 14);
        section_title(ui, view.name);
        draw_actions(ui, width, own, false);
    }
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
    for (const std::span<const KeyLine> lines :
         {std::span<const KeyLine>(canvas_lines), std::span<const KeyLine>(component_lines)})
        for (const KeyLine& line : lines) {
            add(line.pointer);
            add(line.meaning);
            for (const std::string_view keys : line.keys) add(keys);
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
