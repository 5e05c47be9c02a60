// Answers that are picked: a choice, an order of steps, a place in the diagram.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/grading/grade_parts.hpp"
#include "core/grading/typed.hpp"
#include "core/grading/typed_parts.hpp"

namespace headcount {
namespace {

bool is_right(const SelectAnswer& right, std::string_view id) {
    return std::find(right.ids.begin(), right.ids.end(), id) != right.ids.end();
}

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

}  // namespace

Grade grade_choice(const SheetQuestion& question, const ChoiceAnswer& right, std::string_view typed) {
    const std::string text = plain_text(typed);
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
        const std::string own = letter(i);
        const char first = lower(text.front());
        const bool by_letter =
            first == own.front() && (text.size() == 1 || (text.size() == 2 && (text[1] == ')' || text[1] == '.')));
        if (by_letter || folded(text) == folded(question.choices[i].text)) chosen = i;
    }
    if (!chosen)
        return unreadable({quote(text) + " is none of the choices", "",
                           "give a letter from a to " + letter(question.choices.size() - 1)});
    Grade grade{*chosen == right.right ? Outcome::right : Outcome::wrong, letter(*chosen)};
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
    const auto belongs = std::find(right.right.begin(), right.right.end(), shown);
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
                              : "That is the whole block " + id;
    if (!hint.ends_with('.')) hint += ".";
    return {Outcome::wrong, id, hint, Mistake::named};
}

}  // namespace headcount
