// What numbers are drawn about, and which of them would tell one that is hidden, or an answer that is still to be
// found.
#include <algorithm>

#include "app/parts/hidden.hpp"
#include "app/parts/words.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/handout/handout.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

using Numbers = std::vector<std::int64_t>;

// A thing that numbers are drawn about.
struct Countable {
    std::string key;
    const Tensor* tensor = nullptr;  // null: it is none
    Numbers counts = {};             // how many numbers one of it has, all in a layer, all in the model
    Numbers sides = {};              // of a tensor; of a dimension its value
};

Countable tensor_counted(const Counted& model, const Tensor& tensor) {
    Countable one{.key = tensor.id, .tensor = &tensor};
    for (const Expr& side : tensor.shape.dimensions()) one.sides.push_back(value_of(side, model.bindings));
    one.counts.push_back(elements_of(tensor.shape, model.bindings));
    if (tensor.role == Role::parameter || tensor.role == Role::buffer) {
        const std::int64_t all = count_of(model.graph, tensor, model.bindings).all;
        one.counts.push_back(all);
        if (const LayerGroup* const group = group_of(model.graph, tensor.block))
            one.counts.push_back(all / group->count);
    }
    for (const auto* rows : {&model.activations, &model.head})
        for (const ActivationRow& row : *rows)
            if (&model.graph.tensors[row.tensor] == &tensor)
                for (const std::int64_t copies : {row.in_layer, row.copies})
                    one.counts.push_back(checked_multiply(row.elements, copies).value_or(row.elements));
    return one;
}

template <class Counts>
std::int64_t parameters_in(const Counted& model, BlockIndex block, Counts counts) {
    std::int64_t all = 0;
    for (const Tensor& tensor : model.graph.tensors)
        if (counts(tensor) && model.graph.inside(tensor.block, block))
            all += count_of(model.graph, tensor, model.bindings).all;
    return all;
}

std::int64_t copies_of(const Counted& model, BlockIndex block) {
    return value_of(model.graph.copies(block), model.bindings);
}

// What all of its parameters are together, and those of a layer of each kind, and of one of what there are several of:
// a head, an expert.
Countable component_counted(const Counted& model, Component component) {
    Countable sum{.key = subject_key(component), .counts = {model.parameters.of(component)}};
    const auto own = [&](const Tensor& tensor) { return lights(component, tensor); };
    for (const LayerBlock& layer : model.graph.layers)
        sum.counts.push_back(parameters_in(model, layer.block, own) / layer.group.count);
    for (std::size_t i = 1; i < model.graph.blocks.size(); ++i) {
        const auto block = static_cast<BlockIndex>(i);
        if (!(model.graph.blocks[block].repeat == Expr(1)))
            sum.counts.push_back(parameters_in(model, block, own) / copies_of(model, block));
    }
    std::erase(sum.counts, 0);
    return sum;
}

// What the parameters of one of it are together, of all in a layer, and of all in the model.
Countable block_counted(const Counted& model, BlockIndex block) {
    const std::int64_t all =
        parameters_in(model, block, [](const Tensor& tensor) { return tensor.role == Role::parameter; });
    Countable sum{.key = model.graph.blocks[block].id, .counts = {all / copies_of(model, block), all}};
    if (const LayerGroup* const group = group_of(model.graph, block)) sum.counts.push_back(all / group->count);
    std::erase(sum.counts, 0);
    return sum;
}

std::vector<Countable> countables(const Counted& model) {
    std::vector<Countable> all;
    for (std::size_t block = 1; block < model.graph.blocks.size(); ++block)
        all.push_back(block_counted(model, static_cast<BlockIndex>(block)));
    for (const Component component : components) all.push_back(component_counted(model, component));
    all.push_back({.key = subject_key(TotalSubject{}), .counts = {model.parameters.total}});
    for (const Tensor& tensor : model.graph.tensors) all.push_back(tensor_counted(model, tensor));
    for (const FieldInfo& field : fields()) {
        const auto number =
            field.symbol ? model.bindings[*field.symbol] : field_number(model.architecture, field.field);
        if (number) all.push_back({.key = subject_key(field.field), .sides = {*number}});
    }
    return all;
}

