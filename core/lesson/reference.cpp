// What an answer is written in: formulas in named dimensions, and words that the graph answers.
#include "core/lesson/reference.hpp"

#include <algorithm>
#include <array>

#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 8> quantities{"shape", "rows",     "columns", "count",
                                                     "all",   "elements", "copies",  "bytes"};
constexpr std::array<std::string_view, 5> whole_words{"model", "layers", "active", "cache", "biases"};

struct Reference {
    std::string_view quantity, subject, preset;
};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string quoted(std::string_view text) {
    return "\"" + std::string(text.substr(0, 80)) + "\"";
}

Result<Reference> parse_reference(std::string_view text) {
    text = trimmed(text);
    const std::size_t of = text.find(" of ");
    const std::string_view quantity = text.substr(0, std::min(of, text.size()));
    if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end()) {
        const std::string nearest = did_you_mean(nearest_names(quantity, quantities));
        return Error{quoted(quantity) + " is nothing that can be asked of a model", "",
                     (nearest.empty() ? "" : nearest + " ") +
                         "write shape, rows, columns, count, all, elements, copies or bytes of something"};
    }
    if (of == std::string_view::npos)
        return Error{quoted(text) + " does not say of what", "", "write it as " + std::string(quantity) + " of model"};
    Reference reference{quantity, trimmed(text.substr(of + 4)), {}};
    if (const std::size_t in = reference.subject.find(" in "); in != std::string_view::npos) {
        reference.preset = trimmed(reference.subject.substr(in + 4));
        reference.subject = trimmed(reference.subject.substr(0, in));
    }
    if (reference.subject.empty() || reference.subject.find(' ') != std::string_view::npos)
        return Error{quoted(reference.subject) + " is not one name", "", "give one id, such as layer.attention"};
    return reference;
}

// Text and references in turn. Whole references may stand without braces.
struct Piece {
    std::string_view text;
    bool reference;
    std::size_t at;  // of its first character, braces included
};
Result<std::vector<Piece>> pieces_of(std::string_view text) {
    std::vector<Piece> pieces;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t open = text.find('{', at);
        if (open != at) pieces.push_back({text.substr(at, open - at), false, at});
        if (open == std::string_view::npos) break;
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos)
            return Error{"a brace is never closed", "character " + std::to_string(open + 1), "add } behind it"};
        pieces.push_back({text.substr(open + 1, close - open - 1), true, open});
        at = close + 1;
    }
    for (const Piece& piece : pieces)
        if (!piece.reference && piece.text.find('}') != std::string_view::npos)
            return Error{"a brace is closed that was never opened",
                         "character " + std::to_string(piece.at + piece.text.find('}') + 1), "write { before it"};
    return pieces;
}

bool stands_alone(std::string_view answer) {
    return answer.find('{') == std::string_view::npos && answer.find(" of ") != std::string_view::npos;
}

class Asker {
  public:
    Asker(const LessonModel& model, Resolved& into) : model_(model), graph_(model.graph), into_(into) {}

    Result<Expr> ask(const Reference& asked) {
        if (asked.quantity == "shape") return shape(asked);
        if (asked.quantity == "rows" || asked.quantity == "columns") {
            const Tensor* tensor = named(asked.subject);
            if (!tensor) return unknown(asked.subject, false);
            const bool vector = tensor->shape.rank() == 1;
            if (asked.quantity == "rows") return vector ? Expr(1) : tensor->shape[0];
            return tensor->shape[vector ? 0 : 1];
        }
        if (asked.quantity == "elements") return elements(asked.subject);
        if (asked.quantity == "copies") return copies(asked.subject);
        if (asked.quantity == "bytes") return bytes(asked.subject);
        return count(asked.subject, asked.quantity == "all");
    }

  private:
    const Tensor* named(std::string_view id) {
        const Tensor* tensor = graph_.find(id);
        if (tensor) into_.ids.emplace_back(id);
        return tensor;
    }

