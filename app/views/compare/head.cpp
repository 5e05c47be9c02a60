// The heads of the two diagrams: name, exact total, and a chip for each field.
#include <algorithm>
#include <cmath>

#include "app/parts/field_form.hpp"
#include "app/parts/part_colours.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/compare/panels.hpp"
#include "core/arch/matters.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float title_height = 24, chip_height = 24, between_chips = 16, underline = 2, more_width = 34;

// Shown whether they differ or not; another field only where it does.
constexpr std::array always{Field::dim,     Field::layers,  Field::heads, Field::kv_heads,
                            Field::ffn_dim, Field::experts, Field::vocab, Field::context};

struct FieldChip {
    Field field;
    std::string_view symbol;  // with scripts; a field without one has its label
    std::string value;
    bool changed = false;
    ImU32 hue = 0;

    bool mono() const { return info(field).symbol.has_value(); }
};

FieldChip chip_of(const Ui& ui, const Architecture& arch, const Bindings& values, Field field, bool changed) {
    const FieldInfo& about = info(field);
    const std::optional<std::int64_t> number =
        about.kind == FieldKind::number && matters(arch, field) ? number_in(arch, values, field) : std::nullopt;
    FieldChip chip{field, about.symbol ? info(*about.symbol).text : about.label, "", changed, 0};
    chip.value = number ? std::to_string(*number) : field_words(arch, field);
    chip.hue = about.symbol ? symbol_colour(ui.theme, *about.symbol) : 0;
    return chip;
}

std::vector<FieldChip> chips_of(const Ui& ui, const BothSides& both, CompareSide side) {
    const std::vector<Field> changed = changed_fields(both.own.document.architecture, both.other.document.architecture);
    const auto differs = [&](Field field) { return contains(changed, field); };
    const Document& document = both.of(side).document;
    const Bindings values = bindings(document.architecture, document.input);
    std::vector<FieldChip> chips;
    for (const Field field : always) {
        const auto has = [&](const Shown& of) {
            return matters(of.document.architecture, field) && field_number(of.document.architecture, field);
        };
        if (has(both.own) || has(both.other))
            chips.push_back(chip_of(ui, document.architecture, values, field, differs(field)));
    }
    for (const Field field : changed)
        if (std::ranges::count(always, field) == 0)
            chips.push_back(chip_of(ui, document.architecture, values, field, true));
    return chips;
}

float chip_extent(const Ui& ui, const FieldChip& chip) {
    const Font& name = chip.mono() ? ui.fonts.mono : ui.fonts.table;
    const Font& value = chip.changed ? ui.fonts.mono_medium : ui.fonts.mono;
    return std::round(symbol_width(name, chip.symbol) + ui.px(6) + text_width(value, chip.value));
}

// The chips of one side with the room that each has on both, so that they stand below each other's.
struct ChipRow {
    std::vector<FieldChip> chips;
    std::vector<float> extents;
    std::vector<FieldChip> left_out;  // those that have no room

    float width(float between) const {
        float sum = -between;
        for (const float extent : extents) sum += extent + between;
        return sum;
    }
};

