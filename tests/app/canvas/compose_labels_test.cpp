// Words over the picture: never over each other, never over what they do not name, never beside the screen.
#include <gtest/gtest.h>

#include <set>

#include "app/canvas/draw/labels.hpp"
#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

// Where a line has ink: letters, not what hangs below them.
Rect letters_in(const PlacedLabel& label) {
    return {{label.at.x, label.at.y + label.height * 2 / 16},
            {label.at.x + label.width, label.at.y + label.height * 13 / 16}};
}

// What another word keeps clear of: more above and below where it is about another thing.
Rect kept_clear(const PlacedLabel& label, const PlacedLabel& other) {
    Rect ink = letters_in(label);
    const float clear = label.id == other.id ? 0 : std::min(label.height, other.height) * 2 / 16;
    ink.min.y -= clear;
    ink.max.y += clear;
    return ink;
}

class Words {
  public:
    Words(const Model& model, const Size& size) : model_(model), stage(model, size) {
        for (const Page& page : stage.atlas.pages)
            for (const Slab& slab : page.scene.slabs) slabs_.insert(slab.id);
    }

    void check_words(const std::string& where) {
        const Drawing& drawing = stage.compose(model_);
        const Rect& area = stage.size.area;
        const std::string name = model_.name + text_of(stage.size) + ", " + where + ", zoom " +
                                 std::to_string(stage.camera.zoom) + " tilt " + std::to_string(stage.camera.tilt);
        for (const PlacedLabel& label : drawing.labels) {
            const Rect ink = letters_in(label);
            EXPECT_TRUE(ink.min.x >= area.min.x - 2 && ink.max.x <= area.max.x + 2 && ink.min.y >= area.min.y - 2 &&
                        ink.max.y <= area.max.y + 2)
                << name << ": '" << label.text << "' leaves the canvas";
            EXPECT_FALSE(label.text.empty()) << name;
            EXPECT_EQ(label.text.find('{'), std::string::npos) << name << ": " << label.text;
            EXPECT_NE(label.colour >> 24U, 0U) << name << ": '" << label.text << "' cannot be seen";
            for (const PlacedLabel& other : drawing.labels)
                EXPECT_FALSE(&label < &other && kept_clear(label, other).overlaps(letters_in(other)))
                    << name << ": '" << label.text << "' and '" << other.text << "'";
            for (const Region& region : drawing.regions) {
                // Tilted, the box around a matrix is more than the matrix.
                if (!slabs_.contains(region.id) || region.id == label.id || !stage.camera.flat()) continue;
                const Rect over = ink.common(region.rect);
                EXPECT_FALSE(over.width() > 0.5F && over.height() > 0.5F)
                    << name << ": '" << label.text << "' of " << label.id << " lies on " << region.id;
            }
        }
        constexpr std::size_t most = 12 * 18;  // so many heads at once, with so many words each
        EXPECT_LE(drawing.labels.size(), most) << name;
        most_ = std::max(most_, drawing.labels.size());
    }

    // Where one gets by going somewhere, lines keep clear of words, too; elsewhere a name may have no other place.
    // Words that are written on a matrix hide the ends of lines.
    void check(const std::string& place) {
        check_words(place);
        if (stage.camera.flat()) check_lines(place);
    }

