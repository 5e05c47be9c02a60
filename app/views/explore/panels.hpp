// The panels of the Explore view. Each fills the window that was opened for it, reads constants, and returns
// what should change. Their windows leave 16 px around, and nothing around the tables, which reach their window's
// edges.
#pragma once

#include <string>
#include <vector>

#include "app/parts/field_rows.hpp"
#include "app/parts/inspector_parts.hpp"
#include "app/state/session.hpp"

namespace headcount {

// Left: fields and input.
struct ArchitecturePage {
    const Shown& model;
    const std::vector<std::string>& notes;  // on what was opened
    const RunPlace& run;                    // where a what-if would run
};
Intents draw_architecture(const Ui& ui, const ArchitecturePage& page);
// Its groups of rarer fields, which fold. What an architecture does not have is one switch in them.
void mixer_and_feed_forward_groups(FieldForm& form);
void stream_and_ends_groups(FieldForm& form);

// Whether a field that most models leave as it is (attention mask, output, token types) stands above the groups: the
// model that was opened has it otherwise.
bool stands_out(const FieldForm& form, Field field);

// Right, top: where the parameters are.
Intents draw_breakdown(const Ui& ui, const Shown& model, BreakdownChart chart);

// Right, below: the selection, with its formula; and the files that each inspect one kind of subject.
Intents draw_inspector(const Ui& ui, const Shown& model);
void inspect_parameter(Inspector& inspector, TensorIndex tensor);
void inspect_activation(Inspector& inspector, TensorIndex tensor);
void inspect_field(Inspector& inspector, Field field);
// What the output is for; and how many parameters the model has with each thing that may stand on its last layer.
std::string_view meaning_of_output(OutputKind output, bool tied);
void draw_outputs(Inspector& inspector);

// Bottom: activations, one head, tensors, and what they cost.
struct TablesPage {
    const Shown& model;
    const CostsPage& costs;
    BottomTab tab;
    bool compared;  // the file's weights with what is shown, not with what was shown before
};
Intents draw_tables(const Ui& ui, const TablesPage& page);

// The same, given a session to read that from.
Intents draw_architecture_panel(const Ui& ui, const Session& session);
Intents draw_breakdown_panel(const Ui& ui, const Session& session);
Intents draw_inspector_panel(const Ui& ui, const Session& session);
Intents draw_tables_panel(const Ui& ui, const Session& session);

}  // namespace headcount
