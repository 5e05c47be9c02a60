// What differs between Dear ImGui 1.86 and the newest, and the few internals that the components need. Nothing else
// in the program but app/ui/imgui_drawing.hpp asks for ImGui's version.
#pragma once

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <string_view>
#include <vector>

namespace headcount::compat {

inline bool key_pressed(ImGuiKey key, bool repeat = true) {
#if IMGUI_VERSION_NUM >= 18700
    return ImGui::IsKeyPressed(key, repeat);
#else
    const int index = ImGui::GetKeyIndex(key);
    return index >= 0 && ImGui::IsKeyPressed(index, repeat);
#endif
}

// An area that can be pressed and reached by keys in every version, without ImGui's layout around it.
inline bool press(ImGuiID id, ImVec2 min, ImVec2 max, bool& hovered, bool& held) {
    hovered = held = false;
    if (ImGui::GetCurrentWindow()->SkipItems) return false;
    const ImRect box(min, max);
    if (!ImGui::ItemAdd(box, id)) return false;
    const bool pressed = ImGui::ButtonBehavior(box, id, &hovered, &held);
    // ImGui also calls an item hovered that has the keyboard's focus.
    hovered = hovered && ImGui::GetCurrentContext()->HoveredId == id;
    return pressed;
}

// An item that does nothing but can be reached by keys.
inline void idle_item(ImGuiID id, ImVec2 min, ImVec2 max) {
    if (!ImGui::GetCurrentWindow()->SkipItems) ImGui::ItemAdd(ImRect(min, max), id);
}

inline bool has_focus(ImGuiID id) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return context.NavId == id || context.ActiveId == id;
}

inline bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
    return key_pressed(ImGuiKey_Enter, false) || key_pressed(ImGuiKey_KeypadEnter, false);
#else
    return key_pressed(ImGuiKey_Enter, false) || key_pressed(ImGuiKey_KeyPadEnter, false);
#endif
}

// Before 1.87, Enter did not press a button; afterwards ImGui does it.
inline bool enter_presses() {
#if IMGUI_VERSION_NUM >= 18700
    return false;
#else
    return enter_pressed();
#endif
}

// A child region; `joined` lets the arrow keys cross its border.
inline bool begin_child(const char* id, ImVec2 area, bool padded, bool joined, ImGuiWindowFlags flags) {
#if IMGUI_VERSION_NUM >= 19090
    const ImGuiChildFlags child =
        (padded ? ImGuiChildFlags_AlwaysUseWindowPadding : 0) | (joined ? ImGuiChildFlags_NavFlattened : 0);
    return ImGui::BeginChild(id, area, child, flags);
#elif IMGUI_VERSION_NUM >= 19000
    return ImGui::BeginChild(id, area, padded ? ImGuiChildFlags_AlwaysUseWindowPadding : 0,
                             flags | (joined ? ImGuiWindowFlags_NavFlattened : 0));
#else
    return ImGui::BeginChild(
        id, area, false,
        flags | (padded ? ImGuiWindowFlags_AlwaysUseWindowPadding : 0) | (joined ? ImGuiWindowFlags_NavFlattened : 0));
#endif
}

// The arrow key that was pressed belongs to the component that has the focus: do not move the focus with it.
inline void keep_focus() { ImGui::NavMoveRequestCancel(); }

inline ImGuiID focused_item() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return context.ActiveId != 0 ? context.ActiveId : context.NavId;
}

// Gives the keyboard's focus to an item of the current window and shows it.
inline void focus(ImGuiID id) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGui::FocusWindow(context.CurrentWindow);
    ImGui::SetFocusID(id, context.CurrentWindow);
#if IMGUI_VERSION_NUM >= 19140
    context.NavCursorVisible = true;
    ImGui::GetIO().NavVisible = true;
    context.NavHighlightItemUnderNav = true;
#else
    context.NavDisableHighlight = false;
    context.NavDisableMouseHover = true;
    ImGui::GetIO().NavVisible = true;
#endif
}

// Takes room from the right of what the window's content may use (gives it back where negative).
inline void narrow_content(float pixels) {
    ImGuiWindow* const window = ImGui::GetCurrentWindow();
    window->ContentRegionRect.Max.x -= pixels;
    window->WorkRect.Max.x -= pixels;
}

// Of the current window, where it shows one; else 0.
inline float scrollbar_width() { return ImGui::GetCurrentWindow()->ScrollbarSizes.x; }

inline void release_active_item() { ImGui::ClearActiveID(); }

inline ImGuiCol nav_colour() {
#if IMGUI_VERSION_NUM >= 19140
    return ImGuiCol_NavCursor;
#else
    return ImGuiCol_NavHighlight;
#endif
}

// Before 1.87 a letter is named by its place on the keyboard, not by what the layout makes of it.
inline constexpr bool raw_keys = IMGUI_VERSION_NUM < 18700;

struct Modifiers {
    bool ctrl = false, shift = false, alt = false, super = false;
};

