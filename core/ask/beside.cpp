// What is set beside another thing of the same model: devices that it may run on, parts that it consists of.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/amount_text.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

void add_to(std::string& text, const std::string& more, std::string_view between) {
    if (!more.empty()) text += std::string(text.empty() ? "" : between) + more;
}

std::string unit_of(const AskAnswer& answer) { return answer.unit.empty() ? "" : " " + answer.unit; }

}  // namespace

// Whether the model fits on each, and how fast it is there at best.
AskOutcome answer_devices_beside(const WideQuestion& question) {
    const Heard& heard = question.heard;
    if (heard.device_count.value_or(1) != 1 || heard.counts_others)
        return {std::nullopt, "Devices are compared one with one: leave out how many there are of them.", {}};
    const std::string& name = question.model.architecture.name;
    AskAnswer answer;
    const bool rate = info(heard.figure.value_or(Metric::rate_for_all)).unit == Unit::tokens_per_second;
    const std::string bound_words = rate ? "at most" : "at least";
    std::string enough, devices, bound;
    for (const Device* const device : heard.devices) {
        Heard one = heard;
        one.device = device;
        one.at_hand = true;
        one.budget.reset();  // each has its own
        const WideQuestion of_one{one, question.model, question.about};
        const AskOutcome held = answer_fits(of_one), fast = heard.training ? AskOutcome() : answer_figure(of_one);
        if (!held.answer) return held;
        const bool fits = held.answer->spare.value_or(-1) >= 0;
        if (fits && enough.empty()) enough = device->name;
        add_to(devices, device->name, " and ");
        answer.notes.push_back(device->name + ": it " + (fits ? "fits, " : "does not fit, ") + held.answer->result +
                               (fast.answer ? "; " + fast.answer->number + unit_of(*fast.answer) : "") + ".");
        add_to(answer.number, fast.answer ? fast.answer->number : held.answer->number, " and ");
        add_to(answer.numbers, fast.answer ? fast.answer->numbers : held.answer->numbers, "; ");
        const AskAnswer& first = fast.answer ? *fast.answer : *held.answer;
        answer.unit = first.unit;
        if (fast.answer) answer.unit += (answer.unit.empty() ? "" : ", ") + bound_words;
        if (fast.answer) bound = fast.answer->notes.front();
        answer.symbols = first.symbols;
        answer.about = first.about;
    }
    answer.title = name + " on " + devices;
    if (heard.enough)
        answer.title = enough.empty() ? "None of these has room for " + name : enough + " is enough for " + name;
    answer.result = answer.number;
    if (!bound.empty()) answer.notes.push_back(bound);
    answer.light = "total";
    answer.costs = costs_of(question);
    return {std::move(answer), {}, {}};
}

// How many parameters each part has, and how many times as many the larger one.
AskOutcome answer_parts_beside(const WideQuestion& question) {
    AskAnswer answer;
    std::string shares;
    std::vector<std::pair<std::int64_t, std::string>> counted;
    const std::int64_t all = question.model.parameters.total;
    for (const AskSubject& subject : question.heard.subjects) {
        Heard one = question.heard;
        one.wide.reset();
        one.subjects = {subject};
        if (!one.quantity) one.quantity = AskQuantity::parameters;
        AskOutcome outcome = AskAnswerer(one, question.model, question.about.presets, question.about.pass).outcome();
        if (!outcome.answer || !outcome.answer->count) return {std::nullopt, outcome.problem, {}};
        const AskAnswer& of = *outcome.answer;
        const bool parameters = of.unit == "parameters" && !one.has(AskScope::one_layer);
        add_to(answer.title, counted.empty() ? of.title : lower(of.title), " and ");
        add_to(answer.number, of.number, " and ");
        add_to(answer.in_short, of.in_short, " and ");
        if (parameters)
            add_to(shares, (shares.empty() ? of.title : lower(of.title)) + " has " + percent(*of.count, all), ", ");
        if (counted.empty() || *of.count > counted.front().first) answer.light = of.light;
        answer.unit = of.unit;
        answer.about = of.about;
        counted.emplace_back(*of.count, of.title);
    }
    std::ranges::stable_sort(counted, std::ranges::greater(), &std::pair<std::int64_t, std::string>::first);
    const auto& [most, large] = counted.front();
    const auto& [least, small] = counted.back();
    answer.symbols = large + " / " + lower(small);
    answer.numbers = grouped(most) + " / " + grouped(least);
    answer.result = least > 0
                        ? real_text(std::round(100 * static_cast<double>(most) / static_cast<double>(least)) / 100) +
                              " times as many"
                        : "";
    if (most == least) answer.notes.emplace_back("They are as large as each other.");
    if (!shares.empty()) answer.notes.push_back(shares + " of all " + grouped(all) + ".");
    return {std::move(answer), {}, {}};
}

// How fast each of two models is, or how long it takes, on one device.
AskOutcome answer_figures_beside(const WideQuestion& question) {
    const Architecture& second = question.heard.second->architecture;
    const Input& input = question.model.input;
    const Result<CountedModelPtr> other = counted_model(
        second, question.heard.published ? input_for_other(input, question.model.architecture, second) : input);
    if (!other) return {std::nullopt, sentence(other.error()), {}};
    AskOutcome beside;
    for (const CountedModel* const model : {&question.model, &**other}) {
        AskOutcome one = answer_figure({question.heard, *model, question.about});
        if (!one.answer) return one;
        AskAnswer& answer = *one.answer;
        std::string notes = model->architecture.name + ": " + answer.number + unit_of(answer) + ".";
        for (std::size_t i = 1; i < answer.notes.size(); ++i) notes += " " + answer.notes[i];
        const std::string bound = answer.notes.front();
        answer.notes = {std::move(notes)};
        if (!beside.answer) {
            beside.answer = std::move(answer);
            continue;
        }
        AskAnswer& both = *beside.answer;
        add_to(both.about, answer.about, " and ");
        add_to(both.number, answer.number, " and ");
        add_to(both.numbers, answer.numbers, "; ");
        both.result = both.number;
        both.notes.push_back(answer.notes.front());
        both.notes.push_back(bound);
        both.costs.reset();  // which are of one
    }
    return beside;
}

}  // namespace headcount
