// Another document in the session, with what follows from it.
#include "app/state/change_document.hpp"

namespace headcount {

void set_document(Session& session, Document document) {
    const bool other_file = document.file != session.document.file;
    if (!set_document(static_cast<Shown&>(session), std::move(document))) return;
    session.compared = false;
    if (other_file) session.view.file_changed = false;
}

void show_whole(Session& session, Document document) {
    session.dragging = false;
    session.edit.reset();
    session.look.edited.reset();
    set_document(session, std::move(document));
    session.history.commit(session.document);
}

void show_opened(Session& session, Document document) {
    document.with = kept_document(session).with;  // what it is compared with stays
    show_whole(session, std::move(document));
    if (std::optional<Document> next = follow_opened(session)) show_whole(session, std::move(*next));
}

void compare_weights(Session& session) {
    if (session.compared || session.dragging) return;
    session.compared = true;
    const KnownFile* const file = session.file();
    const Counted& shown = session.derived.shown;
    FileWeights& weights = session.derived.weights;
    if (!file || !file->checkpoint) {
        weights = {};
        return;
    }
    const bool same_file = weights.checkpoint == file->checkpoint;
    if (same_file && weights.of == shown.architecture) return;
    constexpr std::size_t many = 10'000;
    if (same_file && file->checkpoint->tensors.size() > many && session.view.bottom_tab != BottomTab::weights) {
        session.compared = false;
        return;
    }
    weights = {file->checkpoint, nullptr, "", shown.architecture};
    Result<CheckpointMatch> match =
        match_checkpoint(*file->checkpoint, shown.architecture, shown.graph, shown.parameters);
    if (match)
        weights.match = std::make_shared<const CheckpointMatch>(std::move(*match));
    else
        weights.failure = sentence(match.error());
}

}  // namespace headcount
