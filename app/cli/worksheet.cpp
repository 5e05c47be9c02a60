// headcount worksheet: lists, shows, grades and exports worksheets.
#include "core/worksheet/worksheet.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include "app/cli/cli.hpp"
#include "app/cli/options.hpp"
#include "app/cli/worksheet_question.hpp"
#include "app/state/link.hpp"
#include "core/base/utf8.hpp"
#include "core/files/open.hpp"
#include "core/grading/class.hpp"
#include "core/handout/handout.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

enum class SheetFormat { html, md, csv, json, moodle, scorm, qti };
constexpr std::array<FileFormat, 7> sheet_formats{{{"html", "a page to print", "htm"},
                                                   {"md", "text to print", "markdown"},
                                                   {"csv", "to answer in"},
                                                   {"json", "to answer in"},
                                                   {"moodle", "a question bank for Moodle", "xml"},
                                                   {"scorm", "a package for learning platforms", "zip"},
                                                   {"qti", "a question bank for other platforms (QTI 2.1)", "zip"}}};

constexpr std::int64_t most_variants = 100;

struct WorksheetArguments {
    std::string id;                        // a worksheet that ships, or a file
    std::optional<std::int64_t> seed;      // other numbers
    std::optional<std::int64_t> variants;  // of a question bank: sets of numbers; absent: one
    std::optional<std::string> arch;       // for a worksheet about the reader's own architecture
    std::string answers;                   // a file, or a folder of files
    std::string base;                      // the address of the page that a package opens; empty: none was given
    OutputArguments output;
    bool key = false, json = false, csv = false;
    std::string key_word;  // that opens the key, where it has one
    DrawPlace draw;        // the pictures of the key; may be empty
    // What is done, by the command inside this one that was named.
    std::vector<std::pair<const CLI::App*, Failure (*)(const WorksheetArguments&, Output&)>> parts;
};

// `read` gets the files that it is made of.
Result<Sheet> open_sheet(const WorksheetArguments& arguments, Notes& said, std::vector<fs::path>* read = nullptr) {
    const Result<std::vector<Preset>> presets = shipped_presets(&said);
    if (!presets) return presets.error();
    const Result<fs::path> file = find_worksheet(arguments.id);
    if (!file) return file.error();
    if (read) read->push_back(*file);
    const Result<Worksheet> worksheet = read_worksheet(*file, *presets);
    if (!worksheet) return worksheet.error();
    std::optional<std::uint64_t> seed;
    if (arguments.seed) {
        if (worksheet->new_numbers && worksheet->new_numbers->empty())
            return Error{"this worksheet has one set of numbers only", "--seed", "leave --seed out"};
        seed = static_cast<std::uint64_t>(*arguments.seed);
    }
    if (!arguments.arch) return make_sheet(*worksheet, *presets, seed);
    if (!worksheet->model.own) return Error{"this worksheet is about a model of its own", "--arch", "leave --arch out"};
    const Result<Opened> own = open_architecture(*arguments.arch, *presets);
    if (!own) return own.error();
    if (read) read->insert(read->end(), own->read.begin(), own->read.end());
    return make_sheet(*worksheet, *presets, seed, &own->architecture);
}

// `answers`: what is asked for has them in it.
Failure open_key(const WorksheetArguments& arguments, const Sheet& sheet, bool answers) {
    if (!answers || sheet.key_word.empty() || arguments.key_word == sheet.key_word) return std::nullopt;
    if (arguments.key_word.empty()) return Error{"its key opens with a word", "--key", "give it with --key-word"};
    return Error{quote(arguments.key_word) + " is not the word that opens its key", "--key-word", "ask the teacher"};
}

Table grades_table(const GradedSheet& graded) {
    Table table{{{"question"}, {"answer"}, {"verdict"}, {"hint"}}, {}};
    for (const GradedBlank& blank : graded.blanks)
        table.rows.push_back({blank.id, blank.typed, std::string(outcome_key(blank.grade.verdict)), blank.grade.hint});
    return table;
}

