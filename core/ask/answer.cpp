// A question worked out on a model's graph: shapes, copies and dimensions.
#include "core/ask/answer.hpp"

#include <array>

#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {

using Q = AskQuantity;

namespace {

// ": it has no attention", where that is why a dimension is not there.
std::string lacking_part(Symbol symbol, const Architecture& arch) {
    const bool in_attention = symbol == Symbol::heads || symbol == Symbol::kv_heads || symbol == Symbol::head_dim;
    if (in_attention && !attends(arch)) return ": it has no attention";
    const bool dense = symbol == Symbol::ffn_dim;
    return dense ? ": it has no " + std::string(arch.layer.mixture ? "dense " : "") + "feed-forward" : "";
}

}  // namespace

AskOutcome AskAnswerer::outcome() {
    AskOutcome found;
    try_answer(found);
    if (found.answer) {
        std::vector<std::string>& notes = found.answer->notes;
        notes.insert(notes.end(), heard_.notes.begin(), heard_.notes.end());
        notes.insert(notes.end(), wrong_claims_.begin(), wrong_claims_.end());
    }
    return found;
}

bool AskAnswerer::asks_amount() const {
    return counts_parameters() || quantity_ == Q::weights || quantity_ == Q::bytes || quantity_ == Q::elements;
}

void AskAnswerer::try_answer(AskOutcome& outcome) {
    const bool asks = quantity_ || !subjects_.empty() || !symbols_.empty();
    if (!asks && heard_.sides) {
        outcome = find_sides(heard_.sides->first, heard_.sides->second, model_);
        return;
    }
    if (!asks && heard_.numbers.size() == 1) {
        outcome = find_number(heard_.numbers.front(), model_);
        return;
    }
    settle_claims();
    settle_words();
    settle_parts();
    if (heard_.sides || !heard_.numbers.empty()) {
        failed_ = "A number stands there that nothing is said of; write 100 tokens, batch 4 or 1000 cached.";
    } else if (subjects_.empty() && symbols_.size() == 1) {
        outcome.answer = dimension(symbols_.front());
        if (outcome.answer && symbols_.front() == Symbol::heads && all_layers()) count_heads(*outcome.answer);
    } else if (symbols_.size() + subjects_.size() > 1 && !symbols_.empty()) {
        failed_ = "Ask for one thing at a time: " + std::string(info(symbols_.front()).name) + " is a dimension.";
    } else if (!subjects_.empty()) {
        outcome.answer = about_subjects();
    } else if (heard_.tokens_given || heard_.batch_given || heard_.cached_given || !scopes_.empty()) {
        failed_ = "Say what is asked: the shape of queries, parameters of attention, the KV cache.";
    }
    outcome.problem = failed_;
    if (!failed_.empty()) outcome.answer.reset();
}

std::string AskAnswerer::subject_name(const AskSubject& subject) const {
    if (subject.notion) return std::string(subject.notion->name);
    return std::string(graph_.tensors[subject.tensors.front()].label);
}

void AskAnswerer::say_missing(const AskSubject& subject) {
    const std::optional<AskTarget> other = counts_parameters() ? target_of(subject, false) : std::nullopt;
    if (other && other->tensor)
        failed_ = capitalized(subject_name(subject)) + ": an activation of " +
                  shape_in_numbers(graph_.tensors[*other->tensor].shape, model_.bindings) +
                  ", which holds no parameters. Ask for its shape, elements or bytes.";
    else
        failed_ = name() + " has no " + subject_name(subject) +
                  (heard_.layer_named ? " in " + (layer_index() ? one_layer_words() : all_layers_words()) : "") + ".";
}

