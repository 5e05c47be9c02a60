// One module as transformers prints it.
#include "core/report/module_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace headcount {
namespace {

std::string_view activation_class(Activation activation) {
    switch (activation) {
        case Activation::silu:
            return "SiLUActivation()";
        case Activation::gelu:
            return "GELUActivation()";
        case Activation::gelu_tanh:
            return "NewGELUActivation()";
        case Activation::relu:
            return "ReLU()";
    }
    return "";
}

std::string flag(std::string_view name, bool value) {
    return ", " + std::string(name) + (value ? "=True" : "=False");
}

// The operation that a module's parameters take part in; null where the architecture has none.
const Node* node_of(const ModelGraph& graph, Part part) {
    auto made_by_module = [&](const Node& node) {
        bool modular =
            node.op == Op::embed || node.op == Op::add_positions || node.op == Op::norm || node.op == Op::linear;
        return modular && graph.tensors[node.output].part == part;
    };
    auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), made_by_module);
    return found == graph.nodes.end() ? nullptr : &*found;
}

const ParameterRow* row_named(const ModelGraph& graph, const Parameters& parameters, const std::string& name) {
    auto found = std::find_if(parameters.tensors.begin(), parameters.tensors.end(),
                              [&](const ParameterRow& row) { return graph.stored[row.stored].name == name; });
    return found == parameters.tensors.end() ? nullptr : &*found;
}

const ParameterRow* row_of_tied_head(const ModelGraph& graph, const Parameters& parameters) {
    auto found = std::find_if(parameters.tensors.begin(), parameters.tensors.end(), [&](const ParameterRow& row) {
        return graph.stored[row.stored].parts.front() == graph.tied_head;
    });
    return found == parameters.tensors.end() ? nullptr : &*found;
}

std::string norm_text(const Norm& norm, std::string_view rms_class, std::int64_t dim) {
    bool rms = norm.kind == NormKind::rms;
    std::string text = (rms ? std::string(rms_class) : "LayerNorm") + "((" + std::to_string(dim) +
                       ",), eps=" + python_float(norm.epsilon);
    if (rms) {
        if (!norm.scale) text += flag("weight", false);
        if (norm.bias) text += flag("bias", true);
    } else {
        text += flag("elementwise_affine", norm.scale);
        if (norm.scale != norm.bias) text += flag("bias", norm.bias);
    }
    return text + ")";
}

// A table or a matrix, by its shape as stored.
std::string matrix_text(ModuleKind kind, const std::vector<std::int64_t>& shape, bool bias) {
    std::string first = std::to_string(shape[0]), second = std::to_string(shape[1]);
    if (kind == ModuleKind::embedding) return "Embedding(" + first + ", " + second + ")";
    if (kind == ModuleKind::linear)
        return "Linear(in_features=" + second + ", out_features=" + first + flag("bias", bias) + ")";
    return "Conv1D(nf=" + second + ", nx=" + first + flag("bias", bias) + ")";
}

}  // namespace

std::string python_float(double value) {
    std::array<char, 32> buffer{};
    auto [end, failure] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    std::string text(buffer.data(), end);
    std::size_t e = text.find('e');
    int exponent = std::stoi(text.substr(e + 1));
    if (exponent < -4 || exponent >= 16) return text;
    std::string fixed(buffer.data(),
                      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed).ptr);
    return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

std::optional<ModuleLine> module_line(const Module& module, const Architecture& arch, const ModelGraph& graph,
                                      const Parameters& parameters) {
    switch (module.kind) {
        case ModuleKind::container:
        case ModuleKind::layer:
        case ModuleKind::dropout:
            return ModuleLine{std::string(module.class_name), 0, ""};
        case ModuleKind::activation:
            return ModuleLine{std::string(activation_class(arch.layer.feed_forward.activation)), 0, ""};
        case ModuleKind::rotary:
            if (arch.positions != Positions::rope) return std::nullopt;
            return ModuleLine{std::string(module.class_name) + "()", 0, ""};
        default:
            break;
    }
    if (!module.part || !node_of(graph, *module.part)) return std::nullopt;
    const ParameterRow* weight = row_named(graph, parameters, std::string(module.path) + ".weight");
    const ParameterRow* bias = row_named(graph, parameters, std::string(module.path) + ".bias");
    std::int64_t count = (weight ? weight->count : 0) + (bias ? bias->count : 0);
    if (module.kind == ModuleKind::norm)
        return ModuleLine{norm_text(arch.norm, arch.family->rms_class, arch.dim), count, ""};
    std::string tied_to;
    if (!weight) {
        weight = row_of_tied_head(graph, parameters);
        std::string name = graph.stored[weight->stored].name;
        tied_to = name.substr(0, name.rfind('.'));
    }
    return ModuleLine{matrix_text(module.kind, weight->shape, bias != nullptr), count, std::move(tied_to)};
}

}  // namespace headcount
