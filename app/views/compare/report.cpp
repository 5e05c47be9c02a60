// What is compared, as the report for tests has it.
#include <nlohmann/json.hpp>

#include "app/parts/fields_json.hpp"
#include "app/views/compare/space.hpp"

namespace headcount {
namespace {

using Json = nlohmann::ordered_json;

// The model that the document is compared with, and what makes them differ; null outside of the Compare view.
Json compare_json(const Session& session) {
    const std::optional<Shown>& other = session.comparison.other;
    if (session.view.workspace != compare_view || !other) return nullptr;
    const ComparePlace& place = session.view.compare;
    const Difference* const difference = session.comparison.difference.get();
    Json by_component = Json::object();
    if (difference)
        for (Component component : components)
            by_component[std::string(component_key(component))] = difference->of(component);
    return {{"name", other->document.architecture.name},
            {"preset", other->document.preset},
            {"chosen", session.document.with.has_value()},
            {"total", other->derived.shown.parameters.total},
            {"fields", fields_json(other->document.architecture)},
            {"possible", other->derived.current},
            {"difference", difference ? Json(difference->total) : Json()},
            {"by_component", by_component},
            {"split", compare_split_keys[static_cast<std::size_t>(place.split)]},
            {"tab", compare_tab_keys[static_cast<std::size_t>(place.tab)]}};
}

}  // namespace

void report_compare(const Session& session, nlohmann::ordered_json& report) {
    report["compare"] = compare_json(session);
}

}  // namespace headcount
