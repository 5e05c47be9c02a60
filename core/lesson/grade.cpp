// Answers checked: right, or wrong with the factor that is off.
#include "core/lesson/grade.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.hpp"
#include "core/lesson/new_numbers.hpp"
#include "core/lesson/rewrite.hpp"
#include "core/lesson/typed.hpp"

namespace headcount {
namespace {

Grade unreadable(const Error& error) {
    return {Outcome::unreadable, {}, sentence(error), Mistake::none, false, false};
}

std::string capital(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 32);
    return text;
}

// "4096 is all 32 heads together", "128 has d_h (head size) where T (tokens) belongs".
std::string is_slip(const std::string& given, const std::string& text) {
    return text.starts_with("with ") ? given + " has" + text.substr(4) + "." : given + " is " + text + ".";
}

const Slip* slip_of(const std::vector<Slip>& slips, std::int64_t number) {
    const auto found = std::find_if(slips.begin(), slips.end(), [&](const Slip& slip) { return slip.value == number; });
    return found == slips.end() ? nullptr : &*found;
}

// Far from right: by how much, without saying the number.
std::string how_far(std::int64_t number, std::int64_t right) {
    if (number <= 0) return "it must be more than nothing";
    return number > right ? "too large" : "too small";
}

class Grader {
  public:
    Grader(const SheetQuestion& question, const Blank& blank)
        : question_(question), blank_(blank), model_(*question.model), numbers_(model_.bindings) {}

    Grade operator()(const ShapeAnswer& right, std::string_view typed) const {
        const Result<TypedShape> read = typed_shape(typed);
        if (!read) return unreadable(read.error());
        const Result<std::int64_t> rows = evaluate(read->rows, numbers_), columns = evaluate(read->columns, numbers_);
        if (!rows) return unreadable(rows.error());
        if (!columns) return unreadable(columns.error());
        const std::int64_t right_rows = *evaluate(right.rows, numbers_),
                           right_columns = *evaluate(right.columns, numbers_);
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
        const std::string other = shape_named(model_, *rows, *columns, right.id);
        if (!other.empty() && grade.mistake != Mistake::all_heads) {
            grade.hint += " " + grade.given + " is " + other + ".";
            if (grade.mistake == Mistake::other) grade.mistake = Mistake::named;
        }
        return grade;
    }

    Grade operator()(const NumberAnswer& right, std::string_view typed) const {
        if (right.formula) return formula(right, typed);
        const Result<TypedCount> read = typed_count(typed, right.resolved.bytes);
        if (!read) return unreadable(read.error());
        const std::int64_t value = *evaluate(right.resolved.value, numbers_);
        if (read->exact) {
            const Result<std::int64_t> number = evaluate(*read->exact, numbers_);
            if (!number) return unreadable(number.error());
            const bool near = read->rounded && close(*read->rounded, right, value);
            return near ? Grade{Outcome::right, grouped(*number), {}, Mistake::none, false, false}
                        : judged(right, *number);
        }
        return rounded(right, *read->rounded, value);
    }

    Grade operator()(const ChoiceAnswer& right, std::string_view typed) const {
        const std::string text = plain_text(typed);
        std::optional<std::size_t> chosen;
        for (std::size_t i = 0; i < question_.choices.size(); ++i) {
            const std::string own = letter(i);
            const char first =
                text.front() >= 'A' && text.front() <= 'Z' ? static_cast<char>(text.front() + 32) : text.front();
            const bool by_letter =
                first == own.front() && (text.size() == 1 || (text.size() == 2 && (text[1] == ')' || text[1] == '.')));
            if (by_letter || text == question_.choices[i].text) chosen = i;
        }
        if (!chosen)
            return unreadable({"\"" + text.substr(0, 80) + "\" is none of the choices", "",
                               "give a letter from a to " + letter(question_.choices.size() - 1)});
        Grade grade{
            *chosen == right.right ? Outcome::right : Outcome::wrong, letter(*chosen), {}, Mistake::none, false, false};
        if (grade.verdict == Outcome::right) return grade;
        grade.mistake = Mistake::other;
        const std::string& why = question_.choices[*chosen].why;
        grade.hint = why.empty() ? "Not this one." : why;
        return grade;
    }

