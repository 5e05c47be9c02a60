// What stands on the last layer, in the inspector: what it is for, and how many parameters the model has with each.
#include "app/ui/layout.hpp"
#include "app/ui/veil.hpp"
#include "app/views/explore/panels.hpp"
#include "core/arch/validate.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// What the model would have with each of the things that may stand on it.
struct OutputTotals {
    Architecture architecture;
    std::vector<FactRow> rows;
};

}  // namespace

std::string_view meaning_of_output(OutputKind output, bool tied) {
    switch (output) {
        case OutputKind::language:
            return tied ? "The embedding, transposed: no parameters of its own."
                        : "Turns the last vector of each token into one score for every possible next token.";
        case OutputKind::masked:
            return tied
                       ? "Mixes each token's numbers once more, and compares them with every row of the embedding: "
                         "which token may be hidden there."
                       : "Mixes each token's numbers once more, and turns them into one score for every token that may "
                         "be hidden there.";
        case OutputKind::pooler: return "Turns the first token's numbers into as many that stand for the whole text.";
        case OutputKind::none:
            return "Nothing that scores stands on the last layer: its rows are what the model gives.";
        case OutputKind::classes:
            return "Turns one row, made of those that leave the last layer, into one score for each class.";
    }
    return "";
}

void draw_outputs(Inspector& inspector) {
    auto& last = kept<OutputTotals>(inspector.ui, "inspector.outputs");
    const Architecture& arch = inspector.shown().architecture;
    if (last.architecture != arch || last.rows.empty()) {
        last = {arch, {}};
        const FieldInfo& field = info(Field::output);
        for (std::size_t i = 0; i < field.choices.size(); ++i) {
            const Result<Architecture> other = with_field(arch, Field::output, field.choices[i]);
            if (!other || !validate(*other).empty()) continue;
            const Result<CountedModel> counted = count_model(*other);
            if (!counted) continue;
            const bool here = static_cast<int>(i) == field_place(arch, Field::output);
            last.rows.push_back(
                {std::string(field.labels[i]) + (here ? ", as it is" : ""), grouped(counted->parameters.total), ""});
        }
    }
    separator(inspector.ui, 12, 8);
    section_title(inspector.ui, "What stands on top");
    const About total(total_key);
    draw_facts(inspector, "inspector.outputs", {"parameters in all", "", last.rows});
}

}  // namespace headcount
