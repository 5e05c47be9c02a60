// Places: whoever goes to one is there, can step to its neighbours, and finds every place that lies around it.
#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

void look(Stage& stage, View view) {
    stage.camera = home(stage.atlas);
    if (view == View::flat) return;
    stage.camera.tilt = 0.6;
    stage.camera.turn = 0.2;
}

std::string text_of(const Stop& stop) {
    const char* const kinds[] = {"model", "layer", "block", "matrix", "cells"};
    return std::string(kinds[static_cast<int>(stop.kind)]) + " '" + stop.id + "' copy " +
           std::to_string(stop.leaf.copy) + " of page " + std::to_string(stop.leaf.page);
}

std::string text_of(const std::vector<Stop>& way) {
    std::string text;
    for (const Stop& stop : way) text += (text.empty() ? "" : " > ") + text_of(stop);
    return text;
}

// Every preset at every size, flat and tilted, and what it was.
template <class Check>
void for_each_stage(Check check) {
    for (const Model& model : preset_models())
        for (const Size& size : canvas_sizes) {
            const Stage laid_out(model, size);
            for (View view : views) {
                Stage stage = laid_out;
                look(stage, view);
                check(model, stage, view, model.name + text_of(size) + (view == View::flat ? ", flat" : ", tilted"));
            }
        }
}

void go_and_be_there(Stage& stage, const Stop& stop, const std::string& name) {
    stage.go(stop);
    const std::vector<Stop> way = stage.way();
    // A block that fills its layer may leave all of the layer in sight in perspective, and a layer all of the model:
    // then one is still there.
    const Stop::Kind around = stop.kind == Stop::Kind::block ? Stop::Kind::layer : Stop::Kind::model;
    const bool fills = (stop.kind == Stop::Kind::block || stop.kind == Stop::Kind::layer) && !stage.camera.flat();
    EXPECT_TRUE(way.back().same_place(stop) || (fills && way.back().kind == around))
        << name << ": went to " << text_of(stop) << ", is at " << text_of(way) << ", zoom " << stage.camera.zoom;
}

std::vector<Stop> blocks_of(const Stage& stage, const Model& model) {
    std::vector<Stop> stops;
    for (std::string_view id : {"", "layer"}) stops.push_back(*find_place(stage.atlas, id));
    for (const std::string& id : model.pages()) stops.push_back(*find_place(stage.atlas, id));
    const std::int64_t last = model.heads() - 1;
    for (std::int64_t head : {std::min<std::int64_t>(1, last), last / 2, last})
        stops.push_back(*find_place(stage.atlas, model.head(), head));
    return stops;
}

TEST(Places, WhoeverGoesToOneIsThere) {
    for_each_stage([](const Model& model, Stage& stage, View view, const std::string& name) {
        for (const Stop& stop : blocks_of(stage, model)) {
            look(stage, view);
            go_and_be_there(stage, stop, name);
        }
    });
}

TEST(Places, WhoeverGoesToAMatrixIsThereOrAtOneOfItsCells) {
    for_each_stage([](const Model& model, Stage& stage, View view, const std::string& name) {
        for (const Tensor& tensor : model.graph.tensors) {
            const std::int64_t copy = tensor.id.starts_with(model.head()) ? model.heads() - 1 : 0;
            const std::optional<Stop> stop = find_place(stage.atlas, tensor.id, copy);
            if (!stop) continue;
            look(stage, view);
            stage.go(*stop);
            const std::vector<Stop> way = stage.way();
            // A matrix of few cells shows them as large as if one had gone to one.
            const bool at_cells =
                way.back().kind == Stop::Kind::cells && way.size() > 1 && way[way.size() - 2].same_place(*stop);
            EXPECT_TRUE(at_cells || way.back().same_place(*stop))
                << name << ": went to " << text_of(*stop) << ", is at " << text_of(way) << ", zoom "
                << stage.camera.zoom;
            if (!at_cells) continue;
            const Slab* slab = stage.hit(stage.size.area.centre())->slab;
            const double cell = std::min(stop->rect.width() / static_cast<double>(slab->columns),
                                         stop->rect.height() / static_cast<double>(slab->rows));
            EXPECT_GE(cell * stage.camera.zoom, 20) << name << ": at a cell of " << tensor.id << " that is not seen";
        }
    });
}

