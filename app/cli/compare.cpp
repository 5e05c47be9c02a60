// headcount compare: what makes two models differ in size.
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/difference_report.hpp"
#include "core/report/json.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct CompareArguments {
    std::string a, b;              // as ModelArguments::arch
    std::vector<std::string> set;  // of b
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

Failure print_compare(const CompareArguments& arguments, Output& output) {
    Notes said_of_a, said_of_b, notes;
    const Result<CountedDocument> first = count_document({arguments.a, {}}, said_of_a);
    if (!first) return within("A", first.error());
    const Result<CountedDocument> second = count_document({arguments.b, arguments.set}, said_of_b);
    if (!second) return within("B", second.error());
    append(output.notes, "A: ", said_of_a);
    append(output.notes, "B: ", said_of_b);
    const CountedModel &a = first->model, &b = second->model;
    const Result<Difference> found = difference(a, b);
    if (!found) return found.error();
    std::ostream& out = output.out;
    if (arguments.json) {
        append(notes, "A: ", first->notes);
        append(notes, "B: ", second->notes);
        out << noted_json(difference_json(a, b, *found), notes);
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
    write_table(out, tensor_difference_table(*found));
    return std::nullopt;
}

}  // namespace

Command compare_command() {
    const auto describe = [](CLI::App* command, CompareArguments& arguments) {
        command->add_option("A", arguments.a, "a model, named as ARCH is")->required()->type_name("ARCH");
        command->add_option("B", arguments.b, "another; the differences are B less A")->required()->type_name("ARCH");
        add_set(command, arguments.set);
        add_json(command, arguments.json);
    };
    return make_command("compare", "set two models side by side: what makes them differ in size", describe,
                        print_compare);
}

}  // namespace headcount
