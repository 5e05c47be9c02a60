// The one place where answers change.
#include "app/state/worksheet/desk.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/state/overloaded.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/documents.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

// Of the whole sheet, or of one blank.
void answer(Desk& desk, const std::optional<std::string>& only = std::nullopt) {
    if (!only) desk.answered.clear();
    if (!desk.sheet) return;
    for (const SheetQuestion& question : desk.sheet->questions)
        for (const Blank& blank : question.blanks)
            if (!only || blank.id == *only) desk.answered[blank.id] = answered_blank(question, blank, desk.progress());
}

bool may_be_side(const std::string& text) { return text.empty() || typed_formula(text); }

// A shape that comes from a file may be written in any way: "(100 × 4096)".
std::string as_kept(const Blank& blank, const std::string& text) {
    if (!std::holds_alternative<ShapeAnswer>(blank.answer)) return text;
    const auto [rows, columns] = shape_sides(text);
    if (shape_text(rows, columns) == text && may_be_side(rows) && may_be_side(columns)) return text;
    const Result<TypedShape> shape = typed_shape(text);
    return shape ? shape_text(in_symbols(shape->rows), in_symbols(shape->columns)) : text;
}

// What of the text changed is no longer checked.
void give_answer(Progress& progress, const Blank& blank, const std::string& text) {
    const auto before = progress.given.find(blank.id);
    const std::string was = before == progress.given.end() ? std::string() : before->second;
    if (was == text) return;
    if (std::holds_alternative<ShapeAnswer>(blank.answer)) {
        const auto [old_rows, old_columns] = shape_sides(was);
        const auto [rows, columns] = shape_sides(text);
        if (rows != old_rows) progress.checked.erase(blank.id + ".rows");
        if (columns != old_columns) progress.checked.erase(blank.id + ".columns");
    } else {
        progress.checked.erase(blank.id);
    }
    if (text.empty())
        progress.given.erase(blank.id);
    else
        progress.given[blank.id] = text;
}

void start_over(Progress& progress, const SheetQuestion& question) {
    for (const Blank& blank : question.blanks) {
        progress.given.erase(blank.id);
        progress.shown.erase(blank.id);
        progress.hinted.erase(blank.id);
        for (const char* side : {"", ".rows", ".columns"}) progress.checked.erase(blank.id + side);
    }
    progress.hinted.erase(question.id);
}

// As a whole, or in a single question.
bool is_about_own(const Worksheet& worksheet) {
    return worksheet.model.own ||
           std::ranges::any_of(worksheet.questions, [](const Question& each) { return each.model && each.model->own; });
}

// Reads the sheet without putting it on the desk.
struct Read {
    std::shared_ptr<const Worksheet> worksheet;  // there for one that cannot be made of this model, too
    std::shared_ptr<const Sheet> sheet;
    std::string problem;
};
Read read_sheet(const SheetChoice& choice, std::span<const Preset> presets, const Architecture& own) {
    Result<Worksheet> worksheet = open_worksheet(choice.worksheet, presets);
    if (!worksheet) return {nullptr, nullptr, sentence(worksheet.error())};
    const std::optional<std::uint64_t> seed =
        worksheet->new_numbers && worksheet->new_numbers->empty() ? std::nullopt : choice.seed;
    Result<Sheet> sheet = make_sheet(*worksheet, presets, seed, is_about_own(*worksheet) ? &own : nullptr);
    Read read{std::make_shared<const Worksheet>(std::move(*worksheet)), nullptr, {}};
    if (sheet)
        read.sheet = std::make_shared<const Sheet>(std::move(*sheet));
    else
        read.problem = sentence(within(choice.worksheet, sheet.error()));
    return read;
}

void put_on_desk(Desk& desk, Read read, const Architecture& own) {
    desk.opened = desk.kept.sheet;
    desk.problem = std::move(read.problem);
    desk.worksheet = std::move(read.worksheet);
    desk.sheet = std::move(read.sheet);
    // What could not be made is tried again with another model.
    const bool follows = desk.worksheet && is_about_own(*desk.worksheet);
    desk.own = follows ? std::make_shared<const Architecture>(own) : nullptr;
    desk.flows.clear();
    if (desk.sheet) {
        for (const SheetQuestion& question : desk.sheet->questions) desk.flows.push_back(flow_of(question));
        Progress& progress = desk.kept.progress[desk.kept.sheet];
        progress.question = std::min(progress.question, desk.sheet->questions.size() - 1);
    }
    answer(desk);
}

