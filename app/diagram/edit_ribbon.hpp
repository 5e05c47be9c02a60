// What the last edit has changed, said once when it has settled: parameters, key/value cache, arithmetic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/diagram/panels.hpp"

namespace headcount {

struct EditRibbon {
    struct Figure {
        std::string key;                     // "parameters"
        std::string name, brief_name;        // "parameters"
        std::string words, brief;            // "+1.31 B (+19.4 %)", "+1.31 B"
        std::string exact, formula, remark;  // beside the pointer
    };
    std::string what;  // "d_ff 11008 → 14336"
    std::vector<Figure> figures;
};

// Between two models with the same input; nothing where they are alike, or a number does not fit in 64 bits.
// `doubt`: as of Derived.
std::optional<EditRibbon> ribbon_of(const Counted& before, const Counted& after, std::string_view doubt = {});

// Follows the document: an edit that has settled makes a ribbon, the next press or Esc ends it. Null while there is
// none. `escape_taken` hears of an Esc that was pressed for it; where it is set already, Esc is for something else.
const EditRibbon* follow_edits(const Ui& ui, const DiagramOf& diagram, const DiagramOf::Edits& edits,
                               bool& escape_taken);

// Draws it between two places of a row, in the fullest wording that fits; returns where it ends.
float draw_edit_ribbon(const Ui& ui, const EditRibbon& ribbon, ImVec2 min, float right, float height);

}  // namespace headcount
