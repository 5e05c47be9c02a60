// The pages of an atlas: where they lie, when they are seen, and what stays in sight when the model is edited.
#include "app/canvas/arrange/atlas.hpp"

#include <gtest/gtest.h>

#include "core/arch/fields.hpp"
#include "core/arch/validate.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

double overlap(const WorldRect& a, const WorldRect& b) {
    const double across = std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x);
    const double down = std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y);
    return across > 0 && down > 0 ? across * down : 0;
}

TEST(Atlas, EveryPageFillsItsDoor) {
    for (const Model& model : all_models())
        for (const Size& size : canvas_sizes) {
            const Stage stage(model, size);
            const auto& pages = stage.atlas.pages;
            // The model, and of each layer that it draws what mixes tokens, its heads, the feed-forward, an expert.
            std::size_t expected = 1;
            for (const Frame& frame : pages.front().scene.frames)
                for (const Block& block : model.graph.blocks) {
                    const bool inside = frame.kind == FrameKind::layer && block.id.starts_with(frame.id + ".");
                    // What stands side by side is drawn on the page around both.
                    const bool beside =
                        inside && block.kind == BlockKind::mixer && model.graph.is(*block.parent, BlockKind::mixer);
                    expected += inside && !beside && block.kind != BlockKind::shared ? 1 : 0;
                }
            ASSERT_EQ(pages.size(), expected) << model.name;
            for (PageIndex i = 1; i < pages.size(); ++i) {
                const Door& door = pages[*pages[i].around].scene.doors[pages[i].door];
                EXPECT_EQ(door.block, pages[i].block);
                for (std::int64_t copy : {std::int64_t{0}, door.count / 2, door.count - 1}) {
                    const WorldRect page = placement_of(stage.atlas, {i, copy}).world(pages[i].bounds);
                    const WorldRect cell = placement_of(stage.atlas, {*pages[i].around, 0}).world(door.cell(copy));
                    const double slack = 1e-3 * cell.width();
                    // In a card that is too low for it, it is in the middle, as tall as that or as wide.
                    if (pages[i].own_ground && !door.grid) {
                        EXPECT_NEAR(page.centre().x, cell.centre().x, slack) << model.name;
                        EXPECT_NEAR(page.centre().y, cell.centre().y, slack) << model.name;
                        EXPECT_NEAR(std::max(page.width() / cell.width(), page.height() / cell.height()), 1, 1e-3);
                        continue;
                    }
                    EXPECT_NEAR(page.min.x, cell.min.x, slack) << model.name << " " << page.min.x;
                    EXPECT_NEAR(page.min.y, cell.min.y, slack) << model.name;
                    EXPECT_NEAR(page.width(), cell.width(), slack) << model.name;
                    EXPECT_NEAR(page.height(), cell.height(), slack) << model.name;
                }
            }
        }
}

TEST(Atlas, AtHomeThereIsOnlyTheModelAndAtAPlaceThatPage) {
    for (const Model& model : preset_models())
        for (const Size& size : canvas_sizes) {
            Stage stage(model, size);
            const std::string name = model.name + text_of(size);
            ASSERT_EQ(stage.seen().size(), 1U) << name;
            EXPECT_EQ(stage.seen().front().clarity, 1) << name;
            for (const std::string& id : model.pages()) {
                const Stop stop = *find_place(stage.atlas, id);
                stage.go(stop);
                const std::vector<SeenPage> seen = stage.seen();
                const auto page = std::find_if(seen.begin(), seen.end(),
                                               [&](const SeenPage& each) { return each.leaf == stop.leaf; });
                ASSERT_NE(page, seen.end()) << name << " " << id;
                EXPECT_GT(page->clarity, 0.99F) << name << " " << id;
            }
        }
}

TEST(Atlas, PagesAreLaidOutOnlyWhereOneComesNear) {
    const Model model(preset("llama-2-7b"));
    const LayoutInput input = layout_input(model, canvas_sizes[1]);
    const Atlas near = lay_out_atlas(input), far = lay_out_atlas(input, false);
    EXPECT_EQ(far.pages.size(), 1U);
    EXPECT_EQ(far.pages.front().scene.slabs.size(), near.pages.front().scene.slabs.size());
    EXPECT_EQ(seen_pages(far, Lens({.x = 500, .y = 200, .zoom = 50}, canvas_sizes[1].area)).size(), 1U);
}

