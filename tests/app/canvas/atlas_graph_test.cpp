// The pages beside the graph: every tensor is drawn once at its level, every wire joins what a node joins, every shape
// is the graph's.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

template <class Check>
void for_each_atlas(Check check) {
    for (const Staged& each : all_stages()) check(each.model, each.stage, each.name);
}

// How often a page draws a tensor itself. A norm without weights has a bar beside what it makes, a grid of squares
// stands for another page, and what a door hides is drawn behind it.
int times_drawn(const Page& page, std::string_view id, bool outside_doors = false) {
    return static_cast<int>(std::count_if(page.scene.slabs.begin(), page.scene.slabs.end(), [&](const Slab& slab) {
        // A head that is the embedding, what another sub-block has drawn, or a matrix of tokens that makes those of
        // distances.
        const bool again = slab.look == SlabLook::ghost &&
                           (slab.part == Part::token_embedding || slab.part == Part::copy_router ||
                            slab.part == Part::copy_router_norm || slab.part == Part::query || slab.part == Part::key);
        return slab.id == id && slab.grid_columns == 0 && slab.look != SlabLook::hollow && !again &&
               (!outside_doors || slab.door == no_door);
    }));
}

// The page that shows what is inside a block: its own, or that of the next block around it which has one.
std::string page_of(const Stage& stage, const ModelGraph& graph, BlockIndex block) {
    for (std::optional<BlockIndex> at = block; at; at = graph.blocks[*at].parent)
        for (const Page& page : stage.atlas.pages)
            if (page.block == graph.blocks[*at].id && page.around) return page.block;
    return "";
}

bool draws_layer(const Page& page, std::string_view layer) {
    return std::any_of(page.scene.frames.begin(), page.scene.frames.end(),
                       [&](const Frame& frame) { return frame.kind == FrameKind::layer && frame.id == layer; });
}

bool marked(const Page& page, std::string_view id) {
    return std::any_of(page.scene.marks.begin(), page.scene.marks.end(),
                       [&](const FlowMark& mark) { return mark.id == id; });
}

TEST(AtlasGraph, DrawsEveryTensorOfABlockOnceOnItsPageOrOnTheWayThere) {
    for_each_atlas([](const Model& model, const Stage& stage, const std::string& name) {
        for (const Page& page : stage.atlas.pages) {
            if (!page.around) continue;
            const Page& around = stage.atlas.pages[*page.around];
            for (const Tensor& tensor : model.graph.tensors) {
                if (page_of(stage, model.graph, tensor.block) != page.block) continue;
                const int times = times_drawn(page, tensor.id) + times_drawn(around, tensor.id, true);
                // What is added to the stream is the stream: a mark on it, outside. Its norm stands on it.
                const Node* producer =
                    model.graph.producer(static_cast<TensorIndex>(&tensor - model.graph.tensors.data()));
                const bool sum = producer && producer->op == Op::add, stream = sum || tensor.id.ends_with(".stream");
                EXPECT_EQ(times, stream && !model.is_memory(tensor) ? 0 : 1)
                    << name << ": " << tensor.id << " on page " << page.block;
                if (sum) {
                    EXPECT_TRUE(marked(around, tensor.id)) << name << ": " << tensor.id;
                }
            }
        }
    });
}

TEST(AtlasGraph, TheWholeModelDrawsEveryParameterOnceAndATiedHeadAsAGhost) {
    for_each_atlas([](const Model& model, const Stage& stage, const std::string& name) {
        const Page& page = stage.atlas.pages.front();
        for (const Tensor& tensor : model.graph.tensors)
            if (tensor.role == Role::parameter) {
                const std::optional<std::size_t> layer = model.graph.layer_of(tensor.block);
                bool shown = !layer || draws_layer(page, model.layers()[*layer]);
                if (tensor.shared_in)
                    shown = draws_layer(
                        page, model.layers()[*model.graph.layer_of(model.used_by(tensor, stage.atlas.layer))]);
                // What reads pictures or sound is a name and a count where it has no room.
                const int times = times_drawn(page, tensor.id);
                const bool may_lack = is_sense(tensor.component) ||
                                      by_name_alone(page.scene, model.graph, model.used_by(tensor, stage.atlas.layer));
                EXPECT_TRUE(times == (shown ? 1 : 0) || (times == 0 && may_lack))
                    << name << ": " << tensor.id << " is drawn " << times << " times";
            }
        const bool mixture = model.graph.find(stage.in_layer("feed_forward.router.weight")),
                   gated = model.graph.find(stage.in_layer("attention.gated")) ||
                           model.graph.find(stage.in_layer("attention.difference"));
        // Before what has trained numbers of its own (xIELU), or stands on a strand beside others (RWKV), the widened
        // rows are drawn in the place of those behind it.
        const std::string hidden = stage.in_layer(mixture ? "feed_forward.expert.hidden" : "feed_forward.hidden"),
                          widened = stage.in_layer("feed_forward.up");
        for (const std::string& id :
             {std::string("logits"), stage.in_layer(gated ? "attention.queries" : "attention.joined"),
              times_drawn(page, widened) > 0 ? widened : hidden})
            if (const Tensor* const tensor = model.graph.find(id);
                !tensor || !by_name_alone(page.scene, model.graph, tensor->block)) {
                EXPECT_EQ(times_drawn(page, id), tensor ? 1 : 0) << name << ": " << id;
            }
        const auto ghosts = std::count_if(page.scene.slabs.begin(), page.scene.slabs.end(), [&](const Slab& slab) {
            const Tensor* tensor = model.graph.find(slab.id);
            return slab.look == SlabLook::ghost && !(tensor && tensor->role == Role::buffer);
        });
        // What a second sub-block of the layer reads is outlined in that, and what makes those of distances, too.
        std::set<std::pair<TensorIndex, BlockIndex>> read_again;
        const auto shown =
            static_cast<BlockIndex>(model.graph.find_block(stage.atlas.layer) - model.graph.blocks.data());
        for (const Node& node : model.graph.nodes)
            for (const TensorIndex each : node.parameters) {
                const Tensor& read = model.graph.tensors[each];
                const BlockIndex own = read.block;
                const bool of_distances =
                    is_of_distances(model.graph.tensors[node.output].part) && !is_of_distances(read.part) && !read.bias;
                if (of_distances && model.graph.inside(own, shown) &&
                    !by_name_alone(page.scene, model.graph, node.block))
                    read_again.insert({each, node.block});
                if (model.graph.blocks[own].kind == BlockKind::copies && own != node.block &&
                    model.graph.inside(node.block, shown) && !by_name_alone(page.scene, model.graph, node.block))
                    read_again.insert({each, node.block});
            }
        EXPECT_EQ(ghosts, (model.graph.tied_head ? 1 : 0) + std::ssize(read_again)) << name;
    });
}