    Grade operator()(const OrderAnswer& right, std::string_view typed) const {
        const Result<std::vector<std::size_t>> order = typed_order(typed, right.right.size());
        if (!order) return unreadable(order.error());
        Grade grade{*order == right.right ? Outcome::right : Outcome::wrong, {}, {}, Mistake::none, false, false};
        for (std::size_t place : *order) grade.given += (grade.given.empty() ? "" : ", ") + letter(place);
        if (grade.verdict == Outcome::right) return grade;
        grade.mistake = Mistake::other;
        std::size_t good = 0;
        while ((*order)[good] == right.right[good]) ++good;
        const std::size_t shown = (*order)[good];
        const auto belongs = std::find(right.right.begin(), right.right.end(), shown);
        grade.hint = good == 0
                         ? "The first step is another one."
                         : "The first " + std::to_string(good) + (good == 1 ? " is" : " are") + " in order. Then " +
                               letter(shown) + " comes too early: something must happen before it.";
        if (good == 0 && belongs != right.right.end())
            grade.hint += " Before " + letter(shown) + ", something else must have happened.";
        return grade;
    }

    Grade operator()(const SelectAnswer& right, std::string_view typed) const {
        const std::string text = plain_text(typed);
        const Tensor* tensor = model_.graph.find(text);
        const Block* block = text.empty() ? nullptr : model_.graph.find_block(text);
        if (!tensor) {
            // On paper people write the name or the symbol.
            for (const Tensor& each : model_.graph.tensors)
                if (!tensor && (text == each.label || text == each.symbol)) tensor = &each;
            for (const Tensor& each : model_.graph.tensors)
                if ((text == each.label || text == each.symbol) && is_right(right, each.id)) tensor = &each;
        }
        const std::string id = tensor ? tensor->id : block ? block->id : std::string();
        if (id.empty()) {
            std::vector<std::string_view> known;
            for (const Tensor& each : model_.graph.tensors) known.push_back(each.id);
            const std::string nearest = did_you_mean(nearest_names(text, known));
            return unreadable(
                {"there is nothing named \"" + text.substr(0, 80) + "\" in the diagram", "",
                 nearest.empty() ? "give an id, such as layer.attention.head.scores, or a name" : nearest});
        }
        if (is_right(right, id)) return {Outcome::right, id, {}, Mistake::none, false, false};
        std::string hint = tensor ? "That is \"" + std::string(tensor->label) + "\" (" +
                                        shape_in_symbols(tensor->shape) + "): " + filled_in(tensor->meaning, numbers_)
                                  : "That is the whole block " + id;
        if (!hint.ends_with('.')) hint += ".";
        return {Outcome::wrong, id, hint, Mistake::named, false, false};
    }

    Grade operator()(const TextAnswer&, std::string_view typed) const {
        return {Outcome::kept, plain_text(typed), {}, Mistake::none, false, false};
    }

  private:
    static bool is_right(const SelectAnswer& right, std::string_view id) {
        return std::find(right.ids.begin(), right.ids.end(), id) != right.ids.end();
    }

    std::string swapped_rule(const ShapeAnswer& right) const {
        const Tensor* tensor = right.id.empty() ? nullptr : model_.graph.find(right.id);
        if (tensor && tensor->role == Role::parameter)
            return "a matrix of weights is multiplied from the right, so it has one row for each number that comes in.";
        if (right.rows == right.columns) return "write rows first.";
        return "each row is one token, each column one number of it.";
    }

    void side(Grade& grade, std::string_view which, const Expr& right, std::int64_t number, bool other_right) const {
        const std::vector<Slip> slips = number_slips(model_, {right, {}, false});
        const Slip* slip = slip_of(slips, number);
        grade.hint += std::string(grade.hint.empty() ? "" : " ") +
                      (other_right ? (which == "Rows" ? "Columns right. " : "Rows right. ") : "") + std::string(which) +
                      ": not yet. ";
        const std::string plain = std::to_string(number);
        if (slip)
            grade.hint += is_slip(plain, side_text(*slip, right));
        else
            grade.hint += plain + " is " + how_far(number, *evaluate(right, numbers_)) + ".";
        if (grade.mistake == Mistake::none || grade.mistake == Mistake::other)
            grade.mistake = slip ? slip->mistake : Mistake::other;
    }

    // A side that is one symbol reads shorter: "the head size d_h, not the tokens".
    std::string side_text(const Slip& slip, const Expr& right) const {
        if (slip.mistake == Mistake::all_heads) {
            const Expr rule = head_dim_rule(model_.architecture);
            const bool columns = right == Expr(Symbol::head_dim) && rule.kind() != Expr::Kind::integer;
            const std::string all = slip.text.substr(0, slip.text.find(';'));
            return columns ? all + "; one head has " + in_symbols(rule) + " columns" : slip.text;
        }
        if (slip.mistake == Mistake::factor || slip.mistake == Mistake::power) {
            const bool leaf = right.kind() == Expr::Kind::symbol;
            if (leaf) return how_far(slip.value, *evaluate(right, numbers_));
        }
        return slip.text;
    }

