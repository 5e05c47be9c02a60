// From the desk to the text of a file.
#include "app/bars/worksheet_texts.hpp"

#include "app/diagram/panels.hpp"
#include "core/handout/handout.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

// For paper: light whatever the window is, and all of the block.
std::string picture_of(const Ui& ui, const CountedModel& model, const std::string& block) {
    const Theme theme = light_theme();
    Recorder unseen;
    UiMemory fresh;
    const Ui paper{.theme = theme, .fonts = ui.fonts, .recorder = unseen, .memory = fresh, .scale = ui.scale};
    Shown shown = newly_shown({model.architecture, model.architecture, "", model.input, ""});
    go_to(shown.look, {block, 0, {}});
    const View view;
    return *canvas_svg(paper, DiagramOf(shown, view), ImVec2(ui.px(paper_width), ui.px(paper_height)));
}

std::string answers_markdown(const Desk& desk, const GradedSheet& graded) {
    std::string text = "# " + desk.sheet->title + "\n\n";
    if (!graded.student.empty()) text += "Name: " + graded.student + "\n\n";
    if (desk.sheet->seed) text += "Numbers: " + std::to_string(*desk.sheet->seed) + "\n\n";
    Table table{{{"question"}, {"answer"}, {"verdict"}, {"hint"}}, {}};
    for (const GradedBlank& blank : graded.blanks)
        table.rows.push_back({blank.label.empty() ? blank.id : blank.label, blank.typed,
                              std::string(outcome_key(blank.grade.verdict)), blank.grade.hint});
    return text + markdown(table) + "\n" + std::to_string(graded.right) + " of " + std::to_string(graded.graded) +
           " right\n";
}

}  // namespace

bool is_sheet_task(FileTask task) {
    return task >= FileTask::sheet_html && task <= FileTask::answers_markdown;
}

std::string sheet_file_name(const Session& session, FileTask task) {
    const Desk& desk = session.desk;
    std::string name = desk.sheet ? desk.sheet->id : "worksheet";
    if (desk.sheet && desk.sheet->seed) name += "-" + std::to_string(*desk.sheet->seed);
    if (task == FileTask::key_html) return name + "-key";
    if (task == FileTask::sheet_html || task == FileTask::sheet_markdown) return name;
    return name + "-answers" + (desk.kept.student.empty() ? "" : "-" + desk.kept.student);
}

Result<std::string> sheet_file_text(const Ui& ui, const Session& session, FileTask task) {
    const Desk& desk = session.desk;
    if (!desk.sheet) return Error{"no worksheet is open", "", "choose one"};
    HandoutOptions options;
    options.key = task == FileTask::key_html;
    if (options.key)
        options.picture = [&](const CountedModel& model, const std::string& block) {
            return picture_of(ui, model, block);
        };
    if (task == FileTask::sheet_html || task == FileTask::key_html) return handout_html(*desk.sheet, options);
    if (task == FileTask::sheet_markdown) return handout_markdown(*desk.sheet, options);
    const Answers answers = answers_of(desk);
    if (task == FileTask::answers_csv) return answers_csv(*desk.sheet, answers);
    if (task == FileTask::answers_json) return json_text(answers_json(answers));
    const Result<GradedSheet> graded = grade_all(*desk.sheet, answers);
    if (!graded) return graded.error();
    return answers_markdown(desk, *graded);
}

}  // namespace headcount