std::optional<AskAnswer> AskAnswerer::about_subjects() {
    if (!quantity_) {
        const AskSubject& first = subjects_.front();
        quantity_ = first.notion ? first.notion->natural : Q::shape;
    }
    std::vector<AskTarget> targets;
    for (const AskSubject& subject : subjects_) {
        const std::optional<AskTarget> target = target_of(subject, counts_parameters() || subject.weight);
        if (!target) {
            say_missing(subject);
            return std::nullopt;
        }
        if (counts_parameters() && target->tensor && graph_.tensors[*target->tensor].role != Role::parameter) {
            say_missing(subject);
            return std::nullopt;
        }
        targets.push_back(*target);
        targets.back().less = subject.less;
    }
    switch (*quantity_) {
        case Q::shape:
        case Q::rows:
        case Q::columns:
        case Q::copies:
        case Q::tensors:
        case Q::matrices: return of_one(targets);
        default:
            // Of so many layers or heads as it does not have nothing is said: that would be another number.
            if (!wrong_claims_.empty()) {
                failed_ = wrong_claims_.front();
                return std::nullopt;
            }
            return amount(targets);
    }
}

std::optional<AskAnswer> AskAnswerer::of_one(const std::vector<AskTarget>& targets) {
    if (targets.size() > 1) {
        failed_ = "Ask for the " + std::string(ask_name(*quantity_)) + " of one thing at a time.";
        return std::nullopt;
    }
    if (!targets.front().tensor) {
        if (targets.front().sum->sum == "layers" && quantity_ == Q::copies) return dimension(Symbol::layers);
        if (counts_tensors()) return stored_tensors(targets.front());
        failed_ = capitalized(targets.front().sum->name) +
                  " is no single matrix: ask for a part of it (queries, the up projection) or for parameters.";
        return std::nullopt;
    }
    const Tensor& tensor = graph_.tensors[*targets.front().tensor];
    AskAnswer answer = shape_answer(tensor, model_);
    if (quantity_ == Q::shape) {
        add_copies(answer, *targets.front().tensor);
        if (tensor.role == Role::parameter) add_stored(answer, *targets.front().tensor);
        return answer;
    }
    const bool vector = tensor.shape.rank() == 1;
    if (quantity_ == Q::rows)
        derive_count(answer, vector ? Expr(1) : tensor.shape[0], model_, "rows");
    else if (quantity_ == Q::columns)
        derive_count(answer, tensor.shape[vector ? 0 : 1], model_, "columns");
    else
        derive_count(answer, copies_of(*targets.front().tensor), model_,
                     counts_tensors() ? ask_name(*quantity_) : "copies");
    answer.title = capitalized(ask_name(*quantity_)) + " of: " + answer.title;
    answer.in_short.clear();
    return answer;
}

std::optional<AskAnswer> AskAnswerer::stored_tensors(const AskTarget& target) {
    const bool one_layer = has(AskScope::one_layer);
    const bool inside = one_layer || heard_.layer_named || target.sum->sum == "layers";
    std::vector<Expr> terms;
    for (const StoredTensor& stored : graph_.stored) {
        const std::optional<std::size_t> layer = stored.layer ? stored.layer : graph_.first_sharing(stored);
        if (!counted(graph_.tensors[stored.parts.front()], target.sum->sum) || (inside && !layer)) continue;
        if (quantity_ == Q::matrices && stored.shape.rank() < 2) continue;
        const bool of_kind = layer && graph_.blocks[graph_.layers[*layer].block].id == heard_.layer;
        if ((one_layer || heard_.layer_named) && !of_kind) continue;
        terms.push_back(one_layer ? stored.in_layer : stored.copies);
    }
    if (terms.empty()) {
        failed_ = name() + " has no " + std::string(ask_name(*quantity_)) +
                  " of this: " + std::string(target.sum->name) + ".";
        return std::nullopt;
    }
    AskAnswer answer{.amount = true};
    answer.title = capitalized(ask_name(*quantity_)) + " of: " + amount_title({target});
    answer.about = name();
    place(answer, target);
    derive_count(answer, sum_of(terms), model_, ask_name(*quantity_));
    answer.notes.emplace_back("As files store them: what layers share once, and each expert's own.");
    return answer;
}

