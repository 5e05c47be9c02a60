// One drawing of all that is seen: few batches and boxes however large the model is, near the screen, finite.
#include "app/canvas/draw/compose.hpp"

#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_batches = 12;

// From the whole model to a single cell, over places of the model and over random ones, flat and tilted.
template <class Check>
void for_each_camera(Stage& stage, Chance& chance, int rounds, Check check) {
    const WorldRect model = Placement{}.world(stage.atlas.pages.front().bounds);
    for (int i = 0; i < rounds; ++i) {
        WorldPoint at{chance.between(model.min.x, model.max.x), chance.between(model.min.y, model.max.y)};
        if (i % 2 == 1) {  // over a matrix of some page
            const Page& page = stage.atlas.pages[static_cast<std::size_t>(
                chance.whole(0, static_cast<std::int64_t>(stage.atlas.pages.size()) - 1))];
            const auto index = static_cast<PageIndex>(&page - stage.atlas.pages.data());
            const Slab& slab = page.scene.slabs[static_cast<std::size_t>(
                chance.whole(0, static_cast<std::int64_t>(page.scene.slabs.size()) - 1))];
            const WorldRect rect = placement_of(stage.atlas, {index, 0}).world(slab.rect);
            at = {chance.between(rect.min.x, rect.max.x), chance.between(rect.min.y, rect.max.y)};
        }
        stage.camera = {.x = at.x, .y = at.y, .zoom = chance.ratio(least_zoom, i % 3 == 0 ? most_zoom : 300)};
        if (i % 4 == 3) {
            stage.camera.tilt = chance.between(0, most_tilt);
            stage.camera.turn = chance.between(-3.2, 3.2);
        }
        check();
    }
}

void expect_sound(const Stage& stage, const std::string& name) {
    const Drawing& drawing = stage.drawing;
    EXPECT_LE(drawing.batches.size(), most_batches) << name;
    std::size_t boxes = 0, lines = 0;
    for (const Batch& batch : drawing.batches) {
        std::size_t& next = batch.kind == Batch::Kind::boxes ? boxes : lines;
        EXPECT_EQ(batch.first, next) << name;
        EXPECT_GT(batch.count, 0U) << name;
        next += batch.count;
    }
    EXPECT_EQ(boxes, drawing.boxes.size()) << name;
    EXPECT_EQ(lines, drawing.lines.size()) << name;
    // Tilted, what lies towards the horizon is drawn as far as it is looked at.
    const float reach = stage.camera.flat() ? 1200.0F * stage.size.unit : 12'000.0F;
    const auto near = [&](float x, float y) { return std::abs(x) <= reach && std::abs(y) <= reach; };
    for (const Box& box : drawing.boxes) {
        EXPECT_TRUE(near(box.min_x, box.min_y) && near(box.max_x, box.max_y))
            << name << ": " << box.min_x << ", " << box.min_y << " to " << box.max_x << ", " << box.max_y;
        EXPECT_LE(box.min_x, box.max_x) << name;
        EXPECT_LE(box.min_y, box.max_y) << name;
        for (float value : {box.bottom, box.top, box.edge_width, box.radius, box.tab_width, box.dash,
                            box.column_fraction, box.row_fraction, box.columns_a_pixel, box.rows_a_pixel})
            EXPECT_TRUE(std::isfinite(value)) << name;
        EXPECT_GE(box.column_fraction, 0) << name;
        EXPECT_LE(box.column_fraction, 1) << name;
    }
    for (const Line& line : drawing.lines) {
        EXPECT_TRUE(near(line.from_x, line.from_y) && near(line.to_x, line.to_y))
            << name << ": line " << line.from_x << ", " << line.from_y << " to " << line.to_x << ", " << line.to_y;
        EXPECT_TRUE(std::isfinite(line.width + line.arrow + line.height)) << name;
    }
}

TEST(Compose, IsSoundAndOfFewBatchesWhereverOneLooks) {
    Chance chance(1);
    std::vector<Model> models = preset_models();
    for (Model& model : random_models(40)) models.push_back(std::move(model));
    for (const Model& model : models)
        for (const Size& size : canvas_sizes) {
            Stage stage(model, size);
            stage.compose(model);
            expect_sound(stage, model.name + text_of(size) + ", home");
            for_each_camera(stage, chance, 20, [&] {
                stage.compose(model);
                expect_sound(stage, model.name + text_of(size) + ", " + text_of(stage.camera));
            });
        }
}

