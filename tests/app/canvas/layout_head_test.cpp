// A head's page as data: complete, to scale, inside its area and its cards.
#include <cmath>
#include <map>
#include <set>

#include "core/arch/fields.hpp"
#include "tests/app/canvas/head_stage.hpp"

namespace headcount {
namespace {

using namespace head_stage;

TEST(HeadLayout, DrawsEveryStepOfTheHeadOnce) {
    for_each_head([](const Head& head, const std::string& name) {
        const Scene scene = head.scene();
        for (const Tensor& tensor : head.graph.tensors) {
            if (!head.graph.inside(tensor.block, head.graph.find("layer.attention.head.scores")->block)) continue;
            EXPECT_EQ(slabs_of(scene, tensor.id).size(), 1U) << name << " " << tensor.id;
        }
        for (std::string_view id :
             {"layer.attention.query.weight", "layer.attention.key.weight", "layer.attention.value.weight",
              "layer.attention.output.weight", "layer.attention.queries", "layer.attention.keys",
              "layer.attention.values", "layer.attention.key_cache", "layer.attention.value_cache",
              "layer.attention.joined", "layer.attention.output"})
            EXPECT_EQ(slabs_of(scene, id).size(), 1U) << name << " " << id;
    });
}

TEST(HeadLayout, SlicesHaveTheHeadsColumnsAndStepByThem) {
    const Scene scene = Head(preset("llama-3-8b")).scene();
    for (std::string_view id : {"layer.attention.query.weight", "layer.attention.key.weight"}) {
        const Slab slice = slab_of(scene, id);
        EXPECT_EQ(slice.rows, 4096);
        EXPECT_EQ(slice.columns, 128);
        EXPECT_EQ(slice.column_step, 128);
    }
    const Slab output = slab_of(scene, "layer.attention.output.weight");
    EXPECT_EQ(output.rows, 128);
    EXPECT_EQ(output.columns, 4096);
    EXPECT_EQ(output.row_step, 128);
    EXPECT_EQ(slabs_of(Head(preset("gpt2")).scene(), "layer.attention.key.bias").size(), 1U);
}

TEST(HeadLayout, KeepsEverythingInItsAreaAndItsCards) {
    for_each_head([](const Head& head, const std::string& name) {
        for (Rect area : {small, middle, large}) {
            const Scene scene = head.scene(area);
            const Rect card = frame_of(scene, FrameKind::card).rect, cache = frame_of(scene, FrameKind::cache).rect;
            EXPECT_TRUE(holds(area, card)) << name;
            EXPECT_TRUE(holds(area, cache)) << name;
            for (const Slab& slab : scene.slabs) {
                EXPECT_TRUE(holds(area, slab.rect)) << name << " " << slab.id << " in " << area.width();
                if (slab.grid_columns > 0) continue;
                if (slab.id.starts_with("layer.attention.head.")) {
                    EXPECT_TRUE(holds(card, slab.rect)) << name << " " << slab.id << " in " << area.width();
                } else if (slab.id.ends_with("_cache")) {
                    EXPECT_TRUE(holds(cache, slab.rect)) << name << " " << slab.id << " in " << area.width();
                } else {
                    EXPECT_FALSE(slab.rect.overlaps(card)) << name << " " << slab.id << " in " << area.width();
                    EXPECT_FALSE(slab.rect.overlaps(cache)) << name << " " << slab.id << " in " << area.width();
                }
            }
        }
    });
}

TEST(HeadLayout, NoTwoMatricesLieOverEachOther) {
    for_each_head([](const Head& head, const std::string& name) {
        for (Rect area : {small, middle, large}) {
            const Scene scene = head.scene(area);
            for (const Slab& a : scene.slabs)
                for (const Slab& b : scene.slabs)
                    EXPECT_FALSE(&a < &b && a.rect.overlaps(b.rect)) << name << " " << a.id << " " << b.id;
        }
    });
}

TEST(HeadLayout, HasOneScaleInTheCardAndOneOutside) {
    for_each_head([](const Head& head, const std::string& name) {
        const Scene scene = head.scene();
        for (const Slab& slab : scene.slabs) {
            if (slab.grid_columns > 0 || slab.id.ends_with("_cache")) continue;
            const bool inside = slab.id.starts_with("layer.attention.head.");
            const float scale = inside ? scene.layer_scale : scene.model_scale;
            const float width = static_cast<float>(slab.columns) * scale,
                        height = static_cast<float>(slab.rows) * scale;
            auto to_scale = [](float drawn, float side, bool cut) {
                return cut ? drawn < side : std::abs(drawn - std::max(side, least_side)) < 0.1F;
            };
            EXPECT_TRUE(to_scale(slab.rect.width(), width, slab.cut_right)) << name << " " << slab.id;
            EXPECT_TRUE(to_scale(slab.rect.height(), height, slab.cut)) << name << " " << slab.id;
            EXPECT_EQ(slab.thickened, std::min(width, height) < least_side) << name << " " << slab.id;
        }
    });
}

TEST(HeadLayout, SidesThatTwoFactorsShareAreEqualAndSideBySide) {
    for_each_head([](const Head& head, const std::string& name) {
        const Scene scene = head.scene();
        auto at = [&](std::string_view step) { return slab_of(scene, "layer.attention.head." + std::string(step)); };
        const Rect queries = at("queries").rect, keys = at("keys").rect, values = at("values").rect;
        const Rect scores = at("scores").rect, weights = at("weights").rect, output = at("output").rect;
        EXPECT_EQ(queries.min.y, scores.min.y) << name;  // rows of Q and S
        EXPECT_FLOAT_EQ(queries.height(), scores.height()) << name;
        EXPECT_EQ(keys.min.x, scores.min.x) << name;  // columns of the keys and S
        EXPECT_FLOAT_EQ(keys.width(), scores.width()) << name;
        EXPECT_NEAR(keys.height(), queries.width(), 0.01F) << name;  // the inner dimension
        EXPECT_EQ(weights.min.x, scores.min.x) << name;
        EXPECT_NEAR(values.height(), weights.width(), 0.01F) << name;
        EXPECT_EQ(values.min.x, output.min.x) << name;
        EXPECT_EQ(weights.min.y, output.min.y) << name;
        EXPECT_LT(queries.max.x, scores.min.x) << name;
        EXPECT_LT(keys.max.y, scores.min.y) << name;
    });
}

TEST(HeadLayout, TheKeysAreTransposedAndScoresAreCausalBehindTheCachedTokens) {
    const Scene scene = Head(preset("llama-2-7b"), {.tokens = 3, .cached = 100}).scene();
    const Slab keys = slab_of(scene, "layer.attention.head.keys"),
               scores = slab_of(scene, "layer.attention.head.scores");
    EXPECT_TRUE(keys.transposed);
    EXPECT_EQ(keys.rows, 128);
    EXPECT_EQ(keys.columns, 103);
    ASSERT_TRUE(scores.mask);
    EXPECT_EQ(scores.mask->kind, Mask::Kind::causal);
    EXPECT_EQ(scores.rows, 3);
    EXPECT_EQ(scores.columns - scores.rows, 100);  // how far the diagonal is shifted
    EXPECT_TRUE(slab_of(scene, "layer.attention.head.weights").mask);
    EXPECT_EQ(slab_of(scene, "layer.attention.key_cache").rows, 103);
    EXPECT_EQ(slab_of(scene, "layer.attention.keys").rows, 3);
}

TEST(HeadLayout, FansFromAPairOfKeysAndValuesToTheHeadsThatShareIt) {
    const Scene scene = Head(preset("llama-3-8b")).scene();
    EXPECT_TRUE(says(scene, "K/V pair {kv}"));
    EXPECT_TRUE(says(scene, "serves 4 of 32 query heads"));
    EXPECT_EQ(
        std::count_if(scene.slabs.begin(), scene.slabs.end(), [](const Slab& each) { return each.grid_columns == 4; }),
        1);

    Architecture one = *with_field(preset("llama-2-7b"), Field::kv_heads, "1");
    const Scene shared = Head(one).scene(large);
    EXPECT_TRUE(says(shared, "One K/V pair"));
    EXPECT_TRUE(says(shared, "all 32 query heads share it"));
    EXPECT_TRUE(says(shared, "... 32"));
}

TEST(HeadLayout, StaysClearOfThePagesEdge) {
    for_each_head([](const Head& head, const std::string& name) {
        for (Rect area : {small, middle, large}) {
            const Scene scene = head.scene(area);
            const Rect inner{{area.min.x + 12, area.min.y + 8}, {area.max.x - 12, area.max.y - 8}};
            for (const Slab& slab : scene.slabs) EXPECT_TRUE(holds(inner, slab.rect)) << name << " " << slab.id;
            for (const Frame& frame : scene.frames) EXPECT_TRUE(holds(inner, frame.rect)) << name << " " << frame.id;
            for (const Label& label : scene.labels)
                EXPECT_TRUE(holds(inner, ink_of(label), 2)) << name << " " << label.text << " in " << area.width();
        }
    });
}

TEST(HeadLayout, WiresFollowTheData) {
    const Scene scene = Head(preset("llama-2-7b")).scene();
    std::multiset<std::string> flows;
    std::ptrdiff_t arcs = 0;
    for (const Wire& wire : scene.wires) {
        arcs += wire.faint ? 1 : 0;
        if (!wire.faint) flows.insert(wire.tensor);
    }
    EXPECT_EQ(arcs, 6);
    EXPECT_EQ(flows.count("layer.attention.norm"), 3U);
    for (const char* once : {"layer.attention.head.queries", "layer.attention.head.keys", "layer.attention.head.values",
                             "layer.attention.key_cache", "layer.attention.value_cache", "layer.attention.head.weights",
                             "layer.attention.joined"})
        EXPECT_EQ(flows.count(once), 1U) << once;
    EXPECT_EQ(flows.count("layer.attention.head.output"), 2U);  // to the card's edge, and from there
}

TEST(HeadLayout, ScalesWithTheInterface) {
    const Head head(preset("llama-3-8b"));
    const Scene one = head.scene({{0, 0}, {900, 620}});
    for (float unit : {0.75F, 2.0F}) {
        const Scene other = head.scene({{0, 0}, {900 * unit, 620 * unit}}, unit);
        ASSERT_EQ(other.slabs.size(), one.slabs.size());
        ASSERT_EQ(other.labels.size(), one.labels.size());
        for (std::size_t i = 0; i < one.slabs.size(); ++i)
            EXPECT_NEAR(other.slabs[i].rect.min.x, unit * one.slabs[i].rect.min.x, 2) << one.slabs[i].id;
    }
}

TEST(HeadLayout, StaysInItsAreaWhateverTheSizes) {
    const Architecture llama = preset("llama-2-7b");
    for (auto [field, value] :
         {std::pair{Field::dim, "1048576"}, std::pair{Field::dim, "32"}, std::pair{Field::head_dim, "65536"},
          std::pair{Field::head_dim, "2"}, std::pair{Field::heads, "1"}, std::pair{Field::kv_heads, "2"}}) {
        const Result<Architecture> edited = with_field(llama, field, value);
        if (!edited) continue;
        for (std::int64_t tokens : {1, 1'000'000})
            for (Rect area : {small, large})
                for (const Slab& slab : Head(*edited, {.tokens = tokens}).scene(area).slabs)
                    EXPECT_TRUE(holds(area, slab.rect, 1)) << info(field).key << "=" << value << " " << slab.id;
    }
}

}  // namespace
}  // namespace headcount
