// A claim beside the graph.
#include "core/claims/check.hpp"

#include "core/arch/fields.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

// A formula worked out: a number, or with columns a shape.
struct Worked {
    ClaimValue value;
    std::int64_t number = 0;
    std::optional<std::int64_t> columns;
    bool bytes = false;
};

struct Worker {
    const CountedModel& model;
    std::span<const Preset> presets;

    Result<Worked> work_out(std::string_view text) const {
        const std::size_t cross = text.find(" x ");
        Result<Worked> rows = side(text.substr(0, cross));
        if (!rows || cross == std::string_view::npos) return rows;
        const Result<Worked> columns = side(text.substr(cross + 3));
        if (!columns) return columns;
        if (rows->columns || columns->columns)
            return Error{"a shape has two sides", "", "write rows and columns of a tensor"};
        return shape(*rows, *columns);
    }

    Result<ClaimValue> fact(const FactQuestion& question) const {
        const Result<Fact> fact = answer_fact(question, model, presets);
        if (!fact) return fact.error();
        return ClaimValue{fact->words, "", "", fact->detail};
    }

    Result<Worked> side(std::string_view text) const {
        const Result<Resolved> resolved = resolve(text, model, presets);
        if (!resolved) return resolved.error();
        Worked rows = one(resolved->value);
        rows.bytes = resolved->bytes;
        if (rows.bytes) rows.value.text += " bytes (" + bytes_text(rows.number) + ")";
        if (resolved->columns) return shape(rows, one(*resolved->columns));
        return rows;
    }

    // `resolve` has evaluated it, so that it fits.
    Worked one(const Expr& expr) const {
        const std::int64_t number = *evaluate(expr, model.bindings);
        std::string symbols = in_symbols(expr);
        std::string numbers = in_numbers(expr, model.bindings);
        if (numbers == symbols || numbers == std::to_string(number)) numbers.clear();
        if (symbols == std::to_string(number)) symbols.clear();
        return {{grouped(number), std::move(symbols), std::move(numbers), ""}, number, std::nullopt, false};
    }

    static Worked shape(const Worked& rows, const Worked& columns) {
        auto both = [](const std::string& a, const std::string& b) { return a + " × " + b; };
        Worked whole{{both(std::to_string(rows.number), std::to_string(columns.number)), "", "", ""},
                     rows.number,
                     columns.number,
                     false};
        auto symbols = [](const Worked& side) {
            return side.value.symbols.empty() ? std::to_string(side.number) : side.value.symbols;
        };
        if (!rows.value.symbols.empty() || !columns.value.symbols.empty())
            whole.value.symbols = both(symbols(rows), symbols(columns));
        return whole;
    }
};

// What was said, when it is a number: as stated, or the exact value of the formula alone.
struct Said {
    StatedNumber number;
    std::optional<std::int64_t> columns;
};

Result<Said> said(const Claim& claim, const Worker& worker, const std::optional<Worked>& reached) {
    if (claim.claimed.empty()) return Said{{reached->number, 1, 1, reached->bytes, false}, reached->columns};
    if (claim.claimed.find(" x ") != std::string::npos) {
        const Result<Worked> shape = worker.work_out(claim.claimed);
        if (!shape) return within("claimed", shape.error());
        return Said{{shape->number}, shape->columns};
    }
    const Result<StatedNumber> stated = parse_stated(claim.claimed);
    if (!stated) return within("claimed", stated.error());
    return Said{*stated, std::nullopt};
}

Nearness near(const Said& said, const Worked& worked) {
    if (!said.columns != !worked.columns) return Nearness::apart;
    if (said.columns && *said.columns != *worked.columns) return Nearness::apart;
    return nearness(said.number, worked.number);
}

bool holds(Nearness near) { return near == Nearness::equal || near == Nearness::rounded || near == Nearness::roughly; }

// Bytes are compared with bytes, shapes with shapes.
std::optional<Error> not_comparable(const Said& said, const Worked& computed) {
    if (said.number.bytes && !computed.bytes)
        return Error{"bytes are claimed and a number is computed", "computed", "ask for bytes of it"};
    if (!said.number.bytes && computed.bytes)
        return Error{"bytes are computed and a number is claimed", "claimed", "give it in bytes, GB or GiB"};
    if (said.columns && !computed.columns)
        return Error{"a shape is claimed and a number is computed", "computed", "ask for shape of it"};
    if (!said.columns && computed.columns)
        return Error{"a shape is computed and a number is claimed", "claimed", "give it as \"100 x 4096\""};
    return std::nullopt;
}

std::optional<Error> check_steps(const Claim& claim, const Worker& worker, CheckedClaim& checked) {
    for (std::size_t i = 0; i < claim.steps.size(); ++i) {
        const ClaimStep& step = claim.steps[i];
        const std::string here = "steps[" + std::to_string(i) + "]";
        CheckedStep result{step.what, step.at, {step.said, "", "", ""}, std::nullopt, true};
        if (step.graph.fact) {
            const Result<ClaimValue> words = worker.fact(*step.graph.fact);
            if (!words) return within(here + ".graph", words.error());
            result.graph = *words;
            result.right = words->text == step.said;
        } else {
            const Result<Worked> said = worker.work_out(step.said);
            if (!said) return within(here + ".said", said.error());
            result.said = said->value;
            if (!step.graph.answer.empty()) {
                const Result<Worked> graph = worker.work_out(step.graph.answer);
                if (!graph) return within(here + ".graph", graph.error());
                result.graph = graph->value;
                result.right = said->number == graph->number && said->columns == graph->columns;
            }
        }
        checked.steps.push_back(std::move(result));
    }
    return std::nullopt;
}

