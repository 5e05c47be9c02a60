// A mixer in its card on the page of the whole model, from its nodes alone: what reads the same input stands side by
// side, what is made of each hangs below it, and what brings them together follows to the right. It knows no kind of
// mixer.
#pragma once

#include <string>
#include <vector>

#include "app/canvas/arrange/block_layout.hpp"

namespace headcount {

// A matrix, a filter or a vector, with what is added to it below.
struct HungMatrix {
    std::string id;
    std::string bias;   // empty where there is none
    std::string flows;  // what leaves it
    Sides sides{0, 0};
    bool made = false;  // an activation
};

// What one matrix makes of the input, step by step.
struct MixerColumn {
    std::vector<HungMatrix> hung;
    std::vector<std::size_t> items;  // of the flow
    std::size_t reader = 0;          // the step on the right that reads it first
    float words = 0;                 // how wide its names are
    float left = 0, foot = 0;        // in pixels, once it is drawn
};

// What brings columns together, or changes that.
struct MixerStep {
    std::size_t item = 0;
    double columns = 0;  // of its matrix
    float words = 0;
    float left = 0, width = 0;
};

class MixerCard {
  public:
    MixerCard(Sketch& sketch, const Plan& plan)
        : sketch_(sketch), plan_(plan), graph_(sketch.input().model.graph), box_(plan.mixer) {
        const std::string block = sketch.shown(plan.mixer_block);
        const std::vector<ThingId> elsewhere{block + ".norm", block + ".output", block + ".output_norm"};
        for (FlowItem& item : flow_of(graph_, block, elsewhere)) items_.push_back(std::move(item));
        fold();
        gather_columns();
        gather_steps();
    }

    bool fits(float scale, bool words) const {
        return height(scale, words) <= box_.height() && width(scale, words) <= box_.width();
    }
    void lay_out();

  private:
    // Design pixels.
    static constexpr float above_row = 5, name_gap = 3, beside_way = 12, way_in = 5, columns_apart = 8, bare_gap = 7,
                           below_row = 22, ways_apart = 7, tallest_made = 14, mark_width = 16, least_words = 34;

    float px(float design) const { return sketch_.px(design); }
    bool draws(const FlowItem& item) const {
        return item.block || !item.node->parameters.empty() || item.from.size() > 1;
    }
    // What has no parameters and one input is seen in that, as far as this page goes.
    std::size_t drawn_for(std::size_t index) const {
        while (!draws(items_[index]) && items_[index].from.size() == 1) index = items_[index].from.front();
        return index;
    }
    void fold();
    void gather_columns();
    void hang(MixerColumn& column, const FlowItem& item);
    void gather_steps();
    float names() const { return sketch_.name_line() + px(name_gap); }
    float gap(bool words) const { return words ? names() : px(bare_gap); }
    float column_width(const MixerColumn& column, float scale, bool words) const;
    float hung_height(const HungMatrix& hung, float scale) const;
    float step_width(const MixerStep& step, float scale, bool words) const;
    float height(float scale, bool words) const;
    float width(float scale, bool words) const;
    float split(float scale) const { return card_split(sketch_, plan_, plan_.mixer_block, scale); }
    void draw_columns();
    Rect draw_hung(const HungMatrix& hung, Point corner);
    void name_hung(const HungMatrix& hung, const Rect& rect, float width, bool first);
    void draw_steps();
    void draw_step(const MixerStep& step);
    void lead_to(std::size_t number);
    const Tensor& output_of(std::size_t item) const { return graph_.tensors[items_[item].output]; }

    Sketch& sketch_;
    const Plan& plan_;
    const ModelGraph& graph_;
    const Rect& box_;
    std::vector<FlowItem> items_;
    std::vector<MixerColumn> columns_;
    std::vector<MixerStep> steps_;
    bool words_ = true;
    float scale_ = 0, top_ = 0, foot_ = 0, step_y_ = 0;
};

}  // namespace headcount
