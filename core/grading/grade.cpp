// Answers checked: shapes, each side by itself, and what is picked (a choice, an order of steps, a place in the
// diagram); numbers in grade_number.cpp.
#include "core/grading/grade.hpp"

#include <algorithm>
#include <array>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/experiment/try.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

bool is_right(const SelectAnswer& right, std::string_view id) { return contains(right.ids, id); }

// Two spellings of the same words: neither spaces nor capitals tell them apart, nor the sign between two sides.
std::string folded(std::string_view text) {
    std::string words = lower(plain_text(text));
    replace_all(words, "×", "x");
    std::erase(words, ' ');
    if (words.ends_with('.')) words.pop_back();
    return words;
}

bool is_called(const Tensor& tensor, std::string_view name) {
    if (name == folded(tensor.label) || name == folded(tensor.symbol)) return true;
    const bool weight = tensor.id.ends_with(".weight");
    const std::string_view part = std::string_view(tensor.id).substr(0, tensor.id.size() - (weight ? 7 : 0));
    return weight && name == folded(part.substr(part.rfind('.') + 1));  // "up"
}

// The one choice that begins with these words, "four times" for "4 times as large"; nothing where none or several do.
std::optional<std::size_t> begun_choice(const SheetQuestion& question, const std::string& text) {
    const auto words_of = [](std::string_view from) {
        std::string words = lower(plain_text(from));
        const std::size_t end = word_end(words, 0);
        if (const std::optional<int> number = number_word(words.substr(0, end)))
            words.replace(0, end, std::to_string(*number));
        return words + " ";
    };
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        if (!words_of(question.choices[i].text).starts_with(words_of(text))) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

Grade grade_choice(const SheetQuestion& question, const ChoiceAnswer& right, std::string_view typed) {
    const std::string text = plain_text(typed);
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        const std::string own = letter(i);
        const char first = lower(text.front());
        const bool by_letter =
            first == own.front() && (text.size() == 1 || (text.size() == 2 && (text[1] == ')' || text[1] == '.')));
        const bool by_name = i < question.names.size() && folded(text) == folded(question.names[i]);
        if (by_letter || by_name || folded(text) == folded(question.choices[i].text)) chosen = i;
    }
    if (!chosen) chosen = begun_choice(question, text);
    if (!chosen)
        return unreadable({quote(text) + " is none of the choices", "",
                           "give a letter from a to " + letter(question.choices.size() - 1)});
    Grade grade{right.takes(*chosen) ? Outcome::right : Outcome::wrong, letter(*chosen)};
    if (grade.verdict == Outcome::right) return grade;
    grade.mistake = Mistake::other;
    const std::string& why = question.choices[*chosen].why;
    grade.hint = why.empty() ? "Not this one." : why;
    return grade;
}

Grade grade_order(const OrderAnswer& right, std::string_view typed) {
    const Result<std::vector<std::size_t>> order = typed_order(typed, right.right.size());
    if (!order) return unreadable(order.error());
    Grade grade{*order == right.right ? Outcome::right : Outcome::wrong, {}};
    grade.given = order_text(*order);
    if (grade.verdict == Outcome::right) return grade;
    grade.mistake = Mistake::other;
    std::size_t good = 0;
    while ((*order)[good] == right.right[good]) ++good;
    const std::size_t shown = (*order)[good];
    const auto belongs = std::ranges::find(right.right, shown);
    grade.hint = good == 0 ? "The first step is another one."
                           : "The first " + std::to_string(good) + (good == 1 ? " is" : " are") + " in order. Then " +
                                 letter(shown) + " comes too early: something must happen before it.";
    if (good == 0 && belongs != right.right.end())
        grade.hint += " Before " + letter(shown) + ", something else must have happened.";
    return grade;
}