TEST(Places, AMatrixPickedInTheWholeModelIsThereWhenOneHasGoneToIt) {
    for_each_stage([](const Model&, Stage& stage, View view, const std::string& name) {
        for (const Slab& slab : stage.atlas.pages.front().scene.slabs) {
            look(stage, view);
            const Point at = stage.lens().project(placement_of(stage.atlas, {}).world(slab.rect).centre());
            const std::vector<Stop> under = places_under(stage.atlas, stage.lens(), stage.seen(), at);
            const auto stop = std::find_if(under.begin(), under.end(), [&](const Stop& each) {
                return each.kind == Stop::Kind::matrix && each.id == slab.id;
            });
            if (stop == under.end()) continue;
            stage.go(*stop);
            const std::optional<Hit> hit = stage.hit(stage.size.area.centre());
            EXPECT_TRUE(hit && hit->id == slab.id) << name << ": went to " << text_of(*stop);
        }
    });
}

TEST(Places, EveryTensorHasOne) {
    for_each_stage([](const Model& model, Stage& stage, View view, const std::string& name) {
        if (view == View::tilted) return;
        for (const Tensor& tensor : model.graph.tensors) {
            if (is_sense(tensor.component)) continue;  // beside the text that is drawn
            // Not those that are but a mark on the stream, or the line out of it.
            const Node* producer = model.graph.producer(static_cast<TensorIndex>(&tensor - model.graph.tensors.data()));
            const bool sum = producer && producer->op == Op::add;
            const std::optional<std::size_t> around = model.graph.layer_of(tensor.block);
            const bool between = around && model.graph.layers[*around].block == tensor.block;  // two sub-blocks
            const bool line = sum || between || tensor.id.ends_with(".stream") || !around;
            if (tensor.role != Role::parameter && tensor.id != "logits" && line) continue;
            // Another kind of layers has to be looked at for what is in it.
            const std::optional<std::size_t> layer =
                tensor.shared_in ? model.graph.layer_of(model.used_by(tensor, stage.atlas.layer)) : around;
            if (layer && model.layers()[*layer] != stage.atlas.layer) continue;
            const std::optional<Stop> stop = find_place(stage.atlas, tensor.id);
            EXPECT_TRUE(stop) << name << ": " << tensor.id;
            if (stop) {
                EXPECT_EQ(stop->id, tensor.id) << name;
                EXPECT_GT(stop->rect.width(), 0) << name << " " << tensor.id;
            }
        }
        EXPECT_FALSE(find_place(stage.atlas, "nothing")) << name;
    });
}

// Whether a matrix is longer than there is room for: its cells are then not to scale, and none can be pointed at.
bool is_cut(const Atlas& atlas, const Stop& matrix) {
    return std::ranges::any_of(atlas.pages[matrix.leaf.page].scene.slabs, [&](const Slab& slab) {
        return slab.id == matrix.id && !slab.is_slice() && (slab.cut || slab.cut_right);
    });
}