TEST(Compose, ATokenAndWhatIsLitAddNoBatches) {
    const Model model(preset("llama-2-7b"));
    Chance chance(2);
    Stage stage(model, canvas_sizes[1]);
    for_each_camera(stage, chance, 200, [&] {
        stage.compose(model, 0.5);
        expect_sound(stage, text_of(stage.camera));
    });
}

TEST(Compose, ATokenLightsTheStreamAndItsOwnWayIntoIt) {
    const Model model(preset("llama-2-7b"));
    Stage stage(model, canvas_sizes[1]);
    stage.go(*find_place(stage.atlas, ""));
    const auto lit = [&](std::optional<double> token) {
        const Drawing& drawing = stage.compose(model, token);
        return std::count_if(drawing.lines.begin(), drawing.lines.end(),
                             [](const Line& line) { return line.colour == stage_selection; });
    };
    EXPECT_EQ(lit(std::nullopt), 0);
    const auto stream = lit(0.5);  // which no chip stands for
    EXPECT_GT(stream, 0);
    EXPECT_GT(lit(0), stream) << "the first token's chip";
    EXPECT_GT(lit(1), stream) << "the last token's";
    EXPECT_LT(lit(1), 2 * stream) << "and no other's";
}

// The most boxes, lines and labels that are drawn at a number of cameras.
struct Most {
    std::size_t boxes = 0, lines = 0, labels = 0, pages = 0;
};

Most most_drawn(const Architecture& arch, const Input& input = {}) {
    const Model model(arch, input);
    Stage stage(model, canvas_sizes[1]);
    Chance chance(3);
    Most most;
    const auto look = [&] {
        const Drawing& drawing = stage.compose(model);
        most.boxes = std::max(most.boxes, drawing.boxes.size());
        most.lines = std::max(most.lines, drawing.lines.size());
        most.labels = std::max(most.labels, drawing.labels.size());
        most.pages = std::max(most.pages, stage.seen().size());
    };
    for (std::string_view id : {"", "layer", "layer.attention", "layer.feed_forward", "layer.attention.head"})
        for (double tilt : {0.0, 0.6, most_tilt}) {
            stage.camera.tilt = tilt;
            stage.go(*find_place(stage.atlas, id));
            look();
            for (double factor : {0.5, 0.7, 1.4, 3.0}) {
                const Camera here = stage.camera;
                stage.camera = zoomed_at(here, stage.size.area, stage.size.area.centre(), factor);
                look();
                stage.camera = here;
            }
        }
    for_each_camera(stage, chance, 100, look);
    return most;
}

void expect_bounded(const Most& most, const std::string& name) {
    EXPECT_LE(most.boxes, 600U) << name;
    EXPECT_LE(most.lines, 2500U) << name;
    EXPECT_LE(most.labels, 150U) << name;
    EXPECT_LE(most.pages, 16U) << name;
}

TEST(Compose, DrawsNoMoreForMoreLayersHeadsWordsOrTokens) {
    for (std::int64_t layers : {1, 2, 32, 1000}) {
        Architecture arch = preset("llama-2-7b");
        arch.layers = layers;
        expect_bounded(most_drawn(arch), std::to_string(layers) + " layers");
    }
    for (std::int64_t heads : {1, 2, 8, 32, 97, 1000, 1024})
        for (std::int64_t group : {std::int64_t{1}, heads}) {
            Architecture arch = preset("llama-2-7b");
            arch.layer.attention.heads = heads;
            arch.layer.attention.kv_heads = heads / group;
            arch.layer.attention.head_dim = 64;
            expect_bounded(most_drawn(arch), std::to_string(heads) + " heads, " + std::to_string(group) + " a group");
        }
    for (std::int64_t vocab : {1, 1000, 1'000'000}) {
        Architecture arch = preset("llama-2-7b");
        arch.vocab = vocab;
        expect_bounded(most_drawn(arch), std::to_string(vocab) + " words");
    }
    for (std::int64_t tokens : {1, 100, 4096, 1'000'000})
        expect_bounded(most_drawn(preset("llama-2-7b"), {.tokens = tokens, .cached = tokens}),
                       std::to_string(tokens) + " tokens");
}

}  // namespace
}  // namespace headcount