// What has no room gives way from the right, but those that differ last of all.
ChipRow fitting(const Ui& ui, const BothSides& both, CompareSide side, float room) {
    ChipRow row{chips_of(ui, both, side), {}};
    const std::vector<FieldChip> across = chips_of(ui, both, other_than(side));
    for (std::size_t i = 0; i < row.chips.size(); ++i)
        row.extents.push_back(std::max(chip_extent(ui, row.chips[i]), chip_extent(ui, across[i])));
    const float between = std::round(ui.px(between_chips));
    const auto needed = [&] { return row.width(between) + (row.left_out.empty() ? 0 : ui.px(more_width)); };
    while (row.chips.size() > 1 && needed() > room) {
        std::size_t gone = row.chips.size() - 1;
        for (std::size_t i = 0; i < row.chips.size(); ++i)
            if (!row.chips[i].changed) gone = i;
        row.left_out.insert(row.left_out.begin(), std::move(row.chips[gone]));
        row.chips.erase(row.chips.begin() + static_cast<std::ptrdiff_t>(gone));
        row.extents.erase(row.extents.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    std::stable_partition(row.left_out.begin(), row.left_out.end(), [](const FieldChip& chip) { return chip.changed; });
    return row;
}

void draw_chip(const Ui& ui, const Look& look, const FieldChip& chip, CompareSide side, ImVec2 min, float width,
               Intents& intents) {
    const FieldInfo& about = info(chip.field);
    const std::string name = std::string("compare.") + side_key(side) + ".field." + std::string(about.key);
    const ImVec2 max(min.x + width, min.y + std::round(ui.px(chip_height)));
    ui.recorder.record(name, min, max);
    const ImVec2 reach(ui.px(5), 0);
    const IdScope scope(name);
    const Press press = press_area(ui, "chip", min - reach, max + reach, size::radius_field);
    const bool lit = look.hover == Subject(chip.field) || look.selection == Subject(chip.field);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (press.hovered || lit)
        list.AddRectFilled(min - reach, max + reach, hover_tint(ui.theme), ui.px(size::radius_field));
    const Font& named = chip.mono() ? ui.fonts.mono : ui.fonts.table;
    const Font& value = chip.changed ? ui.fonts.mono_medium : ui.fonts.mono;
    const float centre = std::round((min.y + max.y) / 2) - ui.px(1);
    const float end = draw_symbol(list, named, ImVec2(min.x, text_top(named, centre)),
                                  chip.changed ? ui.theme.text_mid : ui.theme.text_low, chip.symbol);
    const About hidden(subject_key(chip.field));
    draw_text(list, value, ImVec2(min.x + end + ui.px(6), text_top(value, centre)),
              chip.changed ? ui.theme.text_high : ui.theme.text_low, chip.value);
    if (chip.changed)
        list.AddRectFilled(ImVec2(min.x, max.y - std::round(ui.px(underline))), max,
                           chip.hue ? chip.hue : ui.theme.text_mid);
    if (press.hovered) {
        intents.push_back(Hover{chip.field});
        const std::string title = std::string(about.label) + ": " + chip.value;
        show_tooltip(ui,
                     {title, {}, {}, chip.changed ? "Press to edit it, or to copy it across." : "Press to edit it."});
    }
    if (press.pressed) open_compare_editor(ui, side, chip.field, ImVec2(min.x, max.y + ui.px(4)));
}

void draw_row_of_more(const Ui& ui, const FieldChip& chip, const std::string& name, ImVec2 extent, bool& pressed) {
    const IdScope scope(name);
    const ImVec2 min = ImGui::GetCursorScreenPos(), max = min + extent, inset(ui.px(6), 0);
    ui.recorder.record(name, min, max);
    const Press press = press_area(ui, "row", min, max, size::radius_field);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (press.hovered) list.AddRectFilled(min, max, hover_tint(ui.theme), ui.px(size::radius_field));
    draw_text_in(list, ui.fonts.table, min + inset, max - inset, ui.theme.text_mid, info(chip.field).label);
    draw_text_in(list, chip.changed ? ui.fonts.mono_medium : ui.fonts.mono, min + inset, max - inset,
                 chip.changed ? ui.theme.text_high : ui.theme.text_low, chip.value, Align::right);
    place(min, extent);
    pressed = press.pressed;
}

// What "+11" opens: the fields that have no room, those that differ first; each opens its editor.
void draw_list_of_more(const Ui& ui, const std::vector<FieldChip>& fields, CompareSide side, ImVec2 below) {
    float wide = 0;
    for (const FieldChip& chip : fields)
        wide = std::max(wide, text_width(ui.fonts.table, info(chip.field).label) + ui.px(36) +
                                  text_width(ui.fonts.mono_medium, chip.value));
    const ImVec2 extent(std::round(wide), std::round(ui.px(chip_height))), screen = ImGui::GetIO().DisplaySize;
    const ImVec2 at(std::max(1.0F, std::min(below.x, screen.x - extent.x - ui.px(24))), below.y);
    ImGui::SetNextWindowPos(at, ImGuiCond_Always);
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, std::max(ui.px(100), screen.y - at.y - ui.px(12))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(6), ui.px(6)));
    if (ImGui::BeginPopup("more", ImGuiWindowFlags_NoMove)) {
        const std::string name = std::string("compare.") + side_key(side) + ".more.";
        for (const FieldChip& chip : fields) {
            bool pressed = false;
            draw_row_of_more(ui, chip, name + std::string(info(chip.field).key), extent, pressed);
            if (!pressed) continue;
            open_compare_editor(ui, side, chip.field, at);
            ImGui::CloseCurrentPopup();
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void draw_more(const Ui& ui, const std::vector<FieldChip>& fields, CompareSide side, ImVec2 top_right) {
    const std::string words = "+" + std::to_string(fields.size());
    const ImVec2 min(top_right.x - text_width(ui.fonts.mono, words), top_right.y);
    const ImVec2 max(top_right.x, top_right.y + std::round(ui.px(chip_height))), reach(ui.px(5), 0);
    const std::string name = std::string("compare.") + side_key(side) + ".more";
    ui.recorder.record(name, min, max);
    const IdScope scope(name);
    const Press press = press_area(ui, "chip", min - reach, max, size::radius_field);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (press.hovered) list.AddRectFilled(min - reach, max, hover_tint(ui.theme), ui.px(size::radius_field));
    draw_text_in(list, ui.fonts.mono, min, ImVec2(max.x, max.y - ui.px(underline)), ui.theme.text_mid, words,
                 Align::right);
    if (press.hovered) show_tooltip(ui, {words.substr(1) + " more fields", {}, {}, "Press for a list of them."});
    if (press.pressed) ImGui::OpenPopup("more");
    draw_list_of_more(ui, fields, side, ImVec2(min.x - reach.x, max.y + ui.px(4)));
}

void draw_chips(const Ui& ui, const BothSides& both, CompareSide side, ImVec2 start, float width, Intents& intents) {
    const ChipRow row = fitting(ui, both, side, width);
    float x = start.x;
    for (std::size_t i = 0; i < row.chips.size(); ++i) {
        const float extent = std::min(chip_extent(ui, row.chips[i]), width);
        draw_chip(ui, both.own.look, row.chips[i], side, ImVec2(x, start.y), extent, intents);
        x += row.extents[i] + std::round(ui.px(between_chips));
    }
    if (!row.left_out.empty()) draw_more(ui, row.left_out, side, ImVec2(start.x + width, start.y));
}

void draw_pin(const Ui& ui, ImVec2 top_left, Intents& intents) {
    IconButtonOptions options;
    options.side = size::small_button;
    ImGui::SetCursorScreenPos(top_left);
    if (icon_button(ui, "compare.pin", Icon::pin, "Pin A as it is now: compare further edits with it", options))
        intents.push_back(AtCompare{PinThis{}});
}

}  // namespace

Intents draw_compare_head(const Ui& ui, const BothSides& both, CompareSide side) {
    Intents intents;
    const Shown& of = both.of(side);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = std::round(ui.px(title_height));
    const ImVec2 end(start.x + width, start.y + line);
    const float middle = std::round((start.y + end.y) / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string total = total_text(of.derived);
    const float total_width = text_width(ui.fonts.mono_result, total);
    const bool current = of.derived.current;
    const std::string name = std::string("compare.") + side_key(side);
    const bool pins = side == CompareSide::a && both.own.document.architecture != both.other.document.architecture;
    const float pin = std::round(ui.px(size::small_button)), room = width - total_width - ui.px(12);
    const float title_end = draw_text(list, ui.fonts.title, ImVec2(start.x, text_top(ui.fonts.title, middle)),
                                      ui.theme.text_high, title_of(of.document), room - (pins ? pin + ui.px(6) : 0));
    if (pins) draw_pin(ui, ImVec2(start.x + title_end + ui.px(6), middle - pin / 2), intents);
    {
        const About about(total_key);
        draw_text_in(list, ui.fonts.mono_result, start, end, current ? ui.theme.text_high : ui.theme.text_low, total,
                     Align::right);
        const ImVec2 total_min(end.x - total_width, start.y);
        ui.recorder.record(name + ".total", total_min, end);
        if (ImGui::IsMouseHoveringRect(total_min, end)) {
            intents.push_back(Hover{TotalSubject{}});
            if (!current) show_tooltip(ui, {total, {}, {}, "Before the last edit, which makes no possible model."});
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
                const std::string exact = grouped(of.derived.shown.parameters.total);
                intents.push_back(Copy{exact, exact});
            }
        }
    }
    draw_chips(ui, both, side, ImVec2(start.x, end.y + std::round(ui.px(4))), width, intents);
    place(start, ImVec2(width, line + std::round(ui.px(4 + chip_height))));
    Intents edits = draw_compare_editor(ui, both, side);
    intents.insert(intents.end(), edits.begin(), edits.end());
    return intents;
}

}  // namespace headcount