// So that its answers are found again.
void leave(DeskState& kept) {
    if (kept.sheet.seed)
        kept.seeds[kept.sheet.worksheet] = *kept.sheet.seed;
    else
        kept.seeds.erase(kept.sheet.worksheet);
}

std::string open_sheet(Desk& desk, const OpenSheet& open, std::span<const Preset> presets, const Architecture& own) {
    const bool file = open.worksheet.find('/') != std::string::npos || open.worksheet.ends_with(".json");
    const SheetChoice choice{file ? absolute_path(open.worksheet) : open.worksheet, open.seed};
    Read read = read_sheet(choice, presets, own);
    if (!read.sheet) return "Could not be opened: " + read.problem;
    if (choice != desk.kept.sheet) desk.pupils.answers.reset();
    leave(desk.kept);
    desk.kept.sheet = choice;
    leave(desk.kept);
    put_on_desk(desk, std::move(read), own);
    return {};
}

std::string show_key(Desk& desk, const ShowKey& key) {
    const std::string& word = desk.key_word();
    if (key.shown && !word.empty() && key.word != word)
        return "The teacher's key stays closed: " + quote(key.word) + " is not the word that opens it.";
    desk.kept.key = key.shown;
    return {};
}

std::string open_class(Desk& desk, const std::string& path) {
    if (!desk.sheet) return "Open the worksheet first that the class has answered.";
    Result<ClassGrades> grades = grade_class(*desk.sheet, path);
    if (!grades) return "Could not be opened: " + sentence(grades.error());
    if (grades->all.empty()) {
        const std::string none = "None of these answers is to “" + desk.sheet->title + "”: ";
        const Worksheet* const fits = desk.shipped ? worksheet_that_fits(path, *desk.shipped) : nullptr;
        if (fits && fits->id != desk.kept.sheet.worksheet)
            return none + "they fit “" + fits->title + "”: open that worksheet first, then these answers";
        return none + grades->failures.front();
    }
    ClassAnswers answers{path, std::move(*grades), {}};
    answers.mistakes = mistakes_of(answers.grades.all);
    desk.pupils = {std::make_shared<const ClassAnswers>(std::move(answers)), desk.pupils.look};
    desk.pupils.look.first = 0;
    return {};
}

int wrong_of(const GradedSheet& graded) {
    return static_cast<int>(std::ranges::count_if(graded.blanks, [](const GradedBlank& blank) {
        return blank.grade.verdict == Outcome::wrong || blank.grade.verdict == Outcome::unreadable;
    }));
}

}  // namespace

std::vector<ClassRow> OpenedClass::rows() const {
    std::vector<ClassRow> rows;
    if (!answers) return rows;
    const std::vector<GradedSheet>& all = answers->grades.all;
    for (std::size_t i = 0; i < all.size(); ++i)
        rows.push_back({i, look.names_hidden ? "Student " + std::to_string(i + 1) : all[i].student});
    std::ranges::stable_sort(rows, [&](const ClassRow& a, const ClassRow& b) {
        const GradedSheet &one = all[a.student], &other = all[b.student];
        if (look.order == ClassOrder::right) return one.right > other.right;
        if (look.order == ClassOrder::wrong) return wrong_of(one) > wrong_of(other);
        return !look.names_hidden && lower(one.student) < lower(other.student);
    });
    return rows;
}

std::string OpenedClass::opened_name() const {
    const std::filesystem::path path(answers ? answers->path : "");
    const bool one_file = answers && answers->grades.files == 1;
    if (look.names_hidden && one_file) return "";
    return path.has_filename() ? path.filename().string() : path.string();
}

