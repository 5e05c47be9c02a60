// One layer: attention and feed-forward, their norms, and how both join the residual stream.
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// What a sub-block calls its norms and what it leaves on the stream.
struct Words {
    Part norm, output_norm;
    std::string_view norm_label, output_norm_label, sum_label, symbol, meaning;
};

constexpr Words attention_words{Part::attention_norm,
                                Part::attention_output_norm,
                                "Attention norm",
                                "Attention output norm",
                                "After attention",
                                "X'",
                                "the residual stream with attention's output added"};
constexpr Words feed_forward_words{Part::feed_forward_norm,
                                   Part::feed_forward_output_norm,
                                   "FFN norm",
                                   "FFN output norm",
                                   "Output of the layer",
                                   "X^(i+1)",
                                   "the residual stream that the next layer reads"};

TensorIndex norm_before(GraphBuilder& builder, const Norm& norm, const Words& words, TensorIndex stream) {
    if (norm.placement != NormPlacement::before && norm.placement != NormPlacement::both) return stream;
    return builder.norm(stream, norm, {"norm", words.norm, words.norm_label});
}

TensorIndex norm_after(GraphBuilder& builder, const Norm& norm, const Words& words, TensorIndex output) {
    if (norm.placement != NormPlacement::after && norm.placement != NormPlacement::both) return output;
    return builder.norm(output, norm, {"output_norm", words.output_norm, words.output_norm_label});
}

// What the sub-blocks made, added to the stream.
TensorIndex add(GraphBuilder& builder, const Norm& norm, const Words& words, std::vector<TensorIndex> terms) {
    const bool normed = norm.placement == NormPlacement::after_sum;
    TensorIndex sum = builder.node(Op::add, std::move(terms), {},
                                   {normed ? "sum" : "stream", Part::residual, normed ? "Sum" : words.sum_label,
                                    normed ? "X_s" : words.symbol, stream_shape(), words.meaning});
    if (!normed) return sum;
    return builder.norm(sum, norm,
                        {.name = "output_norm",
                         .part = words.output_norm,
                         .label = words.output_norm_label,
                         .output = "stream",
                         .symbol = words.symbol,
                         .output_label = words.sum_label});
}

}  // namespace

TensorIndex build_layer(GraphBuilder& builder, const LayerBuild& layer, TensorIndex stream) {
    const Architecture& arch = layer.arch;
    const bool in_turn = arch.layer.joining == Joining::in_turn;
    builder.open("attention");
    builder.component = Component::attention;
    const TensorIndex normed = norm_before(builder, arch.norm, attention_words, stream);
    TensorIndex attended = arch.layer.attention.latent ? build_latent_attention(builder, layer, normed)
                                                       : build_attention(builder, layer, normed);
    attended = norm_after(builder, arch.norm, attention_words, attended);
    if (in_turn) stream = add(builder, arch.norm, attention_words, {stream, attended});
    builder.close();

    builder.open("feed_forward");
    builder.component = Component::feed_forward;
    const bool shared = arch.layer.joining == Joining::parallel_shared;
    const TensorIndex input = shared ? normed : norm_before(builder, arch.norm, feed_forward_words, stream);
    TensorIndex output =
        layer.kind.mixture ? build_mixture(builder, arch, input) : build_feed_forward(builder, arch, input);
    output = norm_after(builder, arch.norm, feed_forward_words, output);
    std::vector<TensorIndex> terms{stream, output};
    if (!in_turn) terms.insert(terms.begin() + 1, attended);
    stream = add(builder, arch.norm, feed_forward_words, std::move(terms));
    builder.close();
    return stream;
}

}  // namespace headcount
