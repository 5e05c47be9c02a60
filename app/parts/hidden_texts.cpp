// The texts that tell a hidden number, or an answer that is still to be found.
#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

#include "app/parts/hidden.hpp"
#include "app/parts/words.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

// Every way in which the interface writes numbers.
struct Texts {
    Precision precision;
    std::vector<std::string> all = {};

    // "409,600", "409600"
    void add_number(std::int64_t number) {
        all.push_back(grouped(number));
        all.push_back(std::to_string(number));
    }

    // "1,073,741,824", "1073741824", "1.00 GiB"
    void add_bytes(std::int64_t bytes) {
        add_number(bytes);
        all.push_back(bytes_text(bytes));
    }

    // "409,600", "409600", "410 k", and its memory in this precision.
    void add_count(std::int64_t count) {
        add_number(count);
        all.push_back(short_count(count));
        if (const std::optional<std::int64_t> bytes = bytes_of(count, precision)) add_bytes(*bytes);
    }

    // As people say it: "6.7 B", "7 billion", "6.74 billion". Nothing below a thousand.
    void add_rough(std::int64_t count) {
        struct Unit {
            double ones;
            std::string_view sign, word;
        };
        constexpr std::array<Unit, 4> units{
            {{1e12, " T", " trillion"}, {1e9, " B", " billion"}, {1e6, " M", " million"}, {1e3, " k", " thousand"}}};
        constexpr int most_decimals = 2;
        const auto value = static_cast<double>(count);
        const auto unit =
            std::find_if(units.begin(), units.end(), [&](const Unit& each) { return value >= each.ones; });
        if (unit == units.end()) return;
        for (int decimals = 0; decimals <= most_decimals; ++decimals) {
            std::array<char, 32> digits{};
            std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value / unit->ones);
            for (const std::string_view after : {unit->sign, unit->word})
                all.push_back(std::string(digits.data()).append(after));
        }
    }

    void add_share(std::int64_t part, std::int64_t whole) {
        if (part > 0 && part < whole) all.push_back(percent(part, whole));
    }

    void add_change(std::int64_t change) {
        if (change == 0) return;
        all.push_back(signed_grouped(change));
        all.push_back(signed_short(change));
    }

    // As the panels write shapes, and turned round as a checkpoint stores them. Nothing for less than two sides.
    void add_shape(std::span<const std::int64_t> sides) {
        if (sides.size() < 2) return;
        for (const std::string_view between : {" × ", "·", " · ", ", "}) {
            std::string there, back;
            for (std::size_t axis = 0; axis < sides.size(); ++axis) {
                const std::string one = std::to_string(sides[axis]);
                there += (axis > 0 ? std::string(between) : "") + one;
                back.insert(0, one + (axis > 0 ? std::string(between) : ""));
            }
            all.push_back(std::move(there));
            all.push_back(std::move(back));
        }
    }
};

void add_total(Texts& texts, const Derived& derived) {
    const std::int64_t total = derived.shown.parameters.total, base = derived.base.parameters.total;
    texts.add_count(total);
    texts.add_rough(total);
    texts.add_change(total - base);
    if (total != base) texts.all.push_back(percent(total - base, base));
    for (const auto& [field, effect] : derived.effects) texts.add_change(effect);
}

// One of them and all of them, and how much of the model that is.
void add_parameter(Texts& texts, const Counted& shown, const Tensor& tensor) {
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    const TensorCount count = count_of(shown.graph, tensor, shown.bindings);
    const LayerGroup* const group = group_of(shown.graph, tensor.block);
    texts.add_count(one);
    texts.add_count(count.all);
    if (group) texts.add_count(count.all / group->count);
    texts.add_share(one, shown.parameters.total);
    texts.add_share(count.all, shown.parameters.total);
}

// What a layer of each kind has of a component stands beside its name in the diagram. From its tensors it could be
// summed up.
void add_component(Texts& texts, const Derived& derived, Component component) {
    const Counted& shown = derived.shown;
    const std::int64_t count = shown.parameters.of(component);
    texts.add_count(count);
    texts.add_rough(count);
    texts.add_share(count, shown.parameters.total);
    texts.add_change(count - derived.base.parameters.of(component));
    std::vector<std::int64_t> in_layer(shown.graph.layers.size(), 0);
    for (const Tensor& tensor : shown.graph.tensors) {
        if (tensor.role != Role::parameter || tensor.component != component) continue;
        add_parameter(texts, shown, tensor);
        const std::optional<std::size_t> layer = shown.graph.layer_of(tensor.block);
        if (!layer) continue;
        in_layer[*layer] += count_of(shown.graph, tensor, shown.bindings).all / shown.graph.layers[*layer].group.count;
    }
    for (const std::int64_t one : in_layer)
        if (one > 0) texts.add_count(one);
}

