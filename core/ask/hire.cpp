// A whole training: how long devices take for so many tokens, what that costs, and how much arithmetic it is.
#include "core/analysis/hire.hpp"

#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/made_for.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/sweep.hpp"
#include "core/ask/answer.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::int64_t usual_sequence = 8192;  // tokens, where none are said: Llama 3's (arXiv 2407.21783, 3.4.1)

Input read_in_training(const WideQuestion& question) {
    Input input = question.model.input;
    if (!question.heard.tokens_given && !question.heard.full_context)
        input.tokens = std::min(question.model.architecture.context, usual_sequence);
    return input;
}

// A sequence is read by one device unless the question beside it says otherwise: all others read other ones.
PassOptions trained_on(const WideQuestion& question) {
    PassOptions options = question.about.pass;
    if (question.heard.device) options.device = *question.heard.device;
    if (question.heard.price) options.price = question.heard.price;
    if (question.heard.device_count) options.sharding.devices = *question.heard.device_count;
    if (question.heard.zero) options.sharding.zero = *question.heard.zero;
    options.phase = Phase::training;
    options.training = training_of(question);
    if (question.heard.adapters()) options.adapters = question.heard.adapters();
    return options;
}

// Why nothing can be said; empty where something can.
std::string wrong_training(const WideQuestion& question, const PassOptions& options) {
    if (!question.heard.train_tokens) return "Say how many tokens it is trained on, such as 15T tokens.";
    if (question.heard.wide == AskWide::flops) return "";
    if (!options.device) return "Say on which device, such as an H100.";
    const bool costs = question.heard.figure == Metric::price;
    if (costs && !options.price)
        return "Say what an hour of the device costs, such as $2 an hour: no price is known here.";
    return "";
}

// Hours, days and price of so many hours of one device.
struct Lasts {
    double hours = 0;
    std::int64_t devices = 1;
    std::optional<double> price;

    std::string duration() const {
        constexpr double long_hours = 48;
        const double all = hours / static_cast<double>(devices);
        return all > long_hours ? real_text(all / 24) + " days" : real_text(all) + " hours";
    }
    std::string cost() const { return real_text(hours * price.value_or(0)); }
};

void say_time(AskAnswer& answer, const SweepPoint& point, const PassOptions& options, std::int64_t tokens, bool costs,
              bool in_hours) {
    const auto lasts = [&](double seconds) {
        return Lasts{device_hours(tokens, point.tokens, seconds, point.sharing), options.sharding.devices,
                     options.price};
    };
    const Lasts least = lasts(*point.seconds);
    answer.number = costs ? least.cost() : least.duration();
    answer.unit = costs ? "by the price of an hour" : "";
    answer.symbols = "tokens / tokens a second of a training step at the roof";
    answer.numbers =
        grouped(tokens) + " / " +
        real_text(static_cast<double>(point.tokens) / *point.seconds / static_cast<double>(point.sharing)) +
        " on each device";
    answer.result = real_text(least.hours) + " hours of one device";
    if (in_hours && !costs) std::swap(answer.number, answer.result);
    if (costs)
        answer.notes.push_back("It lasts " + least.duration() + " at least.");
    else if (options.price)
        answer.notes.push_back("It costs " + least.cost() + " at least, by the price of an hour.");
    if (point.likely) {
        const Lasts likely = lasts(*point.likely);
        answer.notes.push_back("Likely " + (options.price ? likely.cost() + ", and " : "") + likely.duration() +
                               ", by measurements of passes like it.");
    }
    answer.notes.emplace_back(
        "A bound: no program computes faster than the device can, and what devices send each "
        "other takes time as well.");
}

}  // namespace

AskOutcome answer_hire(const WideQuestion& question) {
    const PassOptions options = trained_on(question);
    if (std::string wrong = wrong_training(question, options); !wrong.empty())
        return {std::nullopt, std::move(wrong), {}};
    const Result<CountedModelPtr> model = counted_model(question.model.architecture, read_in_training(question));
    if (!model) return {std::nullopt, sentence(model.error()), {}};
    const Input& input = (*model)->input;
    if (const std::optional<Error> wrong = wrong_options(options.held(input), (*model)->architecture))
        return {std::nullopt, sentence(*wrong), {}};
    if (options.adapters)
        if (const std::optional<Error> wrong = wrong_adapters((*model)->graph, *options.adapters))
            return {std::nullopt, sentence(*wrong), {}};
    const bool flops = question.heard.wide == AskWide::flops;
    const Metric asked = flops ? Metric::flops : Metric::likely_seconds;
    const PointWants wants = wants_for(std::span(&asked, 1), options, question.about.reached);
    const Result<SweepPoint> point = PointMaker(input, wants).at((*model)->architecture);
    if (!point) return {std::nullopt, sentence(point.error()), {}};
    if (!flops && !point->seconds) return {std::nullopt, unpublished_speed(*options.device) + ".", {}};
    const std::int64_t tokens = *question.heard.train_tokens;
    AskAnswer answer;
    answer.title = "Training " + (question.heard.adapters() ? adapters_text(question.heard) + " beside " : "") +
                   (*model)->architecture.name + " on " + short_count(tokens) + " tokens" +
                   (flops ? "" : on_words(options.sharding.devices, *options.device) + ", at least");
    answer.about = asked_about(**model, true, flops ? "" : formats_title(input.precision));
    if (flops) {
        const double each = static_cast<double>(point->flops) / static_cast<double>(point->tokens);
        answer.number = answer.result = flop_text(each * static_cast<double>(tokens));
        answer.symbols = "tokens × operations of one, forwards and backwards";
        answer.numbers = grouped(tokens) + " × " + flop_text(each);
    } else {
        note_too_large(answer, **model, options);
        const bool in_hours = std::ranges::any_of(question.heard.readings, [](const AskReading& each) {
            return each.words.find("hours") != each.words.npos;
        });
        say_time(answer, *point, options, tokens, question.heard.figure == Metric::price, in_hours);
    }
    if (!question.heard.tokens_given && !question.heard.full_context)
        answer.notes.push_back("Read in sequences of " + grouped(input.tokens) +
                               " tokens: write 4k tokens for others.");
    answer.light = "total";
    answer.costs = costs_of(question);
    answer.costs->phase = Phase::training;
    answer.costs->training = options.training;
    answer.costs->sharding = options.sharding;
    answer.input = input;
    return {std::move(answer), {}, {}};
}

}  // namespace headcount
