// The feed-forward by its name alone, while a class looks at attention: it leaves that its room.
#include <array>

#include "app/canvas/arrange/head_plan.hpp"
#include "core/base/text.hpp"

namespace headcount {

void lay_out_closed(Sketch& sketch, const Plan& plan) {
    const Rect& box = plan.feed_forward;
    const std::string id = "component." + std::string(component_key(Component::feed_forward));
    const float y = box.min.y + sketch.px(7), left = box.min.x + sketch.px(room::padding + 16);
    const std::string name(component_name(Component::feed_forward));
    sketch.frame(id, box, FrameKind::component, Component::feed_forward);
    sketch.door(feed_forward_block, box);
    sketch.label({left, y}, name, TextRole::title, Tone::high, Anchor::left, id);
    const std::int64_t all = sketch.component_in_layer(Component::feed_forward),
                       active = sketch.active_in_layer(Component::feed_forward);
    const float right = box.max.x - sketch.px(room::padding);
    const float room = right - left - sketch.width_of(name, TextRole::title) - sketch.px(16);
    const std::string both = active < all ? grouped(all) + ", " + grouped(active) + " active" : grouped(all);
    sketch.label({right, y + sketch.px(1)}, fitting(sketch, {both, grouped(all)}, TextRole::number, room),
                 TextRole::number, Tone::mid, Anchor::right, id);

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
