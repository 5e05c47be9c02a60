// What covers the hidden numbers of a frame, and what a press on a blank does.
#include "app/parts/hidden.hpp"

#include <vector>

#include "app/state/in_view.hpp"

namespace headcount {

std::optional<Subject> number_to_hide(const Session& session) {
    const Shown& seen = model_in_view(session);
    for (const Subject& subject : {seen.look.hover, seen.look.selection, Subject(TotalSubject{})}) {
        if (nothing(subject)) continue;
        if (!has_number(seen.derived.shown, subject)) return std::nullopt;
        return subject;
    }
    return std::nullopt;
}

Veil veil_of(const Session& session) {
    Veil veil;
    // Beside a lesson the document's own numbers are seen, too.
    std::vector<const Counted*> seen{&session.derived.shown};
    if (const Counted& other = model_in_view(session).derived.shown; &other != seen.front()) seen.push_back(&other);
    for (const Subject& subject : session.view.hidden) {
        veil.keys.push_back(subject_key(subject));
        for (const Counted* const model : seen) hide(veil, *model, subject);
    }
    hide_asked(veil, session, seen);
    if (session.view.workspace == worksheet_view)
        hide_unfound(veil, session.desk, model_in_view(session).derived.shown);
    return veil;
}

Veil& frame_veil(const Ui& ui) { return kept<Veil>(ui, "hidden"); }

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