std::vector<std::string> OpenedClass::failures_shown(std::size_t lines) const {
    if (!answers) return {};
    std::vector<std::string> all = answers->grades.failures;
    const std::size_t failed = all.size();
    for (const GradedSheet& graded : answers->grades.all)
        all.insert(all.end(), graded.notes.begin(), graded.notes.end());
    if (all.empty()) return {};
    const auto count = [](std::size_t number) { return grouped(static_cast<std::int64_t>(number)); };
    if (look.names_hidden) {
        std::vector<std::string> counted;
        if (failed > 0) counted.push_back(count(failed) + " could not be graded");
        if (const std::size_t unknown = all.size() - failed; unknown > 0)
            counted.push_back(count(unknown) + (unknown == 1 ? " answer is" : " answers are") + " to no question");
        return counted;
    }
    std::vector<std::string> shown(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(lines, all.size())));
    if (all.size() > lines) shown.push_back("... and " + count(all.size() - lines) + " more");
    return shown;
}

std::string_view mark_key(Mark mark) {
    constexpr std::array<std::string_view, 6> keys{"empty", "typed", "right", "wrong", "unreadable", "kept"};
    return keys[static_cast<std::size_t>(mark)];
}

bool AnsweredBlank::right() const {
    return !fields.empty() && std::ranges::all_of(fields, [](const SheetField& field) {
        return field.mark == Mark::right || field.mark == Mark::kept;
    });
}

SheetChoice DeskState::as_left(const std::string& worksheet) const {
    if (worksheet == sheet.worksheet) return sheet;
    const auto found = seeds.find(worksheet);
    return {worksheet, found == seeds.end() ? std::nullopt : std::optional(found->second)};
}

const Progress& Desk::progress() const {
    static const Progress none;
    const auto found = kept.progress.find(kept.sheet);
    return found == kept.progress.end() ? none : found->second;
}

const std::string& Desk::key_word() const {
    return sheet && !sheet->key_word.empty() ? sheet->key_word : kept.key_word;
}

const SheetQuestion* Desk::question() const {
    if (!sheet) return nullptr;
    return &sheet->questions[std::min(progress().question, sheet->questions.size() - 1)];
}

const Flow& Desk::flow() const {
    static const Flow none;
    return sheet ? flows[std::min(progress().question, flows.size() - 1)] : none;
}

const AnsweredBlank& Desk::of(const Blank& blank) const {
    static const AnsweredBlank none;
    const auto found = answered.find(blank.id);
    return found == answered.end() ? none : found->second;
}

Score Desk::score(const SheetQuestion& asked) const {
    Score score;
    for (const Blank& blank : asked.blanks)
        for (const SheetField& field : of(blank).fields) {
            ++score.fields;
            if (asked.kind != QuestionKind::text) ++score.of;
            if (field.mark != Mark::empty) ++score.filled;
            if (field.mark == Mark::right) ++score.right;
            if (field.mark == Mark::wrong || field.mark == Mark::unreadable) ++score.wrong;
        }
    return score;
}

Score Desk::score() const {
    Score all;
    if (!sheet) return all;
    for (const SheetQuestion& each : sheet->questions) {
        const Score one = score(each);
        all.right += one.right, all.of += one.of, all.wrong += one.wrong, all.filled += one.filled;
        all.fields += one.fields;
    }
    return all;
}

bool Desk::solved(const SheetQuestion& asked) const {
    if (kept.key) return true;
    return std::ranges::all_of(asked.blanks, [&](const Blank& blank) {
        const AnsweredBlank& answer = of(blank);
        return answer.shown || answer.right();
    });
}

std::string Desk::lit() const {
    const SheetQuestion* const asked = question();
    if (!asked) return {};
    if (const std::optional<std::string> place = place_of(*asked)) return *place;
    const auto* const select = std::get_if<SelectAnswer>(&asked->blanks.front().answer);
    return select && solved(*asked) ? select->ids.front() : std::string();
}

