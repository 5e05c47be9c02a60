// Reads what a sweep is told.
#include "app/cli/sweep_arguments.hpp"

#include <algorithm>
#include <tuple>

#include "core/analysis/goal.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/files/devices.hpp"
#include "core/link/link_text.hpp"

namespace headcount {
namespace {

Result<ValueRange> read_vary(const std::string& text, std::string_view flag) {
    // Which device that is, is known where all words were read: one that there is not is no wrong word.
    return parse_varied(text, [&](std::string_view name) -> Result<Device> {
        if (name.find('=') != std::string_view::npos)
            if (const Result<Device> made = parse_device(name); !made) return within(std::string(flag), made.error());
        return Device{.id = std::string(name), .name = {}, .bandwidth = {}, .flops_16 = {}, .flops_32 = {}};
    });
}

// "total,memory,tokens_per_second,price"
Result<std::optional<std::vector<Metric>>> read_show(const std::string& text, std::string_view flag) {
    std::vector<Metric> shows;
    for (const std::string& word : split(text, ',')) {
        const Result<Metric> metric = parse_metric(word, flag);
        if (!metric) return metric.error();
        shows.push_back(*metric);
    }
    return std::optional(std::move(shows));
}

// What is varied and given as well.
Failure said_twice(const SweepArguments& arguments) {
    const InputArguments& input = arguments.input;
    using Of = Choices::Of;
    for (const auto& [given, what, words, flag] :
         {std::tuple(input.precision.has_value(), Of::weights, "the format", "--dtype"),
          {input.cache.has_value(), Of::cache, "the cache's format", "--kv-dtype"},
          {input.device.has_value(), Of::device, "the device", "--device"},
          {input.link.has_value(), Of::link, "what each device sends", "--link"},
          {input.devices.has_value(), Of::devices, "the number of devices", "--devices"},
          {input.tensor.has_value(), Of::tensor, "the size of a tensor-parallel group", "--tensor"},
          {input.pipeline.has_value(), Of::pipeline, "the number of stages", "--pipeline"},
          {input.context.has_value(), Of::context, "the size of a context-parallel group", "--context"},
          {input.expert.has_value(), Of::expert, "the size of an expert-parallel group", "--expert"}})
        if (given && varies(arguments, what)) return Error{std::string(words) + " is varied", flag, "leave it out"};
    for (const auto& [given, number, flag] : {std::tuple(input.tokens.has_value(), &Input::tokens, "--tokens"),
                                              {input.source.has_value(), &Input::source, "--source"},
                                              {input.batch.has_value(), &Input::batch, "--batch"},
                                              {input.cached.has_value(), &Input::cached, "--cached"}})
        for (const ValueRange& range : arguments.vary)
            if (given && range.input && range.input->number == number)
                return Error{"the number of them is varied", flag, "leave it out"};
    return std::nullopt;
}

Failure wrong_show(const SweepArguments& arguments) {
    if (Failure failure = wrong_csv_or_json(arguments.csv, arguments.json)) return failure;
    if (Failure failure = said_twice(arguments)) return failure;
    if (Failure failure = wrong_held(arguments.held, arguments.model, arguments.input)) return failure;
    const bool priced = arguments.price.said();
    if (arguments.show && priced && !shows(arguments, Metric::price))
        return Error{"no price is shown", "--price", "add --show price"};
    if (!priced && shows(arguments, Metric::price))
        return Error{"no price of a device's hour is said", "--show price", "add --price, such as --price 2.5"};
    // A link may say one.
    return is_link(arguments.model.arch) ? std::nullopt : no_device(arguments, arguments.input.device.has_value());
}

}  // namespace

Failure find_devices(std::vector<ValueRange>& varied, Notes& said) {
    for (ValueRange& range : varied) {
        if (!range.choices) continue;
        for (Device& device : range.choices->devices) {
            Result<Device> found = read_device(device.id, "--vary", said);
            if (!found) return found.error();
            // Several may be made by hand: each is called as it was typed.
            if (found->id == made_device) found->id = device.id;
            device = *std::move(found);
        }
    }
    return std::nullopt;
}

Failure set_prices(std::vector<ValueRange>& varied, const Prices& prices) {
    if (prices.each.empty()) return std::nullopt;
    std::size_t set = 0;
    for (ValueRange& range : varied) {
        if (!range.choices) continue;
        for (Device& device : range.choices->devices) {
            const auto own = std::ranges::find(prices.each, device.id, &std::pair<std::string, double>::first);
            if (own == prices.each.end())
                return Error{"no price of an hour of " + device.id + " is said", "--price",
                             device.id.find('=') == std::string::npos ? "add " + device.id + "=PRICE"
                                                                      : "say one price for all, as 2.5"};
            device.price = own->second;
            ++set;
        }
    }
    if (set == prices.each.size()) return std::nullopt;
    return Error{"there are prices of devices that are not varied", "--price",
                 "vary them, as with --vary device=h100,a100, or say one price for all, as 2.5"};
}

bool shows(const SweepArguments& arguments, Metric metric) {
    return arguments.show && std::ranges::count(*arguments.show, metric) > 0;
}

bool varies(const SweepArguments& arguments, Choices::Of what) {
    return std::ranges::any_of(arguments.vary,
                               [&](const ValueRange& range) { return range.choices && range.choices->of == what; });
}

bool varies_device(const SweepArguments& arguments) { return varies(arguments, Choices::Of::device); }

Failure not_stored(const SweepArguments& arguments, const OpenedDocument& opened) {
    for (const ValueRange& range : arguments.vary)
        if (!opened.document.stored && range.choices && range.choices->of == Choices::Of::weights &&
            std::ranges::count(range.choices->formats, std::optional<Formats>()) > 0)
            return Error{"nothing says how this model is stored", "--vary dtype=" + std::string(Choices::as_stored),
                         "name a format, such as bf16"};
    return std::nullopt;
}

Failure no_device(const SweepArguments& arguments, bool named) {
    const bool on_device = named || varies_device(arguments);
    if (!on_device && arguments.price.said())
        return Error{"a price is a device's", "--price", "name one with --device, or --vary device=h100,a100"};
    if (!arguments.show || on_device) return std::nullopt;
    const auto timed = std::ranges::find_if(*arguments.show, needs_device);
    if (timed == arguments.show->end()) return std::nullopt;
    return Error{std::string(is_room(*timed) ? "room" : "time") + " is a device's",
                 "--show " + std::string(info(*timed).key), "name one with --device, or --vary device=h100,a100"};
}

void describe_sweep(CLI::App* command, SweepArguments& arguments) {
    add_model(command, arguments.model);
    command->add_option("MORE", arguments.more, "further models, as rows of the same table")->type_name("ARCH");
    add_values(command, "--vary", arguments.vary, "KEY=FROM..TO[:STEP]",
               "a field, tokens, source, batch, cached, dtype, kv_dtype, device, link, devices, tensor, "
               "pipeline, context_parallel or expert_parallel, and its values: layers=8..64:8, batch=1..64:x2, "
               "tokens=1k,8k, dtype=bf16,int4,file; up to three times",
               read_vary)
        ->required();
    add_input(command, arguments.input);
    add_held(command, arguments.held);
    add_value(command, "--show", arguments.show, "FIGURE[,FIGURE]", "the columns: " + listed(keys_of(metrics)),
              read_show);
    add_value(
        command, "--price", arguments.price, "PRICE",
        "of an hour of one device, such as 2.5, or of each, h100=2.5,a100=1.6: adds the price of a million tokens",
        read_prices);
    command->add_flag("--memory", arguments.memory,
                      "with the memory of the pass: weights, cache, activations, and what training keeps");
    add_csv_or_json(command, arguments.csv, arguments.json);
    add_rule(command, [&arguments] { return wrong_show(arguments); });
}

}  // namespace headcount