TEST(AtlasGraph, EverythingStandsForSomethingOfTheGraph) {
    for_each_atlas([](const Model& model, const Stage& stage, const std::string& name) {
        for (const Page& page : stage.atlas.pages) {
            for (const Slab& slab : page.scene.slabs)
                EXPECT_NE(model.graph.find(slab.id), nullptr) << name << ": slab " << slab.id;
            for (const FlowMark& mark : page.scene.marks)
                EXPECT_NE(model.graph.find(mark.id), nullptr) << name << ": mark " << mark.id;
            for (const Wire& wire : page.scene.wires) {
                if (wire.faint) continue;
                EXPECT_NE(model.graph.find(wire.tensor), nullptr)
                    << name << ": wire " << wire.tensor << " on page '" << page.block << "'";
                EXPECT_GE(wire.points.size(), 2U) << name << ": wire " << wire.tensor;
            }
            for (const Door& door : page.scene.doors)
                EXPECT_NE(model.graph.find_block(door.block), nullptr) << name << ": door " << door.block;
        }
    });
}

TEST(AtlasGraph, MatricesHaveTheGraphsShapeAndSayIt) {
    for_each_atlas([](const Model& model, const Stage& stage, const std::string& name) {
        for (const Page& page : stage.atlas.pages)
            for (const Slab& slab : page.scene.slabs) {
                const Tensor* tensor = model.graph.find(slab.id);
                if (!tensor || slab.grid_columns > 0 || slab.rows == 0) continue;
                const Shape& shape = tensor->shape;
                std::int64_t columns = *evaluate(shape[shape.rank() - 1], model.numbers);
                std::int64_t rows = shape.rank() > 1 ? *evaluate(shape[0], model.numbers) : 1;
                // What the heads have of it are equal parts, one behind the other.
                const std::int64_t of = tensor->part == Part::key || tensor->part == Part::value
                                            ? model.number(Symbol::heads) / stage.atlas.group
                                            : model.number(Symbol::heads);
                if (slab.column_step > 0) {
                    EXPECT_EQ(slab.column_step * of, columns) << name << ": " << slab.id;
                    columns = slab.column_step;
                }
                if (slab.row_step > 0) {
                    EXPECT_EQ(slab.row_step * of, rows) << name << ": " << slab.id;
                    rows = slab.row_step;
                }
                if (slab.transposed) std::swap(rows, columns);
                EXPECT_EQ(slab.rows, rows) << name << ": " << slab.id << " on page '" << page.block << "'";
                EXPECT_EQ(slab.columns, columns) << name << ": " << slab.id << " on page '" << page.block << "'";
                const bool norm = tensor->component == Component::norm;  // says it beside its name
                if (page.own_ground || !page.around || shape.rank() < 2 || norm) continue;
                // A sub-block's page says every shape; which of them are shown is decided when it is seen.
                const std::string text = shape_in_numbers(shape, model.numbers);
                EXPECT_TRUE(std::any_of(page.scene.labels.begin(), page.scene.labels.end(),
                                        [&](const Label& label) { return label.id == slab.id && label.text == text; }))
                    << name << ": " << slab.id << " does not say " << text;
            }
    });
}

