// Which of a sub-block's operations follow each other in a strand, and which bring strands together.
#include "app/canvas/arrange/strands.hpp"

#include <utility>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

class StrandGathering {
  public:
    StrandGathering(const Sketch& sketch, std::string_view block)
        : sketch_(sketch), graph_(sketch.input().model.graph), own_(sketch.shown(block)) {
        parts_.items = flow_of(graph_, own_, {own_ + ".norm", own_ + ".output", own_ + ".output_norm"});
    }

    CardParts gathered() {
        if (parts_.items.empty()) return std::move(parts_);
        // What all layers share is drawn with the tables.
        const auto block = static_cast<BlockIndex>(graph_.find_block(own_) - graph_.blocks.data());
        for (FlowItem& item : parts_.items)
            std::erase_if(item.held,
                          [&](TensorIndex held) { return !graph_.inside(graph_.tensors[held].block, block); });
        last_ = parts_.items.size() - 1;
        while (last_ > 0 && parts_.items[last_].from.empty()) --last_;
        if (parts_.items[last_].from.empty()) last_ = parts_.items.size() - 1;
        find_branches(block);
        find_last_activation();
        fold();
        gather_strands();
        find_choices();
        draw_kept();
        gather_steps();
        // A card ends in a step.
        return parts_.steps.empty() ? CardParts{} : std::move(parts_);
    }

  private:
    // What has no parameters and one input is seen in that, as far as this page goes.
    bool draws(std::size_t index) const {
        const FlowItem& item = parts_.items[index];
        return item.block || item.brought || in_branch_[index] || !item.node->parameters.empty() ||
               item.from.size() > 1 || joins_input(item) || index == activation_;
    }
    bool is_read(std::size_t index) const {
        return std::ranges::any_of(
            parts_.items, [&](const FlowItem& item) { return item.chosen_by == index || contains(item.from, index); });
    }
    std::size_t drawn_for(std::size_t index) const {
        while (!draws(index) && parts_.items[index].from.size() == 1) index = parts_.items[index].from.front();
        return index;
    }
    const Tensor& made_by(std::size_t item) const { return graph_.tensors[parts_.items[item].output]; }
    // What makes the sub-block's output: what nothing reads and reads something itself.
    bool is_last(std::size_t item) const { return item == last_; }

    bool is_within(const FlowItem& item, BlockIndex block) const {
        if (!item.block && !item.node) return false;
        return graph_.inside(item.block ? static_cast<BlockIndex>(item.block - graph_.blocks.data()) : item.node->block,
                             block);
    }
    // Blocks in it that are not its heads: where there is one alone, and once, that is but a part of it.
    void find_branches(BlockIndex own) {
        in_branch_.assign(parts_.items.size(), false);
        std::vector<CardBranch> found;
        for (const Block& block : graph_.blocks) {
            if (block.parent != own || block.kind == BlockKind::head) continue;
            CardBranch branch{.block = block.id, .parts = StrandGathering(sketch_, block.id).gathered()};
            branch.copies = sketch_.value(block.repeat, 1);
            branch.runs = sketch_.value(block.runs, branch.copies);
            if (!branch.parts.steps.empty()) found.push_back(std::move(branch));
        }
        const auto repeated = [&](const CardBranch& each) {
            return !(graph_.find_block(each.block)->repeat == Expr(1));
        };
        if (found.size() < 2 && std::ranges::none_of(found, repeated)) return;
        for (CardBranch& branch : found)
            for (std::size_t i = 0; i < parts_.items.size(); ++i)
                if (is_within(parts_.items[i],
                              static_cast<BlockIndex>(graph_.find_block(branch.block) - graph_.blocks.data()))) {
                    in_branch_[i] = true;
                    branch.items.push_back(i);
                }
        // What joins them is the card's; a card ends in that.
        const auto joins = [&](std::size_t i) { return !in_branch_[i] && is_last(i); };
        bool joined = false;
        for (std::size_t i = 0; i < parts_.items.size(); ++i) joined = joined || joins(i);
        if (joined)
            parts_.branches = std::move(found);
        else
            in_branch_.assign(parts_.items.size(), false);
    }
    void find_choices() {
        for (CardBranch& branch : parts_.branches)
            for (const std::size_t item : branch.items)
                for (const std::size_t from : parts_.items[item].from)
                    for (std::size_t i = 0; i < parts_.strands.size(); ++i)
                        if (parts_.strands[i].has(from) && from != parts_.items[item].chosen_by) branch.reads = i;
        for (CardBranch& branch : parts_.branches)
            for (const FlowItem& item : parts_.items) {
                if (!item.block || item.block->id != branch.block || !item.chosen_by) continue;
                branch.chosen_by = made_by(*item.chosen_by).id;
                for (std::size_t i = 0; i < parts_.strands.size(); ++i)
                    if (parts_.strands[i].has(drawn_for(*item.chosen_by))) branch.strand = i;
            }
    }

