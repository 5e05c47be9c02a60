// Makes the list of actions.
#include "app/parts/views.hpp"

#include <algorithm>

#include "core/analysis/made_for.hpp"

namespace headcount {

Views views_of(std::vector<ViewKind> kinds) {
    Views views{std::move(kinds), {}};
    constexpr std::size_t digits = 9;
    for (std::size_t i = 0; i < views.kinds.size(); ++i) {
        const ViewKind& view = views.kinds[i];
        std::vector<std::string> keys;
        if (i < digits) keys.push_back("Ctrl+" + std::to_string(i + 1));
        views.actions.push_back(
            {.id = "view." + std::string(view.key),
             .name = "Show " + std::string(view.name),
             .keys = std::move(keys),
             .does = [key = view.key](const Session&, float) -> std::optional<Intent> { return ShowWorkspace{key}; },
             .always = true,
             .in_manual = false});
    }
    const auto add = [&](const std::vector<Action>& actions) {
        views.actions.insert(views.actions.end(), actions.begin(), actions.end());
    };
    add(common_actions());
    for (const ViewKind& view : views.kinds)
        if (view.actions) add(view.actions());
    return views;
}

std::optional<Intent> point_out(const View& view, std::span<const std::string> all, int by, std::size_t first) {
    const auto here = std::ranges::find(all, view.show.pointed);
    const auto begin = static_cast<std::ptrdiff_t>(first);
    const auto next = here != all.end() ? here - all.begin() + by : by > 0 || begin > 0 ? begin : -1;
    if (next < 0 || next >= std::ssize(all)) return std::nullopt;
    return PointOut{all[static_cast<std::size_t>(next)]};
}

std::string made_for(const Session& session, const Document& document, std::span<const ValueRange> varied) {
    return made_for(title_as_known(document), document.architecture, document.input,
                    pass_options(session.costs, session.view.costs, document.architecture), varied);
}

const ViewKind& view_on(const Views& views, const View& view) {
    const auto found =
        std::ranges::find_if(views.kinds, [&](const ViewKind& each) { return each.key == view.workspace; });
    return found == views.kinds.end() ? views.kinds.front() : *found;
}

}  // namespace headcount
