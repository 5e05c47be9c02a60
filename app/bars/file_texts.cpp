// From a session to the text of a file.
#include "app/bars/file_texts.hpp"

#include <cctype>

#include "app/diagram/panels.hpp"
#include "app/state/link.hpp"
#include "app/state/train/snapshot.hpp"
#include "app/ui/veil.hpp"
#include "core/base/text.hpp"
#include "core/files/config.hpp"
#include "core/files/saved_model.hpp"
#include "core/files/stored_formats.hpp"
#include "core/handout/handout.hpp"
#include "core/report/equations.hpp"
#include "core/report/json.hpp"
#include "core/report/page.hpp"
#include "core/report/table.hpp"
#include "core/report/tables.hpp"

namespace headcount {
namespace {

// "Llama 2 7B, edited" as a file's name has it: "llama-2-7b-edited".
std::string slug(std::string_view name) {
    std::string text;
    for (char c : name) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) || c == '.' || letter >= 0x80)
            text += lower(c);
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    while (!text.empty() && (text.back() == '-' || text.back() == '.')) text.pop_back();
    constexpr std::size_t longest = 80;
    if (text.size() > longest) text.resize(longest);
    return text.empty() ? "model" : text;
}

bool is_sheet_task(FileTask task) { return task >= FileTask::sheet_html && task <= FileTask::class_csv; }

// "1-one-head-answers-ada"
std::string sheet_file_name(const Desk& desk, FileTask task) {
    std::string name = desk.sheet ? desk.sheet->id : "worksheet";
    if (desk.sheet && desk.sheet->seed) name += "-" + std::to_string(*desk.sheet->seed);
    if (task == FileTask::key_html) return name + "-key";
    if (task == FileTask::class_csv) return name + "-class";
    if (task == FileTask::qti) return name + "-qti";
    if (task == FileTask::scorm) return name + "-scorm";
    if (task >= FileTask::sheet_html && task <= FileTask::moodle) return name;
    return name + "-answers" + (desk.kept.student.empty() ? "" : "-" + desk.kept.student);
}

// The document's, whose weights are stored as its file says, in whatever format they are looked at.
Opened saved_model(const Session& session) {
    const Document& document = session.document;
    const StoredFormats said = stored_formats(document.base);
    const std::optional<Formats> stored = document.stored ? document.stored : said.weights;
    return {.architecture = document.architecture,
            .notes = all_notes(session),
            .precision = stored,
            .weights_doubt = stored ? doubt_on_weights(document.base, *stored) : said.doubt,
            .cache = said.cache};
}

// For paper: light whatever the window is, and all of the block that it is in.
std::string picture_of(const Ui& ui, const CountedModel& model, const std::string& place, PictureNumbers numbers) {
    const Theme theme = light_theme();
    Recorder unseen;
    UiMemory fresh;
    const Ui paper{.theme = theme, .fonts = ui.fonts, .recorder = unseen, .memory = fresh, .scale = ui.scale};
    Shown shown = newly_shown({model.architecture, model.architecture, "", model.input, ""});
    light(shown, place);
    const View view;
    Veil veil{.everything = numbers == PictureNumbers::covered};
    const VeilOver over(veil);
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

// The sheet for paper, the teacher's key, the sheet for a learning platform, the answers. Fails where no sheet is open.
// `page`: the address of the page in a browser that a package opens.
Result<std::string> sheet_file_text(const Ui& ui, const Desk& desk, std::string_view page, FileTask task) {
    if (!desk.sheet) return Error{"no worksheet is open", "", "choose one"};
    const bool key = task == FileTask::key_html, bank = task == FileTask::moodle || task == FileTask::qti;
    const HandoutOptions options{key, [&](const CountedModel& model, const std::string& place, PictureNumbers numbers) {
                                     return picture_of(ui, model, place, numbers);
                                 }};
    if ((key || bank) && !desk.key_word().empty() && !desk.kept.key)
        return Error{"the teacher's key opens with a word", "", "switch Teacher key on first"};
    if (task == FileTask::sheet_html || task == FileTask::key_html) return handout_html(*desk.sheet, options);
    if (task == FileTask::sheet_markdown) return handout_markdown(*desk.sheet, options);
    if (task == FileTask::moodle) return handout_moodle({desk.sheet.get(), 1}, options.picture);
    if (task == FileTask::qti) return handout_qti({desk.sheet.get(), 1}, options.picture);
    if (task == FileTask::scorm) {
        if (page.empty())
            return Error{"a package opens Headcount's page in a browser, and no address of one is known", "",
                         "give it where a link is shared (Ctrl+L)"};
        return handout_scorm(*desk.sheet, sheet_address(page, desk.kept.sheet.worksheet, desk.kept.sheet.seed));
    }
    if (task == FileTask::class_csv) {
        if (!desk.pupils.answers) return Error{"no class is open", "", "open the folder of its answers"};
        return class_csv(*desk.sheet, desk.pupils.answers->grades.all);
    }
    const Answers answers = answers_of(desk);
    if (task == FileTask::answers_csv) return answers_csv(*desk.sheet, answers);
    if (task == FileTask::answers_json) return json_text(answers_json(answers));
    const Result<GradedSheet> graded = grade_all(*desk.sheet, answers);
    if (!graded) return graded.error();
    return answers_markdown(desk, *graded);
}

// What the model's report makes of it, or its error, as the text of a file.
Result<std::string> text_of(const Result<nlohmann::ordered_json>& json) {
    return json ? Result<std::string>(json_text(*json)) : json.error();
}

std::string equations_text(const Session& session, FileTask task) {
    const EquationsOf of{session.derived.shown, title_as_known(session.document), doubt_sign(session.derived.doubt)};
    return task == FileTask::equations_tex ? equations_latex(of) : equations_markdown(of);
}

}  // namespace

