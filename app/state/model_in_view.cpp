// Looks among what the views keep.
#include "app/state/model_in_view.hpp"

#include <type_traits>

namespace headcount {
namespace {

template <class AnySession>
auto& in_view(AnySession& session) {
    using Model = std::conditional_t<std::is_const_v<AnySession>, const Shown, Shown>;
    Model& own = session;
    const auto or_own = [&](auto& beside) -> Model& { return beside ? *beside : own; };
    switch (session.view.workspace) {
        case Workspace::worksheet:
            return or_own(session.desk.model);
        case Workspace::claims:
            return or_own(session.claims.model);
        case Workspace::run:
            return or_own(session.running.shipped);
        case Workspace::explore:
        case Workspace::compare:
        case Workspace::costs:
        case Workspace::what_if:
            break;
    }
    return own;
}

}  // namespace

Shown& model_in_view(Session& session) {
    return in_view(session);
}

const Shown& model_in_view(const Session& session) {
    return in_view(session);
}

bool shows_another(const Session& session) {
    return &model_in_view(session) != &session;
}

}  // namespace headcount