    Error unknown(std::string_view subject, bool sums) const {
        std::vector<std::string_view> known;
        for (const Tensor& tensor : graph_.tensors) known.push_back(tensor.id);
        if (sums) {
            for (const Block& block : graph_.blocks)
                if (!block.id.empty()) known.push_back(block.id);
            for (Component component : components) known.push_back(component_key(component));
            known.insert(known.end(), whole_words.begin(), whole_words.end());
        }
        const std::string nearest = did_you_mean(nearest_names(subject, known));
        return {model_.architecture.name + " has no " + quoted(subject), "",
                nearest.empty() ? "\"headcount shapes\" lists the ids" : nearest};
    }

    Result<Expr> shape(const Reference& asked) {
        const Tensor* tensor = named(asked.subject);
        if (!tensor) return unknown(asked.subject, false);
        const bool vector = tensor->shape.rank() == 1;
        into_.columns = tensor->shape[vector ? 0 : 1];
        return vector ? Expr(1) : tensor->shape[0];
    }

    Result<Expr> elements(std::string_view subject) {
        if (subject == "cache") return cached();
        const Tensor* tensor = named(subject);
        if (!tensor) return unknown(subject, false);
        return element_count(tensor->shape);
    }

    Result<Expr> copies(std::string_view subject) {
        if (const Tensor* tensor = named(subject)) return graph_.copies(tensor->block);
        const Block* block = graph_.find_block(subject);
        if (!block || subject.empty()) return unknown(subject, true);
        into_.ids.emplace_back(subject);
        return graph_.copies(static_cast<BlockIndex>(block - graph_.blocks.data()));
    }

    Result<Expr> bytes(std::string_view subject) {
        const Tensor* tensor = graph_.find(subject);
        const bool parameters = subject != "cache" && !(tensor && tensor->role != Role::parameter);
        Result<Expr> numbers = parameters ? count(subject, false) : elements(subject);
        if (!numbers) return numbers;
        into_.bytes = true;
        const std::int64_t bits = info(model_.input.precision).bits;
        return bits >= 8 ? Expr(bits / 8) * *numbers : *numbers / Expr(8 / bits);
    }

    // Keys and values (or their bottleneck) that are kept, in all layers, of all sequences.
    Expr cached() const {
        std::vector<Expr> terms;
        for (const Tensor& tensor : graph_.tensors)
            if (tensor.role == Role::cache)
                terms.push_back(graph_.copies(tensor.block) * Expr(Symbol::batch) * element_count(tensor.shape));
        return sum_of(terms);
    }

