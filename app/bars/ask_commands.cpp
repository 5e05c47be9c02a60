// What the ask bar can do: the actions that there are, and the lessons by their titles.
#include "app/bars/ask_bar_parts.hpp"

namespace headcount::ask_bar {

std::vector<AskCommand> commands_of(const AskState& bar, const Session& session, std::span<const Action> actions,
                                    float most, std::vector<Intents>& meant) {
    std::vector<AskCommand> commands;
    meant.clear();
    for (const Action& action : actions) {
        if (!action.in_ask_bar) continue;
        const std::optional<Intent> does = action.does(session, most);
        if (!does) continue;
        commands.push_back({action.keys.empty() ? std::string_view() : action.keys.front(), action.name, action.id});
        meant.push_back({*does});
    }
    for (const Lesson& lesson : bar.lessons) {
        commands.push_back({"", lesson.title, lesson.id});
        meant.push_back(lesson.starts);
    }
    return commands;
}

void add_tour(AskState& bar, std::span<const AskCommand> commands) {
    if (!bar.asked.answer || bar.asked.answer->tour.empty()) return;
    for (std::size_t i = 0; i < commands.size(); ++i)
        if (commands[i].id == "tour." + bar.asked.answer->tour) {
            std::erase_if(bar.rows, [&](const AskMatch& each) {
                return each.kind == AskMatch::Kind::command && each.command == i;  // found by its name too
            });
            bar.rows.insert(bar.rows.begin(), {.kind = AskMatch::Kind::command,
                                               .id = "",
                                               .title = std::string(commands[i].meaning),
                                               .detail = "",
                                               .command = i,
                                               .preset = "",
                                               .place = ""});
        }
}

}  // namespace headcount::ask_bar