Grade grade_select(const CountedModel& model, const SelectAnswer& right, std::string_view typed) {
    const std::string text = plain_text(typed);
    const Tensor* tensor = model.graph.find(text);
    const Block* block = text.empty() ? nullptr : model.graph.find_block(text);
    if (!tensor) {
        // On paper people write the name or the symbol.
        const std::string name = folded(text);
        for (const Tensor& each : model.graph.tensors)
            if (is_called(each, name) && (!tensor || is_right(right, each.id))) tensor = &each;
    }
    const std::string id = tensor ? tensor->id : block ? block->id : std::string();
    if (id.empty()) {
        return unreadable({"there is nothing named " + quote(text) + " in the diagram", "",
                           did_you_mean(text, model.graph.tensor_ids(),
                                        "give an id, such as layer.attention.head.scores, or a name")});
    }
    if (is_right(right, id)) return {Outcome::right, id};
    std::string hint = tensor ? "That is " + quote(tensor->label) + " (" + shape_in_symbols(tensor->shape) +
                                    "): " + filled_in(tensor->meaning, model.bindings)
                              : "That is a whole block: " + words_of(*block);
    if (!hint.ends_with('.')) hint += ".";
    return {Outcome::wrong, id, hint, Mistake::named};
}

struct ShapeGrader {
    const CountedModel& model;
    std::span<const Blank> blanks;  // of the question: what another one asks for is not said
    const Bindings& numbers = model.bindings;

    Grade operator()(const ShapeAnswer& right, std::string_view typed) const {
        const Result<TypedShape> read = typed_shape(typed);
        if (!read) return unreadable(read.error());
        const Result<std::int64_t> rows = evaluate(read->rows, numbers), columns = evaluate(read->columns, numbers);
        if (!rows) return unreadable(rows.error());
        if (!columns) return unreadable(columns.error());
        const std::int64_t right_rows = *evaluate(right.rows, numbers),
                           right_columns = *evaluate(right.columns, numbers);
        Grade grade;
        grade.given = std::to_string(*rows) + " × " + std::to_string(*columns);
        grade.rows_right = *rows == right_rows;
        grade.columns_right = *columns == right_columns;
        grade.verdict = grade.rows_right && grade.columns_right ? Outcome::right : Outcome::wrong;
        if (grade.verdict == Outcome::right) return grade;
        if (*rows == right_columns && *columns == right_rows) {
            grade.mistake = Mistake::swapped;
            grade.hint = "Rows and columns are swapped: " + swapped_rule(right);
            return grade;
        }
        if (!grade.rows_right) side(grade, "Rows", right.rows, *rows, grade.columns_right);
        if (!grade.columns_right) side(grade, "Columns", right.columns, *columns, grade.rows_right);
        const std::string other =
            is_asked(*rows, *columns) ? std::string() : shape_named(model, *rows, *columns, right.id);
        if (!other.empty() && grade.mistake != Mistake::all_heads) {
            grade.hint += " " + grade.given + " is " + other + ".";
            if (grade.mistake == Mistake::other) grade.mistake = Mistake::named;
        }
        return grade;
    }

    bool is_asked(std::int64_t rows, std::int64_t columns) const {
        return std::ranges::any_of(blanks, [&](const Blank& blank) {
            const auto* shape = std::get_if<ShapeAnswer>(&blank.answer);
            return shape && *evaluate(shape->rows, numbers) == rows && *evaluate(shape->columns, numbers) == columns;
        });
    }

    std::string swapped_rule(const ShapeAnswer& right) const {
        const Tensor* tensor = right.id.empty() ? nullptr : model.graph.find(right.id);
        if (tensor && tensor->role == Role::parameter)
            return "a matrix of weights is multiplied from the right, so it has one row for each number that comes in.";
        if (right.rows == right.columns) return "write rows first.";
        return "each row is one token, each column one number of it.";
    }

