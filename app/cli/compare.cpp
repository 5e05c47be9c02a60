// headcount compare: what makes two models differ in size.
#include <ostream>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/difference_report.hpp"
#include "core/report/json.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

// Which of the two it is said of.
void append(Notes& notes, const char* side, const Notes& more) {
    for (const std::string& note : more) notes.push_back(side + note);
}

void write_table(std::ostream& out, const Table& table) {
    if (table.rows.empty()) return;
    out << '\n';
    write_text(out, table);
}

}  // namespace

Failure print_compare(const CompareArguments& arguments, std::ostream& out, Notes& said) {
    Notes said_of_a, said_of_b, notes;
    Result<OpenedModel> a = open_model(ModelArguments{arguments.a, {}}, said_of_a);
    if (!a) return within("A", a.error());
    Result<OpenedModel> b = open_model(ModelArguments{arguments.b, arguments.set}, said_of_b);
    if (!b) return within("B", b.error());
    append(said, "A: ", said_of_a);
    append(said, "B: ", said_of_b);
    const Result<Difference> found = difference(*a, *b);
    if (!found) return found.error();
    if (arguments.json) {
        append(notes, "A: ", a->notes);
        append(notes, "B: ", b->notes);
        out << noted_json(difference_json(*a, *b, *found), notes);
        return std::nullopt;
    }
    out << "A: " << printable(a->architecture.name) << ", " << grouped(a->parameters.total) << " parameters\n"
        << "B: " << printable(b->architecture.name) << ", " << grouped(b->parameters.total) << " parameters\n";
    if (found->fields.empty() && found->tensors.empty()) {
        out << "They do not differ.\n";
        return std::nullopt;
    }
    write_table(out, component_difference_table(*a, *b, *found));
    write_table(out, field_difference_table(*found));
    if (!found->fields.empty()) out << field_order_words() << '\n';
    write_table(out, kind_difference_table(*found));
    write_table(out, tensor_difference_table(*found));
    return std::nullopt;
}

}  // namespace headcount