bool have_in_common(const Numbers& a, const Numbers& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

// What is drawn about the thing of that key tells what is hidden last.
void tell(Veil& veil, std::string_view key) { veil.told_by.emplace(key, static_cast<int>(veil.keys.size()) - 1); }

// Where a number is drawn about it, or about how many numbers it has.
void tell(Veil& veil, const Countable& by, bool sides) {
    tell(veil, by.tensor ? count_key(by.key) : by.key);
    if (sides) tell(veil, by.key);
}

// As app/state/subject.hpp calls it.
std::string key_of_reference(const std::string& subject) {
    if (subject == "model" || subject == "active") return std::string(total_key);
    for (const Component component : components)
        if (subject == component_key(component)) return subject_key(component);
    for (const SymbolInfo& symbol : symbols())
        if (const auto field = symbol.text == subject ? field_of(symbol.symbol) : std::nullopt)
            return subject_key(*field);
    return subject;
}

// Where such a number, or a difference of so many, is drawn about nothing else, or in a text of the diagram: its key is
// how it is written.
void tell_alone(Veil& veil, const Numbers& numbers) {
    for (const std::int64_t number : numbers)
        for (const std::string& text :
             {grouped(number), std::to_string(number), signed_grouped(number), signed_grouped(-number)})
            tell(veil, text);
}

// What of an open sheet is still to be found. Neither what is given nor what was found in another answer is, nor a
// single digit, which says nothing by itself.
struct Unfound {
    Numbers counts, bytes;
    std::vector<Numbers> shapes;
};

Numbers numbers_of(const Blank& blank, const CountedModel& model) {
    Numbers numbers;
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

Unfound unfound_of(const Desk& desk) {
    constexpr std::int64_t least = 10;
    Unfound unfound;
    Numbers known;
    for (const Symbol symbol : given_symbols(*desk.sheet))
        if (const auto value = desk.sheet->model->bindings[symbol]) known.push_back(*value);
    for (const SheetQuestion& question : desk.sheet->questions)
        for (const Blank& blank : question.blanks) {
            const AnsweredBlank& answered = desk.of(blank);
            const bool found = answered.shown || (answered.right() && !answered.fields.empty());
            const auto* const number = std::get_if<NumberAnswer>(&blank.answer);
            const Numbers numbers = numbers_of(blank, *question.model);
            Numbers& into = found ? known : number && number->resolved.bytes ? unfound.bytes : unfound.counts;
            into.insert(into.end(), numbers.begin(), numbers.end());
            if (found || numbers.size() != 2) continue;
            unfound.shapes.push_back(numbers);
            if (const auto product = checked_multiply(numbers[0], numbers[1])) unfound.counts.push_back(*product);
        }
    for (Numbers* const numbers : {&unfound.counts, &unfound.bytes})
        std::erase_if(*numbers, [&](std::int64_t number) { return number < least || have_in_common({number}, known); });
    return unfound;
}

}  // namespace

std::vector<std::string> keys_in(std::initializer_list<std::string_view> texts) {
    std::vector<std::string> keys;
    for (const std::string_view text : texts)
        for (const std::string& subject : subjects_in(text)) keys.push_back(key_of_reference(subject));
    return keys;
}

bool has_number(const Counted& model, const Subject& subject) {
    const std::vector<Countable> all = countables(model);
    return std::ranges::any_of(all, [&](const Countable& each) { return each.key == subject_key(subject); });
}

void hide(Veil& veil, const Counted& model, const Subject& subject) {
    const std::vector<Countable> all = countables(model);
    const std::string key = subject_key(subject);
    const auto is_it = [&](const Countable& each) {
        return each.key == key || (each.tensor && lights(subject, *each.tensor));
    };
    Numbers counts;
    for (const Countable& each : all)
        if (is_it(each)) counts.insert(counts.end(), each.counts.begin(), each.counts.end());
    for (const Countable& each : all)
        if (is_it(each) || have_in_common(each.counts, counts)) tell(veil, each, true);
    if (std::holds_alternative<TotalSubject>(subject))
        tell_alone(veil, counts);  // in lists of models
    else
        tell(veil, anything);
}

void hide_asked(Veil& veil, const Session& session, std::span<const Counted* const> seen) {
    const WorkedStep* const step = current_step(session);
    if (!step || step->answer.empty() || session.view.show.revealed) return;
    const TourStep& source = session.run->source.steps[step->index];
    const StepWords& words = session.run->words;
    const auto of = static_cast<int>(veil.keys.size());
    veil.keys.emplace_back(asked_key);
    const std::vector<std::string> said = keys_in({source.title, source.caption, source.ask});
    const std::vector<std::string> known = numbers_in(words.title + "\n" + words.caption + "\n" + words.ask);
    const auto tell_letters = [&](std::int64_t number) {
        if (std::find(known.begin(), known.end(), grouped(number)) != known.end()) return;
        for (const std::string& text :
             {grouped(number), std::to_string(number), short_count(number), signed_grouped(number)})
            veil.letters.emplace(text, of);
    };
    for (const std::string& key : keys_in({source.answer})) {
        if (std::find(said.begin(), said.end(), key) != said.end()) continue;
        // Beside a block's own counts its label has other numbers: which one it is, and how often it is there.
        if (seen.front()->graph.find_block(key)) {
            for (const Countable& each : countables(*seen.front()))
                if (each.key == key) std::ranges::for_each(each.counts, tell_letters);
            continue;
        }
        const Subject subject = subject_from_key(key);
        for (const Counted* const model : seen)
            if (has_number(*model, subject)) hide(veil, *model, subject);
    }
    constexpr std::int64_t least = 3;  // digits
    for (const std::string& number : numbers_in(words.answer)) {
        if (std::ranges::count_if(number, is_digit) < least) continue;
        if (std::find(known.begin(), known.end(), number) != known.end()) continue;
        veil.letters.emplace(number, of);
        if (const Result<std::int64_t> whole = parse_whole_number(number, "")) tell_letters(*whole);
    }
}

void hide_unfound(Veil& veil, const Desk& desk, const Counted& seen) {
    if (!desk.sheet || desk.kept.key) return;
    Unfound unfound = unfound_of(desk);
    if (unfound.counts.empty() && unfound.bytes.empty() && unfound.shapes.empty()) return;
    veil.keys.emplace_back(unfound_key);
    tell(veil, anything);
    for (const Countable& each : countables(seen)) {
        const auto turned = [&](const Numbers& shape) {
            return std::is_permutation(shape.begin(), shape.end(), each.sides.begin(), each.sides.end());
        };
        const bool sides = have_in_common(each.sides, unfound.counts) || std::ranges::any_of(unfound.shapes, turned);
        if (sides || have_in_common(each.counts, unfound.counts)) tell(veil, each, sides);
    }
    for (const std::int64_t count : unfound.counts)
        if (const auto bytes = bytes_of(count, seen.input.computed())) unfound.bytes.push_back(*bytes);
    tell_alone(veil, unfound.counts);
    tell_alone(veil, unfound.bytes);
}

}  // namespace headcount
