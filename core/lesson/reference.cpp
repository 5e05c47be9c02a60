// What an answer is written in: formulas in named dimensions, and words that the graph answers.
#include "core/lesson/reference.hpp"

#include <algorithm>
#include <array>

#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 8> quantities{"shape", "rows",     "columns", "count",
                                                     "all",   "elements", "copies",  "bytes"};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Result<Reference> parse_subject(std::string_view quantity, std::string_view subject, std::string_view text);

Result<Reference> parse_reference(std::string_view text) {
    text = trimmed(text);
    const std::size_t of = text.find(" of ");
    const std::string_view quantity = text.substr(0, std::min(of, text.size()));
    if (!contains(quantities, quantity)) {
        const std::string nearest = did_you_mean(quantity, quantities);
        return Error{quote(quantity) + " is nothing that can be asked of a model", "",
                     (nearest.empty() ? "" : nearest + " ") +
                         "write shape, rows, columns, count, all, elements, copies or bytes of something"};
    }
    if (of == std::string_view::npos)
        return Error{quote(text) + " does not say of what", "", "write it as " + std::string(quantity) + " of model"};
    return parse_subject(quantity, text.substr(of + 4), text);
}

// What stands behind "of", in a reference that is this text.
Result<Reference> parse_subject(std::string_view quantity, std::string_view subject, std::string_view text) {
    Reference reference{quantity, trimmed(subject), {}, false};
    if (const std::size_t in = reference.subject.find(" in "); in != std::string_view::npos) {
        reference.preset = trimmed(reference.subject.substr(in + 4));
        reference.subject = trimmed(reference.subject.substr(0, in));
    }
    if (constexpr std::string_view suffix = " without norms"; reference.subject.ends_with(suffix)) {
        if (quantity != "count" && quantity != "all" && quantity != "bytes")
            return Error{quote(text) + " has no norms to leave out", "",
                         "write without norms behind count, all or bytes of something"};
        reference.subject = trimmed(reference.subject.substr(0, reference.subject.size() - suffix.size()));
        reference.without_norms = true;
    }
    if (reference.subject.empty() || reference.subject.find(' ') != std::string_view::npos)
        return Error{quote(reference.subject) + " is not one name", "", "give one id, such as layer.attention"};
    return reference;
}

// What a text alone can say: a count in layers of each kind. Nothing for other references.
std::optional<Result<Reference>> by_kind(std::string_view text) {
    constexpr std::string_view begin = "count by kind of ";
    if (!text.starts_with(begin)) return std::nullopt;
    Result<Reference> reference = parse_subject("count", text.substr(begin.size()), text);
    if (reference && !reference->preset.empty())
        return Error{quote(text) + " is of this model alone", "",
                     "leave out " + quote("in " + std::string(reference->preset))};
    return reference;
}

// "32 layers", "6 + 6 layers".
std::string layers_in_words(const ModelGraph& graph) {
    std::int64_t before = 0, layers = 0;
    for (const LayerBlock& each : graph.layers)
        (graph.has_encoder() && each.group.kind.encoder ? before : layers) += each.group.count;
    return (before > 0 ? grouped(before) + " + " : "") + grouped(layers) +
           (before + layers == 1 ? " layer" : " layers");
}

constexpr std::array<std::string_view, 4> text_words{"name", "family", "dtype", "layers"};

bool is_text_word(std::string_view asked) {
    return std::find(text_words.begin(), text_words.end(), asked) != text_words.end();
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

// Whether the whole answer is one reference without braces.
bool stands_alone(std::string_view answer) {
    return answer.find('{') == std::string_view::npos && answer.find(" of ") != std::string_view::npos;
}

// A reference as a formula; one about another model as its number, since symbols stand for other numbers there.
Result<Expr> ask(std::string_view text, const CountedModel& model, std::span<const Preset> presets, Resolved& into) {
    const Result<Reference> reference = parse_reference(text);
    if (!reference) return reference.error();
    if (reference->preset.empty()) return ask_graph(*reference, model, into);
    const Result<const Preset*> preset = preset_named(presets, reference->preset, "");
    if (!preset) return preset.error();
    if (reference->quantity == "shape")
        return Error{"the shape of another model cannot stand in a formula", "", "write rows or columns of it"};
    const Result<CountedModelPtr> other = counted_model((*preset)->architecture, model.input);
    if (!other) return within((*preset)->id, other.error());
    Resolved there;
    const Result<Expr> expr = ask_graph(*reference, **other, there);
    if (!expr) return expr;
    into.bytes = into.bytes || there.bytes;
    const Result<std::int64_t> number = evaluate(*expr, (*other)->bindings);
    if (!number) return within((*preset)->id, number.error());
    into.elsewhere.push_back({*other, *expr, std::move(there.counted), *number});
    return Expr(*number);
}

// The name as it is written behind these words.
std::string name_in(std::string_view before, std::string name) {
    while (before.ends_with(' ')) before.remove_suffix(1);
    const bool starts = before.empty() || before.ends_with('.') || before.ends_with('?') || before.ends_with('!');
    if (!starts && name.starts_with(changed_model)) name.front() = 'a';
    return name;
}

}  // namespace

std::optional<Error> check_answer(std::string_view answer) {
    if (is_blank(answer)) return Error{"the answer is empty", "", "give a formula, or \"count of model\""};
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

Result<Resolved> resolve(std::string_view answer, const CountedModel& model, std::span<const Preset> presets) {
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
        if (!piece.reference || is_text_word(asked)) continue;
        const auto kinds = by_kind(asked);
        const std::optional<Error> wrong = !kinds   ? check_answer(asked)
                                           : *kinds ? std::nullopt
                                                    : std::optional(kinds->error());
        if (wrong) return within("character " + std::to_string(piece.at + 1), *wrong);
    }
    return std::nullopt;
}

std::vector<std::string> subjects_in(std::string_view text) {
    std::vector<std::string> subjects;
    if (const Result<Reference> alone = parse_reference(text)) subjects.emplace_back(alone->subject);
    const Result<std::vector<Piece>> pieces = pieces_of(text);
    if (!pieces) return subjects;
    for (const Piece& piece : *pieces) {
        if (!piece.reference) continue;
        const std::string_view asked = piece.text.substr(piece.text.starts_with('~') ? 1 : 0);
        const Result<Reference> reference = by_kind(asked).value_or(parse_reference(asked));
        subjects.emplace_back(reference ? reference->subject : asked);
    }
    return subjects;
}

Result<std::string> filled_text(std::string_view text, const CountedModel& model, std::span<const Preset> presets,
                                std::string_view called) {
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
        if (is_text_word(asked)) {
            filled += asked == "name" ? name_in(filled, called.empty() ? model.architecture.name : std::string(called))
                      : asked == "family" ? std::string(model.architecture.family->name)
                      : asked == "layers" ? layers_in_words(model.graph)
                                          : formats_title(model.input.precision);
            continue;
        }
        if (const auto kinds = by_kind(asked)) {
            const Result<std::string> words = *kinds ? count_by_kind(**kinds, model) : kinds->error();
            if (!words) return words.error();
            filled += *words;
            continue;
        }
        const Result<Resolved> value = resolve(asked, model, presets);
        if (!value) return value.error();
        const std::int64_t number = *evaluate(value->value, model.bindings);
        const bool side = asked.starts_with("rows of ") || asked.starts_with("columns of ");
        const bool dimension = side || (value->value.kind() == Expr::Kind::symbol && !stands_alone(asked));
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
