// headcount solve: the numbers that meet a size, the same shape in another size, and tokens for a budget.
#include <algorithm>
#include <ostream>
#include <tuple>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/state/session.hpp"
#include "app/state/what_if/page.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/documents.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct SolveArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<Field> vary;  // this or `free`, but of `size` and `compute`
    std::vector<Field> free;
    std::optional<std::int64_t> total, memory, flops, size;  // one of these and the next two
    std::optional<double> compute;
    std::optional<std::int64_t> multiple;
    bool json = false;
};

Result<Field> read_field(const std::string& text, std::string_view flag) {
    Result<Field> field = number_field(text);
    if (field) return field;
    for (const InputNumber& each : input_numbers)
        if (each.called(text))
            return Error{text + " is of the input, and no field of the model", std::string(flag),
                         "\"headcount memory\" says the largest batch and the longest context of each device"};
    return Error{field.error().what, std::string(flag), field.error().fix};
}

// "dim,layers"
Result<std::vector<Field>> read_fields(const std::string& text, std::string_view flag) {
    std::vector<Field> fields;
    for (const std::string& key : split(text, ',')) {
        const Result<Field> field = read_field(key, flag);
        if (!field) return field.error();
        fields.push_back(*field);
    }
    return fields;
}

// Operations of a pass.
Result<std::int64_t> read_operations_of_pass(const std::string& text, std::string_view flag) {
    Result<std::int64_t> amount = parse_amount(text, flag, Unit::flops);
    if (amount || !parse_operations(text, flag)) return amount;
    return Error{amount.error().what, std::string(flag),
                 "a pass has at most 9.2e18 operations; for a training's budget use --compute"};
}

CLI::Option* add_amount(CLI::App* command, const std::string& name, std::optional<std::int64_t>& value,
                        const std::string& type, const std::string& what, Unit unit) {
    return add_value(command, name, value, type, what,
                     [unit](const std::string& text, std::string_view flag) { return parse_amount(text, flag, unit); });
}

void describe_solve(CLI::App* command, SolveArguments& arguments) {
    add_model(command, arguments.model);
    add_input(command, arguments.input);
    CLI::Option* vary = add_value(command, "--vary", arguments.vary, "KEY", "the number that is free", read_field);
    CLI::Option* free = add_value(command, "--free", arguments.free, "KEY[,KEY]",
                                  "one or two that are free, such as dim,layers; multiples are kept", read_fields);
    const std::vector<CLI::Option*> held{
        add_amount(command, "--total", arguments.total, "N", "parameters there are to be: 8030261248, 8.03B",
                   Unit::parameters),
        add_amount(command, "--memory", arguments.memory, "SIZE", "memory that must do: 24GiB, 24GB", Unit::bytes),
        command->get_option("--device"),
        add_value(command, "--flops", arguments.flops, "N", "operations of a pass that must do: 1e15, 1.5PFLOP",
                  read_operations_of_pass),
        add_amount(command, "--size", arguments.size, "N", "the same shape with so many parameters: 13B",
                   Unit::parameters),
        add_value(command, "--compute", arguments.compute, "N", "tokens for a training's operations: 5.76e23",
                  parse_operations)};
    add_whole(command, "--multiple", arguments.multiple, "N", "only multiples of this (of --vary 1)", 1);
    add_json(command, arguments.json);
    command->parse_complete_callback([vary, free, held] {
        const auto given = [](const CLI::Option* option) { return option->count() > 0; };
        const auto count = std::count_if(held.begin(), held.end(), given);
        const bool alone = given(held[4]) || given(held[5]);  // changes more than one field, or none
        if (count == 0) throw CLI::RequiredError("--total, --memory, --device, --flops, --size or --compute");
        if (alone && count > 1) throw CLI::ExcludesError("--size or --compute", "every other condition");
        if (!alone && !given(vary) && !given(free)) throw CLI::RequiredError("--vary or --free");
        if (given(vary) && given(free)) throw CLI::ExcludesError("--vary", "--free");
        if (alone && (given(vary) || given(free)))
            throw CLI::ExcludesError(given(vary) ? "--vary" : "--free", "--size and --compute");
    });
}

struct SolveModel : OpenedDocument {
    std::vector<Architecture> siblings;
};

Result<SolveModel> read_model(const SolveArguments& arguments, Notes& said) {
    Result<std::vector<Preset>> presets = shipped_presets(&said);
    if (!presets) return presets.error();
    Result<OpenedDocument> opened = open_document(arguments.model, *presets, said, arguments.input);
    if (!opened) return opened.error();
    std::vector<Architecture> siblings = siblings_of(*presets, opened->document.preset);
    return SolveModel{*std::move(opened), std::move(siblings)};
}

// The engine says --vary of what is free, which may have been named by --free.
Error as_named(Error error, const SolveArguments& arguments) {
    if (error.where == "--vary" && !arguments.vary) error.where = "--free";
    return error;
}

// What is free: --vary as it always was, of any multiple; --free keeps multiples.
std::vector<Freed> freed(const SolveArguments& arguments, const Architecture& arch) {
    const bool kept = !arguments.vary && !arguments.multiple;
    std::vector<Freed> free;
    for (const Field field : arguments.vary ? std::vector{*arguments.vary} : arguments.free)
        free.push_back({field, kept ? kept_multiple(field, field_number(arch, field).value_or(1))
                                    : arguments.multiple.value_or(1)});
    return free;
}

