// One list of the views that keep something of their own.
#include "app/state/in_view.hpp"

#include <algorithm>
#include <array>

namespace headcount {
namespace {

// A model that is shown in place of the user's own.
struct Beside {
    std::optional<Shown>& (*change)(Session&);
    const std::optional<Shown>& (*see)(const Session&);
};

template <auto page, auto model>
struct ShownBy {
    static std::optional<Shown>& change(Session& session) { return session.*page.*model; }
    static const std::optional<Shown>& see(const Session& session) { return session.*page.*model; }
};

template <auto page, auto model>
constexpr Beside beside{ShownBy<page, model>::change, ShownBy<page, model>::see};

struct Kept {
    std::string_view view;
    void (*look)(Session&);
    bool (*diagram)(const Session&) = nullptr;  // whether one is shown; null: never
    std::optional<Beside> model = {};
    bool lesson = false;
    void (*rest)(Session&) = nullptr;  // unseen it would take all of the processor
};

bool always(const Session&) {
    return true;
}

constexpr std::array list{
    Kept{.view = explore_view, .look = look_at_costs, .diagram = always},
    Kept{.view = compare_view, .look = look_at_both, .diagram = always},
    Kept{.view = costs_view, .look = look_at_costs},
    Kept{.view = what_if_view, .look = look_at_what_if},
    Kept{
        .view = run_view, .look = look_at_run, .model = beside<&Session::running, &RunPage::shipped>, .rest = rest_run},
    Kept{.view = worksheet_view,
         .look = sit_at_desk,
         .diagram = [](const Session& session) { return shows_diagram(session.desk); },
         .model = beside<&Session::desk, &Desk::model>,
         .lesson = true},
    Kept{.view = claims_view,
         .look = look_at_claims,
         .diagram = [](const Session& session) { return session.claims.model.has_value(); },
         .model = beside<&Session::claims, &ClaimsPage::model>,
         .lesson = true},
};

const Kept* kept_by(const std::string& view) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Kept& kept) { return kept.view == view; });
    return found == list.end() ? nullptr : found;
}

}  // namespace

Shown& model_in_view(Session& session) {
    const Kept* const kept = kept_by(session.view.workspace);
    if (!kept || !kept->model) return session;
    std::optional<Shown>& model = kept->model->change(session);
    return model ? *model : session;
}

const Shown& model_in_view(const Session& session) {
    const Kept* const kept = kept_by(session.view.workspace);
    if (!kept || !kept->model) return session;
    const std::optional<Shown>& model = kept->model->see(session);
    return model ? *model : session;
}

bool shows_another(const Session& session) {
    return &model_in_view(session) != &session;
}

bool shows_own_model(const View& view) {
    const Kept* const kept = kept_by(view.workspace);
    return !kept || !kept->lesson;
}

bool shows_diagram(const Session& session) {
    const Kept* const kept = kept_by(session.view.workspace);
    return kept && kept->diagram && kept->diagram(session);
}

void look_at_view(Session& session) {
    for (const Kept& kept : list) {
        if (session.view.workspace == kept.view)
            kept.look(session);
        else if (kept.rest)
            kept.rest(session);
    }
}

}  // namespace headcount
