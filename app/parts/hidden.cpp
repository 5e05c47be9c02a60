// What covers the hidden numbers of a frame, and what a press on a blank does.
#include "app/parts/hidden.hpp"

#include "app/state/in_view.hpp"

namespace headcount {
namespace {

// Of every model that is seen: the top bar has the document's beside a lesson, too.
std::vector<const Derived*> models_seen(const Session& session) {
    std::vector<const Derived*> seen{&session.derived};
    if (shows_another(session)) seen.push_back(&model_in_view(session).derived);
    return seen;
}

bool asks(const Session& session) {
    return session.view.workspace == worksheet_view && session.desk.sheet;
}

}  // namespace

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

Veil& frame_veil(const Ui& ui) {
    return kept<Veil>(ui, "hidden");
}

HiddenNumbers::HiddenNumbers(const Ui& ui, const Session& session) : ui_(ui), session_(session), veil_(frame_veil(ui)) {
    std::string* const beside = veil_.beside;
    veil_ = veil_of(session);
    veil_.beside = beside;
    if (veil_.keys.empty()) return;
    veil_.drawn = [this](const Veil::Blank& blank) {
        ui_.recorder.record("hidden", veil_.keys[static_cast<std::size_t>(blank.of)], blank.min, blank.max);
    };
    over_.emplace(veil_);
}

HiddenNumbers::~HiddenNumbers() {
    veil_.drawn = nullptr;  // the veil outlives this
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
