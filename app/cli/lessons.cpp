// headcount lessons: a folder of tours and worksheets beside the page, for whoever has its address.
#include <ostream>

#include "app/cli/options.hpp"
#include "core/base/json_file.hpp"
#include "core/base/markup.hpp"
#include "core/base/write_file.hpp"
#include "core/files/json_kind.hpp"
#include "core/link/link_text.hpp"
#include "core/tours/tour.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

struct LessonsArguments {
    std::string folder;
};

struct Lesson {
    std::string file, title, about, extent;
};

std::string counted(std::size_t count, std::string_view one) {
    return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

Result<Lesson> read_lesson(const fs::path& file, std::span<const Preset> presets) {
    const std::string name = file.filename().string();
    if (meant_as(file, JsonKind::tour)) {
        const Result<Tour> tour = read_tour(file);
        if (!tour) return tour.error();
        return Lesson{name, tour->title, tour->about, "a tour"};
    }
    const Result<Worksheet> worksheet = read_worksheet(file, presets);
    if (!worksheet) return worksheet.error();
    const Result<Sheet> sheet = make_sheet(*worksheet, presets);
    if (!sheet) return within(file.string(), sheet.error());
    std::string extent = "a worksheet of " + counted(sheet->questions.size(), "question");
    if (sheet->minutes > 0) extent += ", about " + counted(static_cast<std::size_t>(sheet->minutes), "minute");
    return Lesson{name, sheet->title, sheet->about, extent};
}

// The page is one folder up.
std::string index_html(const std::string& folder, const std::vector<Lesson>& lessons) {
    std::string out =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Lessons</title>\n"
        "<style>\nbody { max-width: 40em; margin: 2em auto; padding: 0 1em; font: 17px/1.5 sans-serif; color: #2b313b; "
        "background: #f4f5f7 }\nli { margin: 1em 0 }\na { color: #1f5fbf }\np { margin: 0 }\n"
        "@media (prefers-color-scheme: dark) { body { color: #c8cfda; background: #16181d } a { color: #8ab4f8 } }\n"
        "</style>\n</head>\n<body>\n<h1>Lessons</h1>\n<ol>\n";
    for (const Lesson& each : lessons) {
        const std::string link = "../" + link_text({{"lesson", folder + "/" + each.file}});
        out += "<li><a href=\"" + html_text(link) + "\">" + html_text(each.title) + "</a>\n<p>" +
               (each.about.empty() ? "" : html_prose(each.about) + "</p>\n<p>") + html_text(each.extent) +
               "</p></li>\n";
    }
    return out + "</ol>\n</body>\n</html>\n";
}

Failure write_index(const LessonsArguments& arguments, Output& output) {
    const Result<std::vector<Preset>> presets = shipped_presets(&output.notes);
    if (!presets) return presets.error();
    const Result<std::vector<fs::path>> files = json_files(arguments.folder);
    if (!files) return files.error();
    if (files->empty()) return Error{"there are no .json files", arguments.folder, "put tours and worksheets there"};
    std::vector<Lesson> lessons;
    for (const fs::path& file : *files) {
        Result<Lesson> lesson = read_lesson(file, *presets);
        if (!lesson) return lesson.error();
        lessons.push_back(*std::move(lesson));
    }
    std::error_code failure;
    const fs::path folder = fs::canonical(arguments.folder, failure);
    if (failure) return Error{failure.message(), arguments.folder, "check the path"};
    const std::string text = index_html(folder.filename().string(), lessons);
    return write_out(text, fs::path(arguments.folder) / "index.html", *files, output.out);
}

void describe_lessons(CLI::App* command, LessonsArguments& arguments) {
    command->require_subcommand(1, 1);
    CLI::App* index = command->add_subcommand("index",
                                              "write index.html into a folder beside the page, with a link to "
                                              "each tour and worksheet there");
    index->add_option("DIR", arguments.folder, "the folder")->required()->type_name("DIR");
}

}  // namespace

Command lessons_command() {
    return make_command("lessons", "list a folder of tours and worksheets for the page in a browser", describe_lessons,
                        write_index);
}

}  // namespace headcount