    // The sum over the parameters that `times` gives a number of copies.
    template <class Times>
    Expr sum(const Times& times) {
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            if (tensor.role != Role::parameter) continue;
            const std::optional<Expr> copies = times(tensor);
            if (!copies) continue;
            terms.push_back(*copies * element_count(tensor.shape));
            into_.counted.push_back({static_cast<TensorIndex>(i), *copies});
        }
        return sum_of(terms);
    }

    Result<Expr> count(std::string_view subject, bool all) {
        if (const Tensor* tensor = named(subject)) return one_tensor(*tensor, all);
        if (subject == "model")
            return layerwise([&](const Tensor&) { return true; }, [&](BlockIndex b) { return graph_.copies(b); });
        if (subject == "active")
            return layerwise([&](const Tensor&) { return true; }, [&](BlockIndex b) { return graph_.runs(b); });
        if (subject == "layers")
            return layerwise([&](const Tensor& tensor) { return graph_.layer_of(tensor.block).has_value(); },
                             [&](BlockIndex b) { return graph_.copies(b); });
        if (subject == "biases")
            return layerwise([&](const Tensor& tensor) { return tensor.id.ends_with(".bias"); },
                             [&](BlockIndex b) { return graph_.copies(b); });
        for (Component component : components)
            if (subject == component_key(component))
                return layerwise([&](const Tensor& tensor) { return tensor.component == component; },
                                 [&](BlockIndex b) { return graph_.copies(b); });
        const Block* block = subject.empty() ? nullptr : graph_.find_block(subject);
        if (!block) return unknown(subject, true);
        into_.ids.emplace_back(subject);
        const auto outer = static_cast<BlockIndex>(block - graph_.blocks.data());
        return sum([&](const Tensor& tensor) -> std::optional<Expr> {
            if (!graph_.inside(tensor.block, outer)) return std::nullopt;
            const Expr within = copies_within(graph_, tensor.block, outer);
            return all ? graph_.copies(outer) * within : within;
        });
    }

    Result<Expr> one_tensor(const Tensor& tensor, bool all) {
        if (tensor.role != Role::parameter && !all)
            return Error{tensor.id + " holds no parameters", "", "write elements of " + tensor.id};
        if (tensor.role == Role::parameter)
            return sum([&](const Tensor& other) -> std::optional<Expr> {
                if (&other != &tensor) return std::nullopt;
                return all ? graph_.copies(tensor.block) : Expr(1);
            });
        return graph_.runs(tensor.block) * Expr(Symbol::batch) * element_count(tensor.shape);
    }

    // As people write it: what is in layers summed within one, times their number.
    template <class Wanted, class Copies>
    Expr layerwise(const Wanted& wanted, const Copies& copies) {
        auto in = [&](std::optional<std::size_t> layer) {
            return sum([&](const Tensor& tensor) -> std::optional<Expr> {
                if (!wanted(tensor) || graph_.layer_of(tensor.block) != layer) return std::nullopt;
                return copies(tensor.block);
            });
        };
        std::vector<Expr> terms{in(std::nullopt)};
        for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
            const Expr& repeat = graph_.blocks[graph_.layers[i].block].repeat;
            std::vector<Expr> inside;
            for (std::size_t k = 0; k < graph_.tensors.size(); ++k) {
                const Tensor& tensor = graph_.tensors[k];
                if (tensor.role != Role::parameter || !wanted(tensor) || graph_.layer_of(tensor.block) != i) continue;
                const bool active = copies(tensor.block) != graph_.copies(tensor.block);
                const Expr times = active ? graph_.runs_in_layer(tensor.block) : graph_.copies_in_layer(tensor.block);
                inside.push_back(times * element_count(tensor.shape));
                into_.counted.push_back({static_cast<TensorIndex>(k), repeat * times});
            }
            if (!inside.empty()) terms.push_back(repeat * sum_of(inside));
        }
        return sum_of(terms);
    }

    const LessonModel& model_;
    const ModelGraph& graph_;
    Resolved& into_;
};

// A reference as a formula; one about another model as its number, since symbols stand for other numbers there.
Result<Expr> ask(std::string_view text, const LessonModel& model, std::span<const Preset> presets, Resolved& into) {
    const Result<Reference> reference = parse_reference(text);
    if (!reference) return reference.error();
    if (reference->preset.empty()) return Asker(model, into).ask(*reference);
    const Preset* preset = find_preset(presets, reference->preset);
    if (!preset) {
        std::vector<std::string_view> ids;
        for (const Preset& each : presets) ids.push_back(each.id);
        const std::string nearest = did_you_mean(nearest_names(reference->preset, ids));
        return Error{"there is no preset " + quoted(reference->preset), "",
                     nearest.empty() ? "\"headcount presets\" lists them" : nearest};
    }
    if (reference->quantity == "shape")
        return Error{"the shape of another model cannot stand in a formula", "", "write rows or columns of it"};
    const Result<LessonModelPtr> other = lesson_model(preset->architecture, model.input);
    if (!other) return within(preset->id, other.error());
    Resolved ignored;
    const Result<Expr> expr = Asker(**other, ignored).ask(*reference);
    if (!expr) return expr;
    into.other_model = true;
    into.bytes = into.bytes || ignored.bytes;
    const Result<std::int64_t> number = evaluate(*expr, (*other)->bindings);
    if (!number) return within(preset->id, number.error());
    return Expr(*number);
}

}  // namespace

Expr copies_within(const ModelGraph& graph, BlockIndex block, BlockIndex outer) {
    Expr product = 1;
    for (BlockIndex at = block; at != outer; at = *graph.blocks[at].parent) product = graph.blocks[at].repeat * product;
    return product;
}

