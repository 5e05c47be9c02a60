// Opens the windows of the Worksheet view and calls its panels; and what the report for tests has of it.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/parts/explore_layout.hpp"
#include "app/parts/views.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/layout.hpp"
#include "app/views/worksheet/view.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

constexpr float header_height = 48, line = 1, least_flow = 192, most_flow = 250, flow_part = 0.25F;
constexpr float list_part = 0.15F, least_list = 236, most_list = 300;
constexpr float side_part = 0.41F, least_question = 560;
constexpr float least_side = 316;     // in which a diagram can be told apart
constexpr float least_words = 300;    // of the question: with less, the list gives way to it, and then the picture
constexpr float least_diagram = 280;  // with less, what was found so far gives way to it
constexpr float least_beside = 180;   // with less it gives way to an answer that is drawn, unless it is pointed at

struct WorksheetLayout {
    Area header, list, question, card, diagram, flow;  // diagram and flow are empty where there is none
};

struct Shows {
    bool chrome, list, side, diagram, flow;
    bool pointed_at;  // the diagram, for the answer
};

// The question is as wide as it reads well; the rest is the picture's.
// `card_height` is what the card wants above a diagram, in pixels; without a diagram it takes all.
WorksheetLayout worksheet_layout(ImVec2 display, float scale, float card_height, const Shows& shows) {
    const auto [chrome, listed, beside, diagram_asked, flow_asked, pointed_at] = shows;
    const ExploreLayout explore = explore_layout(display, scale, 0, 0, chrome);
    const float width = std::max(display.x, 8 * line), height = std::max(display.y, 8 * line);
    const float top = explore.architecture.min.y;
    const float header_to = chrome ? std::min(std::round(top + header_height * scale), height - 4 * line) : 0;
    const float below = header_to + (chrome ? line : 0);
    const float list = listed ? std::round(std::clamp(width * list_part, least_list * scale, most_list * scale)) : 0;
    float side = std::round(width * side_part);
    side = std::max(std::min(side, width - list - least_question * scale), width * 0.3F);
    // Enlarged, the question gives way to the picture rather than that to words that there is no room.
    side = std::max(side, std::min(least_side * scale, width - list - least_words * scale));
    float list_to = chrome ? std::min(list, width * 0.4F) : 0, side_from = beside ? std::round(width - side) : width;
    if (side_from - list_to < least_words * scale) list_to = 0;
    if (side_from - list_to < least_words * scale) side_from = width;
    const float question_from = list_to + (list_to > 0 ? line : 0),
                question_to = side_from - (side_from < width ? line : 0);
    const bool diagram = diagram_asked && (pointed_at || height - below - card_height >= least_beside * scale);
    const float flow_height = std::clamp(height * flow_part, least_flow * scale, most_flow * scale);
    const bool both = height - below - card_height - flow_height >= least_diagram * scale;
    const bool flow = flow_asked && (both || !diagram);
    const float flow_from = flow ? std::max(below + line, std::round(height - flow_height)) : height;
    const float card_to =
        diagram ? std::min(std::round(below + card_height), flow_from - 2 * line) : flow_from - (flow ? line : 0);
    WorksheetLayout layout{
        .header = {{0, top}, {width, header_to}},
        .list = {{0, below}, {list_to, height}},
        .question = {{question_from, below}, {question_to, height}},
        .card = {{side_from, below}, {width, std::max(card_to, below + line)}},
    };
    if (diagram) layout.diagram = {{side_from, card_to + line}, {width, flow_from - (flow ? line : 0)}};
    if (flow) layout.flow = {{side_from, flow_from}, {width, height}};
    return layout;
}

constexpr ImGuiID card_height = 3;
constexpr float card_guess = 76;
const ImVec2 roomy(size::panel_padding + 4, size::panel_padding + 4), wide(28, 24);
constexpr float above_flow = 14;

void draw_lines(const Ui& ui, const WorksheetLayout& at) {
    line_between(ui, {0, at.header.max.y}, {at.header.max.x, at.list.min.y});
    line_between(ui, {at.list.max.x, at.list.min.y}, {at.question.min.x, at.list.max.y});
    line_between(ui, {at.question.max.x, at.list.min.y}, {at.card.min.x, at.list.max.y});
    if (at.diagram.height() > 0) line_between(ui, {at.card.min.x, at.card.max.y}, {at.card.max.x, at.diagram.min.y});
    if (at.flow.height() > 0) line_between(ui, {at.flow.min.x, at.flow.min.y - 1}, {at.flow.max.x, at.flow.min.y});
}

bool shows_flow(const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    return question && question->kind == QuestionKind::shape && !desk.flow().boxes.empty();
}

DrawPanel at_desk(Intents (*draw)(const Ui&, const Desk&)) {
    return [draw](const Ui& ui, const Session& session) { return draw(ui, session.desk); };
}