TEST(Places, WhoeverGoesToACellIsThere) {
    Chance chance(1);
    for_each_stage([&](const Model& model, Stage& stage, View view, const std::string& name) {
        for (const char* asked :
             {"embedding.weight", "layer.attention.query.weight", "layer.attention.queries",
              "layer.feed_forward.down.weight", "layer.feed_forward.norm.weight", "layer.attention.head.scores"}) {
            const Tensor* tensor = model.graph.find(asked);
            if (!tensor) continue;  // a norm without weights
            const std::string& id = tensor->id;
            const std::optional<Stop> place = find_place(stage.atlas, id);
            ASSERT_TRUE(place) << name << " " << id;
            if (is_cut(stage.atlas, *place)) {
                EXPECT_FALSE(find_cell(stage.atlas, id, 0, {0, 0})) << name << " " << id;
                continue;
            }
            const Shape& shape = tensor->shape;
            const std::int64_t rows = shape.rank() > 1 ? *evaluate(shape[0], model.numbers) : 1,
                               columns = *evaluate(shape[shape.rank() - 1], model.numbers);
            for (int i = 0; i < 3; ++i) {
                const Cell cell{chance.whole(0, rows - 1), chance.whole(0, columns - 1)};
                const std::optional<Stop> stop = find_cell(stage.atlas, id, 0, cell);
                ASSERT_TRUE(stop) << name << ": " << id << " " << cell.row << ", " << cell.column;
                look(stage, view);
                go_and_be_there(stage, *stop,
                                name + " cell " + std::to_string(cell.row) + ", " + std::to_string(cell.column));
            }
            EXPECT_FALSE(find_cell(stage.atlas, id, 0, {rows, 0})) << name;
            EXPECT_FALSE(find_cell(stage.atlas, id, 0, {0, columns})) << name;
            EXPECT_FALSE(find_cell(stage.atlas, id, 0, {-1, 0})) << name;
        }
    });
}

TEST(Places, AnEmbeddingThatIsTheOutputHeadTooIsWhereItIsReadFrom) {
    const Stage stage(Model(preset("gpt2")), canvas_sizes[1]);
    const Stop logits = *find_place(stage.atlas, "logits");
    const auto away = [&](const Stop& table) {
        const WorldPoint there = table.rect.centre(), here = logits.rect.centre();
        return std::hypot(there.x - here.x, there.y - here.y);
    };
    const Stop first = *find_place(stage.atlas, "embedding.weight");
    EXPECT_LT(away(*find_place(stage.atlas, "embedding.weight", 0, &logits)), away(first) / 4);
}

TEST(Places, EachLiesInTheOneBefore) {
    for_each_stage([](const Model& model, Stage& stage, View, const std::string& name) {
        Chance chance(2);
        for (const Stop& stop : blocks_of(stage, model)) {
            stage.go(stop);
            const std::vector<SeenPage> seen = stage.seen();
            for (int i = 0; i < 10; ++i) {
                const Rect& area = stage.size.area;
                const Point at{static_cast<float>(chance.between(area.min.x, area.max.x)),
                               static_cast<float>(chance.between(area.min.y, area.max.y))};
                const std::vector<Stop> places = places_under(stage.atlas, stage.lens(), seen, at);
                ASSERT_FALSE(places.empty());
                EXPECT_EQ(places.front().kind, Stop::Kind::model) << name;
                const std::optional<WorldPoint> world = stage.lens().unproject(at);
                for (std::size_t n = 1; n < places.size(); ++n) {
                    EXPECT_LT(places[n - 1].kind,
                              places[n].kind == Stop::Kind::block ? Stop::Kind::matrix : places[n].kind)
                        << name << ": " << text_of(places);
                    EXPECT_LE(places[n].rect.width(), places[n - 1].rect.width() * 1.2 + 1e-9)
                        << name << ": " << text_of(places);
                    if (places[n].kind != Stop::Kind::block && places[n].kind != Stop::Kind::layer) continue;
                    const Page& page = stage.atlas.pages[places[n].leaf.page];
                    EXPECT_TRUE(world && (page.own_ground || places[n].rect.contains(*world)))
                        << name << ": " << text_of(places);
                }
            }
        }
    });
}