    // Of what is trained: wholly on the screen, and large enough that a name beside it is told to be its own. Of many
    // that are alike in the squares of a grid none has.
    void check_names(const std::string& place, std::string_view within, float long_enough) {
        constexpr float wide_enough = 4;
        const Drawing& drawing = stage.compose(model_);
        for (const SeenPage& seen : stage.seen()) {
            if (seen.clarity < clear_enough) continue;
            const Scene& scene = stage.atlas.pages[seen.leaf.page].scene;
            for (const Slab& slab : scene.slabs) {
                if (slab.door != no_door && scene.doors[static_cast<std::size_t>(slab.door)].grid) continue;
                const bool shown = slab.door == no_door ||
                                   seen.clarity * seen.summaries[static_cast<std::size_t>(slab.door)] >= clear_enough;
                const Point min = stage.lens().project(seen.placement.world(slab.rect.min)),
                            max = stage.lens().project(seen.placement.world(slab.rect.max));
                const Rect box{min, max};
                const bool large = std::max(box.width(), box.height()) >= long_enough * stage.size.unit &&
                                   std::min(box.width(), box.height()) >= wide_enough * stage.size.unit;
                const Tensor* const tensor = model_.graph.find(slab.id);
                if (!slab.id.starts_with(within) || !shown || !large || slab.look != SlabLook::parameter || !tensor ||
                    tensor->component == Component::norm || tensor->shape.rank() < 2 || !holds(stage.size.area, box))
                    continue;
                const bool named = std::any_of(
                    drawing.labels.begin(), drawing.labels.end(),
                    [&](const PlacedLabel& label) { return label.id == slab.id && label.role == TextRole::name; });
                EXPECT_TRUE(named) << model_.name << text_of(stage.size) << ", " << place << ": " << slab.id << " of "
                                   << box.width() << " by " << box.height() << " at " << box.min.x << ", " << box.min.y;
            }
        }
    }

    std::size_t most() const { return most_; }

  private:
    void check_lines(const std::string& name) {
        const Drawing& drawing = stage.compose(model_);
        const Lens lens = stage.lens();
        for (const SeenPage& seen : stage.seen()) {
            if (seen.clarity < clear_enough) continue;
            const Scene& scene = stage.atlas.pages[seen.leaf.page].scene;
            const auto clear = [&](DoorIndex door) {
                return door == no_door || seen.clarity * seen.summaries[static_cast<std::size_t>(door)] >= clear_enough;
            };
            for (const PlacedLabel& label : drawing.labels) {
                const bool own = std::any_of(scene.labels.begin(), scene.labels.end(), [&](const Label& each) {
                    return each.id == label.id && clear(each.door) && each.text == label.text &&
                           !(each.holder && each.holder == each.matrix);
                });
                if (!own || label.ground != 0) continue;  // a line ends beside it
                const Rect ink = letters_in(label);
                for (const Wire& wire : scene.wires)
                    for (std::size_t i = 1; i < wire.points.size() && clear(wire.door); ++i) {
                        const Point a = lens.project(seen.placement.world(wire.points[i - 1]));
                        const Point b = lens.project(seen.placement.world(wire.points[i]));
                        const bool beside = std::max(a.x, b.x) <= ink.min.x + 1 ||
                                            std::min(a.x, b.x) >= ink.max.x - 1 ||
                                            std::max(a.y, b.y) <= ink.min.y + 1 || std::min(a.y, b.y) >= ink.max.y - 1;
                        EXPECT_TRUE(beside)
                            << model_.name << text_of(stage.size) << ", " << name << ": '" << label.text << "' of "
                            << label.id << " at " << ink.min.x << ", " << ink.min.y << " lies on a wire of "
                            << wire.tensor << " from " << a.x << ", " << a.y << " to " << b.x << ", " << b.y;
                    }
            }
        }
    }

    const Model& model_;
    std::set<std::string> slabs_;
    std::size_t most_ = 0;

  public:
    Stage stage;
};

TEST(ComposeLabels, NeverOverlapAtAnyPlace) {
    for (const Model& model : preset_models())
        for (const Size& size : canvas_sizes) {
            Words words(model, size);
            for (double tilt : {0.0, 0.7})
                for (std::string_view id :
                     {"", "layer", "layer.attention", "layer.feed_forward", "layer.attention.head", "embedding.weight",
                      "layer.attention.query.weight", "layer.feed_forward.down.weight"}) {
                    words.stage.camera = home(words.stage.atlas);
                    words.stage.camera.tilt = tilt;
                    const std::optional<Stop> place = find_place(words.stage.atlas, id);
                    if (!place) continue;  // a model of experts alone has no feed_forward.down
                    words.stage.go(*place);
                    words.check(std::string(id));
                }
            EXPECT_GT(words.most(), 15U) << model.name;
        }
}