// Whether a wire's end is at something that is drawn for one of these tensors: a matrix, a grid, a mark.
bool at_any(const Page& page, Point end, const std::vector<std::string_view>& ids, float slack) {
    const auto near = [&](const Rect& rect) {
        return end.x >= rect.min.x - slack && end.x <= rect.max.x + slack && end.y >= rect.min.y - slack &&
               end.y <= rect.max.y + slack;
    };
    const auto named = [&](std::string_view id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); };
    return std::any_of(page.scene.slabs.begin(), page.scene.slabs.end(),
                       [&](const Slab& slab) { return named(slab.id) && near(slab.rect); }) ||
           std::any_of(page.scene.marks.begin(), page.scene.marks.end(), [&](const FlowMark& mark) {
               return named(mark.id) && std::hypot(mark.centre.x - end.x, mark.centre.y - end.y) <= 8 * slack;
           });
}

// The repeated block of a page that a node is in; none where it is the page's own.
std::optional<BlockIndex> grid_of(const ModelGraph& graph, const Node& node, BlockIndex page) {
    std::optional<BlockIndex> grid;
    for (BlockIndex at = node.block; at != page; at = *graph.blocks[at].parent)
        if (!(graph.blocks[at].repeat == Expr(1))) grid = at;
    return grid;
}

// Everything that is drawn for a node: its parameters, what it makes, and all of a block that is a grid.
std::vector<std::string_view> drawn_for(const ModelGraph& graph, const Node& node, BlockIndex page) {
    std::vector<std::string_view> ids;
    const std::optional<BlockIndex> grid = grid_of(graph, node, page);
    for (const Node& other : graph.nodes) {
        if (!graph.inside(other.block, page)) continue;
        if (&other != &node && (!grid || grid_of(graph, other, page) != grid)) continue;
        ids.push_back(graph.tensors[other.output].id);
        for (TensorIndex parameter : other.parameters) ids.push_back(graph.tensors[parameter].id);
    }
    return ids;
}

TEST(AtlasGraph, WiresOfASubBlockJoinWhatItsNodesJoin) {
    for_each_atlas([](const Model& model, const Stage& stage, const std::string& name) {
        const ModelGraph& graph = model.graph;
        const float slack = 3 * stage.size.unit;
        for (const Page& page : stage.atlas.pages) {
            if (!page.around || page.own_ground) continue;
            const auto block = static_cast<BlockIndex>(graph.find_block(page.block) - graph.blocks.data());
            std::size_t joined = 0;
            for (const Node& node : graph.nodes) {
                if (!graph.inside(node.block, block) || node.op == Op::add) continue;
                if (node.op == Op::sum && graph.tensors[node.output].id.ends_with(".stream")) continue;
                // Its way back to the stream is drawn outside.
                if (times_drawn(page, graph.tensors[node.output].id) == 0 && node.op == Op::norm) continue;
                const std::vector<std::string_view> to = drawn_for(graph, node, block);
                const std::optional<BlockIndex> grid = grid_of(graph, node, block);
                for (TensorIndex input : node.inputs) {
                    const Node* from = graph.producer(input);
                    const bool inside = from && graph.inside(from->block, block);
                    if (inside && grid && grid_of(graph, *from, block) == grid) continue;  // inside the grid
                    const std::vector<std::string_view> begin =
                        inside ? drawn_for(graph, *from, block) : std::vector<std::string_view>{};
                    const bool there =
                        std::any_of(page.scene.wires.begin(), page.scene.wires.end(), [&](const Wire& wire) {
                            return wire.tensor == graph.tensors[input].id && wire.points.size() > 1 &&
                                   at_any(page, wire.points.back(), to, slack) &&
                                   (!inside || at_any(page, wire.points.front(), begin, slack));
                        });
                    EXPECT_TRUE(there) << name << ", page " << page.block << ": no wire brings "
                                       << graph.tensors[input].id << " to what makes " << graph.tensors[node.output].id;
                    ++joined;
                }
            }
            EXPECT_GT(joined, 0U);
            // And one goes back to the stream, from what comes out last.
            const Door& door = stage.atlas.pages[*page.around].scene.doors[page.door];
            EXPECT_FALSE(door.exit.empty()) << name << " " << page.block;
        }
    });
}

TEST(AtlasGraph, WiresStayOnTheirPage) {
    for_each_atlas([](const Model&, const Stage& stage, const std::string& name) {
        for (const Page& page : stage.atlas.pages)
            for (const Wire& wire : page.scene.wires) {
                if (wire.faint) continue;
                for (std::size_t i = 0; i < wire.points.size(); ++i) {
                    const Point at = wire.points[i];
                    EXPECT_TRUE(std::isfinite(at.x) && std::isfinite(at.y)) << name << ": " << wire.tensor;
                    // The way in and the way back begin and end on the stream, outside of a sub-block's page.
                    if (page.around && !page.own_ground && (i == 0 || i + 2 >= wire.points.size())) continue;
                    const Rect& bounds = page.bounds;
                    EXPECT_TRUE(at.x >= bounds.min.x - 1 && at.x <= bounds.max.x + 1 && at.y >= bounds.min.y - 1 &&
                                at.y <= bounds.max.y + 1)
                        << name << ": " << wire.tensor << " at " << at.x << ", " << at.y << " on page '" << page.block
                        << "'";
                }
            }
    });
}

}  // namespace
}  // namespace headcount
