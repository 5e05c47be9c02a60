// headcount compare: what makes two models differ in size.
#include <ostream>

#include "app/cli/options.hpp"
#include "app/cli/two_models.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/difference_report.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct CompareArguments {
    TwoArguments two;
    bool json = false;
};

void write_table(std::ostream& out, const Table& table) {
    if (table.rows.empty()) return;
    out << '\n';
    write_text(out, table);
}

Failure print_compare(const CompareArguments& arguments, Output& output) {
    const Result<TwoModels> both = read_two_models(arguments.two, output.notes);
    if (!both) return both.error();
    const CountedModel &a = both->a.model, &b = both->b.model;
    const Difference& found = both->difference;
    std::ostream& out = output.out;
    if (arguments.json) {
        nlohmann::ordered_json json = difference_json(a, b, found);
        json["a"]["input"] = input_json(both->a);
        json["b"]["input"] = input_json(both->b);
        json["figures"] = both_points_json(both->in_a, both->in_b);
        out << noted_json(json, both->notes);
        return std::nullopt;
    }
    out << "A: " << printable(a.architecture.name) << ", " << doubt_sign(both->a.doubt) << grouped(a.parameters.total) << " parameters\n"
        << "B: " << printable(b.architecture.name) << ", " << doubt_sign(both->b.doubt) << grouped(b.parameters.total) << " parameters\n";
    if (found.fields.empty() && found.tensors.empty()) {
        out << "They do not differ.\n";
    } else {
        write_table(out, component_difference_table(a, b, found));
        write_table(out, field_difference_table(found));
        if (!found.fields.empty()) out << field_order_words() << '\n';
        write_table(out, kind_difference_table(found));
    }
    out << "\nWith " << pass_words(*both) << ":\n";
    write_table(out, both_points_table(both->in_a, both->in_b));
    write_table(out, tensor_difference_table(found));
    return std::nullopt;
}

}  // namespace

Command compare_command() {
    const auto describe = [](CLI::App* command, CompareArguments& arguments) {
        add_two_models(command, arguments.two, "A", "B");
        add_json(command, arguments.json);
    };
    return make_command("compare", "set two models side by side: what makes them differ in size", describe,
                        print_compare);
}

}  // namespace headcount
