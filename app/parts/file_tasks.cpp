// The words of what the menus open and save.
#include "app/parts/file_tasks.hpp"

#include <array>
#include <utility>

namespace headcount {
namespace {

constexpr std::array tasks{
    FileTaskInfo{FileTask::open, "open", "Open...", "Open a model, a lesson or answers", "", ""},
    FileTaskInfo{FileTask::open_other, "open_other", "A file...", "Open the model to compare with", "", ""},
    FileTaskInfo{FileTask::against, "against", "What is wrong with mine?...",
                 "Open what your own transformer has written of its activations", "", ""},
    FileTaskInfo{FileTask::open_class, "open_class", "Class...", "Open the answers of a class: a folder, or a file", "",
                 "", FileForm::answers},
    FileTaskInfo{FileTask::open_text, "open_text", "Choose...", "Open a text to train on", "", "", FileForm::text},
    FileTaskInfo{FileTask::save, "save", "Save as...", "Save the model", "the model", ".headcount"},
    FileTaskInfo{FileTask::tour, "tour", "Save the tour...", "Save what was recorded as a tour", "the tour", ".json"},
    FileTaskInfo{FileTask::config, "config", "Hugging Face config.json...", "Export a Hugging Face configuration",
                 "the configuration", ".json"},
    FileTaskInfo{FileTask::csv, "csv", "Tensors (CSV)...", "Export the tensors", "the tensors", ".csv"},
    FileTaskInfo{FileTask::json, "json", "Tables (JSON)...", "Export all tables as JSON", "the tables", ".json"},
    FileTaskInfo{FileTask::markdown, "markdown", "Tables (Markdown)...", "Export all tables as Markdown", "the tables",
                 ".md"},
    FileTaskInfo{FileTask::equations_tex, "equations_tex", "Equations (LaTeX)...",
                 "Export the forward pass as equations", "the equations", ".tex"},
    FileTaskInfo{FileTask::equations_markdown, "equations_markdown", "Equations (Markdown)...",
                 "Export the forward pass as equations", "the equations", ".md"},
    FileTaskInfo{FileTask::svg, "svg", "Diagram (SVG)...", "Export the diagram", "the diagram", ".svg"},
    FileTaskInfo{FileTask::png, "png", "Picture of the window (PNG)...", "Save a picture of the window", "the picture",
                 ".png"},
    FileTaskInfo{FileTask::diagram_png, "diagram_png", "Diagram (PNG)...", "Save a picture of the diagram",
                 "the picture", ".png"},
    FileTaskInfo{FileTask::frames, "frames", "Frames...", "Save the frames in a folder of their own", "the frames", "",
                 FileForm::folder},
    FileTaskInfo{FileTask::gif, "gif", "Moving picture (GIF)...", "Save what moves as a GIF", "the GIF", ".gif"},
    FileTaskInfo{FileTask::trained, "trained", "Save...", "Save the trained model in a folder of its own",
                 "the trained model", "", FileForm::folder},
    FileTaskInfo{FileTask::chart_csv, "chart_csv", "Save as CSV...", "Save the chart's numbers", "the chart's numbers",
                 ".csv"},
    FileTaskInfo{FileTask::chart_svg, "chart_svg", "Save as SVG...", "Save the chart", "the chart", ".svg"},
    FileTaskInfo{FileTask::chart_png, "chart_png", "Save as PNG...", "Save a picture of the chart", "the picture",
                 ".png"},
    FileTaskInfo{FileTask::sheet_html, "sheet_html", "Student's sheet (HTML)...",
                 "Save the sheet, to be printed from a browser", "the sheet", ".html"},
    FileTaskInfo{FileTask::key_html, "key_html", "Teacher's key (HTML)...",
                 "Save the teacher's key, to be printed from a browser", "the teacher's key", ".html"},
    FileTaskInfo{FileTask::sheet_markdown, "sheet_markdown", "Student's sheet (Markdown)...",
                 "Save the sheet as Markdown", "the sheet", ".md"},
    FileTaskInfo{FileTask::moodle, "moodle", "Question bank for Moodle (XML)...", "Export a question bank for Moodle",
                 "the question bank", ".xml"},
    FileTaskInfo{FileTask::qti, "qti", "Question bank for others (QTI)...", "Export a question bank (QTI 2.1)",
                 "the question bank", ".zip"},
    FileTaskInfo{FileTask::scorm, "scorm", "Package (SCORM)...", "Export a package for learning platforms",
                 "the package", ".zip"},
    FileTaskInfo{FileTask::answers_csv, "answers_csv", "Answers (CSV)...", "Export the answers", "the answers", ".csv"},
    FileTaskInfo{FileTask::answers_json, "answers_json", "Answers (JSON)...", "Export the answers as JSON",
                 "the answers", ".json"},
    FileTaskInfo{FileTask::answers_markdown, "answers_markdown", "Answers with verdicts (Markdown)...",
                 "Export the answers with their verdicts", "the answers", ".md"},
    FileTaskInfo{FileTask::class_csv, "class_csv", "Class table (CSV)...", "Export the table of the class",
                 "the table of the class", ".csv"},
};

}  // namespace

const FileTaskInfo& info(FileTask task) { return tasks[static_cast<std::size_t>(task)]; }

bool saves(FileTask task) { return task >= FileTask::save; }

Intent opening(FileTask task, std::string path, std::size_t others) {
    if (task == FileTask::open_other) return AtCompare{CompareWithFile{std::move(path)}};
    if (task == FileTask::open_class) return AtDesk{OpenClass{std::move(path)}};
    if (task == FileTask::open_text) return AtTrain{ReadText{std::move(path)}};
    return OpenFile{std::move(path), others, task == FileTask::against};
}

}  // namespace headcount
