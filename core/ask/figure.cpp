// A figure that hangs on a device: how long those wait who use the model, and how fast it writes.
#include "core/analysis/goal.hpp"
#include "core/analysis/sweep.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string on_words(const PassOptions& options) {
    return " on " + (options.sharing() > 1 ? grouped(options.sharing()) + " × " : "") + options.device->name;
}

std::string sequences_words(std::int64_t users) {
    return users == 1 ? "" : " of " + grouped(users) + " sequences at once";
}

}  // namespace

AskOutcome answer_figure(const WideQuestion& question) {
    const Metric asked = question.heard.figure.value_or(Metric::rate_for_all);
    const CountedModel& model = question.model;
    PassOptions options = question.about.pass;
    if (question.heard.device) options.device = *question.heard.device;
    options.sharding = sharding_of(question);
    if (const std::optional<Error> wrong = wrong_sharding(options.sharding, model.architecture))
        return {std::nullopt, sentence(*wrong), {}};
    if (!options.device) return {std::nullopt, "Say on which device, such as an H100.", {}};
    if (const std::optional<Error> none = no_decoding(model.architecture)) return {std::nullopt, sentence(*none), {}};
    const Result<SweepPoint> point =
        PointMaker(model.input, wants_for(std::span(&asked, 1), options)).at(model.architecture);
    if (!point) return {std::nullopt, sentence(point.error()), {}};
    const std::optional<double> value = value_of(*point, asked);
    if (!value) return {std::nullopt, "The speed of " + options.device->name + " is not published.", {}};
    const std::int64_t users = model.input.batch;
    const bool prefill = asked == Metric::first_token, rate = info(asked).unit == Unit::tokens_per_second;
    const double step = prefill ? *value : value_of(*point, Metric::next_token).value_or(0);
    AskAnswer answer;
    answer.title = (rate && users == 1 ? "Tokens a second" : std::string(info(asked).label)) + on_words(options) +
                   (rate ? ", at most" : ", at least");
    answer.about = asked_about(model, true, formats_title(model.input.precision));
    answer.number = answer.result = figure_text(asked, *value);
    answer.unit = rate ? "tokens a second" : "";
    answer.symbols =
        rate ? "tokens of a decoding step / its time at the roof"
             : std::string(prefill ? "the prefill" : "a decoding step") + sequences_words(users) + ", at the roof";
    answer.numbers =
        rate ? grouped(asked == Metric::rate_for_all ? users : 1) + " / " + figure_text(Metric::next_token, step)
             : "all its products at the peak, or its weights and cache once at full bandwidth";
    answer.notes.emplace_back(prefill ? "A bound: no program computes a prompt faster than the device can."
                                      : "A bound: no program reads the weights and the cache faster than the memory "
                                        "gives them.");
    if (rate && users > 1) {
        const Metric other = asked == Metric::rate_for_all ? Metric::rate_for_one : Metric::rate_for_all;
        answer.notes.push_back((other == Metric::rate_for_one ? "Each of " : "All ") + grouped(users) +
                               (other == Metric::rate_for_one ? " users gets " : " users together get ") +
                               figure_words(other, value_of(*point, other).value_or(0)) + ".");
    }
    const Result<CountedModelPtr> at_once = counted_model(model.architecture, all_at_once(model.input));
    const Result<Memory> held = at_once ? memory_of(**at_once, question) : Result<Memory>(at_once.error());
    if (held && held->device.total > options.serving.usable(*options.device))
        answer.notes.push_back("It does not fit: it takes " + bytes_text(held->device.total) + ", and " +
                               options.device->name + " has room for " +
                               bytes_text(options.serving.usable(*options.device)) + ".");
    answer.light = "total";
    answer.costs = costs_of(question);
    answer.costs->phase = prefill ? Phase::prefill : Phase::decode;
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
