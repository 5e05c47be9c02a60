// What makes two models differ, by any number that both have.
#include <algorithm>

#include "core/analysis/difference.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/ask/answer.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// "Feed-forward +1,308,622,848, attention -805,306,368, ...: together +1,291,845,632."
std::string parts_of(const Difference& between) {
    std::vector<Component> order(components.begin(), components.end());
    std::ranges::stable_sort(
        order, [&](Component a, Component b) { return std::abs(between.of(a)) > std::abs(between.of(b)); });
    std::string parts;
    for (const Component each : order)
        if (const std::int64_t change = between.of(each); change != 0)
            parts += (parts.empty() ? "" : ", ") + std::string(component_name(each)) + " " + signed_grouped(change);
    return parts.empty() ? "No part is larger or smaller."
                         : parts + ": together " + signed_grouped(between.total) + ".";
}

// "Layers 61 → 80, KV rank 512 → none, KV heads none → 8.": the dimensions that make a number by its formulas, and are
// others.
std::string dimensions_of(const Expr& before, const CountedModel& a, const Expr& after, const CountedModel& b) {
    const auto said = [](const Expr& formula, const CountedModel& model, Symbol symbol) {
        const std::optional<std::int64_t> value = model.bindings[symbol];
        return value && uses(formula, symbol) ? std::to_string(*value) : std::string("none");
    };
    std::string text;
    for (const FieldInfo& field : fields()) {
        if (!field.symbol) continue;
        const std::string in_a = said(before, a, *field.symbol), in_b = said(after, b, *field.symbol);
        if (in_a == in_b) continue;
        text += (text.empty() ? "" : ", ") + std::string(field.label) + " " + in_a + " → " + in_b;
    }
    return text.empty() ? "" : text + ".";
}

// The fields that are others; or of these those that add or take parameters, where that is what is explained.
std::string fields_of(const Difference& between, bool reasons) {
    constexpr std::size_t most = 6;
    std::string fields;
    std::size_t listed = 0;
    for (const FieldDifference& each : between.fields) {
        const bool counts = each.own.value_or(0) != 0 || each.adds.value_or(0) != 0 || each.counted_at;
        if ((reasons && !counts) || listed++ >= most) continue;
        fields += (fields.empty() ? "" : ", ") + std::string(info(each.field).label) + " " + each.a + " → " + each.b;
    }
    return fields.empty() ? "" : fields + ".";
}

// Whether it is as was supposed: "Llama 2 7B is not larger than Llama 3 8B: it has 1,291,845,632 parameters fewer."
std::string verdict(AskWide supposed, const CountedModel& of, const CountedModel& than, std::int64_t more) {
    const std::string word = supposed == AskWide::larger ? "larger" : "smaller";
    const bool true_ = supposed == AskWide::larger ? more > 0 : more < 0;
    std::string text = of.architecture.name + (true_ ? " is " : " is not ") + word + " than " + than.architecture.name;
    if (true_) return text + ".";
    if (more == 0) return text + ": both have as many parameters.";
    return text + ": it has " + grouped(std::abs(more)) + " parameters " + (more > 0 ? "more." : "fewer.");
}

// The weights of one model in each of the formats.
AskOutcome formats_of_one(const WideQuestion& question) {
    const CountedModel& model = question.model;
    AskAnswer answer;
    for (const Formats& each : question.heard.formats) {
        const std::string name = formats_text(each);
        const Expr formula = StoredWeights(model.architecture, model.graph, each).total(model.graph);
        const Result<std::int64_t> bytes = evaluate(formula, model.bindings);
        if (!bytes) return {std::nullopt, sentence(bytes.error()), {}};
        if (answer.number.empty()) {
            answer.title = "Weights of " + model.architecture.name + " in " + name;
            answer.number = answer.result = grouped(*bytes);
            answer.in_short = bytes_text(*bytes);
            answer.symbols = in_symbols(formula);
            answer.numbers = in_numbers(formula, model.bindings);
        } else {
            answer.notes.push_back(name + ": " + grouped(*bytes) + " bytes, " + bytes_text(*bytes) + ".");
        }
    }
    answer.about = asked_about(model, false);
    answer.unit = "bytes";
    answer.light = "total";
    return {std::move(answer), {}, {}};
}

// Nothing where what is asked for is no number of both.
std::optional<ComparedCount> compared(const WideQuestion& question, const CountedModel& model) {
    const Heard& heard = question.heard;
    const bool read = heard.tokens_given || heard.batch_given || heard.cached_given || heard.full_context;
    const bool held = heard.quantity == AskQuantity::bytes && read && !heard.weights_said && heard.symbols.empty();
    if (!held ||
        std::ranges::any_of(heard.subjects, [](const AskSubject& each) { return each.notion != &notion("the model"); }))
        return compared(heard, model, question.about);
    const Result<CountedModelPtr> at_once = counted_model(model.architecture, all_at_once(model.input));
    const Result<Memory> all = at_once ? memory_of(**at_once, question) : Result<Memory>(at_once.error());
    if (!all) return std::nullopt;
    return ComparedCount{"memory", "bytes", asked_about(**at_once, true, ""), "total", all->total};
}

}  // namespace

