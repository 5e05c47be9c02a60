// Looking a number up: which tensors, parts and dimensions of a model are this large.
#include "core/base/find.hpp"

#include <algorithm>

#include "core/analysis/factored.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

bool value_is(const Expr& expr, const Bindings& bindings, std::int64_t value) {
    const Result<std::int64_t> result = evaluate(expr, bindings);
    return result && *result == value;
}

bool has_sides(const Shape& shape, const Bindings& bindings, std::int64_t rows, std::int64_t columns) {
    if (shape.rank() == 1) return rows == 1 && value_is(shape[0], bindings, columns);
    return shape.rank() == 2 && value_is(shape[0], bindings, rows) && value_is(shape[1], bindings, columns);
}

// "Gate projection, Up projection and 2 more"
std::string titles_of(const std::vector<AskMatch>& found) {
    constexpr std::size_t most = 3;
    std::vector<std::string> titles;
    for (const AskMatch& match : found)
        if (!contains(titles, match.title)) titles.push_back(match.title);
    std::string text;
    for (std::size_t i = 0; i < titles.size() && i < most; ++i) text += (i > 0 ? ", " : "") + titles[i];
    if (titles.size() > most) text += " and " + std::to_string(titles.size() - most) + " more";
    return text;
}

// Collects what is as many as a number.
class NumberSearch {
  public:
    NumberSearch(std::int64_t number, const CountedModel& model) : number_(number), model_(model) {}

    AskOutcome outcome() {
        dimensions();
        totals();
        tensors();
        if (!first_) {
            outcome_.problem = model_.architecture.name + " has nothing that is " + grouped(number_) +
                               ": no dimension, no tensor, no part.";
            return std::move(outcome_);
        }
        first_->title = titles_of(outcome_.found);
        outcome_.answer = std::move(first_);
        return std::move(outcome_);
    }

  private:
    void add(AskMatch match, const Expr& formula, std::string_view unit, std::string light, std::string place) {
        if (!first_) {
            first_.emplace();
            first_->about = asked_about(model_, unit == "numbers");
            derive_count(*first_, formula, model_, unit);
            first_->light = std::move(light);
            first_->place = std::move(place);
        }
        outcome_.found.push_back(std::move(match));
    }

    void dimensions() {
        for (const SymbolInfo& symbol : symbols()) {
            const std::optional<Field> field = field_of(symbol.symbol);
            if (!field || !matters(model_.architecture, *field)) continue;
            if (model_.bindings[symbol.symbol] != number_) continue;
            const std::string id = "field." + std::string(info(*field).key);
            add({.kind = AskMatch::Kind::dimension,
                 .id = id,
                 .title = capitalized(symbol.name),
                 .detail = std::string(symbol.text)},
                symbol.symbol, "", id, "");
        }
    }

    void part(const std::string& reference, std::string title, const std::string& light, const std::string& place) {
        const Result<Resolved> value = resolve(reference, model_, {});
        if (!value || !value_is(value->value, model_.bindings, number_)) return;
        add({.kind = AskMatch::Kind::tensor,
             .id = light,
             .title = std::move(title),
             .detail = "parameters",
             .place = place},
            value->value, "parameters", light, place);
    }

    void totals() {
        part("count of model", "The whole model", "total", "");
        if (model_.parameters.active != model_.parameters.total)
            part("count of active", "Active parameters", "total", "");
        part("count of layers", "All layers", "", model_.graph.blocks[model_.graph.main_layer().block].id);
        for (const LayerBlock& layer : model_.graph.layers) {
            const std::string& id = model_.graph.blocks[layer.block].id;
            const std::string title = layer.group.label.empty() ? "One layer" : "One layer, " + layer.group.label;
            part("count of " + id, title, "", id);
            const LayerKind& kind = layer.group.kind;
            for (const Block& block : model_.graph.blocks) {
                if (block.parent != layer.block || block.kind == BlockKind::copies) continue;
                const bool own = block.kind == BlockKind::own || block.kind == BlockKind::shared;
                const std::string name = own                                     ? words_of(block)
                                         : block.kind == BlockKind::feed_forward ? "Feed-forward"
                                         : kind.recurrent && kind.attention      ? "Both mixers"
                                         : kind.recurrent                        ? "Recurrence"
                                                                                 : "Attention";
                part("count of " + block.id, name + " with its norm, one layer", "", block.id);
            }
        }
        for (const Component component : components)
            if (is_listed(component, model_.parameters.of(component)))
                part("count of " + std::string(component_key(component)), std::string(component_name(component)),
                     "component." + std::string(component_key(component)), "");
    }

