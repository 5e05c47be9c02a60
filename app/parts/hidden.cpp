// The texts of hidden numbers, and what a press on a blank does; see the header.
#include "app/parts/hidden.hpp"

#include <algorithm>

#include "app/parts/hidden_answers.hpp"
#include "app/parts/number_texts.hpp"
#include "app/parts/words.hpp"
#include "app/state/in_view.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

using Texts = std::vector<std::string>;

void add_count(Texts& texts, std::int64_t count, const Input& input) {
    add_count_texts(texts, count, input.precision);
}

void add_share(Texts& texts, std::int64_t part, std::int64_t whole) {
    if (part > 0 && part < whole) texts.push_back(percent(part, whole));
}

void add_change(Texts& texts, std::int64_t change) {
    if (change == 0) return;
    texts.push_back(signed_grouped(change));
    texts.push_back(signed_short(change));
}

void add_total(Texts& texts, const Derived& derived) {
    const std::int64_t total = derived.shown.parameters.total, base = derived.base.parameters.total;
    add_count(texts, total, derived.shown.input);
    add_rough_texts(texts, total);
    add_change(texts, total - base);
    if (total != base) texts.push_back(percent(total - base, base));
    for (const auto& [field, effect] : derived.effects) add_change(texts, effect);
}

// One of them and all of them, and how much of the model that is.
void add_parameter(Texts& texts, const Counted& shown, const Tensor& tensor) {
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    const TensorCount count = count_of(shown.graph, tensor, shown.bindings);
    const LayerGroup* const group = group_of(shown.graph, tensor.block);
    add_count(texts, one, shown.input);
    add_count(texts, count.all, shown.input);
    if (group) add_count(texts, count.all / group->count, shown.input);
    add_share(texts, one, shown.parameters.total);
    add_share(texts, count.all, shown.parameters.total);
}

// What a layer of each kind has of a component stands beside its name in the diagram. From its tensors it could be
// summed up.
void add_component(Texts& texts, const Derived& derived, Component component) {
    const Counted& shown = derived.shown;
    const std::int64_t count = shown.parameters.of(component);
    add_count(texts, count, shown.input);
    add_rough_texts(texts, count);
    add_share(texts, count, shown.parameters.total);
    add_change(texts, count - derived.base.parameters.of(component));
    std::vector<std::int64_t> in_layer(shown.graph.layers.size(), 0);
    for (const Tensor& tensor : shown.graph.tensors) {
        if (tensor.role != Role::parameter || tensor.component != component) continue;
        add_parameter(texts, shown, tensor);
        const std::optional<std::size_t> layer = shown.graph.layer_of(tensor.block);
        if (!layer) continue;
        in_layer[*layer] += count_of(shown.graph, tensor, shown.bindings).all / shown.graph.layers[*layer].group.count;
    }
    for (const std::int64_t one : in_layer)
        if (one > 0) add_count(texts, one, shown.input);
}

void add_shape(Texts& texts, const Shape& shape, const Bindings& bindings) {
    std::vector<std::int64_t> sides;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) sides.push_back(value_of(shape[axis], bindings));
    add_shape_texts(texts, sides);
}

std::int64_t times(std::int64_t one, std::int64_t copies) {
    return checked_multiply(one, copies).value_or(one);
}

void add_tensor(Texts& texts, const Derived& derived, const Tensor& tensor) {
    const Counted& shown = derived.shown;
    const std::int64_t one = elements_of(tensor.shape, shown.bindings);
    add_shape(texts, tensor.shape, shown.bindings);
    add_count(texts, one, shown.input);
    if (tensor.role == Role::parameter || tensor.role == Role::buffer) add_parameter(texts, shown, tensor);
    for (const auto* rows : {&shown.activations, &shown.head})
        for (const ActivationRow& row : *rows) {
            if (&shown.graph.tensors[row.tensor] != &tensor) continue;
            for (const std::int64_t copies : {row.in_layer, row.copies})
                add_count(texts, times(row.elements, copies), shown.input);
        }
    const Tensor* const before = derived.base.graph.find(tensor.id);
    if (before) add_change(texts, one - elements_of(before->shape, derived.base.bindings));
}

// Of every model that is seen: the top bar has the document's beside a lesson, too.
std::vector<const Derived*> models_seen(const Session& session) {
    std::vector<const Derived*> seen{&session.derived};
    if (shows_another(session)) seen.push_back(&model_in_view(session).derived);
    return seen;
}

FrameVeil::Model model_of(const Derived& derived) {
    return {derived.shown.architecture, derived.base.architecture, derived.shown.input, derived.base.input,
            derived.effects};
}

bool same(const FrameVeil::Model& model, const Derived& derived) {
    return model.shown == derived.shown.architecture && model.base == derived.base.architecture &&
           model.shown_input == derived.shown.input && model.base_input == derived.base.input &&
           model.effects == derived.effects;
}