// Of the rows of a class, with figures where there are some.
Table class_table(const Sheet& sheet, const std::vector<GradedSheet>& all) {
    constexpr std::size_t right = 1, of = 2;
    ClassRows made = class_rows(sheet, all);
    Table table;
    for (std::size_t i = 0; i < made.columns.size(); ++i)
        table.columns.push_back(i == right || i == of ? figures(made.columns[i]) : Column{made.columns[i]});
    for (std::size_t at = 0; at < made.rows.size(); ++at) {
        std::vector<ReportCell> row(made.rows[at].begin(), made.rows[at].end());
        row[right] = std::int64_t{all[at].right};
        row[of] = std::int64_t{all[at].graded};
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table mistakes_table(const std::vector<MadeMistake>& made) {
    Table table{{{"question"}, {"mistake"}, figures("students"), {"one was told"}}, {}};
    for (const MadeMistake& each : made)
        table.rows.push_back({each.question, std::string(mistake_words(each.mistake)), each.students, each.hint});
    return table;
}

// One failure of one file as it is; else how many files failed.
Failure failure_of(const ClassGrades& grades) {
    if (grades.failures.empty()) return std::nullopt;
    if (grades.files == 1 && grades.failures.size() == 1) return grades.first;
    std::string what = grades.files == 1
                           ? std::to_string(grades.failures.size()) + " answers of the file were not graded"
                           : std::to_string(grades.failed) + " of " + std::to_string(grades.files) +
                                 " files were not graded" + (grades.in_part ? " in full" : "");
    return Error{what, "", ""};
}

// A single student's as a list, those of a class as a table.
void print_grades(const Sheet& sheet, const ClassGrades& grades, const WorksheetArguments& arguments,
                  std::ostream& out) {
    const std::vector<GradedSheet>& all = grades.all;
    if (arguments.json) {
        nlohmann::ordered_json students = nlohmann::ordered_json::array();
        for (const GradedSheet& graded : all) students.push_back(graded_json(graded));
        nlohmann::ordered_json mistakes = nlohmann::ordered_json::array();
        for (const MadeMistake& each : mistakes_of(all))
            mistakes.push_back({{"question", each.question},
                                {"mistake", mistake_key(each.mistake)},
                                {"students", each.students},
                                {"hint", each.hint}});
        out << noted_json(
            {{"worksheet", sheet.id}, {"students", std::move(students)}, {"mistakes", std::move(mistakes)}}, Notes{});
    } else if (arguments.csv) {
        out << class_csv(sheet, all);
    } else if (all.size() == 1 && grades.files == 1) {
        write_text(out, grades_table(all.front()));
        out << '\n' << all.front().right << " of " << all.front().graded << " right, of those that can be graded\n";
        for (const std::string& note : all.front().notes) out << printable(note) << '\n';
    } else {
        write_text(out, class_table(sheet, all));
        if (const std::vector<MadeMistake> made = mistakes_of(all); !made.empty()) {
            out << '\n';
            write_text(out, mistakes_table(made));
        }
    }
}

Failure list_worksheets(const WorksheetArguments& arguments, Output& output) {
    const Result<std::vector<Worksheet>> all = shipped_worksheets();
    if (!all) return all.error();
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    Table table{{{"id"}, {"title"}, figures("questions"), figures("minutes"), {"numbers"}}, {}};
    for (const Worksheet& each : *all) {
        const bool draws = !each.new_numbers || !each.new_numbers->empty();
        list.push_back({{"id", each.id},
                        {"title", each.title},
                        {"questions", each.questions.size()},
                        {"minutes", each.minutes},
                        {"new_numbers", draws}});
        table.rows.push_back({each.id, each.title, static_cast<std::int64_t>(each.questions.size()),
                              std::int64_t{each.minutes}, draws ? "new ones with --seed" : "these only"});
    }
    if (arguments.json)
        output.out << json_text(list);
    else
        write_text(output.out, table);
    return std::nullopt;
}

Failure show_worksheet(const WorksheetArguments& arguments, Output& output) {
    const Result<Sheet> sheet = open_sheet(arguments, output.notes);
    if (!sheet) return sheet.error();
    if (Failure failure = open_key(arguments, *sheet, arguments.key)) return failure;
    std::ostream& out = output.out;
    out << printable(sheet->title) << '\n'
        << printable(sheet->about) << '\n'
        << printable(sheet->model->architecture.name) << ':';
    for (Symbol symbol : symbols_behind_name(*sheet))
        out << ' ' << info(symbol).text << " = " << *sheet->model->bindings[symbol] << ';';
    out << '\n';
    for (std::size_t i = 0; i < sheet->questions.size(); ++i)
        show_question(sheet->questions[i], i + 1, arguments.key, out);
    for (const std::string& note : sheet->notes) out << '\n' << printable(note) << '\n';
    return std::nullopt;
}

Failure grade_answers(const WorksheetArguments& arguments, Output& output) {
    const Result<Sheet> sheet = open_sheet(arguments, output.notes);
    if (!sheet) return sheet.error();
    Result<ClassGrades> graded = grade_class(*sheet, arguments.answers);
    if (!graded) return graded.error();
    ClassGrades& grades = *graded;
    // One bad file must not keep the others from their grades.
    if (!grades.all.empty()) print_grades(*sheet, grades, arguments, output.out);
    const Failure failure = failure_of(grades);
    if (failure && (grades.files > 1 || grades.failures.size() > 1)) output.failures = std::move(grades.failures);
    return failure;
}

// The numbers of the sheet and, where more variants are asked for, those of the seeds behind it.
Failure write_bank(const WorksheetArguments& arguments, const Sheet& first, bool qti, const PlacePicture& picture,
                   const auto& write, Output& output) {
    std::vector<Sheet> variants{first};
    WorksheetArguments next = arguments;
    for (std::int64_t i = 1; i < arguments.variants.value_or(1); ++i) {
        next.seed = arguments.seed.value_or(0) + i;
        const Result<Sheet> sheet = open_sheet(next, output.notes);
        if (!sheet && sheet.error().where == "--seed")
            return Error{sheet.error().what, "--variants", "leave --variants out"};
        if (!sheet) return sheet.error();
        variants.push_back(*sheet);
    }
    return write(qti ? handout_qti(variants, picture) : handout_moodle(variants, picture));
}

Failure export_worksheet(const WorksheetArguments& arguments, Output& output) {
    std::vector<fs::path> read;
    const Result<Sheet> sheet = open_sheet(arguments, output.notes, &read);
    if (!sheet) return sheet.error();
    const auto format = static_cast<SheetFormat>(arguments.output.format.value_or(0));
    const bool bank = format == SheetFormat::moodle || format == SheetFormat::qti;
    if (Failure failure = open_key(arguments, *sheet, arguments.key || bank)) return failure;
    const PlacePicture picture = [&](const CountedModel& model, const std::string& place, PictureNumbers numbers) {
        return arguments.draw ? arguments.draw(model.architecture, model.input, place, numbers) : std::string();
    };
    const auto write = [&](const std::string& text) -> Failure {
        const std::string& file = arguments.output.file;
        if (!file.empty()) return write_out(text, file, read, output.out);
        output.out << text;
        return std::nullopt;
    };
    if (bank) return write_bank(arguments, *sheet, format == SheetFormat::qti, picture, write, output);
    if (format == SheetFormat::scorm) {
        const bool ships = arguments.id + ".json" == read.front().filename();
        const std::string worksheet = ships ? arguments.id : fs::absolute(read.front()).string();
        return write(handout_scorm(*sheet, sheet_address(arguments.base, worksheet, arguments.seed)));
    }
    const HandoutOptions options{arguments.key, picture};
    if (format == SheetFormat::html) return write(handout_html(*sheet, options));
    if (format == SheetFormat::md) return write(handout_markdown(*sheet, options));
    Answers answers{sheet->id, {}, sheet->seed, {}};
    for (const SheetQuestion& question : sheet->questions)
        for (const Blank& blank : question.blanks)
            answers.given[blank.id] = arguments.key ? right_answer(question, blank) : std::string();
    if (format == SheetFormat::csv) return write(answers_csv(*sheet, answers));
    return write(json_text(answers_json(answers)));
}

void describe_worksheets(CLI::App* command, WorksheetArguments& arguments) {
    command->require_subcommand(1, 1);
    CLI::App* list = command->add_subcommand("list", "the worksheets that ship with Headcount");
    add_json(list, arguments.json);
    const auto with_sheet = [&](const std::string& name, const std::string& what) {
        CLI::App* part = command->add_subcommand(name, what);
        part->add_option("ID", arguments.id, "a worksheet's id, or the path of one")->required()->type_name("SHEET");
        add_whole(part, "--seed", arguments.seed, "N", "other numbers, drawn from this one", 0);
        add_name(part, "--arch", arguments.arch, "ARCH", "your model, for a worksheet about it");
        return part;
    };
    const auto with_key = [&](CLI::App* part, const std::string& what) {
        part->add_flag("--key", arguments.key, what);
        part->add_option("--key-word", arguments.key_word, "that opens the key, where the sheet has one")
            ->type_name("TEXT");
    };
    CLI::App* show = with_sheet("show", "the questions, and the ids that answers are given by");
    with_key(show, "with the answers");
    CLI::App* answer = with_sheet("answer", "grade a file of answers, or a folder of them");
    answer->add_option("--answers", arguments.answers, "FILE.json, FILE.csv or a folder")
        ->required()
        ->type_name("FILE");
    add_json(answer, arguments.json);
    answer->add_flag("--csv", arguments.csv, "one row for each student, for a spreadsheet");
    CLI::App* file = with_sheet(
        "export",
        "a sheet to print, its key, a file to answer in, a question bank or a package for learning platforms");
    with_key(file, "the teacher's key");
    add_whole(file, "--variants", arguments.variants, "N", "of a question bank: N sets of numbers", 1, most_variants);
    add_base(file, arguments.base, "of a package: the address of the page that it opens");
    add_output(file, arguments.output, sheet_formats);
    add_rule(file, [&arguments]() -> Failure {
        if (Failure failure = settle(arguments.output, sheet_formats, 0)) return failure;
        const auto format = static_cast<SheetFormat>(*arguments.output.format);
        const bool bank = format == SheetFormat::moodle || format == SheetFormat::qti,
                   package = format == SheetFormat::scorm;
        if (package && arguments.base.empty())
            return Error{"which page does the package open?", "--format scorm",
                         "give its address, such as --base https://example.org/headcount/"};
        if (!package && !arguments.base.empty())
            return Error{"only a package opens a page", "--base", "add --format scorm, or leave --base out"};
        if (package && arguments.arch)
            return Error{"a package has the model of its worksheet", "--arch", "leave --arch out"};
        if (arguments.variants.value_or(1) > 1 && !bank)
            return Error{"a sheet has one set of numbers", "--variants", "add --format moodle, or take --seed"};
        if (arguments.key && bank) return Error{"a question bank has its answers in it", "--key", "leave --key out"};
        if (arguments.key && package) return Error{"a package grades by itself", "--key", "leave --key out"};
        return std::nullopt;
    });
    arguments.parts = {
        {list, list_worksheets}, {show, show_worksheet}, {answer, grade_answers}, {file, export_worksheet}};
}

Failure do_part(const WorksheetArguments& arguments, Output& output) {
    for (const auto& [part, act] : arguments.parts)
        if (part->parsed()) return act(arguments, output);
    return std::nullopt;
}

}  // namespace

Command worksheet_command(const DrawPlace& draw) {
    const auto describe = [draw](CLI::App* command, WorksheetArguments& arguments) {
        arguments.draw = draw;
        describe_worksheets(command, arguments);
    };
    return make_command("worksheet", "list, show, grade and print worksheets", describe, do_part);
}

}  // namespace headcount