// What is held: the first of the amounts; the others are limits. A device's memory is one as well.
void read_held(const SolveArguments& arguments, const SolveModel& asked, Wish& wish) {
    std::optional<std::int64_t> room;
    if (const std::optional<Device>& device = asked.pass.device) room = asked.pass.serving.usable(*device);
    bool held = false;
    for (const auto& [amount, metric] : {std::pair(arguments.total, Metric::total),
                                         {room, Metric::memory},
                                         {arguments.memory, Metric::memory},
                                         {arguments.flops, Metric::flops}}) {
        if (!amount) continue;
        if (held)
            wish.limits.push_back({metric, *amount});
        else
            std::tie(wish.held, wish.amount) = std::pair(metric, *amount);
        held = true;
    }
}

// "21.6 GiB, the memory of NVIDIA GeForce RTX 4090 less 10 %", "8 TFLOP a pass"
std::string most_words(const SolveModel& asked, Metric metric, std::int64_t amount) {
    std::string words = amount_text(amount, metric) + (metric == Metric::memory ? "" : " a pass");
    const std::optional<Device>& device = asked.pass.device;
    if (device && metric == Metric::memory && amount == asked.pass.serving.usable(*device))
        words += ", the memory of " + device->name + " less " + grouped(asked.pass.serving.reserve) + " %";
    return words;
}

Failure print_answers(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    const Architecture& arch = asked.document.architecture;
    Wish wish{freed(arguments, arch)};
    wish.pass = asked.pass;
    read_held(arguments, asked, wish);
    const bool of_a_pass = wish.held != Metric::total || !wish.limits.empty();
    if (of_a_pass) wish.input = asked.document.input;
    Result<std::vector<Answer>> answers = solve(arch, wish);
    if (!answers) return as_named(answers.error(), arguments);
    if (const std::optional<Error> error = too_small(wish, answers->front())) return *error;
    // The form of one field and a total is older, and scripts rely on it.
    const bool plain = arguments.vary && !of_a_pass;
    if (arguments.json) {
        out << noted_json(plain ? answers_json(wish, *answers) : answers_of_several_json(wish, *answers), asked);
        return std::nullopt;
    }
    out << printable(title_of(asked.document)) << ", for ";
    if (wish.held == Metric::total)
        out << "a total of " << grouped(wish.amount);
    else
        out << "at most " << most_words(asked, wish.held, wish.amount);
    for (const Limit& limit : wish.limits)
        out << (wish.held == Metric::total ? " with at most " : " and ")
            << most_words(asked, limit.metric, limit.amount);
    out << ":";
    for (std::size_t i = 0; i < wish.free.size(); ++i)
        out << ' ' << info(wish.free[i].field).key << '=' << answers->front().values[i];
    out << '\n';
    if (of_a_pass) out << pass_words(asked) << '\n';
    out << '\n';
    write_text(out, answers_table(wish, *answers, doubt_sign(asked.doubt)));
    return std::nullopt;
}

Failure print_sizes(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    const std::int64_t total = *arguments.size;
    const Architecture& arch = asked.document.architecture;
    Result<std::vector<SizedModel>> sizes = same_shape(arch, asked.siblings, total);
    if (!sizes) return sizes.error();
    const std::size_t followed = sizes_followed(arch, asked.siblings);
    if (arguments.json) {
        out << noted_json(sizes_json(total, arch, followed, *sizes), asked);
        return std::nullopt;
    }
    out << printable(title_of(asked.document)) << ", the same shape with " << grouped(total)
        << " parameters: proportions of "
        << (followed > 1 ? "the " + grouped(static_cast<std::int64_t>(followed)) + " sizes of its family"
                         : std::string("its own"))
        << "\n\n";
    write_text(out, sizes_table(total, arch, *sizes, doubt_sign(asked.doubt)));
    return std::nullopt;
}

Failure print_training(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    const double budget = *arguments.compute;
    const Architecture& arch = asked.document.architecture;
    const Result<CountedModel> model = count_model(arch);
    if (!model) return model.error();
    const std::int64_t active = model->parameters.active;
    const TrainingPlans plans{compute_optimal(budget), training_for(budget, active), optimal_training(active)};
    const std::vector<LawSays> laws = laws_say(arch, model->parameters, budget);
    if (arguments.json) {
        nlohmann::ordered_json json = training_json(plans);
        json["laws"] = laws_json(laws);
        out << noted_json(std::move(json), asked);
        return std::nullopt;
    }
    out << printable(title_of(asked.document)) << ", a training of " << flop_text(budget) << "\n\n";
    write_text(out, training_table(plans));
    out << "\nC = 6·N·D operations, best spent where D = 20·N: " << compute_optimal_source << ".\n\n";
    write_text(out, laws_table(laws));
    out << "\nA loss is in nats a token of the law's own data and words: two laws' are not to be compared.\n";
    for (const std::string& source : sources_of(laws)) out << source << ".\n";
    return std::nullopt;
}

Failure print_solve(const SolveArguments& arguments, Output& output) {
    Result<SolveModel> asked = read_model(arguments, output.notes);
    if (!asked) return asked.error();
    if (arguments.size) return print_sizes(arguments, *asked, output.out);
    if (arguments.compute) return print_training(arguments, *asked, output.out);
    return print_answers(arguments, *asked, output.out);
}

}  // namespace

Command solve_command() {
    return make_command("solve", "values that meet a total or a budget, and the same shape in another size",
                        describe_solve, print_solve);
}

}  // namespace headcount