    void side(Grade& grade, std::string_view which, const Expr& right, std::int64_t number, bool other_right) const {
        const std::vector<Slip> slips = number_slips(model, {right, {}, false});
        const Slip* slip = slip_of(slips, number);
        grade.hint += std::string(grade.hint.empty() ? "" : " ") +
                      (other_right ? (which == "Rows" ? "Columns right. " : "Rows right. ") : "") + std::string(which) +
                      ": not yet. ";
        grade.hint += side_said(right, number, slip);
        if (grade.mistake == Mistake::none || grade.mistake == Mistake::other)
            grade.mistake = slip ? slip->mistake : Mistake::other;
    }

    std::string side_said(const Expr& right, std::int64_t number, const Slip* slip) const {
        const std::string plain = std::to_string(number);
        return slip ? is_slip(plain, side_text(*slip, right))
                    : plain + " is " + how_far(number, *evaluate(right, numbers)) + ".";
    }

    // A side that is one symbol reads shorter: "the head size d_h, not the tokens".
    std::string side_text(const Slip& slip, const Expr& right) const {
        if (slip.mistake == Mistake::all_heads) {
            const Expr rule = head_dim_rule(model.architecture);
            const bool columns = right == Expr(Symbol::head_dim) && rule.kind() != Expr::Kind::integer;
            const std::string all = slip.text.substr(0, slip.text.find(';'));
            return columns ? all + "; one head has " + in_symbols(rule) + " columns" : slip.text;
        }
        if (slip.mistake == Mistake::factor || slip.mistake == Mistake::power) {
            const bool leaf = right.kind() == Expr::Kind::symbol;
            if (leaf) return how_far(slip.value, *evaluate(right, numbers));
        }
        return slip.text;
    }
};

Grade grade_shape(const SheetQuestion& question, const ShapeAnswer& right, std::string_view typed) {
    const CountedModel& model = *question.model;
    const ShapeGrader grader{model, question.blanks};
    Grade first = grader(right, typed);
    if (first.verdict == Outcome::right) return first;
    for (const OtherReading& other : other_readings(typed, false, model.bindings))
        if (Grade grade = grader(right, other.text); grade.verdict == Outcome::right) return grade;
    return first;
}

// By running the model with these parts off.
Grade grade_experiment(const Experiment& experiment, std::string_view typed) {
    const Result<std::vector<Change>> changes = parts_off(plain_text(typed));
    if (!changes) return unreadable(changes.error());
    const Result<Tried> tried = try_experiment(experiment, *changes);
    if (!tried) return unreadable(tried.error());
    Grade grade{Outcome::wrong, listed(*changes, [](const Change& change) { return place_text(change.place); })};
    const auto parts = std::ssize(*changes);
    const auto said = [](double share) { return decimal_text(100 * share, 1) + " %"; };
    if (!says_word(tried->after, experiment.to)) {
        const bool same = says_word(tried->after, experiment.from);
        grade.hint = "Without " + std::string(parts == 1 ? "this part" : "these parts") + " the likeliest word is " +
                     (same ? "still " : "") + quote(plain_text(tried->after)) + ", with " + said(tried->after_share) +
                     "; " + quote(experiment.to) + " has " + said(tried->to_share) + ".";
    } else if (experiment.most > 0 && parts > experiment.most) {
        grade.hint = quote(experiment.to) + " it is, but with " + std::to_string(parts) +
                     " parts off: " + std::to_string(experiment.most) + " will do.";
    } else {
        grade.verdict = Outcome::right;
    }
    if (grade.verdict != Outcome::right) grade.mistake = Mistake::other;
    return grade;
}

struct Grader {
    const SheetQuestion& question;
    std::string_view typed;

    Grade operator()(const ShapeAnswer& right) const { return grade_shape(question, right, typed); }
    Grade operator()(const NumberAnswer& right) const { return grade_number(*question.model, right, typed); }
    Grade operator()(const ChoiceAnswer& right) const { return grade_choice(question, right, typed); }
    Grade operator()(const OrderAnswer& right) const { return grade_order(right, typed); }
    Grade operator()(const SelectAnswer& right) const { return grade_select(*question.model, right, typed); }
    Grade operator()(const TextAnswer&) const { return {Outcome::kept, plain_text(typed)}; }
    Grade operator()(const ExperimentAnswer& right) const { return grade_experiment(right.experiment, typed); }
};

}  // namespace

