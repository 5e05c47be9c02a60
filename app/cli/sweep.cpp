// headcount sweep: figures of one model or several along ranges of numbers, formats and devices.
#include <algorithm>
#include <ostream>
#include <tuple>

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/goal.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/documents.hpp"
#include "core/files/measured.hpp"
#include "core/link/link_text.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct SweepArguments {
    ModelArguments model;
    std::vector<std::string> more;  // as ModelArguments::arch
    InputArguments input;
    HeldArguments held;
    std::vector<ValueRange> vary;             // up to three
    std::optional<std::vector<Metric>> show;  // the columns; absent: the usual
    Prices price;
    bool memory = false, csv = false, json = false;
};

Result<ValueRange> read_vary(const std::string& text, std::string_view flag) {
    // Which device that is, is known where all words were read: one that there is not is no wrong word.
    return parse_varied(text, [&](std::string_view name) -> Result<Device> {
        if (name.find('=') != std::string_view::npos)
            if (const Result<Device> made = parse_device(name); !made) return within(std::string(flag), made.error());
        return Device{.id = std::string(name), .name = {}, .bandwidth = {}, .flops_16 = {}, .flops_32 = {}};
    });
}

// In place of their names.
Failure find_devices(std::vector<ValueRange>& varied, Notes& said) {
    for (ValueRange& range : varied) {
        if (!range.choices) continue;
        for (Device& device : range.choices->devices) {
            Result<Device> found = read_device(device.id, "--vary", said);
            if (!found) return found.error();
            device = *std::move(found);
        }
    }
    return std::nullopt;
}

