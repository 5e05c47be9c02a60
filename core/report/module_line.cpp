// One module as transformers prints it.
#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "core/analysis/checkpoint_names.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/report/tree.hpp"

namespace headcount {
namespace {

// A module's own class is what its family calls GELU, exact or not.
std::string_view activation_class(const Module& module, Activation activation) {
    const bool gelu = activation == Activation::gelu || activation == Activation::gelu_tanh;
    if (gelu && !module.class_name.empty()) return module.class_name;
    switch (activation) {
        case Activation::silu: return "SiLUActivation()";
        case Activation::gelu: return "GELUActivation()";
        case Activation::gelu_tanh: return "NewGELUActivation()";
        case Activation::relu: return "ReLU()";
        case Activation::relu2: return "ReLUSquaredActivation()";
        case Activation::tanh: return "Tanh()";
        case Activation::sigmoid: return "Sigmoid()";
        case Activation::quick_gelu: return "QuickGELUActivation()";
        case Activation::linear: return "LinearActivation()";
        case Activation::xielu: return "XIELUActivation()";
    }
    return "";
}

std::string flag(std::string_view name, bool value) { return ", " + std::string(name) + (value ? "=True" : "=False"); }

// Whether something in this layer, or outside of layers, is made by the part: a norm may have no parameters.
bool is_made(const ModelGraph& graph, const Parts& parts, std::optional<std::size_t> layer) {
    return std::ranges::any_of(graph.nodes, [&](const Node& node) {
        const bool own = contains(parts, graph.tensors[node.output].part);
        return own && (node.op == Op::norm || node.op == Op::linear) && graph.layer_of(node.block) == layer;
    });
}

const ParameterRow* row_named(const ModelGraph& graph, const Parameters& parameters, const std::string& name,
                              std::optional<std::size_t> layer) {
    return find_if_in(parameters.tensors, [&](const ParameterRow& row) {
        return graph.stored[row.stored].layer == layer && graph.stored[row.stored].name == name;
    });
}

// Whether the part's parameters in this layer, or outside of layers, lie anywhere.
bool is_stored(const ModelGraph& graph, const Parts& parts, std::optional<std::size_t> layer) {
    return std::ranges::any_of(graph.stored, [&](const StoredTensor& each) {
        return each.layer == layer && contains(parts, graph.tensors[each.parts.front()].part);
    });
}

// A name may be that of another norm in the same place.
bool plays(const ModelGraph& graph, const ParameterRow& row, const Parts& parts) {
    const Part part = graph.tensors[graph.stored[row.stored].parts.front()].part;
    return contains(parts, part);
}

// The embedding, which a head or a stack may use as its own.
const ParameterRow* row_of_table(const ModelGraph& graph, const Parameters& parameters) {
    return find_if_in(parameters.tensors, [&](const ParameterRow& row) {
        return graph.tensors[graph.stored[row.stored].parts.front()].part == Part::token_embedding;
    });
}

// "32, 2880, 5760"
std::string sizes_of(const std::vector<std::int64_t>& sizes) {
    return listed(sizes, [](std::int64_t size) { return std::to_string(size); });
}

std::string norm_text(const Module& module, const Architecture& arch, const ParameterRow* weight,
                      const ParameterRow* bias) {
    if (module.class_name.ends_with("()")) return std::string(module.class_name);  // another than the layers' norms
    const bool rms = arch.norm.kind == NormKind::rms;
    const std::vector<std::int64_t> shape = weight ? weight->shape : std::vector<std::int64_t>{arch.dim};
    std::string name(arch.family->norm_class);
    const bool own_kind = (name.find("RMS") != std::string::npos) == rms;  // an edited model may have the other kind
    if (name.empty() || !own_kind) name = rms ? "RMSNorm" : "LayerNorm";
    if (name.ends_with("()")) return name;  // a class of its own that tells nothing of itself
    std::string text =
        name + "((" + sizes_of(shape) + (shape.size() == 1 ? ",)" : ")") + ", eps=" + python_float(arch.norm.epsilon);
    if (name.find("LayerNorm") != std::string::npos) {
        text += flag("elementwise_affine", weight != nullptr) + flag("bias", bias != nullptr);
    } else {
        if (!weight) text += flag("weight", false);
        if (bias) text += flag("bias", true);
    }
    return text + ")";
}

// The row that stands for padding, which the file or else the type names: "embed_tokens" knows it in every model that
// has a table so called, and so does the table of a type that has such a row. Counted from the end where it is
// negative. Of positions it is the last row before the first one's.
std::string padding(const Module& module, const Architecture& arch) {
    const Part part = *module.parts.begin();
    if (part == Part::position_embedding && module.class_name.empty() && arch.position_offset > 0)
        return ", padding_idx=" + std::to_string(arch.position_offset - 1);
    if (part != Part::token_embedding) return "";
    if (module.name != "embed_tokens" && !arch.family->padding) return "";
    std::optional<std::int64_t> row = arch.family->padding;
    if (const std::string* text = arch.carried.find("pad_token_id")) {
        std::int64_t given = 0;
        const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), given);
        const bool number = failure == std::errc() && end == text->data() + text->size();
        row = number ? std::optional(given) : std::nullopt;
    }
    if (row && *row < 0) *row += arch.vocab;
    return row && *row >= 0 && *row < arch.vocab ? ", padding_idx=" + std::to_string(*row) : "";
}