TEST(ComposeLabels, EveryMatrixHasItsNameWhereOneGoesToItsBlock) {
    for (const Model& model : preset_models())
        for (const Size& size : {small_canvas, canvas_sizes[0], canvas_sizes[1], canvas_sizes[2]}) {
            Words words(model, size);
            for (const char* block : {"attention", "feed_forward"}) {
                const std::string id = words.stage.in_layer(block);
                words.stage.camera = home(words.stage.atlas);
                words.stage.go(*find_place(words.stage.atlas, id));
                words.check(id);
                words.check_names(id, id, 10);
            }
        }
}

constexpr Size enlarged_canvas{{{24, 60}, {822, 592}}, 1.5F};  // of a window of 1600x1000 at 150 %

TEST(ComposeLabels, EveryMatrixOfALayerHasItsNameInEveryKindOfModel) {
    for (const char* preset_id : {"gpt2", "llama-2-7b", "llama-3-8b", "t5-base", "mixtral-8x7b", "deepseek-v3"}) {
        const Model model(preset(preset_id), {}, preset_id);
        for (const Size& size : {small_canvas, enlarged_canvas, canvas_sizes[0], canvas_sizes[1], canvas_sizes[2]}) {
            Words words(model, size);
            for (std::string_view id : {"", "layer", "layer.attention", "layer.feed_forward"}) {
                words.stage.camera = home(words.stage.atlas);
                words.stage.go(*find_place(words.stage.atlas, id));
                words.check(std::string(id));
                words.check_names(std::string(id), id.empty() ? "layer" : id, 24);
                // Of the least size, too.
                if (id.empty() && model.graph.find(words.stage.in_layer("attention.key.weight")))
                    words.check_names("attention", words.stage.in_layer("attention"), least_side);
            }
        }
    }
}

// W_q, or what else a mixer multiplies its input by first.
std::string_view first_matrix(const Model& model) {
    const std::string mixer = model.mixer();
    return std::find_if(model.graph.tensors.begin(), model.graph.tensors.end(),
                        [&](const Tensor& tensor) {
                            return tensor.role == Role::parameter && tensor.shape.rank() == 2 &&
                                   tensor.id.starts_with(mixer + ".");
                        })
        ->id;
}

TEST(ComposeLabels, NeverOverlapOnTheWayFromTheModelToACell) {
    for (const Model& model : preset_models()) {
        Words words(model, canvas_sizes[1]);
        const std::optional<Stop> cell = find_cell(words.stage.atlas, first_matrix(model), 0, {100, 60});
        ASSERT_TRUE(cell) << model.name;
        const Camera from = home(words.stage.atlas);
        words.stage.go(*cell);
        const Camera to = words.stage.camera;
        for (int step = 0; step <= 60; ++step) {
            words.stage.camera = between(from, to, step / 60.0);
            words.check("step " + std::to_string(step));
        }
    }
}

TEST(ComposeLabels, NeverOverlapWhereverOneLooks) {
    Chance chance(1);
    std::vector<Model> models = preset_models();
    for (Model& model : random_models(60, 5)) models.push_back(std::move(model));
    for (const Model& model : models) {
        Words words(model, canvas_sizes[static_cast<std::size_t>(chance.whole(0, 3))]);
        const Rect& bounds = words.stage.atlas.area;
        for (int i = 0; i < 40; ++i) {
            words.stage.camera = {.x = chance.between(0, static_cast<double>(bounds.max.x)),
                                  .y = chance.between(0, static_cast<double>(bounds.max.y)),
                                  .zoom = chance.ratio(0.3, 300)};
            if (i % 3 == 2) words.stage.camera.tilt = chance.between(0, most_tilt);
            words.check_words("random " + std::to_string(i));
        }
    }
}

