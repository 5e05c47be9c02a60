// A figure that hangs on a device: how long those wait who use the model, and how fast it writes.
#include <tuple>
#include <utility>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/goal.hpp"
#include "core/analysis/hire.hpp"
#include "core/analysis/made_for.hpp"
#include "core/analysis/sweep.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {

std::string on_words(std::int64_t devices, const Device& device) {
    return " on " + (devices > 1 ? grouped(devices) + " × " : "") + device.name;
}

void note_too_large(AskAnswer& answer, const CountedModel& at_once, const PassOptions& options) {
    const std::optional<std::int64_t> held =
        MemoryFormulas(at_once.architecture, at_once.graph, options.held(at_once.input))
            .total_on_device(at_once.bindings);
    const std::int64_t room = options.serving.usable(*options.device);
    if (held && *held <= room) return;
    answer.notes.push_back(
        "It does not fit: " + std::string(options.sharding.devices > 1 ? "each device would hold " : "it takes ") +
        (held ? bytes_text(*held) : "more than fits in 64 bits") + ", and " + options.device->name + " has room for " +
        bytes_text(room) + "." + (options.phase == Phase::training ? " Say zero 3, or divide it in Costs." : ""));
}

namespace {

std::string sequences_words(std::int64_t users) {
    return users == 1 ? "" : " of " + grouped(users) + " sequences at once";
}

// Where a figure is of another pass than the one that is asked for, or nothing is known of it: why, a sentence.
std::string wrong_figure(Metric asked, const WideQuestion& question, const PassOptions& options) {
    if (const std::optional<Error> wrong = wrong_sharding(options.sharding, question.model.architecture))
        return sentence(*wrong);
    if (!options.device) return "Say on which device, such as an H100.";
    if (const std::optional<Error> none = no_decoding(question.model.architecture)) return sentence(*none);
    if (asked != Metric::price) return "";
    if (!options.price) return "Say what an hour of the device costs, such as $2 an hour: no price is known here.";
    return "";
}

// By measurements of passes like it; a price is as much more than its bound as the time is.
std::optional<double> likely_of(Metric asked, const SweepPoint& point) {
    if (!point.likely_served) return std::nullopt;
    if (asked != Metric::price) return value_of(*point.likely_served, asked);
    const std::optional<double> likely = point.likely_served->next_token, bound = point.served->next_token;
    return likely && bound && point.price ? std::optional(*point.price * *likely / *bound) : std::nullopt;
}

// In symbols, and with the numbers.
std::pair<std::string, std::string> derivation_of(Metric asked, const SweepPoint& point, const PassOptions& options,
                                                  std::int64_t users) {
    if (asked == Metric::price)
        return {"a device's hours for " + grouped(sold_tokens) + " tokens of decoding at the roof × the price of one",
                real_text(*point.price / *options.price) + " × " + real_text(*options.price)};
    if (info(asked).unit == Unit::tokens_per_second)
        return {"tokens of a decoding step / its time at the roof",
                grouped(asked == Metric::rate_for_all ? users : 1) + " / " +
                    figure_text(Metric::next_token, value_of(point, Metric::next_token).value_or(0))};
    return {
        (asked == Metric::first_token ? "the prefill" : "a decoding step") + sequences_words(users) + ", at the roof",
        "all its products at the peak, or its weights and cache once at full bandwidth"};
}

}  // namespace

AskOutcome answer_figure(const WideQuestion& question) {
    const Metric asked = question.heard.figure.value_or(Metric::rate_for_all);
    const CountedModel& model = question.model;
    PassOptions options = question.about.pass;
    if (question.heard.device) options.device = *question.heard.device;
    if (question.heard.price) options.price = question.heard.price;
    options.sharding = sharding_of(question);
    options.phase = asked == Metric::first_token ? Phase::prefill : Phase::decode;
    if (std::string wrong = wrong_figure(asked, question, options); !wrong.empty())
        return {std::nullopt, std::move(wrong), {}};
    PointWants wants = wants_for(std::span(&asked, 1), options, question.about.reached);
    wants.served = true;
    wants.reached = question.about.reached;
    const Result<SweepPoint> point = PointMaker(model.input, wants).at(model.architecture);
    if (!point) return {std::nullopt, sentence(point.error()), {}};
    const std::optional<double> value = value_of(*point, asked);
    if (!value) return {std::nullopt, unpublished_speed(*options.device) + ".", {}};
    const std::int64_t users = point->served ? point->served->users : model.input.batch;
    const bool prefill = asked == Metric::first_token, rate = info(asked).unit == Unit::tokens_per_second;
    AskAnswer answer;
    answer.title = (rate && users == 1 ? "Tokens a second" : std::string(info(asked).label)) +
                   on_words(options.sharing(), *options.device) + (rate ? ", at most" : ", at least");
    answer.about = asked_about(model, true, formats_title(model.input.precision));
    answer.number = answer.result = figure_text(asked, *value);
    answer.unit = rate ? "tokens a second" : asked == Metric::price ? "for a million tokens" : "";
    std::tie(answer.symbols, answer.numbers) = derivation_of(asked, *point, options, users);
    answer.notes.emplace_back(prefill ? "A bound: no program computes a prompt faster than the device can."
                                      : "A bound: no program reads the weights and the cache faster than the memory "
                                        "gives them.");
    if (const std::optional<double> likely = likely_of(asked, *point))
        answer.notes.push_back("Likely " + figure_words(asked, *likely) + ", by measurements of passes like it.");
    if (rate && users > 1) {
        const Metric other = asked == Metric::rate_for_all ? Metric::rate_for_one : Metric::rate_for_all;
        answer.notes.push_back((other == Metric::rate_for_one ? "Each of " : "All ") + grouped(users) +
                               (other == Metric::rate_for_one ? " users gets " : " users together get ") +
                               figure_words(other, value_of(*point, other).value_or(0)) + ".");
    }
    const Result<CountedModelPtr> at_once = counted_model(model.architecture, all_at_once(model.input));
    options.phase = Phase::prefill;
    if (at_once) note_too_large(answer, **at_once, options);
    answer.light = "total";
    answer.costs = costs_of(question);
    answer.costs->phase = prefill ? Phase::prefill : Phase::decode;
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
