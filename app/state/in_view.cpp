// One list of the views that keep something of their own.
#include "app/state/in_view.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace headcount {
namespace {

struct Kept {
    std::string_view view;
    void (*look)(Session&);                     // works out what it shows, where that is another than before
    bool (*diagram)(const Session&) = nullptr;  // whether one is shown; null: never
    const std::optional<Shown>& (*model)(const Session&) = nullptr;  // in place of the user's own; null: none
    bool lesson = false;
    void (*rest)(Session&) = nullptr;  // when it is left: unseen it would take all of the processor
};

bool always(const Session&) { return true; }

// The numbers of a small model are in its diagram.
void look_at_own_run(Session& session) {
    look_at_run(session);
    lend_tokens(session);
}

// It has what Costs shows in two of its tables.
void look_at_explore(Session& session) {
    if (runs_unasked(session)) look_at_own_run(session);
    const View& view = session.view;
    if (!view.show.presenting && (view.bottom_tab == BottomTab::memory || view.bottom_tab == BottomTab::compute))
        look_at_costs(session.costs, session.view.costs, session.derived.shown, false);
}

void look_at_compare(Session& session) {
    look_at_devices(session.costs, session.view.costs);
    ComparePage& page = session.comparison;
    look_at_both(page, session, session.presets, has_lent(session.running, session.document.input));
    // Where both sides have numbers, both are shown.
    const std::optional<RunSource> source = own_weights(*page.other, session.presets);
    if (source && runs_unasked(session)) {
        look_at_own_run(session);
        look_at_other_run(page.run, *page.other, *source, session.view.run, session.running.shown.get(), page.wake);
    } else {
        leave_other_run(page.run);
    }
    if (session.view.compare.tab == CompareTab::numbers)
        look_at_numbers(session.comparison, session);
    else
        rest_numbers(session.comparison);
}

void look_at_what_if(Session& session) {
    const View& view = session.view;
    look_at_devices(session.costs, session.view.costs);
    const Document& document = session.document;
    look_at_what_if(session.what_if, view.what_if,
                    {document.architecture, document.input,
                     pass_options(session.costs, view.costs, document.architecture), session.costs.reached},
                    document.preset, session.presets);
}

constexpr std::array list{
    Kept{.view = explore_view, .look = look_at_explore, .diagram = always},
    Kept{.view = compare_view,
         .look = look_at_compare,
         .diagram = always,
         .rest = [](Session& session) { rest_numbers(session.comparison); }},
    Kept{.view = costs_view,
         .look =
             [](Session& session) { look_at_costs(session.costs, session.view.costs, session.derived.shown, true); }},
    Kept{.view = what_if_view, .look = look_at_what_if},
    Kept{.view = run_view,
         .look = look_at_run,
         .diagram =
             [](const Session& session) {
                 return session.running.drawn && shows_of(session.running, session.view.run) == RunShows::diagram;
             },
         .model = [](const Session& session) -> const std::optional<Shown>& { return session.running.drawn; },
         .rest = rest_run},
    Kept{.view = train_view,
         .look = look_at_training,
         .model = [](const Session& session) -> const std::optional<Shown>& { return session.training.drawn; },
         .rest = rest_training},
    Kept{.view = worksheet_view,
         .look = sit_at_desk,
         .diagram = [](const Session& session) { return shows_diagram(session.desk); },
         .model = [](const Session& session) -> const std::optional<Shown>& { return session.desk.model; },
         .lesson = true},
    Kept{.view = claims_view,
         .look = [](Session& session) { look_at_claims(claims_look(session)); },
         .diagram = [](const Session& session) { return session.claims.model.has_value(); },
         .model = [](const Session& session) -> const std::optional<Shown>& { return session.claims.model; },
         .lesson = true},
};

const Kept* kept_by(const std::string& view) {
    const auto found = std::ranges::find_if(list, [&](const Kept& kept) { return kept.view == view; });
    return found == list.end() ? nullptr : found;
}

}  // namespace

const Shown& model_in_view(const Session& session) {
    const Kept* const kept = kept_by(session.view.workspace);
    if (!kept || !kept->model) return session;
    const std::optional<Shown>& model = kept->model(session);
    return model ? *model : session;
}

Shown& model_in_view(Session& session) {
    return const_cast<Shown&>(model_in_view(std::as_const(session)));  // of a session that may change
}

bool shows_another(const Session& session) { return &model_in_view(session) != &session; }

bool shows_own_model(const View& view) {
    const Kept* const kept = kept_by(view.workspace);
    return !kept || !kept->lesson;
}

bool shows_diagram(const Session& session) {
    const Kept* const kept = kept_by(session.view.workspace);
    return kept && kept->diagram && kept->diagram(session);
}

void look_at_view(Session& session) {
    if (const Kept* const kept = kept_by(session.view.workspace)) kept->look(session);
}

void leave_view(Session& session, const std::string& view) {
    const Kept* const kept = kept_by(view);
    if (kept && kept->rest) kept->rest(session);
}

}  // namespace headcount
