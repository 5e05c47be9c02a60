// Claims about what the inspector's pictures show.
#include "app/parts/inspector_parts.hpp"

#include "app/state/run/snapshot.hpp"
#include "tests/support/stage.hpp"

namespace headcount {
namespace {

TEST(InspectorPictures, HalfOfTheScoresIsEmptyWhereLaterTokensAreMaskedAndNowhereElse) {
    const auto hides = [](std::string_view preset, std::string_view scores) {
        const ModelGraph graph = expand(test::session_of(preset).document.architecture);
        const Tensor* const tensor = graph.find(scores);
        EXPECT_TRUE(tensor) << preset << " " << scores;
        return tensor && hides_later(graph, static_cast<TensorIndex>(tensor - graph.tensors.data()));
    };
    EXPECT_TRUE(hides("llama-2-7b", "layer.attention.head.scores"));
    EXPECT_TRUE(hides("transformer-base", "decoder.layer.attention.head.scores"));
    EXPECT_FALSE(hides("transformer-base", "encoder.layer.attention.head.scores"));
    EXPECT_FALSE(hides("transformer-base", "decoder.layer.cross_attention.head.scores"));
    EXPECT_FALSE(hides("bert-base-uncased", "layer.attention.head.scores"));
}

}  // namespace
}  // namespace headcount