std::optional<Error> check_answer(std::string_view answer) {
    if (trimmed(answer).empty()) return Error{"the answer is empty", "", "give a formula, or \"count of model\""};
    if (stands_alone(answer)) {
        const Result<Reference> reference = parse_reference(answer);
        return reference ? std::nullopt : std::optional(reference.error());
    }
    const Result<std::vector<Piece>> pieces = pieces_of(answer);
    if (!pieces) return pieces.error();
    std::string padded;  // as long as the answer, so that errors point at the right character
    for (const Piece& piece : *pieces) {
        if (!piece.reference) {
            padded += piece.text;
            continue;
        }
        const Result<Reference> reference = parse_reference(piece.text);
        if (!reference) return within("character " + std::to_string(piece.at + 1), reference.error());
        if (reference->quantity == "shape" && pieces->size() > 1)
            return Error{"a shape cannot stand in a formula", "character " + std::to_string(piece.at + 1),
                         "write rows or columns of it"};
        padded += "1" + std::string(piece.text.size() + 1, ' ');
    }
    const Result<Expr> formula = parse_expr(padded);
    if (formula) return std::nullopt;
    return Error{formula.error().what, formula.error().where, formula.error().fix};
}

Result<Resolved> resolve(std::string_view answer, const LessonModel& model, std::span<const Preset> presets) {
    if (const std::optional<Error> wrong = check_answer(answer)) return *wrong;
    Resolved resolved;
    if (stands_alone(answer)) {
        Result<Expr> expr = ask(answer, model, presets, resolved);
        if (!expr) return expr.error();
        resolved.value = std::move(*expr);
    } else {
        const Result<std::vector<Piece>> pieces = pieces_of(answer);
        std::string formula;
        for (const Piece& piece : *pieces) {
            if (!piece.reference) {
                formula += piece.text;
                continue;
            }
            const Result<Expr> expr = ask(piece.text, model, presets, resolved);
            if (!expr) return expr.error();
            formula += pieces->size() == 1 ? in_symbols(*expr) : "(" + in_symbols(*expr) + ")";
        }
        const Result<Expr> expr = parse_expr(formula);
        if (!expr) return expr.error();
        resolved.value = *expr;
    }
    const Result<std::int64_t> value = evaluate(resolved.value, model.bindings);
    if (!value) return value.error();
    if (resolved.columns)
        if (const Result<std::int64_t> columns = evaluate(*resolved.columns, model.bindings); !columns)
            return columns.error();
    return resolved;
}

std::optional<Error> check_text(std::string_view text) {
    const Result<std::vector<Piece>> pieces = pieces_of(text);
    if (!pieces) return pieces.error();
    for (const Piece& piece : *pieces) {
        const std::string_view asked = piece.text.substr(piece.text.starts_with('~') ? 1 : 0);
        if (!piece.reference || asked == "name" || asked == "family" || asked == "dtype") continue;
        if (const std::optional<Error> wrong = check_answer(asked))
            return within("character " + std::to_string(piece.at + 1), *wrong);
    }
    return std::nullopt;
}

Result<std::string> filled_text(std::string_view text, const LessonModel& model, std::span<const Preset> presets) {
    const Result<std::vector<Piece>> pieces = pieces_of(text);
    if (!pieces) return pieces.error();
    std::string filled;
    for (const Piece& piece : *pieces) {
        if (!piece.reference) {
            filled += piece.text;
            continue;
        }
        const bool in_short = piece.text.starts_with('~');
        const std::string_view asked = piece.text.substr(in_short ? 1 : 0);
        if (asked == "name" || asked == "family" || asked == "dtype") {
            filled += asked == "name"     ? model.architecture.name
                      : asked == "family" ? std::string(model.architecture.family->name)
                                          : std::string(info(model.input.precision).key);
            continue;
        }
        const Result<Resolved> value = resolve(asked, model, presets);
        if (!value) return value.error();
        const std::int64_t number = *evaluate(value->value, model.bindings);
        const bool dimension = value->value.kind() == Expr::Kind::symbol && !stands_alone(asked);
        if (value->columns)
            filled += std::to_string(number) + " × " + std::to_string(*evaluate(*value->columns, model.bindings));
        else if (in_short)
            filled += value->bytes ? bytes_text(number) : short_count(number);
        else
            filled += dimension ? std::to_string(number) : grouped(number);
    }
    return filled;
}

}  // namespace headcount