TEST(ComposeLabels, KindsToBeChosenFromKeepTheirWordsHoweverLowThePicture) {
    for (const char* preset_id : {"qwen3-next-80b-a3b", "gemma-3-4b", "deepseek-v3"}) {
        const Model model(preset(preset_id));
        for (float height = 330; height < 640; height += 10) {
            Stage stage(model, {{{16, 40}, {700, 40 + height}}, 1.25F});
            const Drawing& drawing = stage.compose(model);
            for (const Frame& frame : stage.atlas.pages.front().scene.frames) {
                if (frame.kind != FrameKind::choice) continue;
                const Placement page = stage.seen().front().placement;
                const Rect chip{stage.lens().project(page.world(frame.rect.min)),
                                stage.lens().project(page.world(frame.rect.max))};
                const auto on_it = std::count_if(drawing.labels.begin(), drawing.labels.end(), [&](const auto& label) {
                    return chip.overlaps(letters_in(label)) && label.id.empty();
                });
                EXPECT_EQ(on_it, 1) << preset_id << " " << height << ": " << frame.id;
            }
        }
    }
}

TEST(ComposeLabels, AHeadsPageSaysItsNumberAndItsPairs) {
    const Model model(preset("llama-3-8b"));  // 32 heads, 8 pairs of keys and values
    Stage stage(model, canvas_sizes[1]);
    for (std::int64_t head : {0, 3, 4, 31}) {
        stage.go(*find_place(stage.atlas, "layer.attention.head", head));
        const Drawing& drawing = stage.compose(model);
        const auto says = [&](const std::string& text) {
            return std::any_of(drawing.labels.begin(), drawing.labels.end(),
                               [&](const PlacedLabel& label) { return label.text == text; });
        };
        EXPECT_TRUE(says("Head " + std::to_string(head) + " of 32")) << head;
        EXPECT_TRUE(says("K/V pair " + std::to_string(head / 4))) << head;
    }
}

TEST(ComposeLabels, ACellIsCalledByItsMatrixRowAndColumn) {
    const Model model(preset("llama-3.1-405b"));
    Stage stage(model, canvas_sizes[1]);
    for (const Cell cell : {Cell{0, 0}, Cell{128'255, 16'383}, Cell{77'123, 9'001}}) {
        stage.go(*find_cell(stage.atlas, "embedding.weight", 0, cell));
        stage.camera = zoomed_at(stage.camera, stage.size.area, stage.size.area.centre(), 2);
        const Drawing& drawing = stage.compose(model);
        const std::string text = "E[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) + "]";
        EXPECT_TRUE(std::any_of(drawing.labels.begin(), drawing.labels.end(), [&](const PlacedLabel& label) {
            return label.text == text && label.id == "embedding.weight";
        })) << text;
    }
}

// Whether the border of an outline runs through the ink of a label.
bool crossed(const Stage& stage, const PlacedLabel& label) {
    const Rect ink{{label.at.x, label.at.y + label.height * 1.5F / 16},
                   {label.at.x + label.width, label.at.y + label.height * 13.5F / 16}};
    for (const SeenPage& seen : stage.seen())
        for (const Slab& slab : stage.atlas.pages[seen.leaf.page].scene.slabs) {
            if (!slab.base) continue;
            const Point min = stage.lens().project(seen.placement.world(slab.base->min)),
                        max = stage.lens().project(seen.placement.world(slab.base->max));
            const bool within = min.x < ink.min.x && min.y < ink.min.y && max.x > ink.max.x && max.y > ink.max.y;
            if (ink.overlaps({min, max}) && !within) return true;
        }
    return false;
}