    void tensors() {
        const ModelGraph& graph = model_.graph;
        for (const bool parameters : {true, false})
            for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
                const Tensor& tensor = graph.tensors[i];
                if ((tensor.role == Role::parameter) != parameters || tensor.role == Role::input) continue;
                const std::string_view unit = parameters ? "parameters" : "numbers";
                const Expr one = element_count(tensor.shape), of_kind = graph.copies(tensor.block) * one;
                std::vector<Expr> terms;
                const std::vector<TensorIndex> alike = same_in_all_layers(graph, static_cast<TensorIndex>(i));
                for (const TensorIndex each : alike)
                    terms.push_back(graph.copies(graph.tensors[each].block) * element_count(graph.tensors[each].shape));
                const Expr all = terms.size() == 1 ? of_kind : factored(sum_of(terms));
                AskMatch match = tensor_match(tensor, model_);
                if (value_is(one, model_.bindings, number_)) {
                    add(std::move(match), one, unit, tensor.id, tensor.id);
                } else if (alike.front() == i && value_is(all, model_.bindings, number_)) {
                    match.title += ", all of them";
                    add(std::move(match), all, unit, tensor.id, tensor.id);
                } else if (alike.size() > 1 && value_is(of_kind, model_.bindings, number_)) {
                    match.title += ", all of one kind of layers";
                    add(std::move(match), of_kind, unit, tensor.id, tensor.id);
                }
            }
    }

    std::int64_t number_;
    const CountedModel& model_;
    AskOutcome outcome_;
    std::optional<AskAnswer> first_;
};

}  // namespace

AskOutcome find_sides(std::int64_t rows, std::int64_t columns, const CountedModel& model) {
    AskOutcome outcome;
    const Tensor* first = nullptr;
    for (const bool parameters : {true, false})
        for (const Tensor& tensor : model.graph.tensors) {
            if ((tensor.role == Role::parameter) != parameters || tensor.role == Role::input) continue;
            if (!has_sides(tensor.shape, model.bindings, rows, columns)) continue;
            if (!first) first = &tensor;
            outcome.found.push_back(tensor_match(tensor, model));
        }
    std::vector<AskMatch> stored_so;
    for (const StoredTensor& stored : model.graph.stored) {
        if (!has_sides(stored.shape, model.bindings, rows, columns)) continue;
        for (const TensorIndex part : stored.parts) {
            const Tensor& tensor = model.graph.tensors[part];
            AskMatch match = tensor_match(tensor, model);
            match.title += ", as stored";
            match.detail = stored.name;
            const bool known =
                std::ranges::any_of(outcome.found, [&](const AskMatch& each) { return each.id == match.id; });
            if (known) continue;
            if (!first) first = &tensor;
            stored_so.push_back(std::move(match));
        }
    }
    if (!first) {
        outcome.problem = asked_about(model, true) + " has no tensor of " + std::to_string(rows) + " × " +
                          std::to_string(columns) + ".";
        return outcome;
    }
    outcome.answer = shape_answer(*first, model);
    if (outcome.found.empty())
        outcome.answer->notes.push_back("The checkpoint stores it so: [" + std::to_string(rows) + ", " +
                                        std::to_string(columns) + "], outputs first; it is multiplied as " +
                                        shape_in_numbers(first->shape, model.bindings) + ".");
    outcome.found.insert(outcome.found.end(), stored_so.begin(), stored_so.end());
    outcome.answer->title = titles_of(outcome.found);
    return outcome;
}

AskOutcome find_number(std::int64_t number, const CountedModel& model) { return NumberSearch(number, model).outcome(); }

}  // namespace headcount