    static bool close(const Rounded& typed, const NumberAnswer& right, std::int64_t value) {
        if (right.round == 0 || typed.significant < right.round) return false;
        return std::abs(static_cast<long double>(value) - typed.value) <= typed.step / 2;
    }

    Grade judged(const NumberAnswer& right, std::int64_t number) const {
        const std::int64_t value = *evaluate(right.resolved.value, numbers_);
        if (number == value) return {Outcome::right, grouped(number), {}, Mistake::none, false, false};
        return explained(right, number, grouped(number));
    }

    // The hint for a wrong number, in the form that it was given in.
    Grade explained(const NumberAnswer& right, std::int64_t number, const std::string& given) const {
        const AskedNumber asked{right.resolved.value, right.resolved.counted, right.resolved.bytes};
        const std::vector<Slip> slips = number_slips(model_, asked);
        Grade grade{Outcome::wrong, given, {}, Mistake::other, false, false};
        const Slip* slip = slip_of(slips, number);
        const std::string other =
            right.resolved.bytes ? "" : number_named(model_, number, !right.resolved.counted.empty());
        const bool vague = slip && (slip->mistake == Mistake::symbol || slip->mistake == Mistake::factor ||
                                    slip->mistake == Mistake::left_out || slip->mistake == Mistake::twice);
        if (slip && !(vague && !other.empty())) {
            grade.mistake = slip->mistake;
            grade.hint = is_slip(given, slip->text);
        } else if (!other.empty()) {
            grade.mistake = Mistake::named;
            grade.hint = given + " is " + other + ".";
        } else {
            grade.hint = given + " is " + how_far(number, *evaluate(right.resolved.value, numbers_)) + ".";
        }
        return grade;
    }

    Grade rounded(const NumberAnswer& right, const Rounded& typed, std::int64_t value) const {
        const std::string given = plain_decimal(typed);
        const auto exact = static_cast<long double>(value);
        if (typed.value == exact || close(typed, right, value))
            return {Outcome::right, given, {}, Mistake::none, false, false};
        const bool fits = std::abs(exact - typed.value) <= typed.step / 2;
        if (fits)
            return {Outcome::wrong,
                    given,
                    right.round == 0
                        ? given + " is rounded; here every digit is asked for."
                        : given + " is right as far as it goes; give " + std::to_string(right.round) + " digits.",
                    Mistake::rounded,
                    false,
                    false};
        if (const Grade swapped = units_swapped(right, typed, exact, given); swapped.mistake != Mistake::none)
            return swapped;
        if (exact > typed.value && exact - typed.value < typed.step)
            return {Outcome::wrong, given, given + " is cut off; rounded, its last digit is one more.",
                    Mistake::cut,   false, false};
        return nearest_slip(right, typed, given);
    }

    // GB (10^9) for GiB (2^30) and the like.
    Grade units_swapped(const NumberAnswer& right, const Rounded& typed, long double exact,
                        const std::string& given) const {
        struct Pair {
            std::string_view decimal, binary;
            long double ones, binary_ones;
        };
        constexpr std::array<Pair, 4> pairs{{{"KB", "KiB", 1e3L, 1024.0L},
                                             {"MB", "MiB", 1e6L, 1048576.0L},
                                             {"GB", "GiB", 1e9L, 1073741824.0L},
                                             {"TB", "TiB", 1e12L, 1099511627776.0L}}};
        if (!right.resolved.bytes) return {};
        const long double step = typed.step / typed.ones;
        for (const Pair& pair : pairs) {
            const bool decimal = typed.unit == pair.decimal;
            if (!decimal && typed.unit != pair.binary) continue;
            const long double other = exact / (decimal ? pair.binary_ones : pair.ones);
            if (std::abs(other - typed.digits) > step / 2) continue;
            const std::string a(decimal ? pair.decimal : pair.binary), b(decimal ? pair.binary : pair.decimal);
            return {Outcome::wrong,
                    given,
                    given + ": the number is right for " + b + ", not for " + a + ". 1 " + std::string(pair.binary) +
                        " is " + grouped(static_cast<std::int64_t>(pair.binary_ones)) + " bytes, 1 " +
                        std::string(pair.decimal) + " is " + grouped(static_cast<std::int64_t>(pair.ones)) + ".",
                    Mistake::gb_for_gib,
                    false,
                    false};
        }
        return {};
    }

