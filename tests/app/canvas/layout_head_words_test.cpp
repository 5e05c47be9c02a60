// The words on a head's page: all there, legible, true.
#include <cmath>
#include <map>
#include <set>

#include "core/arch/fields.hpp"
#include "tests/app/canvas/head_stage.hpp"

namespace headcount {
namespace {

using namespace head_stage;

TEST(HeadLayout, CutsLongSidesAndSaysHowLongTheyAre) {
    const Scene scene = Head(preset("llama-2-7b"), {.tokens = 1'000'000}).scene(small);
    const Slab scores = slab_of(scene, "layer.attention.head.scores");
    EXPECT_TRUE(scores.cut);
    EXPECT_TRUE(scores.cut_right);
    EXPECT_TRUE(says(scene, "1000000 × 1000000"));
    EXPECT_TRUE(says(scene, "128 × 1000000"));
    for (const Slab& slab : Head(preset("llama-2-7b")).scene().slabs)
        EXPECT_FALSE(slab.cut || slab.cut_right) << slab.id;
}

TEST(HeadLayout, WordsLieNeitherOverEachOtherNorOverOtherMatrices) {
    for_each_head([](const Head& head, const std::string& name) {
        for (Rect area : {small, middle, large}) {
            const Scene scene = head.scene(area);
            const Rect card = frame_of(scene, FrameKind::card).rect, cache = frame_of(scene, FrameKind::cache).rect;
            for (const Label& label : scene.labels) {
                const Rect ink = ink_of(label);
                EXPECT_TRUE(holds(area, ink, 2)) << name << " " << label.text << " in " << area.width();
                for (const Rect& frame : {card, cache})  // none across a frame's edge
                    EXPECT_TRUE(!ink.overlaps(frame) || holds(frame, ink)) << name << " " << label.text;
                for (const Label& other : scene.labels)
                    EXPECT_FALSE(&label < &other && ink.overlaps(ink_of(other)))
                        << name << " " << label.text << " " << other.text;
                for (const Slab& slab : scene.slabs)
                    EXPECT_FALSE(slab.id != label.id && ink.overlaps(slab.rect))
                        << name << " " << label.text << " " << slab.id;
            }
        }
    });
}

TEST(HeadLayout, EveryMatrixKeepsItsNameAndShapeAtEverySize) {
    for_each_head([](const Head& head, const std::string& name) {
        for (Rect area : {small, middle, large}) {
            const Scene scene = head.scene(area);
            EXPECT_TRUE(says(scene, "Head {i} of " + std::to_string(*head.numbers[Symbol::heads]))) << name;
            for (const char* text : {"X",
                                     "W_q",
                                     "W_k",
                                     "W_v",
                                     "Q",
                                     "K^T",
                                     "K",
                                     "V",
                                     "S",
                                     "A",
                                     "O = A · V",
                                     "O",
                                     "Y",
                                     "W_o slice",
                                     "KV cache",
                                     "every row",
                                     "sums to one",
                                     "slices for head {i}, each",
                                     "column k of X",
                                     "meets row k of W_q",
                                     "per new token"})
                EXPECT_TRUE(says(scene, text)) << name << " " << text << " in " << area.width();
            for (const char* id : {"layer.attention.head.queries", "layer.attention.head.values",
                                   "layer.attention.head.scores", "layer.attention.head.output"})
                EXPECT_TRUE(says(scene, shape_in_numbers(head.graph.find(id)->shape, head.numbers)))
                    << name << " " << id << " in " << area.width();
        }
    });
}

TEST(HeadLayout, SaysWhatTheCacheTakes) {
    const Scene full = Head(preset("llama-2-7b")).scene();
    for (const char* bytes : {"50.0 KiB", "1.56 MiB", "50.0 MiB", "2.00 GiB"}) EXPECT_TRUE(says(full, bytes)) << bytes;
    EXPECT_TRUE(says(full, "a row of 128"));
    EXPECT_TRUE(says(full, "C = 4096"));
    const Scene shared = Head(preset("llama-3-8b")).scene();
    for (const char* bytes : {"50.0 KiB", "400 KiB", "12.5 MiB", "1.00 GiB"}) EXPECT_TRUE(says(shared, bytes)) << bytes;
}

TEST(HeadLayout, LeavesOutBytesThatCannotBeCounted) {
    Architecture wide = preset("llama-2-7b");
    for (auto [field, value] :
         {std::pair{Field::context, "1000000000"}, std::pair{Field::layers, "1000"},
          std::pair{Field::head_dim, "65536"}, std::pair{Field::heads, "100000"}, std::pair{Field::kv_heads, "100000"}})
        if (Result<Architecture> edited = with_field(wide, field, value)) wide = *edited;
    const Scene scene = Head(wide).scene();
    EXPECT_TRUE(says(scene, "this head"));
    EXPECT_FALSE(says(scene, "C = 1000000000"));
}

TEST(HeadLayout, CountsTheParametersOfAHeadFromItsShapes) {
    EXPECT_TRUE(says(Head(preset("llama-2-7b")).scene(), "2,097,152"));
    EXPECT_TRUE(says(Head(preset("gpt2")).scene(), "196,800"));  // 4 · 768 · 64 and three biases of 64
    const Scene scene = Head(preset("llama-2-7b")).scene();
    const auto grid =
        std::find_if(scene.slabs.begin(), scene.slabs.end(), [](const Slab& each) { return each.grid_columns > 0; });
    EXPECT_EQ(grid->grid_cells, 32);
}

TEST(HeadLayout, SaysByWhatTheScoresAreScaled) {
    auto product_of = [](std::string_view id) {
        for (const Label& label : Head(preset(id)).scene(large).labels)
            if (label.text.starts_with("Q · K^T")) return label.text;
        return std::string();
    };
    EXPECT_EQ(product_of("llama-2-7b"), "Q · K^T / √128");
    EXPECT_EQ(product_of("gemma-2-27b"), "Q · K^T · 0.08333") << "1/√144, its query_pre_attn_scalar";
}

TEST(HeadLayout, ALoneTokenHasNoFutureToMask) {
    for_each_head([](const Head& head, const std::string& name) {
        // Beyond a window there is the past to mask.
        const bool window = head.graph.find("layer.attention.keys_seen") &&
                            *evaluate(head.graph.find("layer.attention.keys_seen")->shape[0], head.numbers) >
                                *head.numbers[Symbol::window];
        const bool lone = *head.numbers[Symbol::tokens] == 1 && !window;
        for (Rect area : {small, middle, large}) {
            const Scene scene = head.scene(area);
            EXPECT_NE(says(scene, window ? "only the window," : "mask the future,"), lone) << name;
            EXPECT_NE(says(scene, "softmax per row"), lone) << name;
            for (const char* text : {"softmax:", "one token sees all"})
                EXPECT_EQ(says(scene, text), lone) << name << " " << text;
        }
    });
}

TEST(HeadLayout, NumbersOfTheCacheStandTogetherWithTheirNames) {
    for_each_head([](const Head& head, const std::string& name) {
        const Scene scene = head.scene(small);
        std::map<int, int> sizes;
        for (const Label& label : scene.labels)
            if (label.pair > 0) ++sizes[label.pair];
        for (const auto& [pair, size] : sizes) EXPECT_EQ(size, 2) << name << " " << pair;
    });
    const Scene scene = Head(preset("llama-2-7b")).scene();
    const auto pair_of = [&](std::string_view text) {
        return std::find_if(scene.labels.begin(), scene.labels.end(),
                            [&](const Label& each) { return each.text == text; })
            ->pair;
    };
    for (const auto& [words, number] : {std::pair{"this head", "50.0 KiB"}, std::pair{"C = 4096", "2.00 GiB"},
                                        std::pair{"parameters per head", "2,097,152"}}) {
        EXPECT_GT(pair_of(words), 0) << words;
        EXPECT_EQ(pair_of(words), pair_of(number)) << words;
    }
    EXPECT_NE(pair_of("this head"), pair_of("32 heads"));
}

}  // namespace
}  // namespace headcount
