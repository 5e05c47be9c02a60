// Two architectures field by field.
#include "core/arch/fields.hpp"
#include "core/arch/matters.hpp"

namespace headcount {
namespace {

// Whether the feed-forward's width follows a rule in one of them and is given in the other.
bool ruled_in_one(const Architecture& a, const Architecture& b) {
    return a.layer.feed_forward.width.index() != b.layer.feed_forward.width.index();
}

// Whether the value in effect follows from others in both.
bool follows_in_both(const Architecture& a, const Architecture& b, Field field) {
    if (!info(field).symbol || info(field).absence != Absence::rule) return false;
    const auto follows = [&](const Architecture& arch) {
        const std::optional<std::string> text = field_text(arch, field);  // nothing of a part that it lacks
        return !text || *text == "auto";
    };
    const bool latent = a.layer.attention.latent || b.layer.attention.latent;
    if (latent && (field == Field::head_dim || field == Field::kv_heads)) return true;
    return follows(a) && follows(b);
}

// The fields of a part stand together in the enumeration, the one that brings it in first.
struct PartFields {
    Field first, last;
};
constexpr PartFields parts[] = {
    {Field::window, Field::window_layers},
    {Field::kv_rank, Field::value_dim},
    {Field::full_head_dim, Field::keys_are_values},
    {Field::index_heads, Field::index_layers},
    {Field::layer_embedding_dim, Field::layer_embedding_vocab},
    {Field::state_dim, Field::recurrence_layers},
    {Field::encoder_layers, Field::encoder_mixture_layers},
    {Field::image_height, Field::registers},
    {Field::sound_channels, Field::position_layers},
    {Field::experts, Field::mixture_layers},
};

// Acts on that part of all of these architectures.
template <class Act, class... Arch>
auto on_whole(Field part, const Act& act, Arch&... arch) {
    if (part == Field::window) return act(arch.layer.attention.window...);
    if (part == Field::kv_rank) return act(arch.layer.attention.latent...);
    if (part == Field::full_head_dim) return act(arch.layer.attention.full...);
    if (part == Field::index_heads) return act(arch.layer.attention.indexer...);
    if (part == Field::layer_embedding_dim) return act(arch.layer.embedding...);
    if (part == Field::state_dim) return act(arch.layer.recurrence...);
    if (part == Field::encoder_layers) return act(arch.encoder...);
    if (part == Field::image_height) return act(arch.patches...);
    if (part == Field::sound_channels) return act(arch.sound...);
    return act(arch.layer.mixture...);
}

}  // namespace

std::optional<Field> part_with(Field field) {
    for (const PartFields& part : parts)
        if (field >= part.first && field <= part.last) return part.first;
    return std::nullopt;
}

bool has_part(const Architecture& arch, Field part) {
    return on_whole(
        part, [](const auto& there) { return there.has_value(); }, arch);
}

std::optional<Architecture> with_field_of(Architecture to, const Architecture& from, Field field) {
    const auto& width = from.layer.feed_forward.width;
    const bool makes_width =
        field == Field::ffn_dim || field == Field::ffn_multiple_of || field == Field::ffn_multiplier;
    if (makes_width && to.layer.feed_forward.width.index() != width.index()) {
        to.layer.feed_forward.width = width;
        return to;
    }
    const std::optional<Field> part = part_with(field);
    if (part && has_part(to, *part) != has_part(from, *part)) {
        on_whole(
            *part, [](auto& into, const auto& given) { into = given; }, to, from);
        if (*part == Field::kv_rank) {
            // Beside latent attention these two say nothing: they come with the other kind.
            to.layer.attention.kv_heads = from.layer.attention.kv_heads;
            to.layer.attention.head_dim = from.layer.attention.head_dim;
        }
        return to;
    }
    const std::optional<std::string> text = field_text(from, field);
    if (!text) return std::nullopt;
    Result<Architecture> changed = with_field(std::move(to), field, *text);
    return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

std::vector<Field> changed_fields(const Architecture& from, const Architecture& to) {
    std::vector<Field> changed;
    for (const FieldInfo& field : fields()) {
        if (!matters(from, field.field) && !matters(to, field.field)) continue;
        // Dimensions are compared by the value in effect: 32 key/value heads written out are still "one for each".
        bool same = field.symbol ? field_number(to, field.field) == field_number(from, field.field)
                                 : field_text(to, field.field) == field_text(from, field.field);
        if (field.field == Field::ffn_dim && ruled_in_one(from, to)) same = false;
        // As wide as the rest, there may be a matrix all the same.
        if (field.field == Field::embedding_dim && from.embedding_dim.has_value() != to.embedding_dim.has_value())
            same = false;
        bool follows = follows_in_both(to, from, field.field);
        const std::optional<Field> part = part_with(field.field);
        bool of_part = part && *part != field.field && has_part(to, *part) != has_part(from, *part);
        bool ruled = field.field == Field::ffn_dim && !field_text(to, field.field);
        // A rule that has come is one change, said beside its multiple.
        bool said = field.field == Field::ffn_multiplier && ruled_in_one(from, to);
        bool gone = field.field == Field::ffn_multiple_of && !field_text(to, field.field);
        if (!same && !of_part && !follows && !ruled && !said && !gone) changed.push_back(field.field);
    }
    return changed;
}

std::string field_words(const Architecture& arch, Field field) {
    if (!matters(arch, field)) return "none";
    const FieldInfo& about = info(field);
    const std::optional<std::string> text = field_text(arch, field);
    if (text && about.kind == FieldKind::flag) return field_place(arch, field) == 1 ? "yes" : "no";
    if (text && about.kind == FieldKind::choice)
        return std::string(about.labels[static_cast<std::size_t>(field_place(arch, field))]);
    if (text && *text != "auto") return *text;
    const std::optional<std::int64_t> number = field_number(arch, field);
    return number ? std::to_string(*number) : "none";
}

}  // namespace headcount
