// A session of a preset, what is asked of it and edits of its model, in one word each.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "app/state/session.hpp"
#include "tests/support/presets.hpp"
#include "tests/support/tried_presets.hpp"

namespace headcount::test {

using testing_data::all_presets;
using testing_data::telling_presets;
using testing_data::tried_presets;

inline Session session_of(std::string_view preset) {
    return start_session(all_presets(), document_of(*find_preset(all_presets(), preset)));
}

inline Effects ask(Session& session, Intent intent) { return headcount::apply(session, Intents{std::move(intent)}); }

inline Replace edit(const Session& session, Field field, std::string_view text, bool settled = true) {
    Document document = session.document;
    document.architecture = *with_field(document.architecture, field, text);
    return {document, field, settled};
}

inline Session edited(std::string_view preset,
                      std::initializer_list<std::pair<std::string_view, std::string_view>> changes) {
    Session session = session_of(preset);
    Document document = session.document;
    for (const auto& [key, text] : changes) document.architecture = *with_field(document.architecture, key, text);
    ask(session, Replace{document, std::nullopt, true});
    return session;
}

}  // namespace headcount::test