// The class whose table is open: who is listed, and how many are right.
Json class_json(const Desk& desk) {
    if (!desk.pupils.answers) return {};
    Json students = Json::array();
    for (const ClassRow& row : desk.pupils.rows()) {
        const GradedSheet& graded = desk.pupils.answers->grades.all[row.student];
        students.push_back({{"name", row.name}, {"right", graded.right}, {"of", graded.graded}});
    }
    return {{"path", desk.pupils.answers->path},
            {"students", students},
            {"failures", desk.pupils.failures_shown(desk.pupils.answers->grades.failures.size())},
            {"mistakes", desk.pupils.answers->mistakes.size()}};
}

// What lies on the desk: how each blank of the question in sight stands, and how many fields of it are right.
Json worksheet_json(const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    if (!question) return desk.problem.empty() ? Json() : Json{{"problem", desk.problem}};
    Json blanks = Json::object();
    for (const Blank& blank : question->blanks) {
        const AnsweredBlank& answered = desk.of(blank);
        Json fields = Json::object();
        for (const SheetField& field : answered.fields)
            fields[field.id] = Json{{"text", field.text}, {"mark", mark_key(field.mark)}};
        blanks[blank.id] = Json{{"fields", fields},
                                {"outcome", outcome_key(answered.grade.verdict)},
                                {"hint", answered.grade.hint},
                                {"shown", answered.shown}};
    }
    const Score score = desk.score(*question), all = desk.score();
    return {{"id", desk.sheet->id},
            {"seed", desk.sheet->seed ? Json(*desk.sheet->seed) : Json()},
            {"student", desk.kept.student},
            {"question", desk.progress().question + 1},
            {"of_questions", desk.sheet->questions.size()},
            {"kind", kind_key(question->kind)},
            {"blanks", blanks},
            {"right", score.right},
            {"of", score.of},
            {"sheet", {{"right", all.right}, {"of", all.of}, {"complete", all.complete()}}},
            {"answers", desk.progress().given},
            {"key", desk.kept.key},
            {"class", class_json(desk)}};
}

}  // namespace

void report_worksheet(const Session& session, nlohmann::ordered_json& report) {
    report["worksheet"] = worksheet_json(session.desk);
}

Area draw_worksheet_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const Desk& desk = frame.session.desk;
    // By itself a question has the diagram beside it where that is what it is answered on.
    const bool pointed_at = desk.question() && desk.question()->kind == QuestionKind::select;
    const bool side = ui.chrome || pointed_at;
    const float card = known_height(ui, card_height, ui.px(card_guess));
    // To a class the question is shown, and how far one is.
    const bool tools = ui.chrome && !frame.session.view.show.presenting;
    const WorksheetLayout at = worksheet_layout(ImGui::GetIO().DisplaySize, ui.scale, card,
                                                {.chrome = ui.chrome,
                                                 .list = tools,
                                                 .side = side,
                                                 .diagram = side && shows_diagram(desk),
                                                 .flow = side && shows_flow(desk),
                                                 .pointed_at = pointed_at});
    draw_lines(ui, at);
    draw_panel(frame, {"worksheet_header", at.header, ui.theme.panel, {}, still_panel},
               at_desk(tools ? draw_worksheet_header : draw_worksheet_progress));
    draw_panel(frame, {"worksheet_list", at.list, ui.theme.panel, roomy}, at_desk(draw_worksheet_list));
    if (desk.pupils.answers && desk.sheet) {
        const Area table{at.question.min, {ImGui::GetIO().DisplaySize.x, at.question.max.y}};
        draw_panel(frame, {"worksheet_class", table, ui.theme.panel, wide}, at_desk(draw_worksheet_class));
        return at.question;
    }
    draw_panel(frame, {"worksheet_question", at.question, ui.theme.panel, wide}, at_desk(draw_worksheet_question));
    draw_panel(frame, {"worksheet_card", at.card, ui.theme.canvas, wide, 0, card_height},
               [](const Ui& on, const Session& session) {
                   return draw_worksheet_card(on, session.desk, model_in_view(session));
               });
    if (!at.diagram.empty())
        draw_panel(frame, {"worksheet_diagram", at.diagram, ui.theme.canvas, {}, still_panel},
                   [&](const Ui& on, const Session& session) {
                       return draw_worksheet_diagram(on, session.desk, session.view, frame.painter);
                   });
    if (at.flow.height() > 0)
        draw_panel(frame, {"worksheet_flow", at.flow, ui.theme.canvas, ImVec2(wide.x, above_flow), still_panel},
                   at_desk(draw_worksheet_flow));
    return at.question;
}

// From question to question.
std::optional<Intent> step_question(const Session& session, int by) {
    const Desk& desk = session.desk;
    const auto next = static_cast<std::int64_t>(desk.progress().question) + by;
    if (next < 0 || next >= std::ssize(desk.flows)) return std::nullopt;
    return AtDesk{ShowQuestion{static_cast<std::size_t>(next)}};
}

extern constexpr ViewKind worksheet_kind{.key = worksheet_view,
                                         .name = "Worksheet",
                                         .help = "Questions that are answered on the diagram.",
                                         .draw = draw_worksheet_space,
                                         .step = step_question,
                                         .report = report_worksheet};

}  // namespace headcount
