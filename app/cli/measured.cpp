// headcount measured: speeds that were measured, beside what is predicted for each out of all others.
#include "core/files/measured.hpp"

#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/rates.hpp"
#include "core/report/json.hpp"
#include "core/report/measured_report.hpp"

namespace headcount {
namespace {

struct MeasuredArguments {
    std::string measured;  // a file; may be empty
    bool csv = false, json = false;
};

Failure print_measured(const MeasuredArguments& arguments, Output& output) {
    Result<std::vector<Measurement>> all = all_measured(arguments.measured);
    if (!all) return all.error();
    Measured measured(*std::move(all));
    std::vector<Checked> rows;
    for (std::size_t i = 0; i < measured.all().size(); ++i) {
        const Measurement& each = measured.all()[i];
        const Result<MeasuredTime> time = measured.time(i);
        if (!time) return within(each.model, time.error());
        Checked row{&each, *time, {}};
        if (const std::optional<Efficiency> efficiency = measured.efficiency(each.run, i))
            row.predicted = tokens_per_second(time->tokens, time->bound / efficiency->likely);
        rows.push_back(std::move(row));
    }
    if (arguments.json)
        output.out << noted_json({{"measured", checked_json(rows)}}, output.notes);
    else if (arguments.csv)
        output.out << csv(checked_table(rows));
    else
        write_text(output.out, checked_table(rows));
    return std::nullopt;
}

}  // namespace

Command measured_command() {
    const auto describe = [](CLI::App* command, MeasuredArguments& arguments) {
        add_measured(command, arguments.measured);
        add_csv_or_json(command, arguments.csv, arguments.json);
    };
    return make_command("measured", "speeds that were measured, and what is predicted for each out of the others",
                        describe, print_measured);
}

}  // namespace headcount