void add_tensor(Texts& texts, const Derived& derived, const Tensor& tensor) {
    const Counted& shown = derived.shown;
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    std::vector<std::int64_t> sides;
    for (const Expr& side : tensor.shape.dimensions()) sides.push_back(value_of(side, shown.bindings));
    texts.add_shape(sides);
    texts.add_count(one);
    if (tensor.role == Role::parameter || tensor.role == Role::buffer) add_parameter(texts, shown, tensor);
    for (const auto* rows : {&shown.activations, &shown.head})
        for (const ActivationRow& row : *rows) {
            if (&shown.graph.tensors[row.tensor] != &tensor) continue;
            for (const std::int64_t copies : {row.in_layer, row.copies})
                texts.add_count(checked_multiply(row.elements, copies).value_or(row.elements));
        }
    const Tensor* const before = derived.base.graph.find(tensor.id);
    if (before) texts.add_change(one - elements_of(before->shape, derived.base.bindings));
}

std::vector<std::int64_t> given_numbers(const Sheet& sheet) {
    std::vector<std::int64_t> given;
    for (const Symbol symbol : given_symbols(sheet))
        if (const auto value = sheet.model->bindings[symbol]) given.push_back(*value);
    return given;
}

bool among(const std::vector<std::int64_t>& numbers, std::int64_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// The numbers of an answer: the sides of a shape, or a count.
std::vector<std::int64_t> numbers_of(const Blank& blank, const CountedModel& model) {
    std::vector<std::int64_t> numbers;
    const auto add = [&](const Expr& expr) {
        if (const Result<std::int64_t> value = evaluate(expr, model.bindings)) numbers.push_back(*value);
    };
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        add(shape->rows);
        add(shape->columns);
    }
    if (const auto* number = std::get_if<NumberAnswer>(&blank.answer); number && !number->formula)
        add(number->resolved.value);
    return numbers;
}

}  // namespace

std::vector<std::string> texts_of(const Derived& derived, const Subject& subject) {
    const Counted& shown = derived.shown;
    Texts texts{shown.input.precision};
    if (std::holds_alternative<TotalSubject>(subject)) add_total(texts, derived);
    if (const auto* component = std::get_if<Component>(&subject)) add_component(texts, derived, *component);
    if (const Tensor* const tensor = tensor_of(shown.graph, subject)) add_tensor(texts, derived, *tensor);
    if (const auto* field = std::get_if<Field>(&subject)) {
        const std::optional<Symbol> symbol = info(*field).symbol;
        const auto number = symbol ? shown.bindings[*symbol] : field_number(shown.architecture, *field);
        if (number) texts.add_number(*number);
    }
    return std::move(texts.all);
}

std::vector<std::string> unfound_sides(const Desk& desk) {
    constexpr std::int64_t least_side = 10;
    if (!desk.sheet || desk.kept.key) return {};
    std::vector<std::int64_t> known = given_numbers(*desk.sheet), open;
    for (const SheetQuestion& question : desk.sheet->questions)
        for (const Blank& blank : question.blanks) {
            const AnsweredBlank& answered = desk.of(blank);
            const bool found = answered.shown || (answered.right() && !answered.fields.empty());
            for (const std::int64_t number : numbers_of(blank, *question.model))
                (found ? known : open).push_back(number);
        }
    std::erase_if(open, [&](std::int64_t number) { return number < least_side || among(known, number); });
    Texts texts{desk.sheet->model->input.precision};
    for (const std::int64_t number : open) texts.add_number(number);
    return std::move(texts.all);
}

std::vector<std::string> unfound_answers(const Desk& desk) {
    constexpr std::int64_t least = 1000;  // below, a number says nothing by itself
    if (!desk.sheet || desk.kept.key) return {};
    const std::vector<std::int64_t> given = given_numbers(*desk.sheet);
    std::vector<std::string> all;
    for (const SheetQuestion& question : desk.sheet->questions)
        for (const Blank& blank : question.blanks) {
            const AnsweredBlank& answered = desk.of(blank);
            if (answered.shown || answered.right()) continue;
            Texts texts{question.model->input.precision};
            const std::vector<std::int64_t> numbers = numbers_of(blank, *question.model);
            if (numbers.size() == 2) {
                texts.add_shape(numbers);
                const std::optional<std::int64_t> product = checked_multiply(numbers[0], numbers[1]);
                if (product && *product >= least) texts.add_count(*product);
            }
            if (const auto* number = std::get_if<NumberAnswer>(&blank.answer);
                number && numbers.size() == 1 && numbers[0] >= least && !among(given, numbers[0]))
                number->resolved.bytes ? texts.add_bytes(numbers[0]) : texts.add_count(numbers[0]);
            all.insert(all.end(), texts.all.begin(), texts.all.end());
        }
    return all;
}

}  // namespace headcount
