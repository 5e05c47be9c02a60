// Phrases for what is asked, of how much, and with which input.
#include <array>

#include "core/lesson/ask_phrases.hpp"

namespace headcount::ask_lists {
namespace {

using Q = AskQuantity;

constexpr std::array quantity_phrases{
    AskPhrase{"parameters", Q::parameters},
    AskPhrase{"params", Q::parameters},
    AskPhrase{"param", Q::parameters},
    AskPhrase{"parameter", Q::parameters},
    AskPhrase{"parameter count", Q::parameters},
    AskPhrase{"number of parameters", Q::parameters},
    AskPhrase{"count", Q::parameters},
    AskPhrase{"size", Q::parameters},
    AskPhrase{"weights", Q::weights},
    AskPhrase{"weight", Q::weights},
    AskPhrase{"number of weights", Q::weights},
    AskPhrase{"active", Q::active},
    AskPhrase{"activated", Q::active},
    AskPhrase{"active parameters", Q::active},
    AskPhrase{"active params", Q::active},
    AskPhrase{"parameters active", Q::active},
    AskPhrase{"params active", Q::active},
    AskPhrase{"active weights", Q::active},
    AskPhrase{"shape", Q::shape},
    AskPhrase{"shapes", Q::shape},
    AskPhrase{"dimensions", Q::shape},
    AskPhrase{"dims", Q::shape},
    AskPhrase{"sides", Q::shape},
    AskPhrase{"rows and columns", Q::shape},
    AskPhrase{"rows x columns", Q::shape},
    AskPhrase{"rows columns", Q::shape},
    AskPhrase{"rows", Q::rows},
    AskPhrase{"number of rows", Q::rows},
    AskPhrase{"columns", Q::columns},
    AskPhrase{"cols", Q::columns},
    AskPhrase{"number of columns", Q::columns},
    AskPhrase{"elements", Q::elements},
    AskPhrase{"numbers", Q::elements},
    AskPhrase{"entries", Q::elements},
    AskPhrase{"cells", Q::elements},
    AskPhrase{"bytes", Q::bytes},
    AskPhrase{"memory", Q::bytes},
    AskPhrase{"size in bytes", Q::bytes},
    AskPhrase{"memory size", Q::bytes},
    AskPhrase{"gb", Q::bytes},
    AskPhrase{"gib", Q::bytes},
    AskPhrase{"mb", Q::bytes},
    AskPhrase{"mib", Q::bytes},
    AskPhrase{"gigabytes", Q::bytes},
    AskPhrase{"megabytes", Q::bytes},
    AskPhrase{"copies", Q::copies},
    AskPhrase{"number of copies", Q::copies},
};

constexpr std::array scope_phrases{
    AskPhrase{"one head", AskScope::one_head},
    AskPhrase{"a head", AskScope::one_head},
    AskPhrase{"1 head", AskScope::one_head},
    AskPhrase{"single head", AskScope::one_head},
    AskPhrase{"per head", AskScope::one_head},
    AskPhrase{"each head", AskScope::one_head},
    AskPhrase{"head", AskScope::one_head},
    AskPhrase{"all heads", AskScope::all_heads},
    AskPhrase{"every head", AskScope::all_heads},
    AskPhrase{"all heads together", AskScope::all_heads},
    AskPhrase{"layer", AskScope::one_layer},
    AskPhrase{"block", AskScope::one_layer},
    AskPhrase{"one layer", AskScope::one_layer},
    AskPhrase{"a layer", AskScope::one_layer},
    AskPhrase{"1 layer", AskScope::one_layer},
    AskPhrase{"single layer", AskScope::one_layer},
    AskPhrase{"per layer", AskScope::one_layer},
    AskPhrase{"each layer", AskScope::one_layer},
    AskPhrase{"one block", AskScope::one_layer},
    AskPhrase{"a block", AskScope::one_layer},
    AskPhrase{"per block", AskScope::one_layer},
    AskPhrase{"each block", AskScope::one_layer},
    AskPhrase{"all layers", AskScope::all_layers},
    AskPhrase{"all the layers", AskScope::all_layers},
    AskPhrase{"every layer", AskScope::all_layers},
    AskPhrase{"all blocks", AskScope::all_layers},
    AskPhrase{"total", AskScope::total},
    AskPhrase{"in total", AskScope::total},
    AskPhrase{"altogether", AskScope::total},
    AskPhrase{"in all", AskScope::total},
    AskPhrase{"overall", AskScope::total},
    AskPhrase{"all together", AskScope::total},
    AskPhrase{"per token", AskScope::one_token},
    AskPhrase{"one token", AskScope::one_token},
    AskPhrase{"a token", AskScope::one_token},
    AskPhrase{"each token", AskScope::one_token},
    AskPhrase{"one expert", AskScope::one_expert},
    AskPhrase{"an expert", AskScope::one_expert},
    AskPhrase{"per expert", AskScope::one_expert},
    AskPhrase{"each expert", AskScope::one_expert},
    AskPhrase{"single expert", AskScope::one_expert},
    AskPhrase{"expert", AskScope::one_expert},
    AskPhrase{"all experts", AskScope::all_experts},
    AskPhrase{"every expert", AskScope::all_experts},
};

constexpr std::array wide_phrases{
    AskPhrase{"biggest", AskWide::largest_matrix},
    AskPhrase{"largest", AskWide::largest_matrix},
    AskPhrase{"biggest matrix", AskWide::largest_matrix},
    AskPhrase{"largest matrix", AskWide::largest_matrix},
    AskPhrase{"biggest tensor", AskWide::largest_matrix},
    AskPhrase{"largest tensor", AskWide::largest_matrix},
    AskPhrase{"matrix is biggest", AskWide::largest_matrix},
    AskPhrase{"matrix is largest", AskWide::largest_matrix},
    AskPhrase{"biggest activation", AskWide::largest_activation},
    AskPhrase{"largest activation", AskWide::largest_activation},
    AskPhrase{"activation is biggest", AskWide::largest_activation},
    AskPhrase{"activation is largest", AskWide::largest_activation},
    AskPhrase{"biggest part", AskWide::largest_part},
    AskPhrase{"largest part", AskWide::largest_part},
    AskPhrase{"most parameters", AskWide::largest_part},
    AskPhrase{"most weights", AskWide::largest_part},
    AskPhrase{"part is biggest", AskWide::largest_part},
    AskPhrase{"part is largest", AskWide::largest_part},
    AskPhrase{"biggest component", AskWide::largest_part},
    AskPhrase{"largest component", AskWide::largest_part},
    AskPhrase{"flops", AskWide::flops},
    AskPhrase{"flop", AskWide::flops},
    AskPhrase{"gflops", AskWide::flops},
    AskPhrase{"tflops", AskWide::flops},
    AskPhrase{"arithmetic", AskWide::flops},
    AskPhrase{"operations", AskWide::flops},
    AskPhrase{"floating point operations", AskWide::flops},
    AskPhrase{"compute", AskWide::flops},
    AskPhrase{"compare", AskWide::compare},
    AskPhrase{"compared", AskWide::compare},
    AskPhrase{"comparison", AskWide::compare},
    AskPhrase{"vs", AskWide::compare},
    AskPhrase{"versus", AskWide::compare},
    AskPhrase{"against", AskWide::compare},
    AskPhrase{"difference", AskWide::compare},
    AskPhrase{"differ", AskWide::compare},
    AskPhrase{"bigger", AskWide::compare},
    AskPhrase{"larger", AskWide::compare},
    AskPhrase{"smaller", AskWide::compare},
    AskPhrase{"fit", AskWide::fits},
    AskPhrase{"fits", AskWide::fits},
    AskPhrase{"fit in", AskWide::fits},
    AskPhrase{"fits in", AskWide::fits},
    AskPhrase{"fit into", AskWide::fits},
    AskPhrase{"fits into", AskWide::fits},
    AskPhrase{"runs on", AskWide::fits},
};

constexpr std::array input_phrases{
    AskPhrase{"tokens", AskUnit::tokens},
    AskPhrase{"token", AskUnit::tokens},
    AskPhrase{"toks", AskUnit::tokens},
    AskPhrase{"tok", AskUnit::tokens},
    AskPhrase{"sequence length", AskUnit::tokens},
    AskPhrase{"sequence", AskUnit::tokens},
    AskPhrase{"seq length", AskUnit::tokens},
    AskPhrase{"seq len", AskUnit::tokens},
    AskPhrase{"seqlen", AskUnit::tokens},
    AskPhrase{"prompt", AskUnit::tokens},
    AskPhrase{"batch", AskUnit::batch},
    AskPhrase{"batch size", AskUnit::batch},
    AskPhrase{"sequences", AskUnit::batch},
    AskPhrase{"prompts", AskUnit::batch},
    AskPhrase{"cached", AskUnit::cached},
    AskPhrase{"cached tokens", AskUnit::cached},
    AskPhrase{"tokens cached", AskUnit::cached},
    AskPhrase{"tokens in the cache", AskUnit::cached},
    AskPhrase{"in the cache", AskUnit::cached},
    AskPhrase{"in cache", AskUnit::cached},
    AskPhrase{"past", AskUnit::cached},
    AskPhrase{"past tokens", AskUnit::cached},
    AskPhrase{"fp 32", Precision::fp32},
    AskPhrase{"float 32", Precision::fp32},
    AskPhrase{"32 bit", Precision::fp32},
    AskPhrase{"float", Precision::fp32},
    AskPhrase{"bf 16", Precision::bf16},
    AskPhrase{"bfloat 16", Precision::bf16},
    AskPhrase{"16 bit", Precision::bf16},
    AskPhrase{"fp 16", Precision::fp16},
    AskPhrase{"float 16", Precision::fp16},
    AskPhrase{"half precision", Precision::fp16},
    AskPhrase{"int 8", Precision::int8},
    AskPhrase{"8 bit", Precision::int8},
    AskPhrase{"int 4", Precision::int4},
    AskPhrase{"4 bit", Precision::int4},
};

constexpr std::array filler_phrases{
    AskPhrase{"of", AskFiller{}},     AskPhrase{"in", AskFiller{}},       AskPhrase{"the", AskFiller{}},
    AskPhrase{"a", AskFiller{}},      AskPhrase{"an", AskFiller{}},       AskPhrase{"for", AskFiller{}},
    AskPhrase{"with", AskFiller{}},   AskPhrase{"at", AskFiller{}},       AskPhrase{"is", AskFiller{}},
    AskPhrase{"are", AskFiller{}},    AskPhrase{"what", AskFiller{}},     AskPhrase{"which", AskFiller{}},
    AskPhrase{"how", AskFiller{}},    AskPhrase{"many", AskFiller{}},     AskPhrase{"much", AskFiller{}},
    AskPhrase{"does", AskFiller{}},   AskPhrase{"do", AskFiller{}},       AskPhrase{"has", AskFiller{}},
    AskPhrase{"have", AskFiller{}},   AskPhrase{"need", AskFiller{}},     AskPhrase{"needs", AskFiller{}},
    AskPhrase{"take", AskFiller{}},   AskPhrase{"takes", AskFiller{}},    AskPhrase{"and", AskFiller{}},
    AskPhrase{"to", AskFiller{}},     AskPhrase{"on", AskFiller{}},       AskPhrase{"by", AskFiller{}},
    AskPhrase{"from", AskFiller{}},   AskPhrase{"there", AskFiller{}},    AskPhrase{"its", AskFiller{}},
    AskPhrase{"it", AskFiller{}},     AskPhrase{"s", AskFiller{}},        AskPhrase{"me", AskFiller{}},
    AskPhrase{"show", AskFiller{}},   AskPhrase{"tell", AskFiller{}},     AskPhrase{"give", AskFiller{}},
    AskPhrase{"please", AskFiller{}}, AskPhrase{"using", AskFiller{}},    AskPhrase{"when", AskFiller{}},
    AskPhrase{"number", AskFiller{}}, AskPhrase{"tensor", AskFiller{}},   AskPhrase{"tensors", AskFiller{}},
    AskPhrase{"matrix", AskFiller{}}, AskPhrase{"matrices", AskFiller{}}, AskPhrase{"big", AskFiller{}},
    AskPhrase{"large", AskFiller{}},  AskPhrase{"long", AskFiller{}},     AskPhrase{"than", AskFiller{}},
    AskPhrase{"or", AskFiller{}},     AskPhrase{"between", AskFiller{}},  AskPhrase{"into", AskFiller{}},
    AskPhrase{"can", AskFiller{}},    AskPhrase{"models", AskFiller{}},
};

}  // namespace

std::span<const AskPhrase> quantities() {
    return quantity_phrases;
}

std::span<const AskPhrase> scopes() {
    return scope_phrases;
}

std::span<const AskPhrase> wides() {
    return wide_phrases;
}

std::span<const AskPhrase> inputs() {
    return input_phrases;
}

std::span<const AskPhrase> fillers() {
    return filler_phrases;
}

}  // namespace headcount::ask_lists