// Those by device go to the devices that are varied, and each of them has one.
Failure set_prices(std::vector<ValueRange>& varied, const Prices& prices) {
    if (prices.each.empty()) return std::nullopt;
    std::size_t set = 0;
    for (ValueRange& range : varied) {
        if (!range.choices) continue;
        for (Device& device : range.choices->devices) {
            const auto own = std::ranges::find(prices.each, device.id, &std::pair<std::string, double>::first);
            if (own == prices.each.end())
                return Error{"no price of an hour of " + device.id + " is said", "--price",
                             "add " + device.id + "=PRICE"};
            device.price = own->second;
            ++set;
        }
    }
    if (set == prices.each.size()) return std::nullopt;
    return Error{"there are prices of devices that are not varied", "--price", "vary them, or leave them out"};
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

bool shows(const SweepArguments& arguments, Metric metric) {
    return arguments.show && std::ranges::count(*arguments.show, metric) > 0;
}

bool varies(const SweepArguments& arguments, Choices::Of what) {
    return std::ranges::any_of(arguments.vary,
                               [&](const ValueRange& range) { return range.choices && range.choices->of == what; });
}

bool varies_device(const SweepArguments& arguments) {
    return varies(arguments, Choices::Of::device);
}

// What is varied and given as well.
Failure said_twice(const SweepArguments& arguments) {
    const InputArguments& input = arguments.input;
    using Of = Choices::Of;
    for (const auto& [given, what, words, flag] :
         {std::tuple(input.precision.has_value(), Of::weights, "the format", "--dtype"),
          {input.cache.has_value(), Of::cache, "the cache's format", "--kv-dtype"},
          {input.device.has_value(), Of::device, "the device", "--device"},
          {input.devices.has_value(), Of::devices, "the number of devices", "--devices"},
          {input.tensor.has_value(), Of::tensor, "the size of a tensor-parallel group", "--tensor"},
          {input.pipeline.has_value(), Of::pipeline, "the number of stages", "--pipeline"},
          {input.context.has_value(), Of::context, "the size of a context-parallel group", "--context"}})
        if (given && varies(arguments, what)) return Error{std::string(words) + " is varied", flag, "leave it out"};
    return std::nullopt;
}

// Groups of another size are as many as before, so that there are other devices than were said.
Failure other_devices(const SweepArguments& arguments) {
    if (!arguments.input.devices || varies(arguments, Choices::Of::devices)) return std::nullopt;
    for (const Choices::Of of : {Choices::Of::tensor, Choices::Of::pipeline, Choices::Of::context})
        if (varies(arguments, of))
            return Error{"groups of another size make another number of devices", "--devices",
                         "leave it out, or write --vary devices=" + std::to_string(*arguments.input.devices)};
    return std::nullopt;
}

// A format that is as stored, where nothing says how that is.
Failure not_stored(const SweepArguments& arguments, const OpenedDocument& opened) {
    for (const ValueRange& range : arguments.vary)
        if (!opened.document.stored && range.choices && range.choices->of == Choices::Of::weights &&
            std::ranges::count(range.choices->formats, std::optional<Formats>()) > 0)
            return Error{"nothing says how this model is stored", "--vary dtype=" + std::string(Choices::as_stored),
                         "name a format, such as bf16"};
    return std::nullopt;
}

// What is asked for that only a device has.
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

Failure wrong_show(const SweepArguments& arguments) {
    if (Failure failure = wrong_csv_or_json(arguments.csv, arguments.json)) return failure;
    if (Failure failure = said_twice(arguments)) return failure;
    if (Failure failure = other_devices(arguments)) return failure;
    if (Failure failure = wrong_held(arguments.held, arguments.model, arguments.input)) return failure;
    const bool priced = arguments.price.said();
    if (arguments.show && priced && !shows(arguments, Metric::price))
        return Error{"no price is shown", "--price", "add --show price"};
    if (!priced && shows(arguments, Metric::price))
        return Error{"no price of a device's hour is said", "--show price", "add --price, such as --price 2.5"};
    // A link may say one.
    return is_link(arguments.model.arch) ? std::nullopt : no_device(arguments, arguments.input.device.has_value());
}

// Without --show JSON has every figure that there is.
std::vector<Metric> all_metrics() {
    std::vector<Metric> all;
    for (const MetricInfo& each : metrics) all.push_back(each.metric);
    return all;
}

PointWants wants_of(const SweepArguments& arguments, const OpenedDocument& opened,
                    const std::shared_ptr<const Reached>& reached) {
    const bool on_device = opened.pass.device || varies_device(arguments);
    if (!arguments.show && arguments.json) {
        PointWants all = wants_for_all(opened.pass, reached);
        all.memory = arguments.memory || on_device;
        return all;
    }
    PointWants wants{.memory = on_device, .pass = opened.pass, .reached = {}};
    if (arguments.show) wants = wants_for(*arguments.show, opened.pass, reached);
    wants.memory = wants.memory || arguments.memory;
    wants.pass.device = opened.pass.device;
    return wants;
}

HeldShown held_shown(const SweepArguments& arguments, const OpenedDocument& opened) {
    const PointWants wants = wants_of(arguments, opened, {});
    const bool memory = wants.memory || wants.room;
    const bool counted = std::ranges::any_of(
        arguments.vary, [](const ValueRange& range) { return range.choices && range.choices->counts_devices(); });
    return {.memory = memory,
            .room = memory && (opened.pass.device || varies_device(arguments)),
            .varied = counted,
            .shown_by = "add --memory, or --device, such as --device h100"};
}

bool shows_likely(const SweepArguments& arguments) {
    if (!arguments.show) return arguments.json && (arguments.input.device || varies_device(arguments));
    return std::ranges::any_of(*arguments.show, is_likely);
}

std::vector<Metric> columns_of(const SweepArguments& arguments, const OpenedDocument& opened) {
    PointWants wants = wants_of(arguments, opened, {});
    if (varies_device(arguments))
        for (const ValueRange& range : arguments.vary)
            if (range.choices && !range.choices->devices.empty()) wants.pass.device = range.choices->devices.front();
    if (!arguments.show) return usual_figures(wants);
    std::vector<Metric> columns = *arguments.show;
    if (arguments.memory && !shows(arguments, Metric::memory)) columns.push_back(Metric::memory);
    return columns;
}

// Of the devices that are varied, too.
void note_speeds(const SweepArguments& arguments, OpenedDocument& opened, Notes& said) {
    note_speed(opened, said);
    const std::optional<Device> own = opened.pass.device;
    for (const ValueRange& range : arguments.vary)
        if (range.choices)
            for (const Device& device : range.choices->devices) {
                opened.pass.device = device;
                note_speed(opened, said);
            }
    opened.pass.device = own;
}

struct SweptModel {
    OpenedDocument opened;
    Sweep sweep;
};

Result<std::vector<SweptModel>> sweep_all(const SweepArguments& arguments, Notes& said) {
    std::vector<SweptModel> all;
    std::shared_ptr<const Reached> reached;
    if (shows_likely(arguments)) {
        Result<std::shared_ptr<const Reached>> measured = reached_by_all();
        if (!measured) return measured.error();
        reached = *std::move(measured);
    }
    std::vector<ModelArguments> models{arguments.model};
    for (const std::string& each : arguments.more) models.push_back({each, arguments.model.set});
    for (const ModelArguments& each : models) {
        Result<OpenedDocument> opened = open_document(each, said, held_input(arguments.held, arguments.input));
        if (!opened) return opened.error();
        if (Failure failure = hold_as_said(*opened, arguments.held, held_shown(arguments, *opened))) return *failure;
        if (arguments.price.any) opened->pass.price = arguments.price.any;
        if (Failure failure = no_device(arguments, opened->pass.device.has_value())) return *failure;
        if (!arguments.show || std::ranges::any_of(*arguments.show, is_timed)) note_speeds(arguments, *opened, said);
        if (Failure failure = not_stored(arguments, *opened)) return *failure;
        const Document& document = opened->document;
        Result<Sweep> found =
            sweep(document.architecture, arguments.vary, document.input, wants_of(arguments, *opened, reached));
        if (!found) return models.size() > 1 ? within(each.arch, found.error()) : found.error();
        all.push_back({*std::move(opened), *std::move(found)});
    }
    return all;
}

enum class Reader { person, program };

// Several models are rows of one table, each by its name. Only people read signs before figures.
Table table_of(const std::vector<SweptModel>& all, std::span<const Metric> columns, const Sharding& sharding,
               Reader reader) {
    Table table;
    const bool fits = std::ranges::all_of(all, [](const SweptModel& each) { return all_fit(each.sweep); });
    for (const SweptModel& each : all) {
        Table own = sweep_table(each.sweep, columns, sharding, fits);
        if (reader == Reader::person) own = marked(std::move(own), doubt_sign(each.opened.doubt));
        if (all.size() == 1) return own;
        if (table.columns.empty()) {
            table.columns = {{"model"}};
            table.columns.insert(table.columns.end(), own.columns.begin(), own.columns.end());
        }
        for (std::vector<ReportCell>& row : own.rows) {
            row.insert(row.begin(), title_of(each.opened.document));
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

std::string json_of(const std::vector<SweptModel>& all, std::span<const Metric> columns) {
    if (all.size() == 1) return noted_json(sweep_json(all.front().sweep, columns), all.front().opened);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    Notes notes;
    for (const SweptModel& each : all) {
        nlohmann::ordered_json json{{"model", title_of(each.opened.document)}};
        json.update(asked_json(each.opened));
        json.update(sweep_json(each.sweep, columns));
        list.push_back(std::move(json));
        for (const std::string& note : each.opened.notes) notes.push_back(title_of(each.opened.document) + ": " + note);
    }
    return noted_json({{"models", std::move(list)}}, notes);
}

Notes left_out(const Sweep& found) {
    Notes notes;
    if (found.left_out > 0)
        notes.push_back(grouped(found.left_out) + (found.left_out == 1 ? " of the values is" : " of the values are") +
                        " not possible and left out.");
    if (found.too_large > 0)
        notes.push_back(grouped(found.too_large) +
                        (found.too_large == 1
                             ? " of the values makes numbers that do not fit in 64 bits and is left out."
                             : " of the values make numbers that do not fit in 64 bits and are left out."));
    return notes;
}

void write_heading(std::ostream& out, const std::vector<SweptModel>& all, const SweepArguments& arguments) {
    for (const SweptModel& each : all) {
        const OpenedDocument& opened = each.opened;
        out << printable(title_as_known(opened.document)) << ": " << pass_words(opened, arguments.vary)
            << "; sizes in bytes";
        if (opened.pass.device) out << ", time at the roof of " << device_words(opened.pass);
        out << '\n';
    }
    for (const ValueRange& range : arguments.vary)
        if (!range.listed.empty() && range.listed.back() < range.to)
            out << range.key() << " ends at " << grouped(range.listed.back()) << ": the next would be beyond "
                << grouped(range.to) << ".\n";
    if (varies(arguments, Choices::Of::devices) && all.front().opened.pass.phase != Phase::training)
        out << "Devices beyond a group hold copies of the model, each with a batch of its own, which make no pass "
               "faster: vary tensor to divide it.\n";
    if (arguments.price.said()) out << "The price is that of 1,000,000 tokens, at the roof: no less.\n";
    for (const SweptModel& each : all)
        for (const std::string& note : left_out(each.sweep)) out << note << '\n';
    out << '\n';
}

Failure print_sweep(const SweepArguments& asked, Output& output) {
    SweepArguments arguments = asked;
    if (Failure failure = find_devices(arguments.vary, output.notes)) return failure;
    if (Failure failure = set_prices(arguments.vary, arguments.price)) return failure;
    const Result<std::vector<SweptModel>> all = sweep_all(arguments, output.notes);
    if (!all) return all.error();
    const OpenedDocument& first = all->front().opened;
    const std::vector<Metric> columns = columns_of(arguments, first);
    std::ostream& out = output.out;
    if (arguments.json) {
        // Every figure that there is, unless some were chosen.
        out << json_of(*all, arguments.show ? columns : all_metrics());
    } else if (arguments.csv) {
        std::string of;
        for (const SweptModel& each : *all) {
            of += (of.empty() ? "" : "; ") + made_for(each.opened, arguments.vary);
            for (const std::string& note : left_out(each.sweep)) output.notes.push_back(note);
        }
        out << csv(table_of(*all, columns, {}, Reader::program), of);
    } else {
        write_heading(out, *all, arguments);
        // Of what any of the points divides, memory is that of a device.
        Sharding sharding = first.pass.sharding;
        for (const SweepPoint& point : all->front().sweep.points)
            sharding.devices = std::max(sharding.devices, point.sharing);
        write_text(out, table_of(*all, columns, sharding, Reader::person));
    }
    return std::nullopt;
}

}  // namespace

Command sweep_command() {
    const auto describe = [](CLI::App* command, SweepArguments& arguments) {
        add_model(command, arguments.model);
        command->add_option("MORE", arguments.more, "further models, as rows of the same table")->type_name("ARCH");
        add_values(
            command, "--vary", arguments.vary, "KEY=FROM..TO[:STEP]",
            "a field, tokens, source, batch, cached, dtype, kv_dtype, device, devices, tensor, pipeline or "
            "context_parallel, and its values: layers=8..64:8, batch=1..64:x2, tokens=1k,8k, dtype=bf16,int4,file; up "
            "to three times",
            read_vary)
            ->required();
        add_input(command, arguments.input);
        add_held(command, arguments.held);
        add_value(command, "--show", arguments.show, "FIGURE[,FIGURE]",
                  "the columns: " + listed(keys_of(metrics), [](std::string_view key) { return std::string(key); }),
                  read_show);
        add_value(
            command, "--price", arguments.price, "PRICE",
            "of an hour of one device, such as 2.5, or of each, h100=2.5,a100=1.6: adds the price of a million tokens",
            read_prices);
        command->add_flag("--memory", arguments.memory,
                          "with the memory of the pass: weights, cache, activations, and what training keeps");
        add_csv_or_json(command, arguments.csv, arguments.json);
        add_rule(command, [&arguments] { return wrong_show(arguments); });
    };
    return make_command("sweep", "figures of models along ranges of numbers, formats and devices", describe,
                        print_sweep);
}

}  // namespace headcount
