// The feed-forward by its name alone, while attention is shown to a class.
#include "app/canvas/arrange/head_plan.hpp"
#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {

void lay_out_closed(Sketch& sketch, const Plan& plan) {
    const Rect& box = plan.feed_forward;
    const std::string id = component_id(Component::feed_forward);
    const float y = box.min.y + sketch.px(7), left = box.min.x + sketch.px(room::padding + 16);
    const std::string name(component_name(Component::feed_forward));
    sketch.frame(id, box, FrameKind::component, Component::feed_forward);
    sketch.door(feed_forward_block, box);
    sketch.title({left, y}, name, id);
    const std::int64_t all = sketch.parameters_in(feed_forward_block), active = sketch.active_in(feed_forward_block);
    const float right = box.max.x - sketch.px(room::padding);
    const float room = right - left - sketch.width_of(name, TextRole::title) - sketch.px(16);
    const std::string both = active < all ? grouped(all) + ", " + grouped(active) + " active" : grouped(all);
    sketch.number({right, y + sketch.px(1)}, fitting(sketch, {both, grouped(all)}, TextRole::number, room), id,
                  Anchor::right);

    Door& door = sketch.scene.doors.back();
    door.closed = true;
    const float middle = box.centre().y;
    if (plan.shares_norm) {
        const float x = card_split(sketch, plan, attention_block);
        lay_out_norm(sketch, plan, feed_forward_block, box.min.y + sketch.px(4), x);
    } else {
        door.entry = {plan.stream_x, middle};
        door.entry_tensor = stream_into(sketch, feed_forward_block);
        sketch.wire({door.entry, {box.min.x - sketch.px(1), middle}}, door.entry_tensor);
    }
    lay_out_return(sketch, plan, feed_forward_block, {box.max.x - sketch.px(7), box.max.y});
}

}  // namespace headcount