bool asks(const Session& session) {
    return session.view.workspace == worksheet_view && session.desk.sheet;
}

bool still_holds(const FrameVeil& kept, const Session& session) {
    if (kept.hidden != session.view.hidden || kept.desk.has_value() != asks(session)) return false;
    if (kept.desk && (kept.sheet != session.desk.sheet || *kept.desk != session.desk.kept)) return false;
    if (kept.hidden.empty()) return true;  // then no model is in it
    const std::vector<const Derived*> seen = models_seen(session);
    return std::equal(kept.models.begin(), kept.models.end(), seen.begin(), seen.end(),
                      [](const FrameVeil::Model& model, const Derived* derived) { return same(model, *derived); });
}

void make_anew(FrameVeil& kept, const Session& session) {
    Veil veil = veil_of(session);
    kept.veil.keys = std::move(veil.keys);
    kept.veil.numbers = std::move(veil.numbers);
    kept.hidden = session.view.hidden;
    kept.models.clear();
    if (!kept.hidden.empty())
        for (const Derived* const derived : models_seen(session)) kept.models.push_back(model_of(*derived));
    kept.sheet = asks(session) ? session.desk.sheet : nullptr;
    kept.desk.reset();
    if (asks(session)) kept.desk = session.desk.kept;
    ++kept.made;
}

}  // namespace

std::vector<std::string> texts_of(const Derived& derived, const Subject& subject) {
    const Counted& shown = derived.shown;
    Texts texts;
    if (std::holds_alternative<TotalSubject>(subject)) add_total(texts, derived);
    if (const auto* component = std::get_if<Component>(&subject)) add_component(texts, derived, *component);
    if (const Tensor* const tensor = tensor_of(shown.graph, subject)) add_tensor(texts, derived, *tensor);
    if (const auto* field = std::get_if<Field>(&subject)) {
        const std::optional<Symbol> symbol = info(*field).symbol;
        const auto number = symbol ? shown.bindings[*symbol] : field_number(shown.architecture, *field);
        if (number) {
            texts.push_back(grouped(*number));
            texts.push_back(std::to_string(*number));
        }
    }
    return texts;
}

std::optional<Subject> number_to_hide(const Session& session) {
    const Shown& seen = model_in_view(session);
    for (const Subject& subject : {seen.look.hover, seen.look.selection, Subject(TotalSubject{})}) {
        if (nothing(subject)) continue;
        if (texts_of(seen.derived, subject).empty()) return std::nullopt;
        return subject;
    }
    return std::nullopt;
}

Veil veil_of(const Session& session) {
    Veil veil;
    const auto cover = [&](std::string_view key, std::vector<std::string> texts, bool near = false) {
        if (veil.keys.empty() || veil.keys.back() != key) veil.keys.emplace_back(key);
        const int of = static_cast<int>(veil.keys.size()) - 1;
        for (std::string& text : texts) veil.numbers.push_back({std::move(text), of, near});
    };
    for (const Subject& subject : session.view.hidden)
        for (const Derived* const derived : models_seen(session))
            cover(subject_key(subject), texts_of(*derived, subject));
    if (!asks(session)) return veil;
    std::vector<std::string> unfound = unfound_answers(session.desk);
    if (!unfound.empty()) cover(unfound_key, std::move(unfound));
    std::vector<std::string> sides = unfound_sides(session.desk);
    if (!sides.empty()) cover(unfound_key, std::move(sides), true);
    return veil;
}

HiddenNumbers::HiddenNumbers(const Ui& ui, const Session& session)
    : ui_(ui), session_(session), veil_(frame_veil(ui).veil) {
    if (FrameVeil& kept = frame_veil(ui); !still_holds(kept, session)) make_anew(kept, session);
    if (veil_.keys.empty()) return;
    veil_.drawn = [this](const Veil::Blank& blank) {
        ui_.recorder.record("hidden", veil_.keys[static_cast<std::size_t>(blank.of)], blank.min, blank.max);
    };
    over_.emplace(veil_);
}

HiddenNumbers::~HiddenNumbers() {
    veil_.drawn = nullptr;  // the veil outlives this
}

FrameVeil& frame_veil(const Ui& ui) {
    return kept<FrameVeil>(ui, "hidden");
}

Intents HiddenNumbers::pressed() const {
    Intents intents;
    for (const Veil::Blank& blank : veil_.blanks) {
        const auto of = static_cast<std::size_t>(blank.of);
        if (!blank.pointed || of >= session_.view.hidden.size()) continue;  // what a worksheet asks for stays covered
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        // The last one lies over the others.
        if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) intents = {Hide{session_.view.hidden[of]}};
    }
    return intents;
}

}  // namespace headcount
