// headcount tree: what the checkpoint holds, as modules.
#include "core/report/tree.hpp"

#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

struct TreeArguments {
    ModelArguments model;
    TreeOptions tree;
};

Failure print_tree(const TreeArguments& arguments, Output& output) {
    const Result<CountedDocument> counted = count_document(arguments.model, output.notes);
    if (!counted) return counted.error();
    const CountedModel& model = counted->model;
    TreeOptions options = arguments.tree;
    options.sign = doubt_sign(counted->doubt);
    if (!counted->doubt.empty()) output.out << printable(title_as_known(counted->document)) << "\n";
    output.out << module_tree(model.architecture, model.graph, model.parameters, options);
    return std::nullopt;
}

}  // namespace

Command tree_command() {
    const auto describe = [](CLI::App* command, TreeArguments& arguments) {
        add_model(command, arguments.model);
        command->add_flag("--base", arguments.tree.base, "without the output head");
        command->add_flag("--counts", arguments.tree.counts, "each line's parameters behind it");
    };
    return make_command("tree", "print the module tree as transformers prints a model", describe, print_tree);
}

}  // namespace headcount
