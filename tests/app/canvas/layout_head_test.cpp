// A head's page as data: complete, to scale, inside its area and its cards, legible.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/canvas/layout.hpp"
#include "core/arch/fields.hpp"
#include "core/files/assets.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

constexpr Rect small{{0, 0}, {700, 480}}, middle{{16, 40}, {916, 660}}, large{{0, 0}, {1400, 960}};

// 7 pixels a character, however many bytes it takes.
float stub_width(std::string_view text, TextRole /*role*/) {
    return 7.0F * static_cast<float>(std::count_if(
                      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct Head {
    explicit Head(const Architecture& architecture, const Input& input = {})
        : graph(expand(architecture, input.cached > 0 ? Cache::filled : Cache::empty)),
          numbers(bindings(architecture, input)) {}

    Scene scene(Rect area = middle, float unit = 1) const {
        auto width = [unit](std::string_view text, TextRole role) { return unit * stub_width(text, role); };
        return layout_head({{graph, numbers}, {graph, numbers}, area, unit, width});
    }

    ModelGraph graph;
    Bindings numbers;
};

Architecture preset(std::string_view id) {
    static const std::vector<Preset> all = *load_presets(*assets_directory() / "presets");
    return find_preset(all, id)->architecture;
}

// Every preset that is tested, with every input.
template <class Check>
void for_each_head(Check check) {
    for (std::string_view id : {"llama-2-7b", "llama-3-8b", "gpt2", "smollm2-135m", "mistral-7b", "llama-3.1-405b"})
        for (std::int64_t tokens : {1, 100, 8192, 1'000'000})
            for (std::int64_t cached : {0, 100, 1'000'000}) {
                const Head head(preset(id), {.tokens = tokens, .cached = cached});
                check(head, std::string(id) + " T=" + std::to_string(tokens) + " P=" + std::to_string(cached));
            }
}

std::vector<Slab> slabs_of(const Scene& scene, std::string_view id) {
    std::vector<Slab> found;
    std::copy_if(scene.slabs.begin(), scene.slabs.end(), std::back_inserter(found),
                 [&](const Slab& slab) { return slab.id == id && slab.grid_columns == 0; });
    return found;
}

Slab slab_of(const Scene& scene, std::string_view id) {
    const std::vector<Slab> found = slabs_of(scene, id);
    EXPECT_EQ(found.size(), 1U) << id;
    return found.empty() ? Slab{} : found.front();
}

const Frame& frame_of(const Scene& scene, FrameKind kind) {
    return *std::find_if(scene.frames.begin(), scene.frames.end(),
                         [&](const Frame& each) { return each.kind == kind; });
}

bool says(const Scene& scene, std::string_view text) {
    return std::any_of(scene.labels.begin(), scene.labels.end(), [&](const Label& each) { return each.text == text; });
}

// Where there is ink, as the labels are dropped by.
Rect ink_of(const Label& label) {
    const float width = stub_width(label.text, label.role);
    const float left = label.at.x - (label.anchor == Anchor::left     ? 0
                                     : label.anchor == Anchor::centre ? width / 2
                                                                      : width);
    return {{left, label.at.y + 2}, {left + width, label.at.y + 13}};
}

bool holds(const Rect& outer, const Rect& inner, float slack = 0.5F) {
    return inner.min.x >= outer.min.x - slack && inner.max.x <= outer.max.x + slack &&
           inner.min.y >= outer.min.y - slack && inner.max.y <= outer.max.y + slack;
}

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
    EXPECT_TRUE(scores.causal);
    EXPECT_EQ(scores.rows, 3);
    EXPECT_EQ(scores.columns - scores.rows, 100);  // how far the diagonal is shifted
    EXPECT_TRUE(slab_of(scene, "layer.attention.head.weights").causal);
    EXPECT_EQ(slab_of(scene, "layer.attention.key_cache").rows, 103);
    EXPECT_EQ(slab_of(scene, "layer.attention.keys").rows, 3);
}

TEST(HeadLayout, CutsLongSidesAndSaysHowLongTheyAre) {
    const Scene scene = Head(preset("llama-2-7b"), {.tokens = 1'000'000}).scene(small);
    const Slab scores = slab_of(scene, "layer.attention.head.scores");
    EXPECT_TRUE(scores.cut);
    EXPECT_TRUE(scores.cut_right);
    EXPECT_TRUE(scene.cut);
    EXPECT_TRUE(says(scene, "1000000 × 1000000"));
    EXPECT_TRUE(says(scene, "128 × 1000000"));
    EXPECT_FALSE(Head(preset("llama-2-7b")).scene().cut);
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
                                     "sums to 1",
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
    EXPECT_TRUE(says(full, "+1 row of 128"));
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
