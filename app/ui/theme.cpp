// The two palettes, and how ImGui's own style follows them.
#include "app/ui/theme.hpp"

#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

void set_groups(Theme& theme) {
    theme.attention = theme.key, theme.feed_forward = theme.up, theme.recurrence = theme.state_gate;
}

}  // namespace

Theme dark_theme() {
    Theme t{};
    t.dark = true;
    t.canvas = rgb(0x0E1014), t.panel = rgb(0x14171C), t.raised = rgb(0x1C2027), t.hover = rgb(0x252A33);
    t.deck = rgb(0x12151A), t.field = rgb(0x1A1E24), t.line = rgb(0x23282F), t.strong_line = rgb(0x363D48);
    t.track = rgb(0x2C323B), t.knob = rgb(0xECEFF4), t.shadow = IM_COL32(0, 0, 0, 110);
    t.text_high = rgb(0xECEFF4), t.text_mid = rgb(0xAAB3C0), t.text_low = rgb(0x88929F);
    t.edge = rgb(0x5C6675), t.lit_edge = rgb(0xC9D0DA);
    t.selection = rgb(0xFFFFFF), t.selection_ink = rgb(0x0E1014);
    t.embedding = rgb(0x2A85FF);
    t.query = rgb(0xFFCA64), t.key = rgb(0xF09137), t.value = rgb(0xDC5F38), t.attention_output = rgb(0xB2493F);
    t.gate = rgb(0x86D9B5), t.up = rgb(0x36B587), t.down = rgb(0x1F8765);
    t.output_head = rgb(0xC593DB), t.norm = rgb(0x8D97A6);
    t.state_gate = rgb(0xF0B9FF), t.state_rate = rgb(0xB4875A);
    set_groups(t);
    t.kv_edge = rgb(0xF2E24B), t.kv_fill = rgb(0x2B2A16), t.activation_edge = rgb(0xB9C2CF);
    t.right = rgb(0x4CC38A), t.wrong = rgb(0xFF6B81), t.wrong_fill = rgb(0x2C1D23);
    return t;
}

Theme light_theme() {
    Theme t{};
    t.dark = false;
    t.canvas = rgb(0xF6F7F9), t.panel = rgb(0xFFFFFF), t.raised = rgb(0xF0F2F5), t.hover = rgb(0xE7EAEF);
    t.deck = rgb(0xFFFFFF), t.field = rgb(0xF6F7F9), t.line = rgb(0xE2E6EB), t.strong_line = rgb(0xC6CCD5);
    t.track = rgb(0xD9DEE5), t.knob = rgb(0x12161C), t.shadow = IM_COL32(18, 22, 28, 40);
    t.text_high = rgb(0x12161C), t.text_mid = rgb(0x454E5B), t.text_low = rgb(0x5D6776);
    t.edge = rgb(0x8F99A8), t.lit_edge = rgb(0x2B323C);
    t.selection = rgb(0x12161C), t.selection_ink = rgb(0xFFFFFF);
    t.embedding = rgb(0x1F7ACB);
    t.query = rgb(0xF0B02E), t.key = rgb(0xE07B1A), t.value = rgb(0xC8472A), t.attention_output = rgb(0x8C2F2B);
    t.gate = rgb(0x67C29C), t.up = rgb(0x189B6F), t.down = rgb(0x106B4F);
    t.output_head = rgb(0x7F2F99), t.norm = rgb(0x76808F);
    t.state_gate = rgb(0xD77DB9), t.state_rate = rgb(0x8C6946);
    set_groups(t);
    t.kv_edge = rgb(0x68620A), t.kv_fill = rgb(0xFFF4B0), t.activation_edge = rgb(0x3E4753);
    t.right = rgb(0x0F7341), t.wrong = rgb(0xC4213B), t.wrong_fill = rgb(0xFDECEE);
    return t;
}

namespace {

// The colours that change for a projector. A hue whose luminance lies between 0.1 and 0.314 carries neither black nor
// white words at 7:1, so it becomes paler or deeper, whichever keeps it apart from the others.
void make_dark_bold(Theme& t) {
    t.text_mid = rgb(0xBFC7D2), t.text_low = rgb(0xB2BBC7);
    t.embedding = rgb(0x569BFF);
    t.query = rgb(0xFFD07C), t.key = rgb(0xF5A715), t.value = rgb(0xEE7652), t.attention_output = rgb(0xA13026);
    t.down = rgb(0x21634D);
    t.output_head = rgb(0xC89FD4), t.norm = rgb(0x9199A5);
    t.state_gate = rgb(0xF0CDFF), t.state_rate = rgb(0xB9966E);
    t.right = rgb(0x58CF96), t.wrong = rgb(0xFF93A3);
}

void make_light_bold(Theme& t) {
    t.text_mid = rgb(0x3A424E), t.text_low = rgb(0x424B58);
    t.embedding = rgb(0x064268);
    t.query = rgb(0xF7B630), t.key = rgb(0xE28328), t.value = rgb(0xA1321B), t.attention_output = rgb(0x722B25);
    t.gate = rgb(0x73CCA2), t.up = rgb(0x46A989), t.down = rgb(0x0C6447);
    t.output_head = rgb(0x8334A3), t.norm = rgb(0x515862);
    t.state_gate = rgb(0x4B0F3C), t.state_rate = rgb(0x503700);
    t.kv_edge = rgb(0x514C00);
    t.right = rgb(0x07532D), t.wrong = rgb(0x96102A);
}

}  // namespace

