// From the desk to the text of a file.
#include "app/panels/worksheet_texts.hpp"

#include "app/panels/panels.hpp"
#include "core/lesson/handout.hpp"
#include "core/report/json.hpp"
#include "core/report/markdown.hpp"

namespace headcount {
namespace {

// The diagram of a question's own model, at what the question is about.
std::string picture_of(const Ui& ui, const SheetQuestion& question) {
    const ImVec2 extent(900, 420);
    const LessonModel& model = *question.model;
    std::string id;
    for (const Blank& blank : question.blanks) {
        if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer); shape && id.empty()) id = shape->id;
        if (const auto* select = std::get_if<SelectAnswer>(&blank.answer); select && id.empty())
            id = select->ids.front();
    }
    const Tensor* const tensor = id.empty() ? nullptr : model.graph.find(id);
    if (!tensor) return {};
    Session session = start_session({}, Document{model.architecture, model.architecture, "", model.input, ""});
    session.view.selection = TensorSubject{tensor->id};
    session.view.asked_for = {model.graph.blocks[tensor->block].id, 0, {}};
    session.view.askings = 1;
    return *canvas_svg(ui, session, extent);
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
    if (options.key) options.picture = [&](const SheetQuestion& question) { return picture_of(ui, question); };
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
