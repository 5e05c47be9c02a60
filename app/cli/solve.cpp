// headcount solve: the numbers that meet a size, the same shape in another size, and tokens for a budget.
#include <algorithm>
#include <ostream>
#include <tuple>

#include "app/cli/held_arguments.hpp"
#include "app/cli/idle_words.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/state/session.hpp"
#include "app/state/what_if/page.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/judge.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/measured.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/training_report.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct FreedField {
    Field field;
    std::optional<std::int64_t> multiple;  // "dim:256"
};

struct SolveArguments {
    ModelArguments model;
    InputArguments input;
    AdapterArguments adapter;
    std::optional<Field> vary;  // this or `free`, but of `size` and `compute`
    std::vector<FreedField> free;
    std::optional<std::int64_t> total, memory, flops, size;  // one of these and the next two
    std::optional<double> compute;
    std::vector<Goal> goals;
    std::vector<Metric> front;  // two or none
    std::optional<std::int64_t> multiple, answers;
    std::optional<double> price;
    bool any_shape = false;
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

// "dim:256,layers"
Result<std::vector<FreedField>> read_fields(const std::string& text, std::string_view flag) {
    std::vector<FreedField> fields;
    for (const std::string& word : split(text, ',')) {
        const std::size_t colon = word.find(':');
        const Result<Field> field = read_field(word.substr(0, colon), flag);
        if (!field) return field.error();
        FreedField& each = fields.emplace_back(FreedField{*field, {}});
        if (colon == std::string::npos) continue;
        const Result<std::int64_t> multiple = parse_length(word.substr(colon + 1), flag);
        if (!multiple) return multiple.error();
        each.multiple = *multiple;
    }
    return fields;
}

// "memory,seconds"
Result<std::vector<Metric>> read_front(const std::string& text, std::string_view flag) {
    std::vector<Metric> front;
    for (const std::string& key : split(text, ',')) {
        const Result<Metric> metric = parse_metric(key, flag);
        if (!metric) return metric.error();
        front.push_back(*metric);
    }
    if (front.size() != 2 || front[0] == front[1])
        return Error{quote(text) + " is no pair of figures", std::string(flag), "give two, such as memory,seconds"};
    return front;
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
    add_adapters(command, arguments.adapter);
    CLI::Option* vary = add_value(command, "--vary", arguments.vary, "KEY", "the number that is free", read_field);
    CLI::Option* free = add_value(command, "--free", arguments.free, "KEY[:STEP][,KEY...]",
                                  "up to four that are free, such as dim,layers; multiples are kept", read_fields);
    CLI::Option* where = add_values(command, "--where", arguments.goals, "FIGURE<=N",
                                    "what must hold as well, such as seconds<=50ms, tokens_per_second>=30, "
                                    "longest_context>=32k, largest_batch>=16, kv_cache<=1GiB; may be repeated",
                                    parse_goal);
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
    CLI::Option* multiple =
        add_whole(command, "--multiple", arguments.multiple, "N", "only multiples of this (of --vary 1)", 1);
    CLI::Option* front = add_value(command, "--front", arguments.front, "FIGURE,FIGURE",
                                   "the answers that no other beats in these two, such as memory,seconds", read_front);
    CLI::Option* answers =
        add_whole(command, "--answers", arguments.answers, "N", "at most so many answers (5; of --front 200)", 1, 1000);
    add_price(command, arguments.price);
    CLI::Option* any_shape =
        command->add_flag("--any-shape", arguments.any_shape,
                          "also shapes that hardware does not like: other heads than of 64, 96, 128 or 256 columns");
    add_json(command, arguments.json);
    const std::vector<CLI::Option*> of_search{multiple, front, answers, command->get_option("--price"), any_shape};
    command->parse_complete_callback([vary, free, held, where, of_search] {
        const auto given = [](const CLI::Option* option) { return option->count() > 0; };
        const auto count = std::ranges::count_if(held, given);
        const bool alone = given(held[4]) || given(held[5]);  // changes more than one field, or none
        if (count == 0 && !given(where))
            throw CLI::RequiredError("--total, --memory, --device, --flops, --where, --size or --compute");
        if (alone && (count > 1 || given(where)))
            throw CLI::ExcludesError("--size or --compute", "every other condition");
        if (!alone && !given(vary) && !given(free)) throw CLI::RequiredError("--vary or --free");
        if (given(vary) && given(free)) throw CLI::ExcludesError("--vary", "--free");
        for (const CLI::Option* each : of_search)
            if (alone && given(each)) throw CLI::ExcludesError(each->get_name(), "--size and --compute");
        if (given(vary) && given(of_search.back())) throw CLI::ExcludesError("--any-shape", "--vary, which takes any");
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
    if (Failure failure = set_price(arguments.price, opened->pass)) return *std::move(failure);
    std::vector<Architecture> siblings = siblings_of(*presets, opened->document.preset);
    return SolveModel{*std::move(opened), std::move(siblings)};
}

// The engine says --vary of what is free, which may have been named by --free, and --memory of a device's as well.
Error as_named(Error error, const SolveArguments& arguments) {
    if (error.where == "--vary" && !arguments.vary) error.where = "--free";
    if (error.where == "--memory" && !arguments.memory) error.where = "--device";
    return error;
}

// What is free: --vary as it always was, of any multiple and shape; --free keeps multiples, and makes shapes that
// hardware likes.
void read_free(const SolveArguments& arguments, const SolveModel& asked, Wish& wish) {
    if (arguments.vary) {
        wish.free = {{*arguments.vary, arguments.multiple.value_or(1)}};
        return;
    }
    wish.friendly = !arguments.any_shape;
    std::vector<Field> fields;
    for (const FreedField& each : arguments.free) fields.push_back(each.field);
    wish.free = freed(asked.document.architecture, fields, wish.friendly, asked.siblings);
    for (std::size_t i = 0; i < arguments.free.size(); ++i)
        if (const auto multiple = arguments.free[i].multiple ? arguments.free[i].multiple : arguments.multiple)
            wish.free[i].multiple = *multiple;
}

// What is held: the first of the amounts; the others are conditions. A device's memory is one as well. Without any the
// model is to stay as large as it is.
Failure read_held(const SolveArguments& arguments, const SolveModel& asked, Wish& wish) {
    std::optional<std::int64_t> room;
    if (const std::optional<Device>& device = asked.pass.device) room = asked.pass.serving.usable(*device);
    bool held = false;
    for (const auto& [amount, metric] : {std::pair(arguments.total, Metric::total),
                                         {room, Metric::memory},
                                         {arguments.memory, Metric::memory},
                                         {arguments.flops, Metric::flops}}) {
        if (!amount) continue;
        if (held)
            wish.goals.push_back({metric, false, static_cast<double>(*amount)});
        else
            std::tie(wish.held, wish.amount) = std::pair(metric, *amount);
        held = true;
    }
    wish.goals.insert(wish.goals.end(), arguments.goals.begin(), arguments.goals.end());
    if (held) return std::nullopt;
    PointMaker maker(Input{.tokens = 1});
    const Result<SweepPoint> now = maker.at(asked.document.architecture);
    if (!now) return now.error();
    wish.amount = now->parameters.total;
    return std::nullopt;
}

// "at most 21.6 GiB, the memory of NVIDIA GeForce RTX 4090 less 10 %", "at most 8 TFLOP a pass"
std::string condition_words(const SolveModel& asked, const Goal& goal) {
    std::string words = goal_words(goal);
    if (goal.metric == Metric::flops || goal.metric == Metric::seconds) words += " a pass";
    if (info(goal.metric).unit == Unit::bytes && goal.metric != Metric::memory)
        words += " of " + std::string(info(goal.metric).label);
    const std::optional<Device>& device = asked.pass.device;
    if (device && goal.metric == Metric::memory &&
        goal.amount == static_cast<double>(asked.pass.serving.usable(*device)))
        words += ", the memory of " + device->name + " less " + grouped(asked.pass.serving.reserve) + " %";
    return words;
}

// "Llama 3 8B, for a total of 3,000,000,000 with at most 4.00 GiB"
void say_wish(std::ostream& out, const SolveModel& asked, const Wish& wish) {
    out << printable(title_as_known(asked.document)) << ", for ";
    if (wish.held == Metric::total) out << "a total of " << grouped(wish.amount);
    std::string_view between = wish.held == Metric::total ? " with " : "";
    for (const Goal& each : conditions_of(wish)) {
        out << between << condition_words(asked, each);
        between = " and ";
    }
}

Failure print_front(const SolveArguments& arguments, const SolveModel& asked, const Wish& wish,
                    const std::vector<Answer>& answers, std::ostream& out) {
    const std::vector<std::size_t> front = front_of(wish, answers, wish.goals.size(), wish.goals.size() + 1);
    if (arguments.json) {
        out << noted_json(answers_of_several_json(wish, answers, front), asked);
        return std::nullopt;
    }
    say_wish(out, asked, wish);
    out << '\n'
        << pass_words(asked) << "\n\n"
        << grouped(std::ssize(front)) << " of " << grouped(std::ssize(answers)) << " answers, which none beats in "
        << info(wish.shown[0]).key << " and " << info(wish.shown[1]).key << ":\n\n";
    std::vector<Answer> best;
    for (const std::size_t each : front) best.push_back(answers[each]);
    write_figures(out, answers_table(wish, best), asked);
    return std::nullopt;
}

Failure print_answers(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    constexpr std::int64_t usual_front = 200;
    Wish wish;
    read_free(arguments, asked, wish);
    wish.pass = asked.pass;
    if (Failure failure = read_held(arguments, asked, wish)) return failure;
    wish.shown = arguments.front;
    std::vector<Metric> figures{Metric::total, wish.held};
    for (const Goal& each : wish.goals) figures.push_back(each.metric);
    figures.insert(figures.end(), wish.shown.begin(), wish.shown.end());
    if (std::ranges::any_of(figures, is_likely)) {
        Result<std::shared_ptr<const Reached>> reached = reached_by_all();
        if (!reached) return reached.error();
        wish.reached = *std::move(reached);
    }
    const std::vector<Error> idle =
        idle_in_figures(asked.document.architecture, arguments.input, figures,
                        "leave it out, or add a condition that depends on it, such as --memory 24GiB");
    if (!idle.empty()) return idle.front();
    if (arguments.price && std::ranges::count(figures, Metric::price) == 0)
        return Error{"no price is asked", "--price", "leave it out, or add a condition, such as --where 'price<=1'"};
    const bool of_a_pass = wish.held != Metric::total || !wish.goals.empty() || !wish.shown.empty();
    if (of_a_pass) wish.input = asked.document.input;
    if (!wish.shown.empty()) wish.answers = usual_front;
    if (arguments.answers) wish.answers = static_cast<std::size_t>(*arguments.answers);
    Result<std::vector<Answer>> answers = solve(asked.document.architecture, wish);
    if (!answers) return as_named(answers.error(), arguments);
    if (const std::optional<Error> error = too_small(wish, answers->front())) return *error;
    if (!wish.shown.empty()) return print_front(arguments, asked, wish, *answers, out);
    // The form of one field and a total is older, and scripts rely on it.
    const bool plain = arguments.vary && !of_a_pass;
    if (arguments.json) {
        out << noted_json(plain ? answers_json(wish, *answers) : answers_of_several_json(wish, *answers), asked);
        return std::nullopt;
    }
    say_wish(out, asked, wish);
    out << ":";
    for (std::size_t i = 0; i < wish.free.size(); ++i)
        out << ' ' << info(wish.free[i].field).key << '=' << answers->front().values[i];
    out << '\n';
    if (of_a_pass) out << pass_words(asked) << '\n';
    out << '\n';
    write_figures(out, answers_table(wish, *answers), asked);
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
    out << printable(title_as_known(asked.document)) << ", the same shape with " << grouped(total)
        << " parameters: proportions of "
        << (followed > 1 ? "the " + grouped(static_cast<std::int64_t>(followed)) + " sizes of its family"
                         : std::string("its own"))
        << "\n\n";
    write_figures(out, sizes_table(total, arch, *sizes), asked);
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
    out << printable(title_as_known(asked.document)) << ", a training of " << flop_text(budget) << "\n\n";
    write_figures(out, training_table(plans), asked);
    out << "\nC = 6·N·D operations, best spent where D = 20·N: " << compute_optimal_source << ".\n\n";
    write_figures(out, laws_table(laws), asked);
    out << "\nA loss is in nats a token of the law's own data and words: two laws' are not to be compared.\n";
    for (const std::string& source : sources_of(laws)) out << source << ".\n";
    return std::nullopt;
}

Failure print_solve(const SolveArguments& said, Output& output) {
    SolveArguments arguments = said;
    Result<InputArguments> input = with_adapters(said.adapter, said.input);
    if (!input) return input.error();
    arguments.input = *std::move(input);
    Result<SolveModel> asked = read_model(arguments, output.notes);
    if (!asked) return asked.error();
    if (arguments.size || arguments.compute)
        for (const Error& idle : idle_in_figures(asked->document.architecture, arguments.input, {})) return idle;
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