TEST(ComposeLabels, AnOutlineOfAnotherSizeEndsBesideWords) {
    const Model narrow(preset("llama-2-7b")), wide(preset("llama-3-8b"));
    int through = 0;
    for (const auto& [model, base] : {std::pair{&narrow, &wide}, std::pair{&wide, &narrow}})
        for (const Size& size : canvas_sizes) {
            Stage stage(*model, size, base);
            for (const PlacedLabel& label : stage.compose(*model).labels) {
                if (!crossed(stage, label)) continue;
                ++through;
                EXPECT_NE(label.ground, 0U) << label.text << text_of(size);
            }
        }
    EXPECT_GT(through, 0);
}

TEST(ComposeLabels, WhatIsDrawnTwiceIsForeignToTheWordsOfTheOther) {
    int tied = 0;
    for (const char* const id : {"deberta-base", "gpt2", "t5-small"})
        for (const Size& size : {small_canvas, Size{{{16, 40}, {922, 646}}, 1}, canvas_sizes[1]}) {
            const Model model(preset(id));
            Stage stage(model, size);
            stage.go_tilted();
            const Lens lens = stage.lens();
            const Looks looks{.unit = size.unit};
            const std::vector<SeenPage> pages = stage.seen();
            const PageView view(stage.atlas, pages.front(), lens, looks);
            for (const PlacedLabel& label : stage.compose(model).labels) {
                if (label.text != "tied, counted once") continue;
                ++tied;
                for (const Slab& slab : view.page.scene.slabs)
                    EXPECT_FALSE(view.screen_quad(slab.rect).overlaps(letters_of(label).grown(-1)))
                        << id << text_of(size) << " on " << slab.id;
            }
        }
    EXPECT_GE(tied, 3);
}

TEST(ComposeLabels, WordsThatNothingCrossesHaveNoGroundOfTheirOwn) {
    const Model model(preset("llama-3-8b"));
    Stage stage(model, canvas_sizes[1]);
    for (const PlacedLabel& label : stage.compose(model).labels) EXPECT_EQ(label.ground, 0U) << label.text;
}

TEST(ComposeLabels, TiltedATitleStaysInItsOwnCardAndWiresAreWhole) {
    const Model model(preset("llama-2-7b"));
    for (const double tilt : {0.4, 0.8, 1.1})
        for (const double turn : {-0.9, -0.4, 0.0, 0.4, 0.9}) {
            Stage stage(model, canvas_sizes[1]);
            stage.camera.tilt = tilt;
            stage.camera.turn = turn;
            stage.go(*find_place(stage.atlas, ""));
            const Drawing& drawing = stage.compose(model);
            const std::string where = "tilt " + std::to_string(tilt) + " turn " + std::to_string(turn);
            const Scene& scene = stage.atlas.pages[0].scene;
            const Placement placement = placement_of(stage.atlas, Leaf{});
            for (const PlacedLabel& label : drawing.labels) {
                if (label.text != "Layer 0") continue;
                const Rect ink = letters_in(label);
                const std::optional<WorldPoint> at = stage.lens().unproject(ink.centre());
                for (const Frame& frame : scene.frames) {
                    if (!at || frame.kind != FrameKind::component) continue;
                    EXPECT_FALSE(placement.world(frame.rect).contains(*at))
                        << where << ": '" << label.text << "' names " << frame.id;
                }
            }
            int whole = 0;
            for (const Wire& wire : scene.wires) {
                if (!wire.tilted_start) continue;
                const WorldPoint start = placement.world(*wire.tilted_start);
                const auto x = static_cast<float>((start.x - stage.camera.x) * stage.camera.zoom),
                           y = static_cast<float>((start.y - stage.camera.y) * stage.camera.zoom);
                whole += std::any_of(drawing.lines.begin(), drawing.lines.end(), [&](const Line& line) {
                    return std::abs(line.from_x - x) < 1 && std::abs(line.from_y - y) < 1;
                });
            }
            EXPECT_GE(whole, 5) << where << ": from W_q, W_k, W_v, W_gate and W_up";
        }
}

}  // namespace
}  // namespace headcount