TEST(Places, NeighboursLieBesideEachOtherAndEndAtTheEnds) {
    for_each_stage([](const Model& model, Stage& stage, View view, const std::string& name) {
        if (view == View::tilted) return;
        const std::int64_t heads = model.heads();
        for (std::int64_t head = 0; head < heads; ++head) {
            const Stop stop = *find_place(stage.atlas, model.head(), head);
            const std::optional<Stop> next = neighbour(stage.atlas, stop, 1, 0),
                                      before = neighbour(stage.atlas, stop, -1, 0);
            EXPECT_EQ(next.has_value(), head + 1 < heads) << name << " head " << head;
            EXPECT_EQ(before.has_value(), head > 0) << name << " head " << head;
            if (!next) continue;
            EXPECT_EQ(next->leaf.copy, head + 1) << name;
            EXPECT_TRUE(neighbour(stage.atlas, *next, -1, 0)->same_place(stop)) << name;
            const std::optional<Stop> below = neighbour(stage.atlas, stop, 0, 1);
            if (!below) continue;
            EXPECT_NEAR(below->rect.min.x, stop.rect.min.x, 1e-3) << name;
            EXPECT_GT(below->rect.min.y, stop.rect.min.y) << name;
        }
        EXPECT_FALSE(neighbour(stage.atlas, *find_place(stage.atlas, ""), 1, 0)) << name;
        if (!model.block_of(BlockKind::cross).empty()) return;  // see stacks_test
        const std::vector<Door>& cards = stage.atlas.pages.front().scene.doors;
        if (cards.size() > 2) {  // in the order in which they run
            for (std::size_t i = 1; i < cards.size(); ++i) {
                const Stop card = *find_place(stage.atlas, cards[i].block);
                EXPECT_TRUE(
                    neighbour(stage.atlas, card, 0, -1)->same_place(*find_place(stage.atlas, cards[i - 1].block)))
                    << name;
                EXPECT_GT(card.rect.min.y, find_place(stage.atlas, cards[i - 1].block)->rect.min.y) << name;
            }
            return;
        }
        const Stop mixer = *find_place(stage.atlas, model.mixer());
        EXPECT_FALSE(neighbour(stage.atlas, mixer, 0, -1)) << name;
        const std::optional<Stop> feed_forward = find_place(stage.atlas, "layer.feed_forward");
        ASSERT_EQ(feed_forward.has_value(), model.has("layer.feed_forward")) << name;
        const std::optional<Stop> below = neighbour(stage.atlas, mixer, 0, 1);
        ASSERT_EQ(below.has_value(), feed_forward.has_value()) << name;
        if (!feed_forward) return;
        EXPECT_TRUE(below->same_place(*feed_forward)) << name;
        EXPECT_TRUE(neighbour(stage.atlas, *feed_forward, 0, -1)->same_place(mixer)) << name;
        EXPECT_FALSE(neighbour(stage.atlas, *feed_forward, 0, 1)) << name;
    });
}

TEST(Places, SteppingFromMatrixToMatrixMeetsEachOnce) {
    for_each_stage([](const Model&, Stage& stage, View view, const std::string& name) {
        if (view == View::tilted) return;
        for (std::string_view id : {"layer.attention.query.weight", "layer.feed_forward.up.weight",
                                    "layer.feed_forward.expert.up.weight", "embedding.weight"}) {
            std::optional<Stop> stop = find_place(stage.atlas, id);
            if (!stop) continue;  // a mixture, or none
            while (const std::optional<Stop> before = neighbour(stage.atlas, *stop, -1, 0)) stop = before;
            std::vector<std::string> met;
            for (; stop; stop = neighbour(stage.atlas, *stop, 1, 0)) {
                ASSERT_LT(met.size(), 100U) << name << ": goes round from " << id;
                EXPECT_EQ(std::count(met.begin(), met.end(), stop->id), 0)
                    << name << ": meets " << stop->id << " twice";
                met.push_back(stop->id);
            }
            EXPECT_EQ(std::count(met.begin(), met.end(), id), 1) << name;
        }
    });
}

}  // namespace
}  // namespace headcount
