// Keeps a session for the diagram beside a lesson, one a workspace.
#include "app/state/side_model.hpp"

#include <utility>

namespace headcount {
namespace {

std::size_t index_of(Workspace workspace) {
    return static_cast<std::size_t>(workspace);
}

bool has_model(const Session& side) {
    return side.document.architecture.family != nullptr;
}

}  // namespace

std::optional<Error> show_beside(Session& session, Workspace workspace, const Architecture& model, const Input& input) {
    const Session* const before = beside(session, workspace);
    if (before && before->document.base == model && before->document.input == input) return std::nullopt;
    if (Result<Counted> counted = count(model, input); !counted) return counted.error();
    Session side = start_session({}, Document{model, model, "", input});
    if (before) {
        side.view = before->view;
        side.view.selection = side.view.hover = {};
    }
    put_beside(session, workspace, std::move(side));
    return std::nullopt;
}

void put_beside(Session& session, Workspace workspace, Session side) {
    side.view.workspace = workspace;
    if (session.sides.size() <= index_of(workspace)) session.sides.resize(workspace_keys.size());
    session.sides[index_of(workspace)] = std::move(side);
    look_alike_beside(session);
}

void show_nothing_beside(Session& session, Workspace workspace) {
    if (beside(session, workspace)) session.sides[index_of(workspace)] = {};
}

const Session* beside(const Session& session, Workspace workspace) {
    const std::size_t at = index_of(workspace);
    return at < session.sides.size() && has_model(session.sides[at]) ? &session.sides[at] : nullptr;
}

Session* beside(Session& session, Workspace workspace) {
    return const_cast<Session*>(beside(std::as_const(session), workspace));
}

const Session& on_screen(const Session& session) {
    const bool own = shows_own_model(session.view.workspace) && session.view.workspace != Workspace::run;
    const Session* const side = own ? nullptr : beside(session, session.view.workspace);
    return side ? *side : session;
}

Session& on_screen(Session& session) {
    return const_cast<Session&>(on_screen(std::as_const(session)));
}

const Session* diagram_of(const Session& session) {
    switch (session.view.workspace) {
        case Workspace::explore:
        case Workspace::compare:
            return &session;
        case Workspace::worksheet:
            return shows_diagram(session.desk) ? beside(session, Workspace::worksheet) : nullptr;
        case Workspace::claims:
            return beside(session, Workspace::claims);
        case Workspace::costs:
        case Workspace::what_if:
        case Workspace::run:
            return nullptr;
    }
    return nullptr;
}

Error no_diagram(const Session& session) {
    const std::string view(workspace_keys[static_cast<std::size_t>(session.view.workspace)]);
    return {"there is no diagram to be written as SVG", "the view \"" + view + "\"",
            "choose the view explore, worksheet or claims, or a picture as PNG"};
}

void light_beside(Session& session, Workspace workspace, std::string_view at) {
    Session* const side = beside(session, workspace);
    if (!side) return;
    const ModelGraph& graph = side->derived.shown.graph;
    const Tensor* const tensor = graph.find(at);
    const Block* const block = tensor ? &graph.blocks[tensor->block] : graph.find_block(at);
    if (!block && !at.empty()) return;
    side->view.selection = tensor ? Subject(TensorSubject{tensor->id}) : Subject();
    side->view.asked_for = {block ? block->id : "", 0, {}};
    ++side->view.askings;
}

void look_alike_beside(Session& session) {
    for (Session& side : session.sides) {
        side.view.theme = session.view.theme;
        side.view.scale = session.view.scale;
        side.view.reduced_motion = session.view.reduced_motion;
        side.view.help = session.view.help;
        side.view.task = session.view.task;
    }
}

Intents asked_beside(Intents intents) {
    for (Intent& intent : intents)
        if (auto* replace = std::get_if<Replace>(&intent)) intent = AskBeside{replace->document.input};
    return intents;
}

}  // namespace headcount