// A table or a matrix, by its shape as stored.
std::string matrix_text(const Module& module, const Architecture& arch, const std::vector<std::int64_t>& shape,
                        bool bias) {
    const ModuleKind kind = module.kind;
    std::string first = std::to_string(shape[0]), second = std::to_string(shape[1]);
    if (kind == ModuleKind::embedding || kind == ModuleKind::frozen)
        return std::string(module.class_name.empty() ? "Embedding" : module.class_name) + "(" + first + ", " + second +
               padding(module, arch) + ")";
    if (kind == ModuleKind::linear)
        return std::string(module.class_name.empty() ? "Linear" : module.class_name) + "(in_features=" + second +
               ", out_features=" + first + flag("bias", bias) + ")";
    return "Conv1D(nf=" + second + ", nx=" + first + flag("bias", bias) + ")";
}

// One filter a channel, stored [channels, 1, kernel]; the rows before the first token are zeros.
std::string convolution_text(const std::vector<std::int64_t>& shape, bool bias) {
    const std::string channels = std::to_string(shape[0]);
    return "Conv1d(" + channels + ", " + channels + ", kernel_size=(" + std::to_string(shape[2]) +
           ",), stride=(1,), padding=(" + std::to_string(shape[2] - 1) + ",), groups=" + channels +
           (bias ? "" : flag("bias", false)) + ")";
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

std::optional<ModuleLine> module_line(const Module& module, const ModulePlace& place, const Architecture& arch,
                                      const ModelGraph& graph, const Parameters& parameters) {
    if (module.joining.value_or(arch.layer.joining) != arch.layer.joining) return std::nullopt;
    switch (module.kind) {
        case ModuleKind::container:
        case ModuleKind::encoder:
        case ModuleKind::decoder:
        case ModuleKind::cross:
        case ModuleKind::shared:
        case ModuleKind::layer:
        case ModuleKind::expert:
        case ModuleKind::stateless: return ModuleLine{std::string(module.class_name), 0, ""};
        case ModuleKind::activation:
            return ModuleLine{std::string(activation_class(module, arch.layer.feed_forward.activation)), 0, ""};
        case ModuleKind::rotary:
            if (arch.positions != Positions::rope) return std::nullopt;
            [[fallthrough]];
        case ModuleKind::rotary_always: return ModuleLine{std::string(module.class_name) + "()", 0, ""};
        case ModuleKind::buffer:
        case ModuleKind::buffer_row: {
            for (const StoredTensor& buffer : graph.buffers)
                if (buffer.layer == place.layer && buffer.name == name_in_file(arch, place.path))
                    return ModuleLine{"Buffer(" + shape_in_numbers(buffer.shape, bindings(arch, Input{})) + ")", 0,
                                      "trained by no gradient"};
            return std::nullopt;
        }
        default: break;
    }
    const bool named_alone = is_named_alone(module.kind);
    const std::string path = name_in_file(arch, place.path);
    const bool packed = module.kind == ModuleKind::packed || module.kind == ModuleKind::by_head;
    const std::string own = path + (packed ? "_weight" : named_alone ? "" : ".weight");
    const ParameterRow* weight = row_named(graph, parameters, own, place.layer);
    if (!weight && place.first) weight = row_named(graph, parameters, name_in_layer(own, "0"), std::nullopt);
    const std::string beside = path + (packed || (is_stacked(module.kind) && named_alone) ? "_bias" : ".bias");
    const ParameterRow* bias = row_named(graph, parameters, beside, place.layer);
    if (!bias && place.first) bias = row_named(graph, parameters, name_in_layer(beside, "0"), std::nullopt);
    const std::int64_t count = (weight ? weight->count : 0) + (bias ? bias->count : 0);
    std::vector<const ParameterRow*> rows;
    for (const ParameterRow* row : {weight, bias})
        if (row) rows.push_back(row);
    if (named_alone || is_stacked(module.kind)) {
        if (!weight || !plays(graph, *weight, module.parts)) return std::nullopt;
        const std::string and_bias = bias ? " + Parameter(" + sizes_of(bias->shape) + ")" : "";
        return ModuleLine{"Parameter(" + sizes_of(weight->shape) + ")" + and_bias, count, "", rows};
    }
    const bool norm = module.kind == ModuleKind::norm || module.kind == ModuleKind::cross_norm;
    if (norm || module.kind == ModuleKind::each_head) {
        if (!is_made(graph, module.parts, place.layer)) return std::nullopt;
        if (weight && !plays(graph, *weight, module.parts)) return std::nullopt;
        if (!weight && is_stored(graph, module.parts, place.layer)) return std::nullopt;  // at another place
        if (module.kind == ModuleKind::each_head && !weight) return std::nullopt;  // one set of weights for all heads
        if (!weight && !module.class_name.empty())
            return ModuleLine{std::string(module.class_name) + "(eps=" + python_float(arch.norm.epsilon) + ")", 0, ""};
        return ModuleLine{norm_text(module, arch, weight, bias), count, "", rows};
    }
    std::string tied_to;
    const Part part = *module.parts.begin();
    if (!weight && ((graph.tied_head && part == Part::output_head) || part == Part::token_embedding)) {
        weight = row_of_table(graph, parameters);
        std::string name = graph.stored[weight->stored].name;
        tied_to = "the table of " + name.substr(0, name.rfind('.')) + ", counted there";
    }
    if (!weight || (tied_to.empty() && !plays(graph, *weight, module.parts))) return std::nullopt;
    if (module.kind == ModuleKind::convolution)
        return ModuleLine{convolution_text(weight->shape, bias != nullptr), count, "", rows};
    // A tied head's bias may lie beside it, under another name; if it is the head's.
    const bool apart =
        std::ranges::any_of(graph.tensors, [](const Tensor& tensor) { return tensor.part == Part::logits_bias; });
    const bool biased = bias || (!tied_to.empty() && arch.head_bias && !apart);
    return ModuleLine{matrix_text(module, arch, weight->shape, biased), count, std::move(tied_to), rows};
}

}  // namespace headcount
