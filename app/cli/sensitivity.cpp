// headcount sensitivity: what one step more of every field adds.
#include <ostream>

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/measured.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct SensitivityArguments {
    ModelArguments model;
    InputArguments input;
    AdapterArguments adapter;
    std::optional<Metric> by;
    std::optional<double> price;
    bool csv = false, json = false;
};

void write_heading(std::ostream& out, const OpenedDocument& opened, const Sensitivity& all, Metric by) {
    out << printable(title_as_known(opened.document)) << ": what one step more of each field adds, by " << info(by).key
        << '\n'
        << pass_words(opened) << "; sizes in bytes\n";
    const std::string without = listed(all.without, [](Field field) { return info(field).key; });
    if (!without.empty()) out << "No step by itself is possible of " << without << ".\n";
    out << '\n';
}

Failure print_sensitivity(const SensitivityArguments& arguments, Output& output) {
    const Result<InputArguments> input = with_adapters(arguments.adapter, arguments.input);
    if (!input) return input.error();
    Result<OpenedDocument> opened = open_document(arguments.model, output.notes, *input);
    if (!opened) return opened.error();
    const Document& document = opened->document;
    const Metric by = arguments.by.value_or(Metric::total);
    if (needs_device(by) && !opened->pass.device)
        return Error{std::string(is_room(by) ? "room" : "time") + " is a device's",
                     "--by, " + std::string(info(by).key), "name one, such as --device rtx-4090"};
    if (is_timed(by))
        if (Failure failure = no_speed(*opened, phase_of(by, opened->pass.phase))) return failure;
    if (Failure failure = set_price(arguments.price, opened->pass)) return failure;
    if (by == Metric::price && !opened->pass.price)
        return Error{"no price of a device's hour is said", "--by, price", "add --price, such as --price 2.5"};
    std::shared_ptr<const Reached> reached;
    if (is_likely(by)) {
        Result<std::shared_ptr<const Reached>> found = reached_by_all();
        if (!found) return found.error();
        reached = *std::move(found);
    }
    PointWants wants = wants_for(std::span(&by, 1), opened->pass, reached);
    wants.memory = true;
    wants.pass.device = opened->pass.device;
    Result<Sensitivity> all = sensitivity(document.architecture, document.input, wants);
    if (!all) return in_file(document, arguments.model, all.error());
    if (arguments.json) {
        output.out << noted_json(sensitivity_json(*all, by), *opened);
    } else if (arguments.csv) {
        output.out << csv(sensitivity_table(*all, by), made_for(*opened));
    } else {
        write_heading(output.out, *opened, *all, by);
        write_figures(output.out, sensitivity_table(*all, by, opened->pass.sharding), *opened);
    }
    return std::nullopt;
}

}  // namespace

Command sensitivity_command() {
    const auto describe = [](CLI::App* command, SensitivityArguments& arguments) {
        add_model(command, arguments.model);
        add_input(command, arguments.input);
        add_adapters(command, arguments.adapter);
        add_choice(command, "--by", arguments.by, "what to sort by (total)", keys_of(metrics));
        add_price(command, arguments.price);
        add_csv_or_json(command, arguments.csv, arguments.json);
    };
    return make_command("sensitivity", "what one step more of every field adds", describe, print_sensitivity);
}

}  // namespace headcount
