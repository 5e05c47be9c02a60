// A model's parameters in memory, laid out once as the kernels read them: as float32, or as a file stores them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"

namespace headcount {

// Which parameters lie in blocks in a file, each output's inputs behind one another.
class StoredForms {
  public:
    const BlockForm* at(TensorIndex tensor, std::int64_t layer) const;  // null: as float32
    // Null where copies within a layer differ: then all of them are float32.
    void set(TensorIndex tensor, std::int64_t layer, const BlockForm* form);

    const auto& all() const { return forms_; }

  private:
    std::map<std::pair<TensorIndex, std::int64_t>, const BlockForm*> forms_;
};

// Numbers that are kept alike.
struct KeptNumbers {
    std::string_view type;    // "F32", or that of the blocks
    bool multiplied = false;  // with what a product reads; else they are looked up, added, or factors of columns
    std::int64_t numbers = 0, bytes = 0;
};

// Every parameter and buffer of the graph, once a layer and once an expert. A linear layer's matrix lies in panels of
// `panel_columns` outputs, in each the rows one behind the other, so that a token's product reads it from front to back
// with no sums across a vector; so does an embedding that is also the output head. All else lies as the graph says.
// What lies in panels, and embeddings, may be kept as it is stored, in panels of blocks; all else is float32.
// A copy of this value has the same memory; `copied` has its own.
class Weights {
  public:
    // Room for all of them, all 0. Fails where there is no memory for it.
    static Result<Weights> reserve(const Architecture& arch, const ModelGraph& graph, const StoredForms& forms = {});

    // How many bytes that takes; fails only where it does not fit in 64 bits. Costs the graph and the forms, not the
    // layers.
    static Result<std::int64_t> bytes_of(const Architecture& arch, const ModelGraph& graph,
                                         const StoredForms& forms = {});

    // One copy as the graph has it: (in, out) of a linear layer; a vector is one row. `layer` is 0 outside of layers;
    // `copy` is the expert. Nothing where that layer has no such parameter.
    MatrixView view(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;

    // Where that copy begins; its cells stand as `view` says. Null where there is none, or none of floats.
    float* floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy);
    // The same of what is kept as it is stored: `blocks` there, to be written to.
    std::byte* blocks(TensorIndex tensor, std::int64_t layer, std::int64_t copy);

    // From now on layer i has the numbers that layer order[i] had; there are as many as are named.
    void take_layers(TensorIndex tensor, std::span<const std::int64_t> order);

    // The same numbers in other memory, all as floats. Fails where there is none.
    Result<Weights> copied() const;

    std::int64_t copies(TensorIndex tensor) const { return entries_[tensor].copies; }  // within a layer
    std::int64_t bytes() const { return memory_->size() * std::int64_t{sizeof(float)}; }
    // All of them by how they are kept, most bytes first.
    std::vector<KeptNumbers> kept() const;

  private:
    enum class Layout { rows, column_panels, row_panels };
    struct InLayer {
        std::int64_t start = -1;          // where its first copy is; -1 where there is none
        std::int64_t step = 0;            // floats from one copy to the next
        const BlockForm* form = nullptr;  // as it is kept
    };
    struct Entry {
        std::int64_t rows = 0, columns = 0;
        std::int64_t copies = 0;  // within one layer; 0: no parameter
        Layout layout = Layout::rows;
        bool embeds = false;  // rows are read one by one
        std::vector<InLayer> layers;

        bool by_rows(const BlockForm* form) const { return layout == Layout::row_panels || (form && embeds); }
        Result<std::int64_t> floats(const BlockForm* form) const;
        bool can_be(const BlockForm& form) const;
    };
    // All but the layers.
    static Result<std::vector<Entry>> measure(const Architecture& arch, const ModelGraph& graph);
    // Where all of them lie; how many floats that takes.
    static std::int64_t lay_out(const Architecture& arch, const ModelGraph& graph, const StoredForms& forms,
                                std::vector<Entry>& entries);
    const InLayer* find(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const;
    // What another has there, as floats; which is laid out alike.
    void restore(const Weights& from, TensorIndex tensor, std::int64_t layer, std::int64_t copy);

    std::vector<Entry> entries_;  // by TensorIndex
    std::shared_ptr<FloatMemory> memory_;
};

// A matrix of outputs in panels as the right side of a product, from the first output on, which begins a panel.
kernels::Right right_of(const MatrixView& matrix, std::int64_t first = 0);

}  // namespace headcount