// What an edit takes away, its preset still has: nothing may be looked for on the pages that is only there.
TEST(Atlas, IsLaidOutAfterAnyOneEditOfAPreset) {
    int edits = 0;
    for (const char* id :
         {"deepseek-v3", "qwen2-57b-a14b", "gpt-oss-20b", "gemma-3-1b", "gpt2", "command-r7b", "bloom-560m"}) {
        const Model base(preset(id));
        for (const FieldInfo& field : fields())
            for (const char* text :
                 {"0", "1", "none", "auto", "true", "false", "learned", "relu", "parallel", "after"}) {
                const Result<Architecture> edited = with_field(preset(id), field.field, text);
                if (!edited || *edited == preset(id) || !validate(*edited).empty()) continue;
                SCOPED_TRACE(std::string(id) + " " + std::string(field.key) + "=" + text);
                const Model model(*edited);
                EXPECT_FALSE(lay_out_atlas(layout_input(model, canvas_sizes[1], &base)).pages.empty());
                ++edits;
            }
    }
    EXPECT_GT(edits, 200);
}

struct Edit {
    Field field;
    std::string value;
};

// What is in sight of a place, as a share of what could be: of the place, or of the screen where it is larger.
double in_sight(const Stage& stage, const Stop& stop) {
    const WorldRect seen = stage.lens().seen();
    const double possible = std::min(stop.rect.width(), seen.width()) * std::min(stop.rect.height(), seen.height());
    return overlap(stop.rect, seen) / possible;
}

template <class Check>
void for_each_edit(Check check) {
    const Edit edits[] = {{Field::dim, "2048"},      {Field::dim, "8192"},          {Field::heads, "16"},
                          {Field::heads, "64"},      {Field::kv_heads, "4"},        {Field::ffn_dim, "2000"},
                          {Field::ffn_dim, "40000"}, {Field::vocab, "1000"},        {Field::tied, "true"},
                          {Field::gated, "false"},   {Field::positions, "learned"}, {Field::norm_placement, "after"}};
    const Architecture before = preset("llama-2-7b");
    for (const Edit& edit : edits) check(before, *with_field(before, edit.field, edit.value), Input{}, edit.value);
    check(before, before, Input{.tokens = 5000}, std::string("tokens"));
    check(before, before, Input{.tokens = 1, .cached = 100}, std::string("cached"));
}

TEST(Atlas, APlaceStaysInSightWhenTheModelIsEdited) {
    for_each_edit([](const Architecture& before, const Architecture& after, const Input& input,
                     const std::string& edit) {
        const Model was(before), is(after, input);
        for (const Size& size : canvas_sizes) {
            Stage from(was, size), to(is, size);
            for (std::string_view id : {"", "layer", "layer.attention", "layer.feed_forward", "layer.attention.head"})
                for (std::int64_t copy : {0, 15}) {
                    if (copy > 0 && !id.ends_with("head")) continue;
                    from.go(*find_place(from.atlas, id, copy));
                    to.camera = carried_over(from.camera, from.atlas, to.atlas);
                    const Stop stop = *find_place(to.atlas, id, copy);
                    EXPECT_GT(in_sight(to, stop), 0.7) << edit << text_of(size) << ": '" << id << "'";
                    const std::vector<Stop> way = to.way();
                    EXPECT_TRUE(id.empty() || id == "layer" || way.back().leaf.page == stop.leaf.page)
                        << edit << text_of(size) << ": '" << id << "'";
                }
        }
    });
}

TEST(Atlas, APlaceStaysInSightWhenTheScreenHasAnotherSize) {
    const Model model(preset("llama-2-7b"));
    for (const Size& was : canvas_sizes)
        for (const Size& is : canvas_sizes)
            for (std::string_view id : {"layer.attention", "layer.feed_forward", "layer.attention.head",
                                        "layer.attention.query.weight", "layer.feed_forward.down.weight"}) {
                Stage from(model, was), to(model, is);
                from.go(*find_place(from.atlas, id, 0));
                to.camera = carried_over(from.camera, from.atlas, to.atlas);
                EXPECT_GT(in_sight(to, *find_place(to.atlas, id, 0)), 0.7)
                    << text_of(was) << text_of(is) << ": '" << id << "'";
            }
}