void AskAnswerer::add_stored(AskAnswer& answer, TensorIndex index) const {
    for (const StoredTensor& stored : graph_.stored) {
        if (!contains(stored.parts, index)) continue;
        std::string sides;
        for (const Expr& side : stored.shape.dimensions())
            if (const Result<std::int64_t> value = evaluate(side, model_.bindings))
                sides += (sides.empty() ? "" : ", ") + std::to_string(*value);
        answer.notes.push_back("Stored as " + stored.name + " [" + sides + "]" +
                               (stored.parts.size() > 1 ? ", with others side by side." : "."));
    }
}

std::optional<std::int64_t> size_of(const CountedModel& model, Symbol symbol) {
    const std::optional<Field> field = field_of(symbol);
    return !field || matters(model.architecture, *field) ? model.bindings[symbol] : std::nullopt;
}

std::optional<AskAnswer> AskAnswerer::dimension(Symbol symbol) {
    const SymbolInfo& named = info(symbol);
    const std::optional<std::int64_t> value = size_of(symbol);
    if (!value) {
        failed_ = name() + " has no " + std::string(named.name) + lacking_part(symbol, model_.architecture) + ".";
        if (const auto states = size_of(Symbol::state_heads);
            symbol == Symbol::heads && states && size_of(Symbol::state_head_dim).value_or(1) > 1)
            failed_ += " It has " + grouped(*states) + " state heads.";
        return std::nullopt;
    }
    AskAnswer answer;
    answer.title = capitalized(named.name);
    answer.about = name();
    answer.count = value;
    answer.number = answer.result = std::to_string(*value);
    answer.symbols = std::string(named.text);
    answer.numbers = answer.number;
    Expr rule = symbol;
    if (symbol == Symbol::head_dim) rule = head_dim_rule(model_.architecture);
    if (symbol == Symbol::ffn_dim) rule = ffn_dim_rule(model_.architecture);
    if (symbol == Symbol::tokens && model_.architecture.patches)
        rule = patch_count(model_.architecture) + Symbol::class_tokens + Symbol::registers;
    if (!rule.is_leaf()) {
        answer.symbols = in_symbols(rule);
        answer.numbers = in_numbers(rule, model_.bindings);
        answer.reasoned = true;
    } else if (symbol == Symbol::ffn_dim) {
        add_usual_width(answer);
    }
    if (const std::optional<Field> field = field_of(symbol)) answer.light = "field." + std::string(info(*field).key);
    if (const std::optional<std::int64_t> encoders = size_of(Symbol::encoder_layers);
        symbol == Symbol::layers && encoders)
        answer.notes.push_back("In the decoder; the encoder has " + grouped(*encoders) + ".");
    if (symbol == Symbol::context) add_positions(answer);
    add_experts(answer, symbol);
    return answer;
}

void AskAnswerer::count_heads(AskAnswer& answer) const {
    const std::optional<AskTarget> scores = target_of({&notion("scores"), false, {}}, false);
    if (!scores || !scores->tensor) return;
    answer.notes.push_back(answer.number + " in a layer.");
    derive_count(answer, copies_of(*scores->tensor), model_, "in " + all_layers_words());
}

void AskAnswerer::add_experts(AskAnswer& answer, Symbol symbol) const {
    const std::optional<std::int64_t> all = size_of(Symbol::experts), used = size_of(Symbol::experts_per_token),
                                      shared = size_of(Symbol::shared_experts);
    if (!all || !used) return;
    if (symbol == Symbol::experts) answer.notes.push_back(grouped(*used) + " of them are active for each token.");
    if (symbol == Symbol::experts_per_token) answer.notes.push_back("There are " + grouped(*all) + " to choose from.");
    if ((symbol == Symbol::experts || symbol == Symbol::experts_per_token) && shared.value_or(0) > 0)
        answer.notes.push_back("Beside them each token passes " + grouped(*shared) + " shared.");
}