std::optional<ComparedCount> compared(const Heard& heard, const CountedModel& model, const AskAbout& about) {
    // Tensors and kinds of layers are those of one graph.
    const bool of_kind = heard.layer_named && heard.indices.empty();
    const bool of_one_graph =
        of_kind || std::ranges::any_of(heard.subjects, [](const AskSubject& each) { return each.notion == nullptr; });
    if (of_one_graph) return std::nullopt;
    Heard one = heard;
    one.layer = model.graph.blocks[model.graph.main_layer().block].id;
    one.layer_named = false;
    if (!choose_layer(one, model).empty()) return std::nullopt;
    // "which model has the most layers" asks for layers.
    std::erase_if(one.subjects, [](const AskSubject& each) { return each.notion == &notion("the model"); });
    if (one.subjects.empty() && one.symbols.empty() && !one.quantity) one.quantity = AskQuantity::parameters;
    const AskOutcome outcome = AskAnswerer(one, model, about.presets, about.pass).outcome();
    if (!outcome.answer || !outcome.answer->count) return std::nullopt;
    const AskAnswer& answer = *outcome.answer;
    std::string name = answer.title;
    if (answer.light == "total" && answer.unit == "parameters") name.clear();
    if (answer.unit.empty()) name = info(one.symbols.front()).name;  // a dimension
    return ComparedCount{std::move(name), answer.unit, answer.about, answer.light, *answer.count, answer.formula};
}

std::string beyond_context(std::int64_t tokens, const Architecture& architecture) {
    if (tokens <= architecture.context) return "";
    return grouped(tokens) + " tokens exceed the context of " + architecture.name + ", which is " +
           grouped(architecture.context) + ".";
}

AskOutcome answer_compare(const WideQuestion& question) {
    const Heard& heard = question.heard;
    if (heard.wide == AskWide::compare && heard.formats.size() > 1 && !heard.second) return formats_of_one(question);
    const bool parts = heard.subjects.size() > 1 && std::ranges::all_of(heard.subjects, [](const AskSubject& each) {
                           return each.notion && !each.less && !each.notion->sum.empty() && each.notion->sum != "model";
                       });
    const bool own = !heard.preset || heard.preset->id == question.about.preset;
    if (heard.wide == AskWide::compare && parts && !heard.second && (own || heard.between_parts))
        return answer_parts_beside(question);
    // "how much smaller is it with 8 kv heads": than as it is.
    const bool as_it_was = heard.changes() && !heard.second;
    const Architecture* second = heard.second ? &heard.second->architecture : &question.about.architecture;
    if (as_it_was && heard.preset) second = &heard.preset->architecture;
    if (!as_it_was && (!heard.preset || (!heard.second && heard.preset->id == question.about.preset)))
        return {std::nullopt, "Name two models to compare, such as llama 2 7b with llama 3 8b.", {}};
    const Result<CountedModelPtr> other = counted_model(
        *second, heard.published && !as_it_was ? input_for_other(heard.input, heard.preset->architecture, *second)
                                               : heard.input);
    if (!other) return {std::nullopt, sentence(other.error()), {}};
    // "Is A larger than B" asks for A less B, "compare A with B" for what B has more. Of one that is named and the
    // model at hand the named one is first, but for "larger than A".
    const bool supposes = heard.wide != AskWide::compare;
    const bool first = as_it_was || (heard.second ? supposes : !(supposes && heard.behind_than));
    const CountedModel& b = first ? question.model : **other;
    const CountedModel& a = first ? **other : question.model;
    const Result<Difference> between = difference(a, b);
    if (!between) return {std::nullopt, sentence(between.error()), {}};
    const std::optional<ComparedCount> before = compared(question, a), of = compared(question, b);
    if (!before || !of)
        return {
            std::nullopt,
            "Two models are compared by a number that both have: parameters, bytes or a dimension; ask for anything "
            "else of each.",
            {}};
    AskAnswer answer;
    answer.title = b.architecture.name + " less " + a.architecture.name + (of->name.empty() ? "" : ": " + of->name);
    answer.about = of->about;
    const std::int64_t more = of->count - before->count;
    answer.number = answer.result = signed_grouped(more);
    answer.unit = of->unit;
    if (of->unit == "bytes" && more != 0)
        answer.in_short = (more < 0 ? "-" : "+") + bytes_text(std::abs(more));
    else if (!of->unit.empty() && more != 0)
        answer.in_short = signed_short(more);
    answer.symbols = b.architecture.name + " - " + a.architecture.name;
    answer.numbers = grouped(of->count) + " - " + grouped(before->count);
    const bool whole = of->name.empty();
    if (supposes && whole) answer.notes.push_back(verdict(*heard.wide, b, a, between->total));
    if (whole) answer.notes.push_back(parts_of(*between));
    // Of parameters all that differs, of another number those dimensions that make it.
    const bool made = !whole && of->unit != "parameters" && of->light != "total" && before->formula && of->formula;
    const std::string why =
        made ? dimensions_of(*before->formula, a, *of->formula, b) : fields_of(*between, supposes && whole);
    if (!why.empty()) answer.notes.push_back(why);
    if (heard.tokens_given || heard.cached_given)
        for (const CountedModel* each : {&a, &b})
            if (const auto tokens = checked_add(each->input.tokens, each->input.cached))
                if (std::string note = beyond_context(*tokens, each->architecture); !note.empty())
                    answer.notes.push_back(std::move(note));
    answer.light = of->light;
    if (as_it_was) return {std::move(answer), {}, {}};
    if (!first && heard.second && heard.second->id != question.about.preset) answer.preset = heard.second->id;
    const auto named = [&](const Preset* preset) {
        return preset && preset->id != question.about.preset ? preset->id : std::string();
    };
    answer.compares =
        heard.second ? AskPair{named(first ? heard.second : heard.preset), (first ? heard.preset : heard.second)->id}
                     : AskPair{"", heard.preset->id};
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
