// Chooses B, edits it, and keeps what follows from both sides.
#include "app/state/compare/page.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/state/change_document.hpp"
#include "app/state/overloaded.hpp"
#include "core/files/documents.hpp"

namespace headcount {
namespace {

// B of the session, written into the document: also where a tour runs, which gives the document back.
void set_other(Session& session, std::optional<Compared> other) {
    Document document = session.document;
    document.with = other;
    if (session.run) session.run->before.with = std::move(other);
    set_document(session, std::move(document));
}

void forget_edited(ComparePage& page) {
    if (page.other) page.other->look.edited.reset();
}

void choose_other(Session& session, std::optional<Compared> other) {
    session.dragging = false;
    forget_edited(session.comparison);
    set_other(session, std::move(other));
    session.history.commit(session.document);
}

// How much larger the layers of one are than those of the other, whichever it is: a guess that needs no counting.
double unlikeness(const Architecture& a, const Architecture& b) {
    const auto size = [](const Architecture& arch) {
        const auto dim = static_cast<double>(std::max<std::int64_t>(arch.dim, 1));
        return std::log(dim) * 2 + std::log(static_cast<double>(std::max<std::int64_t>(arch.layers, 1)));
    };
    return std::abs(size(a) - size(b));
}

// The more, the less it suggests itself: another family, the same release, an older one, another size.
double remoteness(const Preset& preset, const Architecture& arch, const Preset* own) {
    constexpr double other_family = 100, same_release = 0.5, not_newer = 0.3;
    double far = unlikeness(preset.architecture, arch);
    if (preset.architecture.family != arch.family) far += other_family;
    if (own && preset.group == own->group) far += same_release;
    if (own && preset.year.value_or(0) <= own->year.value_or(0)) far += not_newer;
    return far;
}

Compared other_of(const Preset& preset) {
    return {preset.architecture, preset.architecture, preset.id, ""};
}

Compared other_of(const Document& document) {
    return {document.architecture, document.base, document.preset, document.file};
}

Document with_sides(const Document& from, const Compared& a, std::optional<Compared> b) {
    return {a.architecture, a.base, a.preset, from.input, a.file, std::move(b)};
}

Compared alike(const Session& session) {
    const Document& document = session.document;
    const Preset* const own = find_preset(session.presets, document.preset);
    const Preset* best = nullptr;
    double least = 0;
    for (const Preset& preset : session.presets) {
        if (&preset == own) continue;
        const double far = remoteness(preset, document.base, own);
        if (best && far >= least) continue;
        best = &preset;
        least = far;
    }
    return best ? other_of(*best) : Compared{document.base, document.base, document.preset, document.file};
}

void choose_file(Session& session, const std::string& path) {
    View& view = session.view;
    Result<Opened> opened = open_architecture(path, session.presets);
    Result<Document> document =
        opened ? document_of(*opened, absolute_path(path), session.document.input) : Result<Document>(opened.error());
    if (!document) {
        view.notice = "Could not be opened: " + sentence(document.error());
        return;
    }
    view.task.reset();
    if (document->architecture.vocab == 0) document->architecture = document->base;
    choose_other(session, other_of(*document));
}

void swap_sides(Session& session) {
    Document document = with_sides(session.document, compared_with(session).model, other_of(session.document));
    session.dragging = false;
    session.look.edited.reset();
    forget_edited(session.comparison);
    if (session.run) session.run->before.with = document.with;
    set_document(session, std::move(document));
    session.notes = all_notes(session);
    session.history.commit(session.document);
}

void copy_field(Session& session, const CopyField& copy) {
    const Compared other = compared_with(session).model;
    const bool to_a = copy.to == CompareSide::a;
    const Architecture& from = to_a ? other.architecture : session.document.architecture;
    const Architecture& to = to_a ? session.document.architecture : other.architecture;
    std::optional<Architecture> changed = with_field_of(to, from, copy.field);
    if (!changed) {
        session.view.notice = std::string(info(copy.field).label) + " is nothing that " + from.name + " has.";
        return;
    }
    session.dragging = false;
    if (Shown* const edited = to_a ? &session : session.comparison.other ? &*session.comparison.other : nullptr)
        edited->look.edited = copy.field;
    Document document = session.document;
    // Else what B is would follow from A, and an edit of A would change it.
    document.with = other;
    (to_a ? document.architecture : document.with->architecture) = std::move(*changed);
    if (session.run) session.run->before.with = document.with;
    set_document(session, std::move(document));
    session.history.commit(session.document);
}

void replace_other(Session& session, const ReplaceOther& asked) {
    if (asked.edited && session.comparison.other) session.comparison.other->look.edited = asked.edited;
    Compared other = compared_with(session).model;
    other.architecture = asked.architecture;
    session.dragging = !asked.settled;
    set_other(session, std::move(other));
    if (asked.settled) session.history.commit(session.document, asked.run);
}

void pin(Session& session) {
    const std::string name = title_of(session.document);
    choose_other(session, other_of(session.document));
    session.view.notice = "Pinned: Compare shows further edits against " + name;
}

// An impossible B leaves what was counted before. Both sides are looked at from the same place.
void keep_other(Session& session, const Compared& other) {
    Document document = with_sides(session.document, other, std::nullopt);
    std::optional<Shown>& b = session.comparison.other;
    const bool same_model = b && b->document.base == document.base && b->document.file == document.file;
    const std::optional<Field> edited = same_model ? b->look.edited : std::nullopt;
    if (same_model)
        set_document(*b, std::move(document));
    else
        b = newly_shown(std::move(document));
    b->look = session.look;
    b->look.edited = edited;
}

}  // namespace

ComparedWith compared_with(const Session& session) {
    const Document& document = session.document;
    if (document.with) return {*document.with, ComparedBecause::chosen};
    if (document.architecture != document.base)
        return {{document.base, document.base, document.preset, document.file}, ComparedBecause::edited};
    return {alike(session), ComparedBecause::alike};
}

Document beside_what_is_shown(const Session& session, Document edited) {
    const bool shown = session.view.workspace == compare_view && !edited.with;
    if (shown && edited.architecture != session.document.architecture) edited.with = compared_with(session).model;
    return edited;
}

void look_at_both(Session& session) {
    look_at_devices(session);
    keep_other(session, compared_with(session).model);
    const Counted& a = session.derived.shown;
    ComparePage& page = session.comparison;
    const Counted& b = page.other->derived.shown;
    const bool made = page.difference || !page.failure.empty();
    if (made && page.a == a.architecture && page.b == b.architecture) return;
    page.difference.reset();
    page.failure.clear();
    page.a = a.architecture;
    page.b = b.architecture;
    Result<Difference> found = difference(a, b);
    if (found)
        page.difference = std::make_shared<const Difference>(std::move(*found));
    else
        page.failure = sentence(found.error());
}

void change_compare(Session& session, const CompareIntent& intent) {
    std::visit(Overloaded{
                   [&](const CompareWithPreset& with) {
                       if (const Preset* const preset = find_preset(session.presets, with.id))
                           choose_other(session, other_of(*preset));
                   },
                   [&](const CompareWithFile& with) { choose_file(session, with.path); },
                   [&](const CompareWithUsual&) { choose_other(session, std::nullopt); },
                   [&](const PinThis&) { pin(session); },
                   [&](const SwapSides&) { swap_sides(session); },
                   [&](const CopyField& copy) { copy_field(session, copy); },
                   [&](const ReplaceOther& asked) { replace_other(session, asked); },
                   [&](const SplitBy& split) { session.view.compare.split = split.split; },
                   [&](const ShowCompareTab& show) { session.view.compare.tab = show.tab; },
               },
               intent);
}

}  // namespace headcount
