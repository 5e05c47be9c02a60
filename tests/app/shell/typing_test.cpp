// Claims about what fields hold after somebody has typed faster than frames come.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "app/shell/input_queue.hpp"
#include "app/ui/text_field.hpp"
#include "tests/support/screen.hpp"

namespace headcount {
namespace {

constexpr int enter = 257, tab = 258, backspace = 259, shift = 340;
constexpr std::size_t fields = 4;

// Fields one below the other, and the queue that their keys come through.
class TypingDesk {
  public:
    void type(char character) {
        queue_.push(KeyEvent{.key = character, .action = 1});
        queue_.push(TextEvent{static_cast<unsigned>(character)});
        queue_.push(KeyEvent{.key = character});
    }
    void stroke(int key, bool with_shift = false) {
        const int mods = with_shift ? 1 : 0;
        if (with_shift) queue_.push(KeyEvent{.key = shift, .action = 1});
        queue_.push(KeyEvent{.key = key, .action = 1, .mods = mods});
        queue_.push(KeyEvent{.key = key, .mods = mods});
        if (with_shift) queue_.push(KeyEvent{.key = shift});
    }
    void frame() {
        for (const InputEvent& event : queue_.take(compat::keyboard_owner(), false)) hand_on(event);
        screen_.frame([this](const Ui& ui) {
            for (std::size_t i = 0; i < fields; ++i)
                if (const auto result = text_field(ui, std::to_string(i), {.text = held[i], .extent = ImVec2(250, 30)});
                    result.edited)
                    held[i] = *result.edited;
        });
    }
    void rest() {
        for (int i = 0; i < 20 || queue_.waiting(); ++i) frame();
    }

    std::array<std::string, fields> held;

  private:
    void hand_on(const InputEvent& event) {
        if (const auto* const text = std::get_if<TextEvent>(&event))
            return ImGui::GetIO().AddInputCharacter(text->character);
        const KeyEvent key = std::get<KeyEvent>(event);
        const bool down = key.action != 0;
        if (key.key == shift) screen_.hands.shift(down);
        if (key.key == tab) screen_.hands.key(ImGuiKey_Tab, down);
        if (key.key == enter) screen_.hands.key(ImGuiKey_Enter, down);
        if (key.key == backspace) screen_.hands.key(ImGuiKey_Backspace, down);
    }

    test::Screen screen_;
    InputQueue queue_;
};

// What a patient person would have got: a field that is come to by Tab has all of its text selected.
struct Expected {
    std::array<std::string, fields> held;
    std::size_t at = 0;
    bool selected = true;

    void type(char character) {
        if (std::exchange(selected, false)) held[at].clear();
        held[at] += character;
    }
    void take_back() {
        if (std::exchange(selected, false))
            held[at].clear();
        else if (!held[at].empty())
            held[at].pop_back();
    }
    void go(std::size_t steps) {
        at = (at + steps) % fields;
        selected = true;
    }
};

class Typing : public testing::TestWithParam<int> {};

TEST_P(Typing, EveryKeyArrivesInOrderHoweverManyComeInAFrame) {
    for (unsigned seed = 1; seed <= 25; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto up_to = [&](unsigned most) { return random() % (most + 1); };
        TypingDesk desk;
        Expected expected;
        desk.rest();
        desk.stroke(tab);
        for (int i = 0; i < 60; ++i) {
            const unsigned what = up_to(9);
            if (what < 6) {
                const char character = static_cast<char>('0' + up_to(9));
                desk.type(character);
                expected.type(character);
            } else if (what == 6) {
                desk.stroke(backspace);
                expected.take_back();
            } else {
                if (what == 9) desk.stroke(enter);
                desk.stroke(tab, what == 8);
                expected.go(what == 8 ? fields - 1 : 1);
            }
            if (GetParam() > 0 && up_to(static_cast<unsigned>(GetParam())) == 0)
                for (unsigned frames = up_to(5); frames-- > 0;) desk.frame();
        }
        desk.rest();
        EXPECT_EQ(desk.held, expected.held);
    }
}

// Keys between two frames: none of them, about one, about five; 0 is all at once.
INSTANTIATE_TEST_SUITE_P(Paces, Typing, testing::Values(0, 1, 5));

}  // namespace
}  // namespace headcount