    // Of a feed-forward without a gate: where what it has widened turns into what it narrows, whatever scales that.
    void find_last_activation() {
        for (std::size_t index = last_; parts_.items[index].from.size() == 1;) {
            index = parts_.items[index].from.front();
            const FlowItem& item = parts_.items[index];
            if (!item.node || in_branch_[index] || (activation_ && draws(index))) return;
            if (item.node->op == Op::activate) activation_ = index;
        }
    }

    // Steps that nothing reads, such as what is kept for later tokens, are the sub-block's own page's.
    void fold() {
        for (FlowItem& item : parts_.items) {
            std::vector<std::size_t> drawn;
            for (const std::size_t from : item.from)
                if (!contains(drawn, drawn_for(from))) drawn.push_back(drawn_for(from));
            item.from = std::move(drawn);
        }
    }

    StrandPiece piece_of(const Tensor& tensor, std::size_t item) const {
        StrandPiece piece{.id = tensor.id, .flows = tensor.id, .sides = sketch_.sides(tensor.id, true), .item = item};
        piece.drawn = {tensor.id};
        for (int lines = 1; lines <= 3; ++lines)
            piece.labels[static_cast<std::size_t>(lines - 1)] = sketch_.label_width(tensor.id, lines);
        piece.name = sketch_.width_of(tensor.symbol, TextRole::name);
        return piece;
    }

    // By what stands before it here, or by another sub-block of the same layer, which uses it first.
    bool is_drawn_before(const Tensor& weight, std::size_t index) const {
        for (std::size_t i = 0; i < index; ++i) {
            const Node* const node = parts_.items[i].node;
            if (node && !node->parameters.empty() && &graph_.tensors[node->parameters.front()] == &weight) return true;
        }
        const auto own = static_cast<BlockIndex>(graph_.find_block(own_) - graph_.blocks.data());
        const std::optional<std::size_t> layer = graph_.layer_of(weight.block);
        return layer && layer == graph_.layer_of(own) && !graph_.inside(weight.block, own);
    }

    // What comes in beside the stream, where something here is made of it.
    void bring(std::size_t index) {
        for (std::size_t i = 0; i < parts_.items.size(); ++i) {
            const std::vector<std::size_t>& from = parts_.items[i].from;
            if (!contains(from, index) || (!is_last(i) && !is_read(i))) continue;
            const Tensor& tensor = made_by(index);
            Strand strand{.items = {index}, .words = sketch_.width_of(tensor.symbol, TextRole::name)};
            strand.first = strand.words;
            strand.pieces.push_back(piece_of(tensor, index));
            strand.pieces.back().made = strand.pieces.back().brought = true;
            parts_.strands.push_back(std::move(strand));
            return;
        }
    }

