// What the ask bar remembers while it is open, and the parts that it is drawn of.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/bars/panels.hpp"
#include "app/state/lessons.hpp"
#include "core/ask/ask.hpp"
#include "core/link/link_text.hpp"

namespace headcount::ask_bar {

// What was asked of what, so that an answer is worked out only when one of them is another.
struct AskedOf {
    std::string text, preset;
    Architecture architecture;
    Input input;
    PassOptions pass;

    bool operator==(const AskedOf&) const = default;
};

struct AskState {
    std::array<char, longest_link + 400> text{};  // a question, or a link with its page
    bool replace_text = false;                    // in ImGui's own copy too, which it keeps while one types
    int row = 0;                                  // the answer first, if there is one, then the matches
    bool follow = false;                          // the list scrolls to it
    AskedOf of;
    Asked asked;
    AskMemory memory;  // what was looked through while typing
    std::vector<AskMatch> rows;
    std::vector<Lesson> lessons;    // that there are, read when the bar opens
    std::vector<Intents> commands;  // what each does, as AskMatch::command counts them
};

// What can be done now, and in the same order what that is.
std::vector<AskCommand> commands_of(const AskState& bar, const Session& session, std::span<const Action> actions,
                                    float most, std::vector<Intents>& meant);

// Above the other rows, where the answer is a word that a tour shows.
void add_tour(AskState& bar, std::span<const AskCommand> commands);

// Returns whether the text is another.
bool draw_field(const Ui& ui, AskState& bar);

// How the words were understood, and which were not.
void draw_readings(const Ui& ui, const AskState& bar);

// Returns whether it was pressed.
bool draw_answer(const Ui& ui, const AskAnswer& answer, bool chosen);

// Returns the row that was pressed.
std::optional<int> draw_rows(const Ui& ui, AskState& bar);

// What the keys do.
void draw_keys(const Ui& ui, const AskState& bar);

void set_text(AskState& bar, std::string_view text);

}  // namespace headcount::ask_bar