    // The slip that rounds to what was given.
    Grade nearest_slip(const NumberAnswer& right, const Rounded& typed, const std::string& given) const {
        const AskedNumber asked{right.resolved.value, right.resolved.counted, right.resolved.bytes};
        for (const Slip& slip : number_slips(model_, asked))
            if (typed.significant >= 2 &&
                std::abs(static_cast<long double>(slip.value) - typed.value) <= typed.step / 2)
                return {Outcome::wrong, given, is_slip(given, slip.text), slip.mistake, false, false};
        const bool more = typed.value > static_cast<long double>(*evaluate(right.resolved.value, numbers_));
        return {Outcome::wrong, given, given + " is " + (more ? "too large." : "too small."),
                Mistake::other, false, false};
    }

    static std::string plain_decimal(const Rounded& typed) {
        std::array<char, 64> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%.15Lg", typed.digits);
        return std::string(buffer.data()) + (typed.unit.empty() ? "" : " " + typed.unit);
    }

    // Two formulas are the same when they agree on many architectures of this kind.
    bool same_formula(const Expr& a, const Expr& b) const {
        constexpr std::uint64_t trials = 6;
        for (std::uint64_t seed = 0; seed <= trials; ++seed) {
            const auto [arch, input] = seed == 0
                                           ? std::pair(model_.architecture, model_.input)
                                           : with_new_numbers(model_.architecture, model_.input, std::nullopt, seed);
            const Bindings drawn = bindings(arch, input);
            const Result<std::int64_t> first = evaluate(a, drawn), second = evaluate(b, drawn);
            if (!first || !second || *first != *second) return false;
        }
        return true;
    }

    Grade formula(const NumberAnswer& right, std::string_view typed) const {
        const Result<Expr> read = typed_formula(typed);
        if (!read) return unreadable(read.error());
        const Result<std::int64_t> number = evaluate(*read, numbers_);
        if (!number) return unreadable(number.error());
        const std::string given = in_symbols(*read);
        if (same_formula(*read, right.resolved.value)) return {Outcome::right, given, {}, Mistake::none, false, false};
        const std::int64_t value = *evaluate(right.resolved.value, numbers_);
        if (*number == value) {
            const bool no_symbols = symbols_in(*read).empty();
            return {Outcome::wrong,
                    given,
                    no_symbols ? "That is the number; a formula in symbols is asked for, such as L·d."
                               : given +
                                     " gives the right number here, but not in other models: one of its symbols only "
                                     "happens to have this value.",
                    Mistake::symbol,
                    false,
                    false};
        }
        Grade grade = explained(right, *number, grouped(*number));
        grade.hint = capital(given + " gives " + grade.hint);
        grade.given = given;
        return grade;
    }

    const SheetQuestion& question_;
    const Blank& blank_;
    const LessonModel& model_;
    const Bindings& numbers_;
};

}  // namespace

std::string_view outcome_key(Outcome verdict) {
    constexpr std::array<std::string_view, 5> keys{"right", "wrong", "unreadable", "empty", "kept"};
    return keys[static_cast<std::size_t>(verdict)];
}

Grade grade(const SheetQuestion& question, const Blank& blank, std::string_view typed) {
    if (plain_text(typed).empty()) return {};
    const Grader grader(question, blank);
    return std::visit([&](const auto& answer) { return grader(answer, typed); }, blank.answer);
}

std::vector<LikelyMistake> likely_mistakes(const SheetQuestion& question, const Blank& blank, std::size_t most) {
    const LessonModel& model = *question.model;
    std::vector<std::string> tries;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        const std::string rows = std::to_string(*evaluate(shape->rows, model.bindings));
        const std::string columns = std::to_string(*evaluate(shape->columns, model.bindings));
        for (const Slip& slip : number_slips(model, {shape->columns, {}, false}))
            if (slip.mistake < Mistake::symbol) tries.push_back(rows + " × " + std::to_string(slip.value));
        if (rows != columns) tries.insert(tries.begin() + (tries.empty() ? 0 : 1), columns + " × " + rows);
    } else if (const auto* number = std::get_if<NumberAnswer>(&blank.answer); number && !number->formula) {
        const AskedNumber asked{number->resolved.value, number->resolved.counted, number->resolved.bytes};
        for (const Slip& slip : number_slips(model, asked))
            if (slip.mistake < Mistake::symbol) tries.push_back(grouped(slip.value));
    }
    std::vector<LikelyMistake> found;
    for (const std::string& typed : tries) {
        if (found.size() >= most) break;
        const Grade graded = grade(question, blank, typed);
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](const LikelyMistake& each) { return each.mistake == graded.mistake; });
        if (graded.verdict == Outcome::wrong && !known) found.push_back({graded.given, graded.hint, graded.mistake});
    }
    return found;
}

}  // namespace headcount
