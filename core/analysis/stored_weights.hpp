// How the weights of a graph are stored: the format of each tensor, in every layer, and the bytes that they take.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/formats.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

WeightKind weight_kind(const ModelGraph& graph, TensorIndex parameter);

// So many layers have a tensor in this format; or one matrix of it, (rows, columns), where a file has it cut into some.
struct FormatRun {
    Precision precision;
    std::int64_t layers;
    std::optional<Shape> cut = {};

    bool operator==(const FormatRun&) const = default;
};

// Each format once, with all layers that have it.
std::vector<FormatRun> merged(const std::vector<FormatRun>& runs);

// Looked up by rows: embeddings of words, positions, kinds of text.
bool is_table(const Tensor& tensor);

// Of one copy of it.
Expr bytes_of_one(const Tensor& tensor, const FormatRun& run);

class StoredWeights {
  public:
    // By the kind of tensor alone.
    StoredWeights(const Precision& all) : formats_(all) {}
    StoredWeights(NumberFormat all) : formats_(all) {}
    // Of a graph of this architecture. A recipe chooses by layer and by the lengths of rows, as llama-quantize does
    // with an importance matrix where its recipe wants one, and without one elsewhere.
    StoredWeights(const Architecture& arch, const ModelGraph& graph, const Formats& formats);

    const Formats& formats() const { return formats_; }

    // Of a tensor, in so many of the first layers that have it: in one format in most models, in the layers' order
    // where it differs between them.
    std::vector<FormatRun> runs(const ModelGraph& graph, TensorIndex parameter, std::int64_t layers) const;

    // Bytes of all layers' copies, of which each layer has so many: L·E·(d·d_e).
    Expr bytes(const ModelGraph& graph, TensorIndex parameter, const Expr& layers, const Expr& in_layer) const;
    // Of all its copies in so many of the first layers that have it.
    Expr of_first(const ModelGraph& graph, TensorIndex parameter, std::int64_t layers) const;
    // Of so many copies, in the format that the first layers have.
    Expr some(const ModelGraph& graph, TensorIndex parameter, const Expr& copies) const;
    // Of rows that are looked up in a table.
    Expr rows(const ModelGraph& graph, TensorIndex table, const Expr& count) const;
    // Of all copies of what a checkpoint stores as one; of one of them, where all are alike.
    Expr bytes(const ModelGraph& graph, const StoredTensor& tensor) const;

    // Of a component, or of all weights.
    Expr total(const ModelGraph& graph, std::optional<Component> component = {}) const;

    bool operator==(const StoredWeights&) const = default;

  private:
    Precision first(const ModelGraph& graph, TensorIndex parameter) const;

    Formats formats_;
    // By tensor, in the order of its layers, where its kind does not say it: of a recipe, of tensors with names, and of
    // what several tensors in one share.
    std::vector<std::vector<FormatRun>> runs_;
};

}  // namespace headcount