    void hang(Strand& strand, std::size_t index) {
        const FlowItem& item = parts_.items[index];
        const auto& parameters = item.node->parameters;
        const Tensor& weight = graph_.tensors[parameters.front()];
        const Tensor& made = graph_.tensors[item.output];
        const bool same = !item.from.empty() && made.shape == graph_.tensors[item.node->inputs.front()].shape;
        StrandPiece piece = piece_of(weight, index);
        piece.again = is_drawn_before(weight, index);
        piece.norm = same && item.node->op == Op::norm && !strand.pieces.empty() && strand.pieces.back().made;
        piece.flows = made.id;
        if (parameters.size() > 1 && !piece.again) {
            piece.bias = graph_.tensors[parameters[1]].id;
            piece.bias_sides = sketch_.sides(piece.bias, true);
        }
        strand.items.push_back(index);
        strand.words = std::max(strand.words, sketch_.width_of(weight.symbol, TextRole::name));
        if (strand.pieces.empty()) strand.first = piece.name;
        strand.pieces.push_back(std::move(piece));
        if (same) return;
        strand.words = std::max(strand.words, sketch_.width_of(made.symbol, TextRole::name));
        strand.pieces.push_back(piece_of(made, index));
        strand.pieces.back().made = true;
        strand.pieces.back().kept = sketch_.look_of(made) == SlabLook::cached;
    }

    Strand* strand_of(std::size_t item) {
        return find_if_in(parts_.strands, [&](const Strand& each) { return each.has(item); });
    }

    // What makes the sub-block's output is a step.
    bool hangs(std::size_t index) const {
        const FlowItem& item = parts_.items[index];
        return item.node && !item.node->parameters.empty() && item.from.size() == 1 && !is_last(index) &&
               !in_branch_[index];
    }

    void gather_strands() {
        std::vector<Strand>& strands = parts_.strands;
        for (std::size_t i = 0; i < parts_.items.size(); ++i) {
            const FlowItem& item = parts_.items[i];
            if (in_branch_[i]) continue;
            if (item.brought) {
                bring(i);
                continue;
            }
            if (item.node && draws(i) && item.from_outside && item.from.empty() && !is_last(i)) {
                const std::string& input = graph_.tensors[item.node->inputs.front()].id;
                const bool around_norm = graph_.find(own_ + ".norm") && input == stream_into(sketch_, own_);
                strands.push_back({.from_other_stack = item.from_other_stack, .from_stream = around_norm});
                hang(strands.back(), i);
                continue;
            }
            if (!hangs(i)) continue;
            const std::size_t from = item.from.front();
            Strand* strand = strand_of(from);
            if (!strand || strand->items.back() != from) continue;
            std::size_t readers = 0;
            for (std::size_t other = 0; other < parts_.items.size(); ++other)
                if (hangs(other) && parts_.items[other].from.front() == from) ++readers;
            if (readers > 1) {
                strands.push_back({.after = from, .level = strand->level + 1});
                strand = &strands.back();
            }
            hang(*strand, i);
        }
    }

    // What the cache keeps of what a matrix makes, in another form than it is made, stands for that.
    void draw_kept() {
        std::vector<StrandPiece*> replaced;
        for (std::size_t i = 0; i < parts_.items.size(); ++i) {
            if (draws(i) || made_by(i).role != Role::cache) continue;
            const std::size_t from = drawn_for(i);
            Strand* const strand = strand_of(from);
            if (!strand) continue;
            StrandPiece* made = nullptr;
            for (StrandPiece& piece : strand->pieces) {
                if (piece.made) made = &piece;
                if (piece.item == from && piece.flows == made_by(from).id && made) break;
            }
            if (!made || kept_in_cache(*graph_.find(made->id))) continue;
            const Sides sides = sketch_.sides(made_by(i).id, true);
            if (!contains(replaced, made)) {
                replaced.push_back(made);
                made->drawn.clear();
                made->sides = {sides.rows, 0};
                made->kept = sketch_.look_of(made_by(i)) == SlabLook::cached;
                made->name = sketch_.width_of(made_by(i).symbol, TextRole::name);
            }
            made->drawn.push_back(made_by(i).id);
            made->sides.columns += sides.columns;
        }
    }

    void set_made(CardStep& step, const Tensor& made) const {
        step.made = made.id;
        step.made_sides = sketch_.sides(made.id, true);
    }