std::optional<Error> check_number(const Claim& claim, const Worker& worker, CheckedClaim& checked) {
    std::optional<Worked> reached;
    if (!claim.reached.empty()) {
        Result<Worked> worked = worker.work_out(claim.reached);
        if (!worked) return within("reached", worked.error());
        reached = std::move(*worked);
        checked.reached = reached->value;
        if (claim.claimed.empty()) checked.claimed = reached->value.text;
    }
    const Result<Said> stated = said(claim, worker, reached);
    if (!stated) return stated.error();
    const Result<Worked> computed = worker.work_out(claim.computed.answer);
    if (!computed) return within("computed", computed.error());
    if (auto error = not_comparable(*stated, *computed)) return error;
    checked.computed = computed->value;
    if (reached) {
        const Nearness way = near(*stated, *reached);
        checked.reaches = holds(way) || way == Nearness::cut;
    }

    Worked rest = *computed;
    for (std::size_t i = 0; i < claim.without.size(); ++i) {
        const std::string here = "without[" + std::to_string(i) + "].count";
        const Result<Worked> part = worker.work_out(claim.without[i].answer);
        if (!part) return within(here, part.error());
        if (part->columns || computed->columns)
            return Error{"a shape has no parts that could be left out", here, "give a number"};
        const auto less = checked_subtract(rest.number, part->number);
        if (!less || *less < 0 || part->number <= 0)
            return Error{part->value.text + " cannot be left out of " + computed->value.text, here, "give a part"};
        rest.number = *less;
        checked.without.push_back({claim.without[i].what, part->value});
    }
    if (!claim.without.empty()) checked.rest = grouped(rest.number) + (rest.bytes ? " bytes" : "");

    const Nearness whole = near(*stated, *computed);
    if (!checked.reaches)
        checked.verdict = Verdict::wrong;
    else if (whole == Nearness::equal)
        checked.verdict = Verdict::right;
    else if (holds(whole))
        checked.verdict = Verdict::rounded;
    else if (!claim.without.empty() && holds(near(*stated, rest)))
        checked.verdict = Verdict::incomplete;
    else
        checked.verdict = Verdict::wrong;
    return std::nullopt;
}

// The ids that a window lights have to be there.
std::optional<Error> check_places(const Claim& claim, const ModelGraph& graph) {
    auto wrong = [&](const std::string& id, const std::string& where) -> std::optional<Error> {
        if (id.empty() || graph.find(id) || graph.find_block(id)) return std::nullopt;
        return Error{"there is no tensor and no block " + quote(id), where,
                     did_you_mean(id, graph.place_ids(), "\"headcount shapes\" lists the ids")};
    };
    if (auto error = wrong(claim.at, "at")) return error;
    for (std::size_t i = 0; i < claim.steps.size(); ++i)
        if (auto error = wrong(claim.steps[i].at, "steps[" + std::to_string(i) + "].at")) return error;
    return std::nullopt;
}

}  // namespace

Result<CountedModelPtr> claim_model(const Claim& claim, std::span<const Preset> presets) {
    const Result<const Preset*> preset = preset_named(presets, claim.model.preset, "architecture");
    if (!preset) return preset.error();
    Architecture arch = (*preset)->architecture;
    for (const auto& [key, text] : claim.model.set) {
        Result<Architecture> changed = with_field(std::move(arch), key, text);
        if (!changed) return within("architecture.set", changed.error());
        arch = std::move(*changed);
        arch.name += ", " + key + " " + text;
    }
    Result<CountedModelPtr> model = counted_model(arch, claim.input);
    if (!model) return within("architecture", model.error());
    return model;
}

Result<CheckedClaim> check_claim(const Claim& claim, std::span<const Preset> presets) {
    const Result<CountedModelPtr> model = claim_model(claim, presets);
    if (!model) return model.error();
    if (auto error = check_places(claim, (*model)->graph)) return *error;
    const Worker worker{**model, presets};
    CheckedClaim checked;
    checked.model = (*model)->architecture.name;
    checked.claimed = claim.claimed;
    if (claim.computed.fact) {
        const Result<ClaimValue> words = worker.fact(*claim.computed.fact);
        if (!words) return within("computed", words.error());
        checked.computed = *words;
        checked.verdict = words->text == claim.claimed ? Verdict::right : Verdict::wrong;
    } else if (auto error = check_number(claim, worker, checked)) {
        return *error;
    }
    if (auto error = check_steps(claim, worker, checked)) return *error;
    const std::string_view reached = checked.reached ? std::string_view(checked.reached->text) : checked.claimed;
    const Result<std::string> why =
        filled_text(with_results(claim.why, checked.computed.text, reached, checked.rest), **model, presets);
    if (!why) return within("why", why.error());
    checked.why = *why;
    checked.at = claim.at;
    for (const CheckedStep& step : checked.steps)
        if (!step.right && !step.at.empty()) {
            checked.at = step.at;
            break;
        }
    return checked;
}

}  // namespace headcount
