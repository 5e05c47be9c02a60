// The list of the views, and what can be asked for in them: tabs, keys, `--view`, pictures, the ask bar, the help and
// the report read it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/parts/actions.hpp"
#include "app/parts/panel_frame.hpp"

namespace headcount {

struct ViewKind {
    std::string_view key;   // in saved documents, for tests and `--view`
    std::string_view name;  // what people read
    std::string_view help;  // what it is for: a sentence, which its tab says
    // Opens a window for every panel below the top bar and fills them. Returns where notices may stand.
    Area (*draw)(const PanelFrame& frame);
    // What a clicker's press does while it is shown to a class, by 1 on or -1 back; null or nothing: there are no
    // steps.
    std::optional<Intent> (*step)(const Session& session, int by) = nullptr;
    // What `--report-ui` says of it, as members of the report; null: nothing.
    void (*report)(const Session& session, nlohmann::ordered_json& report) = nullptr;
    // What its charts and tables are of, in a line, for whatever is saved or copied of them; null: nothing.
    std::string (*made_for)(const Session& session) = nullptr;
    // Its own keys, after the common ones; null: none.
    std::vector<Action> (*actions)() = nullptr;
};

struct Views {
    std::vector<ViewKind> kinds;  // in the order of the tabs; the first is shown where the one asked for is not there
    std::vector<Action> actions;  // to go to each view, the common ones, those of each view
};

Views views_of(std::vector<ViewKind> kinds);

// For `ViewKind::step`: from one of these to the next, of what is pointed out to a class one by one, beginning with the
// one at `first`; nothing at either end.
std::optional<Intent> point_out(const View& view, std::span<const std::string> all, int by, std::size_t first = 0);

// For `ViewKind::made_for`: this model with its input, in the phase and on the devices that Costs has. Of what is
// varied its range is said.
std::string made_for(const Session& session, const Document& document, std::span<const ValueRange> varied = {});

// The view on the screen.
const ViewKind& view_on(const Views& views, const View& view);

}  // namespace headcount
