// headcount sweep: figures of one model or several along ranges of numbers, formats and devices.
#include <algorithm>
#include <ostream>

#include "app/cli/held_arguments.hpp"
#include "app/cli/idle_words.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/sweep_arguments.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/documents.hpp"
#include "core/files/measured.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

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
        all.devices = arguments.input.devices;
        return all;
    }
    PointWants wants{.memory = on_device, .pass = opened.pass, .reached = {}};
    if (arguments.show) wants = wants_for(*arguments.show, opened.pass, reached);
    wants.memory = wants.memory || arguments.memory;
    wants.pass.device = opened.pass.device;
    wants.devices = arguments.input.devices;
    return wants;
}

bool shows_memory(const SweepArguments& arguments, const OpenedDocument& opened) {
    const PointWants wants = wants_of(arguments, opened, {});
    return wants.memory || (wants.room && (opened.pass.device || varies_device(arguments)));
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

// Those that this sweep works out.
std::vector<Metric> figures_shown(const SweepArguments& arguments, const OpenedDocument& opened) {
    std::vector<Metric> figures = arguments.json && !arguments.show ? all_metrics() : columns_of(arguments, opened);
    const bool on_device = opened.pass.device || varies_device(arguments), memory = shows_memory(arguments, opened);
    std::erase_if(figures, [&](Metric each) {
        return (needs_device(each) && !on_device) || (each == Metric::memory && !memory);
    });
    return figures;
}

bool counts_vary(const SweepArguments& arguments) {
    return std::ranges::any_of(
        arguments.vary, [](const ValueRange& range) { return range.choices && range.choices->counts_devices(); });
}

// The ranges as the heading has them: where groups of devices vary and all of them are so many, it says how many.
std::vector<ValueRange> said_ranges(const SweepArguments& arguments) {
    std::vector<ValueRange> said = arguments.vary;
    const std::optional<std::int64_t> devices = arguments.input.devices;
    if (devices && counts_vary(arguments) && !varies(arguments, Choices::Of::devices))
        said.push_back({.field = {}, .choices = Choices{.of = Choices::Of::devices, .counts = {*devices}}});
    return said;
}

HeldShown held_shown(const SweepArguments& arguments, const OpenedDocument& opened,
                     const std::vector<Metric>& figures) {
    const bool memory = shows_memory(arguments, opened);
    return {.memory = memory,
            .cache = std::ranges::count(figures, Metric::cache) > 0,
            .room = memory && (opened.pass.device || varies_device(arguments)),
            .varied = counts_vary(arguments),
            .shown_by = "add --memory, or --device, such as --device h100"};
}

// The last of what a range has, as if it were said of the input.
InputArguments last_words(const ValueRange& range) {
    InputArguments words;
    const std::optional<std::int64_t> count = count_of(range);
    if (!count || *count == 0) return words;
    if (range.input) {
        const std::int64_t last = value_at(range, *count - 1);
        if (range.input->number == &Input::tokens) words.tokens = last;
        if (range.input->number == &Input::source) words.source = last;
    }
    if (range.choices && range.choices->of == Choices::Of::weights) words.precision = value_text(range, *count - 1);
    if (range.choices && range.choices->of == Choices::Of::cache) words.cache = value_text(range, *count - 1);
    return words;
}

// What is varied, and plays no part in the model.
void find_idle(std::span<const ValueRange> varied, OpenedDocument& opened) {
    for (const ValueRange& range : varied)
        for (Error& idle : idle_in(opened.document, last_words(range))) {
            idle.where = "--vary " + std::string(range.key());
            opened.idle.push_back(std::move(idle));
        }
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
    InputArguments words = held_input(arguments.held, arguments.input);
    words.several = true;
    words.groups_vary = counts_vary(arguments);
    std::vector<ModelArguments> models{arguments.model};
    for (const std::string& each : arguments.more) models.push_back({each, arguments.model.set});
    for (const ModelArguments& each : models) {
        Result<OpenedDocument> opened = open_document(each, said, words);
        if (!opened) return opened.error();
        const std::vector<Metric> figures = figures_shown(arguments, *opened);
        const HeldShown held = held_shown(arguments, *opened, figures);
        if (Failure failure = hold_as_said(*opened, arguments.held, held)) return *failure;
        for (Error& idle : idle_in_figures(opened->document.architecture, words, figures,
                                           "leave it out, or show what depends on it, as --show memory or seconds"))
            opened->idle.push_back(std::move(idle));
        if (arguments.price.any) opened->pass.price = arguments.price.any;
        if (Failure failure = no_device(arguments, opened->pass.device.has_value())) return *failure;
        if (varies(arguments, Choices::Of::link) && opened->pass.sharding.devices == 1 && !words.groups_vary)
            return nothing_sent("--vary link");
        if (!arguments.show || std::ranges::any_of(*arguments.show, is_timed)) note_speeds(arguments, *opened, said);
        if (Failure failure = not_stored(arguments, *opened)) return *failure;
        const Document& document = opened->document;
        Result<Sweep> found =
            sweep(document.architecture, arguments.vary, document.input, wants_of(arguments, *opened, reached));
        if (!found) return models.size() > 1 ? within(each.arch, found.error()) : found.error();
        find_idle(arguments.vary, *opened);
        all.push_back({*std::move(opened), *std::move(found)});
    }
    std::vector<const OpenedDocument*> opened;
    for (const SweptModel& each : all) opened.push_back(&each.opened);
    if (Failure idle = idle_in_all(opened)) return *std::move(idle);
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

std::string json_of(const std::vector<SweptModel>& all, std::span<const Metric> columns,
                    std::span<const ValueRange> varied) {
    if (all.size() == 1) return noted_json(sweep_json(all.front().sweep, columns), all.front().opened, varied);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    Notes notes;
    for (const SweptModel& each : all) {
        nlohmann::ordered_json json{{"model", title_of(each.opened.document)}};
        json.update(asked_json(each.opened, varied));
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
        out << printable(title_as_known(opened.document)) << ": " << pass_words(opened, said_ranges(arguments))
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
        out << json_of(*all, arguments.show ? columns : all_metrics(), arguments.vary);
    } else if (arguments.csv) {
        std::string of;
        for (const SweptModel& each : *all) {
            of += (of.empty() ? "" : "; ") + made_for(each.opened, said_ranges(arguments));
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
    return make_command("sweep", "figures of models along ranges of numbers, formats and devices", describe_sweep,
                        print_sweep);
}

}  // namespace headcount
