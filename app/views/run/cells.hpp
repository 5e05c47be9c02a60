// Cells of a run: whose they are, and where the diagram has them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/canvas/draw/compose.hpp"
#include "app/state/run/place.hpp"
#include "app/state/run/snapshot.hpp"
#include "core/runtime/explain.hpp"

namespace headcount {

struct RunDiagnosis;  // app/state/run/diagnosis.hpp

// A cell as the view remembers it, and back; nothing where the graph has no such tensor.
std::optional<CellAt> cell_of(const ModelGraph& graph, const RunCell& cell);
RunCell cell_of(const ModelGraph& graph, const CellAt& cell);

// What is under the pointer in the diagram, which has the numbers of these layers; nothing where it is of no tensor, or
// an expert's row of a token that is sent to others.
std::optional<CellAt> cell_of(const RunValues& values, const ValuesShown& shown, const Hit& hit);

// The layer whose numbers the diagram has in this tensor; 0 of what is outside of layers.
std::int64_t layer_of(const ValuesShown& shown, const ModelGraph& graph, const Tensor& tensor);

// Cells of one matrix, from the upper left one to the lower right one.
struct Reach {
    CellAt least, most;
};
// What the explanation reads, matrix by matrix.
std::vector<Reach> reaches(const Explanation& said);

// These cells in the diagram; nothing where it has another layer's numbers there.
std::optional<FramedCells> framed(const RunValues& values, const ValuesShown& shown, const Reach& cells,
                                  FramedCells::Why why);

// Whose row of a run's activation it is; nothing for a parameter.
std::optional<std::int64_t> token_of(const RunValues& values, const CellAt& cell);

// Matrices in which all heads stand side by side: each has `width` columns, of `count` heads (those of keys may be
// fewer than those of queries).
struct HeadColumns {
    TensorIndex tensor = 0;
    std::int64_t width = 0, count = 0;
};
std::vector<HeadColumns> head_columns(const RunValues& values, std::int64_t layer);

// Whose head a cell is, of its own or by its column; of several that share it the one that is looked at now. Nothing of
// what no head has.
std::optional<std::int64_t> head_of(const RunValues& values, const CellAt& cell, std::int64_t now);

RunNumbers numbers_of(const RunValues& values);

// Beside somebody else's activations: frames around what agrees and what differs in the layers that are shown, and what
// they have not written down, by id, sorted.
struct JudgedCells {
    bool known = false;  // something is compared
    std::vector<FramedCells> framed;
    std::vector<std::string> pale;
};
// `diagnosis` may be null, or of another model.
JudgedCells judged_cells(const RunDiagnosis* diagnosis, const RunValues& values, const ValuesShown& shown);

}  // namespace headcount