std::string proposed_name(const Session& session, FileTask task) {
    if (task == FileTask::config) return "config.json";
    if (task == FileTask::tour) return slug(session.recording ? session.recording->title : "tour") + ".json";
    if (task == FileTask::trained) {
        const TrainSnapshot* const run = session.training.shown.get();
        return slug(run ? run->architecture.name + "-step-" + std::to_string(run->step) : "model");
    }
    if (is_sheet_task(task)) return slug(sheet_file_name(session.desk, task)) + std::string(info(task).ending);
    if (!session.view.chart.name.empty()) return slug(session.view.chart.name) + std::string(info(task).ending);
    const std::string name = slug(title_of(session.document));
    const bool equations = task == FileTask::equations_tex || task == FileTask::equations_markdown;
    return name +
           (task == FileTask::csv      ? "-tensors"
            : task == FileTask::frames ? "-frames"
            : equations                ? "-equations"
                                       : "") +
           std::string(info(task).ending);
}

Result<std::string> file_text(const Ui& ui, const Session& session, FileTask task) {
    const Counted& shown = session.derived.shown;
    const Architecture& arch = session.document.architecture;
    if (is_sheet_task(task)) return sheet_file_text(ui, session.desk, session.view.page, task);
    if (task == FileTask::chart_csv || task == FileTask::chart_svg) return session.view.chart.text;
    if (task == FileTask::tour) {
        if (!session.recording) return Error{"nothing was recorded", "", "record what you do first"};
        return json_text(tour_json(tour_of(*session.recording, session.presets)));
    }
    // The document's own, or nothing: what is shown in its place would be another model.
    if (!session.derived.current && task != FileTask::save && task != FileTask::svg) {
        const bool problem = !session.derived.problems.empty();
        return problem ? session.derived.problems.front().error : session.derived.errors.front();
    }
    switch (task) {
        case FileTask::save: return json_text(saved_model_json(saved_model(session)));
        case FileTask::config: return text_of(write_config(arch));
        case FileTask::csv: return csv(tensors_table(shown.graph, shown.parameters), title_as_known(session.document));
        case FileTask::json:
            return text_of(model_json(arch, shown.graph, shown.parameters, shown.activations, shown.bindings,
                                      session.derived.doubt.empty()));
        case FileTask::markdown:
            return markdown(marked(model_page(title_of(session.document), arch, shown.graph, shown.parameters),
                                   doubt_sign(session.derived.doubt)));
        case FileTask::equations_tex:
        case FileTask::equations_markdown:
            if (shown.graph.unread) return *shown.graph.unread;
            return equations_text(session, task);
        case FileTask::svg: {
            const Result<DiagramOf> of = diagram_in_view(session);
            return of ? canvas_svg(ui, *of, session.view.chart.slide.crop) : Result<std::string>(of.error());
        }
        default: return Error{"there is no text to save", "", ""};
    }
}

}  // namespace headcount