// Lets the window's back end tell ImGui of a key, with the modifiers that it came with. From 1.87 on the back end asks
// the window for them, which for a key that has waited are those of later: what it says of them is taken back.
template <class Tell>
void tell_key(const Modifiers& with, Tell tell) {
#if IMGUI_VERSION_NUM >= 18900
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, with.ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, with.shift);
    io.AddKeyEvent(ImGuiMod_Alt, with.alt);
    io.AddKeyEvent(ImGuiMod_Super, with.super);
    auto& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    const int first = queue.Size;
    tell();
    for (int i = queue.Size; i-- > first;)
        if (queue[i].Type == ImGuiInputEventType_Key && (queue[i].Key.Key & ImGuiMod_Mask_) != 0)
            queue.erase(&queue[i]);
#else
    (void)with;
    tell();
#endif
}

// Before 1.87 keys have the numbers of the window's library; without a window they get those of GLFW here.
inline void number_keys() {
#if IMGUI_VERSION_NUM < 18700
    constexpr int glfw[][2] = {
        {ImGuiKey_Tab, 258},       {ImGuiKey_LeftArrow, 263}, {ImGuiKey_RightArrow, 262}, {ImGuiKey_UpArrow, 265},
        {ImGuiKey_DownArrow, 264}, {ImGuiKey_PageUp, 266},    {ImGuiKey_PageDown, 267},   {ImGuiKey_Home, 268},
        {ImGuiKey_End, 269},       {ImGuiKey_Insert, 260},    {ImGuiKey_Delete, 261},     {ImGuiKey_Backspace, 259},
        {ImGuiKey_Space, ' '},     {ImGuiKey_Enter, 257},     {ImGuiKey_Escape, 256},     {ImGuiKey_KeyPadEnter, 335},
        {ImGuiKey_A, 'A'},         {ImGuiKey_C, 'C'},         {ImGuiKey_V, 'V'},          {ImGuiKey_X, 'X'},
        {ImGuiKey_Y, 'Y'},         {ImGuiKey_Z, 'Z'}};
    for (const auto& [key, number] : glfw) ImGui::GetIO().KeyMap[key] = number;
#endif
}

// A letter, a digit, "+", "-", "F1", "F2" or "F5". Before 1.87 keys have the numbers of the window's library, which is
// GLFW.
inline bool named_key_pressed(std::string_view name, bool repeat) {
    assert(name.size() == 1 || name == "F1" || name == "F2" || name == "F5");
    const char key = name.front();
    const bool digit = key >= '0' && key <= '9';
#if IMGUI_VERSION_NUM >= 18700
    const auto pressed = [repeat](int each) { return ImGui::IsKeyPressed(static_cast<ImGuiKey>(each), repeat); };
    if (name == "F1") return pressed(ImGuiKey_F1);
    if (name == "F2") return pressed(ImGuiKey_F2);
    if (name == "F5") return pressed(ImGuiKey_F5);
    if (key == '+') return pressed(ImGuiKey_Equal) || pressed(ImGuiKey_KeypadAdd);
    if (key == '-') return pressed(ImGuiKey_Minus) || pressed(ImGuiKey_KeypadSubtract);
    if (digit) return pressed(ImGuiKey_0 + (key - '0')) || pressed(ImGuiKey_Keypad0 + (key - '0'));
    return pressed(ImGuiKey_A + (key - 'A'));
#else
    const auto pressed = [repeat](int each) { return ImGui::IsKeyPressed(each, repeat); };
    constexpr int f1 = 290, f2 = 291, f5 = 294, equal = '=', keypad_0 = 320, keypad_subtract = 333, keypad_add = 334;
    if (name == "F1") return pressed(f1);
    if (name == "F2") return pressed(f2);
    if (name == "F5") return pressed(f5);
    if (key == '+') return pressed(equal) || pressed(keypad_add);
    if (key == '-') return pressed(key) || pressed(keypad_subtract);
    constexpr ImGuiKey known[] = {ImGuiKey_A, ImGuiKey_C, ImGuiKey_V, ImGuiKey_X, ImGuiKey_Y, ImGuiKey_Z};
    constexpr std::string_view letters = "ACVXYZ";
    if (const std::size_t at = letters.find(key); at != letters.npos) return key_pressed(known[at], repeat);
    return pressed(key) || (digit && pressed(keypad_0 + (key - '0')));
#endif
}

