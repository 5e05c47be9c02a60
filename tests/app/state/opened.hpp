// A session of a preset, what is asked of it and edits of its model, in one word each.
#pragma once

#include "app/state/session.hpp"
#include "core/files/assets.hpp"

namespace headcount::test {

inline Session open(std::string_view id) {
    std::vector<Preset> presets = *load_presets(*assets_directory() / "presets");
    Document document = document_of(*find_preset(presets, id));
    return start_session(std::move(presets), std::move(document));
}

inline Effects ask(Session& session, Intent intent) {
    return headcount::apply(session, Intents{std::move(intent)});
}

inline Replace edit(const Session& session, Field field, std::string_view text, bool settled = true) {
    Document document = session.document;
    document.architecture = *with_field(document.architecture, field, text);
    return {document, field, settled};
}

}  // namespace headcount::test
