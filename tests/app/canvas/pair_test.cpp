// Two models of a comparison stand beside each other at one scale.
#include <gtest/gtest.h>

#include <set>

#include "tests/app/canvas/pair_stage.hpp"

namespace headcount {
namespace {

std::int64_t matrices(const Scene& scene) {
    return std::count_if(scene.slabs.begin(), scene.slabs.end(),
                         [](const Slab& slab) { return !slab.id.ends_with(".bias"); });
}

bool says(const Atlas& atlas, std::string_view id, std::string_view words) {
    const std::vector<Label>& labels = atlas.pages.front().scene.labels;
    return std::any_of(labels.begin(), labels.end(),
                       [&](const Label& label) { return label.id == id && label.text == words; });
}

double sides(const LayoutInput& input, std::string_view id, std::size_t axis) {
    const Tensor* const tensor = input.model.graph.find(id);
    if (axis == 0 && tensor->shape.rank() == 1) return 1;
    const Expr& side = tensor->shape[axis == 0 ? 0 : tensor->shape.rank() - 1];
    return static_cast<double>(*evaluate(side, input.model.bindings));
}

// Presets of which each two differ otherwise: sizes, groups, latent attention, mixtures, positions, biases, ties.
std::vector<std::pair<std::string, std::string>> pairs() {
    return {{"llama-2-7b", "llama-3-8b"},       {"llama-3-8b", "deepseek-v3"}, {"gpt2", "mixtral-8x7b"},
            {"gemma-2-2b", "olmo-2-13b"},       {"opt-350m", "qwen3-30b-a3b"}, {"bloom-7b1", "gpt-oss-20b"},
            {"llama-4-scout-text", "gpt-j-6b"}, {"llama-2-7b", "llama-2-7b"},  {"gemma-3n-e4b", "gemma-3n-e2b"}};
}

template <class Claim>
void for_all_pairs(Claim claim) {
    for (const auto& [first, second] : pairs())
        for (const Size& size : pair_sizes) {
            SCOPED_TRACE(first + " and " + second + text_of(size));
            const Model a(preset(first)), b(preset(second));
            claim(a, b, size);
        }
}

TEST(Pair, HasOneScaleAndTheSamePlacesOnBothSides) {
    std::size_t together = 0;
    for_all_pairs([&](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        const Scene &left = pair.a.pages.front().scene, &right = pair.b.pages.front().scene;
        EXPECT_EQ(left.model_scale, right.model_scale);
        EXPECT_EQ(left.layer_scale, right.layer_scale);
        ASSERT_EQ(left.doors.size(), right.doors.size());
        for (std::size_t i = 0; i < left.doors.size(); ++i) EXPECT_EQ(left.doors[i].rect, right.doors[i].rect);
        // What one side lacks is an outline there, if there is room for it.
        const bool apart = matrices(left) != matrices(right);
        together += apart ? 0 : 1;
        if (apart) {
            EXPECT_EQ(&size, &pair_sizes[0]);
            for (const Scene* scene : {&left, &right})
                for (const Slab& slab : scene->slabs)
                    EXPECT_TRUE(slab.look != SlabLook::absent || !slab.id.starts_with("layer.")) << slab.id;
        }
        for (const Slab& slab : left.slabs) {
            const Slab* const there = single_slab(right, slab.id);
            // A tied head is the embedding once more; a bias stands below the end of its weight.
            const bool own =
                slab.look == SlabLook::ghost || slab.id.ends_with(".bias") || (apart && slab.id.starts_with("layer."));
            if (!there || own || there->look == SlabLook::ghost) continue;
            EXPECT_NEAR(there->rect.min.x, slab.rect.min.x, 0.01) << slab.id;
            EXPECT_NEAR(there->rect.min.y, slab.rect.min.y, 0.01) << slab.id;
        }
    });
    EXPECT_GE(together, pairs().size() * (std::size(pair_sizes) - 1) + pairs().size() / 2);
}

TEST(Pair, DrawsWhatBothHaveInTheRatioOfItsNumbers) {
    for_all_pairs([](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        const LayoutInput left = pair_input(a, b, size, false), right = pair_input(b, a, size, true);
        const float least = least_side * size.unit + 0.01F;
        int compared = 0;
        for (const Slab& slab : pair.a.pages.front().scene.slabs) {
            const Slab* const there = single_slab(pair.b.pages.front().scene, slab.id);
            if (!there || slab.look != SlabLook::parameter || there->look != SlabLook::parameter) continue;
            ++compared;
            for (const std::size_t axis : {0U, 1U}) {
                const double one = sides(left, slab.id, axis), other = sides(right, slab.id, axis);
                const float here = axis == 0 ? slab.rect.height() : slab.rect.width();
                const float beside = axis == 0 ? there->rect.height() : there->rect.width();
                EXPECT_TRUE(one != other || std::abs(here - beside) <= 0.5F) << slab.id;
                if (here <= least || beside <= least) continue;
                const double ratio = drawn_side(other, size.log_sides) / drawn_side(one, size.log_sides);
                EXPECT_NEAR(static_cast<double>(beside) / static_cast<double>(here), ratio, 1e-3 * ratio) << slab.id;
            }
        }
        EXPECT_GT(compared, 0);
    });
}

// The fault that Gemma 3n's rows for each layer, a third of its parameters, were in no picture.
TEST(Pair, DrawsWhateverOutsideOfLayersIsLarge) {
    for_all_pairs([](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        for (const auto& [input, atlas] :
             {std::pair(pair_input(a, b, size, false), &pair.a), std::pair(pair_input(b, a, size, true), &pair.b)}) {
            const ModelGraph& graph = input.model.graph;
            const std::int64_t large =
                *evaluate(element_count(graph.find("embedding.weight")->shape), input.model.bindings) / 100;
            for (const Tensor& tensor : graph.tensors) {
                if (tensor.role != Role::parameter || graph.layer_of(tensor.block)) continue;
                if (*evaluate(element_count(tensor.shape), input.model.bindings) < large) continue;
                EXPECT_TRUE(single_slab(atlas->pages.front().scene, tensor.id)) << tensor.id;
            }
        }
    });
    const Model larger(preset("gemma-3n-e4b")), smaller(preset("gemma-3n-e2b"));
    for (const Size& size : {pair_sizes[1], pair_sizes[2]}) {
        const PairStage pair(larger, smaller, size);
        EXPECT_TRUE(says(pair.b, "layer_embedding.weight", "-336 M"));
        EXPECT_TRUE(says(pair.b, "layer_projection.weight", "-2.62 M"));
    }
}

TEST(Pair, OutlinesTheOtherSideFromTheSameCorner) {
    const Model a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const PairStage pair(a, b, pair_sizes[1]);
    for (const std::string_view id : {"embedding.weight", "output_head.weight", "layer.attention.key.weight",
                                      "layer.feed_forward.up.weight", "layer.feed_forward.down.weight"}) {
        const Slab* const left = single_slab(pair.a.pages.front().scene, id);
        const Slab* const right = single_slab(pair.b.pages.front().scene, id);
        ASSERT_TRUE(left && right && left->base && right->base) << id;
        EXPECT_NEAR(left->base->max.x, right->rect.max.x, 0.01) << id;
        EXPECT_NEAR(left->base->max.y, right->rect.max.y, 0.01) << id;
        EXPECT_NEAR(right->base->max.x, left->rect.max.x, 0.01) << id;
        EXPECT_NEAR(right->base->max.y, left->rect.max.y, 0.01) << id;
    }
    EXPECT_FALSE(single_slab(pair.a.pages.front().scene, "layer.attention.query.weight")->base) << "it is the same";
}

TEST(Pair, SaysOnTheSecondSideWhatHasChanged) {
    const Model a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const PairStage pair(a, b, pair_sizes[1]);
    EXPECT_TRUE(says(pair.b, "layer.attention.key.weight", "-12.6 M"));
    EXPECT_TRUE(says(pair.b, "layer.feed_forward.gate.weight", "+13.6 M"));
    EXPECT_TRUE(says(pair.b, "layer.attention.query.weight", "same"));
    EXPECT_TRUE(says(pair.b, "embedding.weight", "+394 M"));
    EXPECT_FALSE(says(pair.a, "layer.attention.key.weight", "+12.6 M")) << "nothing is said twice";
    const Model mixture(preset("mixtral-8x7b"));
    const PairStage other(a, mixture, pair_sizes[2]);
    EXPECT_TRUE(says(other.a, "layer.feed_forward.expert.up.weight", "not here"));
    EXPECT_TRUE(says(other.b, "layer.feed_forward.expert.up.weight", "only here"));
    EXPECT_TRUE(says(other.a, "layer.feed_forward.up.weight", "only here"));
}

TEST(Pair, TellsADecodersTwoAttentionsApart) {
    const Model encoder(preset("bert-base-uncased")), both(preset("t5-base"));
    const PairStage pair(encoder, both, pair_sizes[2]);
    const std::vector<Label>& labels = pair.b.pages.front().scene.labels;
    for (const char* name : {"W_q", "W_q cross", "W_o", "W_o cross"})
        EXPECT_EQ(std::ranges::count(labels, name, &Label::text), 1) << name;
}

TEST(Pair, SaysShapesBeforeWhatFollowsFromThem) {
    const Model a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const PairStage pair(a, b, {{{12, 0}, {388, 363}}, 1});  // as a projector's window has it
    for (const auto& [atlas, shapes] : {std::pair(&pair.a, std::pair("4096 × 4096", "11008 × 4096")),
                                        std::pair(&pair.b, std::pair("4096 × 1024", "14336 × 4096"))}) {
        const auto says = [&](std::string_view id, std::string_view words) {
            return std::ranges::any_of(atlas->pages.front().scene.labels,
                                       [&](const Label& label) { return label.id == id && label.text == words; });
        };
        EXPECT_TRUE(says("layer.attention.key.weight", shapes.first)) << shapes.first;
        EXPECT_TRUE(says("layer.feed_forward.down.weight", shapes.second)) << shapes.second;
    }
}

TEST(Pair, KeepsMatricesApartAndInside) {
    for_all_pairs([](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        for (const Atlas* atlas : {&pair.a, &pair.b}) {
            const std::vector<Slab>& slabs = atlas->pages.front().scene.slabs;
            for (std::size_t i = 0; i < slabs.size(); ++i) {
                const Rect own = slabs[i].base ? Rect{slabs[i].rect.min,
                                                      {std::max(slabs[i].rect.max.x, slabs[i].base->max.x),
                                                       std::max(slabs[i].rect.max.y, slabs[i].base->max.y)}}
                                               : slabs[i].rect;
                EXPECT_TRUE(Rect({{-1, -1}, {atlas->area.max.x + 1, atlas->area.max.y + 1}}).holds(own)) << slabs[i].id;
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_FALSE(own.overlaps(slabs[j].rect)) << slabs[i].id << " and " << slabs[j].id;
            }
        }
    });
}

TEST(Pair, NamesMatricesOfOneHeightAtOneHeight) {
    const Model a(preset("whisper-tiny")), b(preset("t5-small"));  // the keys of the first have no bias
    int names = 0;
    for (const Size& size : pair_sizes) {
        const PairStage pair(a, b, size);
        for (const Atlas* const atlas : {&pair.a, &pair.b}) {
            std::optional<float> below;
            for (const Label& label : atlas->pages.front().scene.labels) {
                const bool small = label.text == "W_q" || label.text == "W_k" || label.text == "W_v";
                if (!small || !label.matrix || label.matrix->max.y > label.at.y) continue;
                const float own = label.at.y - label.matrix->min.y;
                EXPECT_NEAR(below.value_or(own), own, 0.01F) << label.id << text_of(size);
                below = own;
                ++names;
            }
        }
    }
    EXPECT_GE(names, 20);
}

TEST(Pair, KeepsNumbersBesideEachOtherFurtherApartThanWords) {
    constexpr float a_letter = 6.6F;
    int pairs = 0;
    for_all_pairs([&](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        std::vector<const Label*> numbers;
        for (const Label& label : pair.b.pages.front().scene.labels)
            if (label.role == TextRole::number && label.matrix && label.id.starts_with("layer."))
                numbers.push_back(&label);
        for (const Label* const left : numbers)
            for (const Label* const right : numbers) {
                const bool beside = left->id != right->id && left->at.y == right->at.y && left->at.x < right->at.x;
                const bool below = left->at.y > left->matrix->max.y && right->at.y > right->matrix->max.y;
                if (!beside || !below) continue;
                ++pairs;
                EXPECT_GE(right->at.x - left->at.x - left->width, 1.8F * a_letter * size.unit)
                    << left->text << " and " << right->text;
            }
    });
    EXPECT_GT(pairs, 0);
}

TEST(Pair, DrawsEveryPageThatBothHaveAtOneScale) {
    for_all_pairs([](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        EXPECT_FALSE(exceeds(pair.a, pair.scales));
        EXPECT_FALSE(exceeds(pair.b, pair.scales));
        int shared = 0;
        for (const Page& page : pair.a.pages)
            for (const Page& other : pair.b.pages) {
                if (!page.around || plain_block(pair.a, page.block) != plain_block(pair.b, other.block)) continue;
                ++shared;
                const double here = static_cast<double>(page.scene.model_scale) * page.filling;
                const double there = static_cast<double>(other.scene.model_scale) * other.filling;
                EXPECT_NEAR(here / there, 1, 2e-3) << page.block;
            }
        EXPECT_GE(shared, 2);
    });
}

// A place of one side in the middle of a canvas, seen on both.
void expect_same_place(const PairStage& pair, std::string_view id, std::int64_t copy = 0) {
    const std::optional<Stop> stop = find_place(pair.a, id, copy);
    ASSERT_TRUE(stop) << id;
    const Camera camera = camera_at(*stop, pair.a, Lens(home(pair.a), pair.size.area), pair.size.unit);
    const Camera there = same_place(camera, pair.a, pair.b);
    const Lens lens(there, pair.size.area);
    const std::vector<Stop> way = way_here(pair.b, lens, seen_pages(pair.b, lens));
    EXPECT_EQ(way.back().id, stop->id);
}

TEST(Pair, SeesTheSamePlaceOnBothSides) {
    const Model a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const PairStage pair(a, b, pair_sizes[1]);
    for (const std::string_view id : {"", "layer", "layer.attention", "layer.feed_forward", "layer.attention.head"})
        expect_same_place(pair, id);
    expect_same_place(pair, "layer.attention.head", 17);
}

TEST(Pair, StaysAtTheNearestAroundWhatOneSideLacks) {
    const Model a(preset("mixtral-8x7b")), b(preset("llama-3-8b"));
    const PairStage pair(a, b, pair_sizes[2]);
    const std::optional<Stop> expert = find_place(pair.a, "layer.feed_forward.expert", 3);
    ASSERT_TRUE(expert);
    const Camera camera = camera_at(*expert, pair.a, Lens(home(pair.a), pair.size.area), pair.size.unit);
    const Lens lens(same_place(camera, pair.a, pair.b), pair.size.area);
    EXPECT_EQ(way_here(pair.b, lens, seen_pages(pair.b, lens)).back().id, "layer.feed_forward");
}

TEST(Pair, SeesMatricesAtOneScaleWhereTheyFillTheCanvas) {
    const Model a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const PairStage pair(a, b, pair_sizes[1]);
    const auto cell_of = [](const Atlas& atlas, const Camera& camera, std::string_view id) {
        const Stop place = *find_place(atlas, id);
        const Page& page = atlas.pages[place.leaf.page];
        const Slab& slab = *single_slab(page.scene, id);
        return placement_of(atlas, place.leaf).world(slab.rect).height() / static_cast<double>(slab.rows) * camera.zoom;
    };
    for (const std::string_view id : {"layer.attention.key.weight", "layer.feed_forward.up.weight"}) {
        const Stop stop = *find_place(pair.a, id);
        const Camera camera = camera_at(stop, pair.a, Lens(home(pair.a), pair.size.area), 1);
        const Camera there = same_place(camera, pair.a, pair.b);
        EXPECT_NEAR(cell_of(pair.b, there, id) / cell_of(pair.a, camera, id), 1, 1e-6) << id;
    }
}

TEST(Pair, AsksTheDriverForLittleOnEitherSide) {
    // What a renderer calls for a drawing, and for each batch: see SceneRenderer::calls.
    constexpr std::size_t each = 33, batch = 2, most = 60;
    const auto count = [&](const Model& model, const Atlas& atlas, const Camera& camera, const Size& size) {
        Stage stage(model, size);
        stage.atlas = atlas;
        stage.camera = camera;
        return each + batch * stage.compose(model).batches.size();
    };
    for_all_pairs([&](const Model& a, const Model& b, const Size& size) {
        const PairStage pair(a, b, size);
        for (const std::string_view id : {"", "layer.attention", "layer.feed_forward", "layer.attention.head"}) {
            const std::optional<Stop> stop = find_place(pair.a, id);
            if (!stop) continue;
            Camera camera = camera_at(*stop, pair.a, Lens(home(pair.a), size.area), size.unit);
            EXPECT_LE(count(a, pair.a, camera, size), most) << id;
            EXPECT_LE(count(b, pair.b, same_place(camera, pair.a, pair.b), size), most) << id;
        }
    });
}

}  // namespace
}  // namespace headcount