// Whether a menu is open, or was when this frame began: Escape closes it before anybody can ask.
inline bool popup_is_or_was_open() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
        if ((window->Flags & ImGuiWindowFlags_Popup) && !(window->Flags & ImGuiWindowFlags_Tooltip) &&
            window->WasActive)
            return true;
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// In a text field's callback: another text, and the cursor at this byte of it. Before 1.87 the field's own undo does
// not know what a callback changes, and would reach beyond the text: it begins anew.
inline void replace_text(ImGuiInputTextCallbackData& data, std::string_view text, std::size_t cursor) {
    data.DeleteChars(0, data.BufTextLen);
    data.InsertChars(0, text.data(), text.data() + text.size());
    data.CursorPos = data.SelectionStart = data.SelectionEnd = static_cast<int>(cursor);
#if IMGUI_VERSION_NUM < 18700
    auto& undo = ImGui::GetCurrentContext()->InputTextState.Stb.undostate;
    undo.undo_point = 0;
    undo.undo_char_point = 0;
    undo.redo_point = STB_TEXTEDIT_UNDOSTATECOUNT;
    undo.redo_char_point = STB_TEXTEDIT_UNDOCHARCOUNT;
#endif
}

// Before the text field `label`, which is not entered yet. Before 1.88 one that is entered again undoes what was typed
// into it then, and reaches beyond its text where that has become another.
inline void forget_other_text(const char* label, std::string_view text) {
#if IMGUI_VERSION_NUM < 18800
    ImGuiInputTextState& last = ImGui::GetCurrentContext()->InputTextState;
    const ImGuiID id = ImGui::GetID(label);
    if (last.ID != id || ImGui::GetActiveID() == id) return;
    std::vector<ImWchar> now(text.size() + 1);
    const char* const end = text.data() + text.size();
    const int length = ImTextStrFromUtf8(now.data(), static_cast<int>(now.size()), text.data(), end);
    if (length != last.CurLenW || !std::equal(now.begin(), now.begin() + length, last.TextW.begin())) last.ID = 0;
#else
    (void)label, (void)text;
#endif
}

// Where the pointer is (far away where it is not over the window) and what of it is down.
struct Pointer {
    ImVec2 position{-FLT_MAX, -FLT_MAX};
    std::array<bool, ImGuiMouseButton_COUNT> down{};
};

// After the back end's NewFrame and before ImGui's: before 1.87 the back end asks the window for both, which by then
// may be those of a later press.
inline void tell_pointer(const Pointer& pointer) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(pointer.position.x, pointer.position.y);
    for (int i = 0; i < ImGuiMouseButton_COUNT; ++i) io.AddMouseButtonEvent(i, pointer.down[static_cast<unsigned>(i)]);
#else
    io.MousePos = pointer.position;
    std::copy(pointer.down.begin(), pointer.down.end(), io.MouseDown);
#endif
}

// In the same place: ImGui takes two presses for a double click by the time between frames. `before`: how long ago the
// button's last press was.
inline void tell_last_press(int button, double before) {
    ImGuiIO& io = ImGui::GetIO();
    io.MouseClickedTime[button] = ImGui::GetTime() + static_cast<double>(io.DeltaTime) - before;
}

inline void tell_wheel(float across, float down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddMouseWheelEvent(across, down);
#else
    io.MouseWheelH += across;
    io.MouseWheel += down;
#endif
}

// What has the keyboard after the last frame, and whether that is a field.
struct KeyboardOwner {
    ImGuiID active = 0, focused = 0;
    const ImGuiWindow* window = nullptr;
    int popups = 0;
    bool writes = false;

    bool operator==(const KeyboardOwner&) const = default;
};

inline KeyboardOwner keyboard_owner() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    return {.active = context.ActiveId,
            .focused = context.NavId,
            .window = context.NavWindow,
            .popups = context.OpenPopupStack.Size,
            .writes = context.WantTextInputNextFrame == 1};
}

// Whether events wait for the next frame.
inline bool input_waits() {
#if IMGUI_VERSION_NUM >= 18700
    return ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
#else
    return false;
#endif
}

// Before NewFrame: lets time pass in which nothing was drawn; yet an animation that starts now starts at its beginning.
inline void pass_time(double seconds) { ImGui::GetCurrentContext()->Time += seconds; }

inline bool any_key_down() {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || io.KeyShift || io.KeyAlt || io.KeySuper) return true;
#if IMGUI_VERSION_NUM >= 18700
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_MouseLeft; ++key)
        if (ImGui::IsKeyDown(static_cast<ImGuiKey>(key))) return true;
#else
    for (const bool down : io.KeysDown)
        if (down) return true;
#endif
    return false;
}

inline ImGuiWindow* current_window() { return ImGui::GetCurrentWindow(); }

// Instead of Begin and End: the window and those inside it are part of this frame as they were drawn in the one before.
inline void keep_window(ImGuiWindow* window) {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    window->Active = true;
    window->LastFrameActive = context.FrameCount;
    window->LastTimeActive = static_cast<float>(context.Time);
    for (ImGuiWindow* child : window->DC.ChildWindows) keep_window(child);
}

// Nothing has the keyboard, as at the start.
inline void drop_focus() {
    ImGui::FocusWindow(nullptr);
    ImGuiContext& context = *ImGui::GetCurrentContext();
    context.NavId = 0;
#if IMGUI_VERSION_NUM >= 19140
    context.NavCursorVisible = false;
#else
    context.NavDisableHighlight = true;
#endif
}

}  // namespace headcount::compat