void AskAnswerer::add_usual_width(AskAnswer& answer) const {
    struct Usual {
        Expr width;
        std::string_view says;
    };
    const std::array usual{
        Usual{Expr(4) * Symbol::dim, "It is 4·d, as in the first transformer."},
        Usual{
            ceil_to(Expr(8) * Symbol::dim / 3, 256),
            "It is two thirds of 4·d, rounded up to a multiple of 256: three matrices of that width have about as many "
            "parameters as two of 4·d."}};
    for (const Usual& each : usual) {
        const Result<std::int64_t> width = evaluate(each.width, model_.bindings);
        if (!width || *width != answer.count) continue;
        answer.notes.emplace_back(each.says);
        answer.reasoned = true;
    }
}

void AskAnswerer::add_positions(AskAnswer& answer) const {
    for (const Tensor& tensor : graph_.tensors) {
        if (tensor.role != Role::parameter || tensor.part != Part::position_embedding) continue;
        if (!uses(tensor.shape, Symbol::context)) continue;
        const Result<std::int64_t> count = element_count(tensor.shape, model_.bindings);
        answer.notes.push_back("Positions are learned here: " + shape_in_numbers(tensor.shape, model_.bindings) +
                               (count ? " = " + grouped(*count) + " parameters." : " parameters."));
    }
}

std::string asked_about(const CountedModel& model, bool input, std::string_view format) {
    std::string text = model.architecture.name;
    if (input) {
        // Of an image or sound there are as many as it makes, whatever the text's length is.
        const auto number = [&](Symbol symbol, std::int64_t said) { return model.bindings[symbol].value_or(said); };
        const std::int64_t tokens = number(Symbol::tokens, model.input.tokens);
        text += " · " + grouped(tokens) + (tokens == 1 ? " token" : " tokens");
        if (model.architecture.encoder)
            text += " · " + grouped(number(Symbol::source, model.input.source)) + " source tokens";
        if (model.input.cached > 0) text += " · " + grouped(model.input.cached) + " cached";
        if (model.input.batch > 1) text += " · " + grouped(model.input.batch) + " sequences";
    }
    if (!format.empty()) text += " · " + std::string(format);
    return text;
}

void derive_count(AskAnswer& answer, const Expr& formula, const CountedModel& model, std::string_view unit) {
    const Result<std::int64_t> value = evaluate(formula, model.bindings);
    if (!value) return;
    answer.count = *value;
    answer.formula = formula;
    answer.number = grouped(*value);
    answer.unit = unit;
    answer.in_short = *value >= 10'000 ? short_count(*value) : "";
    answer.symbols = in_symbols(formula);
    answer.numbers = in_numbers(formula, model.bindings);
    answer.result = answer.number;
}

namespace {

// "Scores, one head"; "Head output" says itself that it is of one.
std::string tensor_title(const Tensor& tensor, const ModelGraph& graph) {
    std::string title(tensor.label);
    const std::vector<Atom> words = atoms_of(title);
    const bool said = std::ranges::any_of(words, [](const Atom& word) { return word.text == "head"; });
    return graph.is(tensor.block, BlockKind::head) && !said ? title + ", one head" : title;
}

}  // namespace

AskAnswer shape_answer(const Tensor& tensor, const CountedModel& model) {
    AskAnswer answer;
    const bool parameter = tensor.role == Role::parameter;
    answer.title = tensor_title(tensor, model.graph);
    answer.about = asked_about(model, !parameter);
    answer.number = shape_in_numbers(tensor.shape, model.bindings);
    answer.unit = tensor.shape.rank() == 1 ? "numbers in a vector" : "rows × columns";
    answer.symbols = shape_in_symbols(tensor.shape);
    answer.numbers = answer.number;
    if (const Result<std::int64_t> count = element_count(tensor.shape, model.bindings))
        answer.result = grouped(*count) + (parameter ? " parameters" : " numbers");
    answer.light = answer.place = tensor.id;
    return answer;
}

AskMatch tensor_match(const Tensor& tensor, const CountedModel& model) {
    return {.kind = AskMatch::Kind::tensor,
            .id = tensor.id,
            .title = tensor_title(tensor, model.graph),
            .detail = shape_in_numbers(tensor.shape, model.bindings),
            .place = tensor.id};
}

}  // namespace headcount