    void gather_steps() {
        std::vector<CardStep>& steps = parts_.steps;
        for (std::size_t i = 0; i < parts_.items.size(); ++i) {
            const FlowItem& item = parts_.items[i];
            if (strand_of(i) || !draws(i) || in_branch_[i] || item.brought) continue;
            if (item.node && item.node->parameters.empty() && !is_last(i) && !is_read(i)) continue;
            CardStep step{.item = i};
            if (item.node && !item.node->parameters.empty()) {
                const Tensor& weight = graph_.tensors[item.node->parameters.front()];
                step.weight = weight.id;
                step.sides = sketch_.sides(weight.id, true);
                step.label = sketch_.label_width(weight.id, 2);
                const std::string name = item.node->op == Op::norm ? "Norm" : sketch_.name_text(weight);
                step.words = sketch_.width_of(name, TextRole::name);
            }
            if (item.block)
                step.words = sketch_.width_of(heads_text(sketch_.value(item.block->repeat, 1)), TextRole::name);
            for (const TensorIndex held : item.held)
                step.held = std::max(step.held, sketch_.sides(graph_.tensors[held].id, true).columns);
            // What a matrix behind it reads.
            if (!steps.empty() && !step.weight.empty() && item.node->op != Op::norm && steps.back().weight.empty() &&
                contains(item.from, steps.back().item))
                set_made(steps.back(), graph_.tensors[item.node->inputs.front()]);
            steps.push_back(std::move(step));
        }
        if (steps.empty()) return;
        for (Strand& strand : parts_.strands) {
            const auto reads = [&](const CardStep& step) {
                return std::ranges::any_of(parts_.items[step.item].from,
                                           [&](std::size_t from) { return strand.has(from); });
            };
            const auto first = std::ranges::find_if(steps, reads);
            if (first != steps.end()) strand.reader = static_cast<std::size_t>(first - steps.begin());
            const FlowItem& reader = parts_.items[steps[strand.reader].item];
            const StrandPiece& last = strand.pieces.back();
            if (reader.node && reader.node->parameters.empty() && last.made && !last.brought)
                strand.pieces.back().brief = true;
        }
        std::ranges::stable_sort(parts_.strands, [](const Strand& a, const Strand& b) {
            return std::pair(a.level, a.reader) < std::pair(b.level, b.reader);
        });
    }

    const Sketch& sketch_;
    const ModelGraph& graph_;
    const std::string own_;
    CardParts parts_;
    std::optional<std::size_t> activation_;
    std::size_t last_ = 0;
    std::vector<bool> in_branch_;  // of each item
};

}  // namespace

double CardParts::rows() const {
    double strands_rows = 0, tallest = 0;
    for (const Strand& strand : strands) {
        double own = 0;
        for (const StrandPiece& piece : strand.pieces)
            if (!piece.made) own = std::max(own, piece.sides.rows);
        strands_rows += own;
    }
    for (const CardStep& step : steps) tallest = std::max(tallest, step.sides.rows);
    double branches_rows = 0;  // each as tall as the tallest thing in it: what is narrow stands side by side
    for (const CardBranch& branch : branches) {
        double own = 0;
        for (const Strand& strand : branch.parts.strands)
            for (const StrandPiece& piece : strand.pieces)
                if (!piece.made) own = std::max(own, piece.sides.rows);
        for (const CardStep& step : branch.parts.steps) own = std::max(own, step.sides.rows);
        branches_rows += own;
    }
    return std::max({strands_rows, tallest, branches_rows});
}

bool CardParts::has_norms() const {
    return std::ranges::any_of(strands, [](const Strand& strand) {
        return std::ranges::any_of(strand.pieces, [](const StrandPiece& each) { return each.norm; });
    });
}

CardParts card_parts(const Sketch& sketch, std::string_view block) {
    return sketch.find_block(block) ? StrandGathering(sketch, block).gathered() : CardParts{};
}

}  // namespace headcount