std::string side_hint(const SheetQuestion& question, const ShapeAnswer& right, ShapeSide side, std::int64_t number) {
    const ShapeGrader grader{*question.model, question.blanks};
    const bool rows = side == ShapeSide::rows;
    const Expr &own = rows ? right.rows : right.columns, &other = rows ? right.columns : right.rows;
    const std::vector<Slip> slips = number_slips(grader.model, {own, {}, false});
    const Slip* slip = slip_of(slips, number);
    const bool says_why = slip && slip->mistake < Mistake::symbol;
    if (!says_why && number == *evaluate(other, grader.numbers))
        return std::string("These are the ") + (rows ? "columns: " : "rows: ") + grader.swapped_rule(right);
    return grader.side_said(own, number, slip);
}

std::string is_slip(const std::string& given, const std::string& text) {
    return text.starts_with("with ") ? given + " has" + text.substr(4) + "." : given + " is " + text + ".";
}

const Slip* slip_of(const std::vector<Slip>& slips, std::int64_t number) {
    return find_if_in(slips, [&](const Slip& slip) { return slip.value == number; });
}

std::string how_far(std::int64_t number, std::int64_t right) {
    if (number <= 0) return "no count: it must be more than nothing";
    return number > right ? "too large" : "too small";
}

AskedIn asked_in(const CountedModel& own, const Resolved& resolved) {
    const std::vector<Elsewhere>& elsewhere = resolved.elsewhere;
    if (elsewhere.size() != 1 || resolved.value != Expr(elsewhere.front().value))
        return {own, {resolved.value, resolved.counted, resolved.bytes}};
    const Elsewhere& other = elsewhere.front();
    return {*other.model, {other.formula, other.counted, resolved.bytes}};
}

std::string_view outcome_key(Outcome verdict) {
    constexpr std::array<std::string_view, 5> keys{"right", "wrong", "unreadable", "empty", "kept"};
    return keys[static_cast<std::size_t>(verdict)];
}

Grade grade(const SheetQuestion& question, const Blank& blank, std::string_view typed) {
    if (plain_text(typed).empty()) return {};
    return std::visit(Grader{question, typed}, blank.answer);
}

std::vector<LikelyMistake> likely_mistakes(const SheetQuestion& question, const Blank& blank) {
    constexpr std::size_t most = 3;
    const CountedModel& model = *question.model;
    std::vector<std::string> tries;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        const std::string rows = std::to_string(*evaluate(shape->rows, model.bindings));
        const std::string columns = std::to_string(*evaluate(shape->columns, model.bindings));
        for (const Slip& slip : number_slips(model, {shape->columns, {}, false}))
            if (slip.mistake < Mistake::symbol) tries.push_back(rows + " × " + std::to_string(slip.value));
        if (rows != columns) tries.insert(tries.begin() + (tries.empty() ? 0 : 1), columns + " × " + rows);
    } else if (const auto* number = std::get_if<NumberAnswer>(&blank.answer); number && !number->formula) {
        const AskedIn of = asked_in(model, number->resolved);
        for (const Slip& slip : number_slips(of.model, of.asked))
            if (slip.mistake < Mistake::symbol) tries.push_back(grouped(slip.value));
    }
    std::vector<LikelyMistake> found;
    for (const std::string& typed : tries) {
        if (found.size() >= most) break;
        const Grade graded = grade(question, blank, typed);
        const bool known =
            std::ranges::any_of(found, [&](const LikelyMistake& each) { return each.mistake == graded.mistake; });
        if (graded.verdict == Outcome::wrong && !known) found.push_back({graded.given, graded.hint, graded.mistake});
    }
    return found;
}

}  // namespace headcount