void open_desk(Desk& desk, std::span<const Preset> presets, const Architecture& own) {
    if (!desk.shipped) {
        Result<std::vector<Worksheet>> all = shipped_worksheets();
        if (!all) desk.problem = sentence(all.error());
        desk.shipped = std::make_shared<const std::vector<Worksheet>>(all ? std::move(*all) : std::vector<Worksheet>{});
    }
    if (desk.kept.sheet.worksheet.empty()) {
        if (desk.shipped->empty()) return;
        desk.kept.sheet = {desk.shipped->front().id, std::nullopt};
    }
    const bool follows = !desk.own || *desk.own == own;
    if (desk.opened == desk.kept.sheet && follows) return;
    put_on_desk(desk, read_sheet(desk.kept.sheet, presets, own), own);
}

std::string change_desk(Desk& desk, const DeskIntent& intent, std::span<const Preset> presets,
                        const Architecture& own) {
    if (const auto* open = std::get_if<OpenSheet>(&intent)) return open_sheet(desk, *open, presets, own);
    open_desk(desk, presets, own);
    if (const auto* open = std::get_if<OpenClass>(&intent)) return open_class(desk, open->path);
    if (const auto* key = std::get_if<ShowKey>(&intent)) return show_key(desk, *key);
    DeskState& kept = desk.kept;
    Progress none;
    Progress& progress = desk.sheet ? kept.progress[kept.sheet] : none;
    std::string problem;
    std::visit(Overloaded{
                   [](const OpenSheet&) {},
                   [&](const ShowQuestion& show) {
                       if (desk.sheet) progress.question = std::min(show.question, desk.sheet->questions.size() - 1);
                   },
                   [&](const GiveAnswer& given) {
                       const Blank* const blank = desk.sheet ? desk.sheet->find(given.blank) : nullptr;
                       if (!blank) return;
                       give_answer(progress, *blank, as_kept(*blank, given.text));
                       answer(desk, given.blank);
                   },
                   [&](const CheckFields& check) {
                       if (check.fields.empty()) problem = "Give an answer first: there is none to be checked.";
                       for (const std::string& field : check.fields) progress.checked.insert(field);
                       answer(desk);
                   },
                   [&](const AskHint& ask) { progress.hinted.insert(ask.of); },
                   [&](const ShowAnswer& show) {
                       progress.shown.insert(show.blank);
                       answer(desk, show.blank);
                   },
                   [&](const StartOver& over) {
                       if (desk.sheet)
                           for (const SheetQuestion& question : desk.sheet->questions)
                               if (!over.question || *over.question == question.id) start_over(progress, question);
                       answer(desk);
                   },
                   [&](const ResetDesk&) {
                       kept.student.clear();
                       kept.progress.clear();
                       kept.seeds.clear();
                       kept.key = false;
                       if (desk.sheet) kept.progress[kept.sheet] = {};
                       answer(desk);
                   },
                   [&](const NameStudent& student) { kept.student = student.name; },
                   [](const ShowKey&) {},
                   [&](const SetKeyWord& set) {
                       if (kept.key) kept.key_word = set.word;
                   },
                   [&](const CheckAtEnd& check) { kept.at_end = check.at_end; },
                   [](const OpenClass&) {},
                   [&](const LookAtClass& at) { desk.pupils.look = at.look; },
                   [&](const CloseClass&) { desk.pupils.answers.reset(); },
               },
               intent);
    return problem;
}

bool shows_diagram(const Desk& desk) {
    const SheetQuestion* const question = desk.question();
    return question && (desk.flow().boxes.empty() || !question->at.empty() || desk.solved(*question));
}

void take_answers(Desk& desk, DeskState merged) {
    merged.sheet = desk.kept.sheet;
    merged.key = desk.kept.key;
    if (desk.sheet) merged.progress[merged.sheet];
    for (auto& [choice, progress] : merged.progress)
        if (const auto here = desk.kept.progress.find(choice); here != desk.kept.progress.end())
            progress.question = here->second.question;
    desk.kept = std::move(merged);
    answer(desk);
}

Answers answers_of(const Desk& desk) {
    Answers answers{desk.sheet ? desk.sheet->id : std::string(), desk.kept.student, std::nullopt, {}};
    if (!desk.sheet) return answers;
    answers.seed = desk.sheet->seed;
    for (const auto& [blank, text] : desk.progress().given)
        if (desk.sheet->find(blank)) answers.given[blank] = text;
    return answers;
}

}  // namespace headcount
