// headcount solve: the numbers that meet a size, the same shape in another size, and tokens for a budget.
#include <algorithm>
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/hardware.hpp"
#include "app/cli/model.hpp"
#include "app/state/session.hpp"
#include "app/state/what_if/page.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/steps.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/json.hpp"
#include "core/report/solve_report.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

struct SolveModel {
    Document document;
    std::vector<Architecture> siblings;
    Notes notes;
};

Result<SolveModel> read_model(const SolveArguments& arguments, Notes& said) {
    Result<std::vector<Preset>> presets = shipped_presets(&said);
    if (!presets) return presets.error();
    Result<OpenedDocument> opened = open_document(arguments.model, *presets, said);
    if (!opened) return opened.error();
    std::vector<Architecture> siblings = siblings_of(*presets, opened->document.preset);
    Result<Document> document = with_input(std::move(opened->document), arguments.input);
    if (!document) return document.error();
    return SolveModel{std::move(*document), std::move(siblings), std::move(opened->notes)};
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

// What is held: one of the amounts. A device's memory is one as well.
std::optional<Error> read_held(const SolveArguments& arguments, Wish& wish, std::string& where) {
    if (arguments.hardware) {
        const Result<Device> device = read_device(*arguments.hardware);
        if (!device) return device.error();
        wish.held = Metric::memory;
        wish.amount = device->memory;
        where = ", the memory of " + device->name;
        return std::nullopt;
    }
    for (const auto& [amount, metric] : {std::pair(arguments.total, Metric::total),
                                         {arguments.memory, Metric::memory},
                                         {arguments.flops, Metric::flops}}) {
        if (!amount) continue;
        wish.held = metric;
        wish.amount = *amount;
    }
    return std::nullopt;
}

void write_input(std::ostream& out, const Input& input) {
    out << "T = " << grouped(input.tokens) << " tokens, B = " << grouped(input.batch) << " side by side, "
        << info(input.precision).key;
}

Failure print_answers(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    const Architecture& arch = asked.document.architecture;
    Wish wish{freed(arguments, arch)};
    std::string where;
    if (const std::optional<Error> error = read_held(arguments, wish, where)) return *error;
    if (wish.held != Metric::total) wish.input = asked.document.input;
    Result<std::vector<Answer>> answers = solve(arch, wish);
    if (!answers) return as_named(answers.error(), arguments);
    if (const std::optional<Error> error = too_small(wish, answers->front())) return *error;
    // The form of one field and a total is older, and scripts rely on it.
    const bool plain = arguments.vary && wish.held == Metric::total;
    if (arguments.json) {
        out << noted_json(plain ? answers_json(wish, *answers) : answers_of_several_json(wish, *answers), asked.notes);
        return std::nullopt;
    }
    out << printable(title_of(asked.document)) << ", for ";
    if (wish.held == Metric::total)
        out << "a total of " << grouped(wish.amount);
    else
        out << "at most " << amount_text(wish.amount, wish.held) << (wish.held == Metric::memory ? "" : " a pass")
            << where;
    out << ":";
    for (std::size_t i = 0; i < wish.free.size(); ++i)
        out << ' ' << info(wish.free[i].field).key << '=' << answers->front().values[i];
    out << '\n';
    if (wish.held != Metric::total) {
        write_input(out, wish.input);
        out << '\n';
    }
    out << '\n';
    write_text(out, answers_table(wish, *answers));
    return std::nullopt;
}

Failure print_sizes(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    const std::int64_t total = *arguments.size;
    const Architecture& arch = asked.document.architecture;
    Result<std::vector<SizedModel>> sizes = same_shape(arch, asked.siblings, total);
    if (!sizes) return sizes.error();
    const std::size_t followed = sizes_followed(arch, asked.siblings);
    if (arguments.json) {
        out << noted_json(sizes_json(total, arch, followed, *sizes), asked.notes);
        return std::nullopt;
    }
    out << printable(title_of(asked.document)) << ", the same shape with " << grouped(total)
        << " parameters: proportions of "
        << (followed > 1 ? "the " + grouped(static_cast<std::int64_t>(followed)) + " sizes of its family"
                         : std::string("its own"))
        << "\n\n";
    write_text(out, sizes_table(total, arch, *sizes));
    return std::nullopt;
}

Failure print_training(const SolveArguments& arguments, const SolveModel& asked, std::ostream& out) {
    const double budget = *arguments.compute;
    const Architecture& arch = asked.document.architecture;
    PointMaker maker(Input{.tokens = 1});
    const Result<SweepPoint> now = maker.at(arch);
    if (!now) return now.error();
    const TrainingPlans plans{compute_optimal(budget), training_for(budget, now->parameters.active),
                              optimal_training(now->parameters.active)};
    if (arguments.json) {
        out << noted_json(training_json(plans), asked.notes);
        return std::nullopt;
    }
    out << printable(title_of(asked.document)) << ", a training of " << flop_text(budget) << "\n\n";
    write_text(out, training_table(plans));
    out << "\nC = 6·N·D operations, best spent where D = 20·N: " << compute_optimal_source << ".\n";
    return std::nullopt;
}

}  // namespace

Failure print_solve(const SolveArguments& arguments, std::ostream& out, Notes& said) {
    Result<SolveModel> asked = read_model(arguments, said);
    if (!asked) return asked.error();
    if (arguments.size) return print_sizes(arguments, *asked, out);
    if (arguments.compute) return print_training(arguments, *asked, out);
    return print_answers(arguments, *asked, out);
}

}  // namespace headcount
