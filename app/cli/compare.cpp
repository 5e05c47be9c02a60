// headcount compare: what makes two models differ in size.
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/difference_report.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct CompareArguments {
    std::string a, b;              // as ModelArguments::arch
    std::vector<std::string> set;  // of b
    InputArguments input;          // of both
    bool json = false;
};

// Which of the two it is said of.
void append(Notes& notes, const char* side, const Notes& more) {
    for (const std::string& note : more) notes.push_back(side + note);
}

void write_table(std::ostream& out, const Table& table) {
    if (table.rows.empty()) return;
    out << '\n';
    write_text(out, table);
}

// What both are compared by, besides their parameters.
Result<SweepPoint> figures_of(const CountedDocument& side) {
    const Input& input = side.document.input;
    return PointMaker(input, {true, side.pass}).at(side.document.architecture);
}

Failure print_compare(const CompareArguments& arguments, Output& output) {
    Notes said_of_a, said_of_b, notes;
    const Result<CountedDocument> first = count_document({arguments.a, {}}, said_of_a, arguments.input);
    if (!first) return within("A", first.error());
    const Result<CountedDocument> second = count_document({arguments.b, arguments.set}, said_of_b, arguments.input);
    if (!second) return within("B", second.error());
    append(output.notes, "A: ", said_of_a);
    append(output.notes, "B: ", said_of_b);
    const CountedModel &a = first->model, &b = second->model;
    const Result<Difference> found = difference(a, b);
    if (!found) return found.error();
    const Result<SweepPoint> in_a = figures_of(*first), in_b = figures_of(*second);
    if (!in_a) return within("A", in_a.error());
    if (!in_b) return within("B", in_b.error());
    std::ostream& out = output.out;
    if (arguments.json) {
        append(notes, "A: ", first->notes);
        append(notes, "B: ", second->notes);
        nlohmann::ordered_json json = difference_json(a, b, *found);
        json["a"]["input"] = input_json(*first);
        json["b"]["input"] = input_json(*second);
        json["figures"] = both_points_json(*in_a, *in_b);
        out << noted_json(json, notes);
        return std::nullopt;
    }
    out << "A: " << printable(a.architecture.name) << ", " << grouped(a.parameters.total) << " parameters\n"
        << "B: " << printable(b.architecture.name) << ", " << grouped(b.parameters.total) << " parameters\n";
    if (found->fields.empty() && found->tensors.empty()) {
        out << "They do not differ.\n";
        return std::nullopt;
    }
    write_table(out, component_difference_table(a, b, *found));
    write_table(out, field_difference_table(*found));
    if (!found->fields.empty()) out << field_order_words() << '\n';
    write_table(out, kind_difference_table(*found));
    const std::string words_of_a = pass_words(*first), words_of_b = pass_words(*second);
    out << "\nWith " << words_of_a << (words_of_a == words_of_b ? "" : "; B with " + words_of_b) << ":\n";
    write_table(out, both_points_table(*in_a, *in_b));
    write_table(out, tensor_difference_table(*found));
    return std::nullopt;
}

}  // namespace

Command compare_command() {
    const auto describe = [](CLI::App* command, CompareArguments& arguments) {
        command->add_option("A", arguments.a, "a model, named as ARCH is")->required()->type_name("ARCH");
        command->add_option("B", arguments.b, "another; the differences are B less A")->required()->type_name("ARCH");
        add_set(command, arguments.set);
        add_input(command, arguments.input);
        add_json(command, arguments.json);
    };
    return make_command("compare", "set two models side by side: what makes them differ in size", describe,
                        print_compare);
}

}  // namespace headcount
