// Equations as they are written: on a line of text, or as LaTeX.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/ops.hpp"

namespace headcount {

enum class Notation { text, latex };

// A piece of a written formula: words and signs, a tensor's symbol, or a size.
struct WrittenPiece {
    std::string text;  // of a tensor its symbol, scripts as in Tensor::symbol
    std::optional<TensorIndex> tensor = {};
    std::optional<Expr> size = {};
};

// "U = X_n · W_up", or "U = X_{n} W_{up}".
std::vector<WrittenPiece> written(const ModelGraph& graph, const Equation& equation,
                                  Notation notation = Notation::text);
std::string written_text(const ModelGraph& graph, const Equation& equation, Notation notation = Notation::text);

// "X_{n}" of "X_n", "W_{\mathrm{up}}" of "W_up".
std::string latex_symbol(std::string_view symbol);
// "\\tanh" of "tanh", "\\operatorname{SiLU}" of "SiLU".
std::string latex_function(std::string_view name);
// "h \\cdot d_{h}" of "h·d_h".
std::string latex_sizes(std::string_view sizes);

}  // namespace headcount