TEST(Atlas, AMatrixStaysInSightWhenTheModelIsEdited) {
    for_each_edit([](const Architecture& before, const Architecture& after, const Input& input,
                     const std::string& edit) {
        const Model was(before), is(after, input);
        for (const Size& size : canvas_sizes) {
            Stage from(was, size), to(is, size);
            for (std::string_view id :
                 {"embedding.weight", "layer.attention.query.weight", "layer.attention.output.weight",
                  "layer.feed_forward.up.weight", "layer.feed_forward.down.weight", "layer.attention.head.scores"}) {
                from.go(*find_place(from.atlas, id, 3));
                to.camera = carried_over(from.camera, from.atlas, to.atlas);
                EXPECT_GT(in_sight(to, *find_place(to.atlas, id, 3)), 0.3) << edit << text_of(size) << ": " << id;
            }
        }
    });
}

TEST(Atlas, ACellStaysInTheMiddleAtItsSizeWhenTheModelIsEdited) {
    for_each_edit(
        [](const Architecture& before, const Architecture& after, const Input& input, const std::string& edit) {
            const Model was(before), is(after, input);
            Stage from(was, canvas_sizes[1]), to(is, canvas_sizes[1]);
            for (std::string_view id : {"embedding.weight", "layer.attention.query.weight",
                                        "layer.attention.output.weight", "layer.feed_forward.down.weight"}) {
                const Cell cell{300, 900};
                from.go(*find_cell(from.atlas, id, 0, cell));
                to.camera = carried_over(from.camera, from.atlas, to.atlas);
                const std::optional<Hit> hit = to.hit(to.size.area.centre());
                ASSERT_TRUE(hit && hit->cell) << edit << ": " << id;
                EXPECT_EQ(hit->id, id) << edit;
                EXPECT_EQ(*hit->cell, cell) << edit << ": " << id;
                EXPECT_EQ(to.way().back().kind, Stop::Kind::cells) << edit << ": " << id;
            }
        });
}

TEST(Atlas, NothingMovesWhenNothingIsEdited) {
    const Model model(preset("llama-3-8b"));
    Chance chance(1);
    for (const Size& size : canvas_sizes) {
        Stage stage(model, size);
        const Atlas same = stage.atlas;
        for (int i = 0; i < 200; ++i) {
            stage.camera = {.x = chance.between(0, static_cast<double>(size.area.width())),
                            .y = chance.between(0, static_cast<double>(size.area.height())),
                            .zoom = chance.ratio(0.5, 1e5)};
            const Camera there = carried_over(stage.camera, stage.atlas, same);
            EXPECT_NEAR((there.x - stage.camera.x) * stage.camera.zoom, 0, 0.01) << stage.camera.zoom;
            EXPECT_NEAR((there.y - stage.camera.y) * stage.camera.zoom, 0, 0.01) << stage.camera.zoom;
            EXPECT_NEAR(there.zoom / stage.camera.zoom, 1, 1e-6);
        }
        EXPECT_EQ(carried_over(home(same), same, same), home(same));
        EXPECT_EQ(carried_over({}, {}, same), home(same));
    }
}

TEST(Atlas, WhereAHeadIsGoneOneIsAtTheLast) {
    Architecture few = preset("llama-2-7b");
    few.layer.attention.heads = few.layer.attention.kv_heads.emplace(4);
    few.layer.attention.head_dim = 128;
    const Model many(preset("llama-2-7b")), less(few);
    Stage from(many, canvas_sizes[1]), to(less, canvas_sizes[1]);
    from.go(*find_place(from.atlas, "layer.attention.head", 31));
    to.camera = carried_over(from.camera, from.atlas, to.atlas);
    const std::vector<Stop> way = to.way();
    EXPECT_EQ(way.back().id, "layer.attention.head");  // the last there is
    EXPECT_EQ(way.back().leaf.copy, 3);
}

}  // namespace
}  // namespace headcount