Theme presenter_theme(Theme theme) {
    theme.least_contrast = 7;
    theme.dark ? make_dark_bold(theme) : make_light_bold(theme);
    set_groups(theme);
    return theme;
}

ImU32 edge_of(const Theme& theme, ImU32 fill) {
    // 3:1 is what the accessibility guidelines ask of a shape against what is behind it.
    if (contrast(fill, theme.panel) >= 3) return fill;
    return mix(fill, theme.text_high, 0.4F);
}

ImU32 readable(const Theme& theme, ImU32 hue) {
    ImU32 colour = hue | IM_COL32_A_MASK;
    for (int step = 0; step < 12 && contrast(colour, theme.hover) < theme.least_contrast; ++step)
        colour = mix(colour, theme.text_high, 0.12F);
    return colour;
}

ImU32 writable(const Theme& theme, ImU32 fill) {
    const ImU32 away = text_on(fill) == rgb(0xFFFFFF) ? rgb(0x000000) : rgb(0xFFFFFF);
    for (int step = 0; step < 12 && contrast(text_on(fill), fill) < theme.least_contrast; ++step)
        fill = mix(fill, away, 0.06F);
    return fill;
}

ImU32 group_tint(const Theme& theme) { return with_alpha(theme.selection, 0.04F); }
ImU32 hover_tint(const Theme& theme) { return with_alpha(theme.selection, 0.05F); }
ImU32 selected_tint(const Theme& theme) { return with_alpha(theme.selection, 0.07F); }

namespace {

void apply_colours(const Theme& theme, ImGuiStyle& style) {
    const auto set = [&](ImGuiCol which, ImU32 colour) {
        style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour);
    };
    for (int which = 0; which < ImGuiCol_COUNT; ++which) set(which, theme.hover);
    const ImU32 nothing = with_alpha(theme.panel, 0);
    set(ImGuiCol_Text, theme.text_high);
    set(ImGuiCol_TextDisabled, theme.text_low);
    set(ImGuiCol_WindowBg, theme.panel);
    set(ImGuiCol_ChildBg, nothing);
    set(ImGuiCol_PopupBg, theme.dark ? theme.raised : theme.panel);
    set(ImGuiCol_Border, theme.strong_line);
    set(ImGuiCol_BorderShadow, nothing);
    set(ImGuiCol_FrameBg, theme.field);
    set(ImGuiCol_TitleBg, theme.raised);
    set(ImGuiCol_TitleBgCollapsed, theme.raised);
    set(ImGuiCol_MenuBarBg, theme.panel);
    set(ImGuiCol_ScrollbarBg, nothing);
    set(ImGuiCol_ScrollbarGrab, theme.strong_line);
    set(ImGuiCol_ScrollbarGrabHovered, theme.edge);
    set(ImGuiCol_ScrollbarGrabActive, theme.edge);
    set(ImGuiCol_CheckMark, theme.text_high);
    set(ImGuiCol_Button, theme.raised);
    set(ImGuiCol_Separator, theme.line);
    set(ImGuiCol_TextSelectedBg, with_alpha(theme.embedding, 0.35F));
    set(ImGuiCol_ModalWindowDimBg, with_alpha(theme.canvas, 0.7F));
    set(compat::nav_colour(), nothing);  // the components draw their own ring
}

}  // namespace

void apply_style(const Theme& theme, float scale) {
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = ImVec2(size::panel_padding, size::panel_padding);
    style.FramePadding = ImVec2(8, 4);
    style.ItemSpacing = ImVec2(8, 0);
    style.ItemInnerSpacing = ImVec2(8, 4);
    style.ScrollbarSize = 9;
    style.WindowRounding = 0;
    style.ChildRounding = 0;
    style.PopupRounding = size::radius_card;
    style.FrameRounding = size::radius_field;
    style.GrabRounding = size::radius_field;
    style.ScrollbarRounding = size::radius_field;
    style.TabRounding = size::radius_field;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.ScaleAllSizes(scale);
    style.PopupBorderSize = 1;
    style.WindowMinSize = ImVec2(1, 1);  // below 1 ImGui ends the program
    apply_colours(theme, style);
}

}  // namespace headcount
