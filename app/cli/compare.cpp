// headcount compare: what makes two models differ in size.
#include <ostream>

#include "app/cli/idle_words.hpp"
#include "app/cli/options.hpp"
#include "app/cli/two_models.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/report/difference_report.hpp"
#include "core/report/models_report.hpp"
#include "core/report/table.hpp"
#include "core/report/what_if_report.hpp"

namespace headcount {
namespace {

struct CompareArguments {
    TwoArguments two;
    std::vector<std::string> more;  // as ModelArguments::arch
    bool json = false;
};

void write_table(std::ostream& out, const Table& table, const TwoModels& both) {
    if (table.rows.empty()) return;
    out << '\n';
    write_figures(out, table, both);
}

// Three and more: a row each. They are called A, B, C and so on, as two are.
Failure print_rows(const CompareArguments& arguments, Output& output) {
    constexpr std::size_t letters = 26;
    std::vector<ModelArguments> asked{{arguments.two.a, {}}, {arguments.two.b, arguments.two.set}};
    for (const std::string& each : arguments.more) asked.push_back({each, {}});
    if (asked.size() > letters)
        return Error{"these are " + std::to_string(asked.size()) + " models", "compare", "name at most 26"};
    Result<InputArguments> input = with_adapters(arguments.two.adapter, arguments.two.input);
    if (!input) return input.error();
    input->several = true;
    std::vector<CountedDocument> models;
    std::vector<SweepPoint> points;
    Notes notes;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const std::string letter(1, static_cast<char>('A' + i));
        Notes said;
        Result<CountedDocument> counted = count_document(asked[i], said, *input);
        if (!counted) return within(letter, counted.error());
        note_speed(*counted, said);
        const Result<SweepPoint> point = figures_of(*counted);
        if (!point) return within(letter, point.error());
        note_room(*counted, *point, said);
        for (const std::string& note : said) output.notes.push_back(letter + ": " + note);
        for (const std::string& note : counted->notes) notes.push_back(letter + ": " + note);
        models.push_back(*std::move(counted));
        points.push_back(*point);
    }
    std::vector<const OpenedDocument*> opened;
    for (const CountedDocument& model : models) opened.push_back(&model);
    if (Failure idle = idle_in_all(opened)) return idle;
    if (arguments.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < models.size(); ++i) {
            list.push_back(model_json(models[i].model));
            list.back().update(asked_json(models[i]));
            list.back()["figures"] = figures_json(points[i]);
        }
        output.out << noted_json({{"models", std::move(list)}}, notes);
        return std::nullopt;
    }
    std::vector<ModelBeside> rows;
    for (std::size_t i = 0; i < models.size(); ++i)
        rows.push_back({models[i].model, points[i], doubt_sign(models[i].doubt)});
    write_text(output.out, models_table(rows));
    output.out << "\nWith " << pass_words(opened) << ":\n\n";
    write_text(output.out, model_figures_table(rows));
    return std::nullopt;
}

Failure print_compare(const CompareArguments& arguments, Output& output) {
    if (!arguments.more.empty()) return print_rows(arguments, output);
    const Result<TwoModels> both = read_two_models(arguments.two, output.notes);
    if (!both) return both.error();
    const CountedModel &a = both->a.model, &b = both->b.model;
    const Difference& found = both->difference;
    std::ostream& out = output.out;
    if (arguments.json) {
        nlohmann::ordered_json json = difference_json(a, b, found);
        json["a"].update(asked_json(both->a));
        json["b"].update(asked_json(both->b));
        json["figures"] = both_points_json(both->in_a, both->in_b);
        out << noted_json(json, both->notes);
        return std::nullopt;
    }
    out << "A: " << printable(title_as_known(both->a.document)) << ", " << doubt_sign(both->a.doubt)
        << grouped(a.parameters.total) << " parameters\nB: " << printable(title_as_known(both->b.document)) << ", "
        << doubt_sign(both->b.doubt) << grouped(b.parameters.total) << " parameters\n";
    if (found.fields.empty() && found.tensors.empty()) {
        out << "They do not differ.\n";
    } else {
        write_table(out, component_difference_table(a, b, found), *both);
        write_table(out, field_difference_table(found), *both);
        if (!found.fields.empty()) out << field_order_words() << '\n';
        write_table(out, kind_difference_table(found), *both);
    }
    out << "\nWith " << pass_words(*both) << ":\n";
    write_table(out, both_points_table(both->in_a, both->in_b, both->a.pass.sharding), *both);
    write_table(out, tensor_difference_table(found), *both);
    return std::nullopt;
}

}  // namespace

Command compare_command() {
    const auto describe = [](CLI::App* command, CompareArguments& arguments) {
        add_two_models(command, arguments.two, "A", "B");
        command->add_option("MORE", arguments.more, "further ones; then each is a row of a table")->type_name("ARCH");
        add_json(command, arguments.json);
    };
    return make_command("compare", "set two models side by side: what makes them differ in size", describe,
                        print_compare);
}

}  // namespace headcount
