// Chooses B, edits it, and keeps what follows from both sides.
#include "app/state/compare/page.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/state/compare/numbers.hpp"
#include "app/state/run/snapshot.hpp"
#include "core/files/documents.hpp"
#include "core/files/open.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {
namespace {

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

Compared other_of(const Preset& preset) { return {preset.architecture, preset.architecture, preset.id, ""}; }

Compared other_of(const Document& document) {
    return {document.architecture, document.base, document.preset, document.file, document.stored};
}

Compared unedited(const Document& document) {
    return {document.base, document.base, document.preset, document.file, document.stored};
}

Compared alike(const Document& document, std::span<const Preset> presets) {
    const Preset* const own = find_preset(presets, document.preset);
    const Preset* best = nullptr;
    double least = 0;
    for (const Preset& preset : presets) {
        if (&preset == own) continue;
        const double far = remoteness(preset, document.base, own);
        if (best && far >= least) continue;
        best = &preset;
        least = far;
    }
    return best ? other_of(*best) : unedited(document);
}

Document with_sides(const Document& from, const Compared& a, std::optional<Compared> b) {
    const Input input =
        input_for_other(from.input, published_input(from.base, from.stored), published_input(a.base, a.stored));
    return {a.architecture, a.base, a.preset, input, a.file, a.stored, std::move(b)};
}

std::shared_ptr<const Checkpoint> weights_in(const std::string& file, std::span<const Preset> presets) {
    const Result<Opened> opened =
        file.empty() ? Result<Opened>(Error{"there is no file"}) : open_architecture(file, presets);
    return opened ? opened->checkpoint : nullptr;
}

// An impossible B leaves what was counted before. Both sides are looked at from the same place.
void keep_other(ComparePage& page, const Shown& a, std::span<const Preset> presets, bool reads) {
    std::optional<Shown>& b = page.other;
    Document document = with_sides(a.document, compared_with(a.document, presets), std::nullopt);
    if (reads && page.run.told) document.input = with_tokens_of(*page.run.told, document.input);
    const bool same_model = b && b->document.base == document.base && b->document.file == document.file;
    const std::optional<Field> edited = same_model ? b->look.edited : std::nullopt;
    if (same_model) {
        set_document(*b, std::move(document));
    } else {
        b = newly_shown(std::move(document));
        b->derived.weights.checkpoint = weights_in(b->document.file, presets);
    }
    b->look = a.look;
    b->look.edited = edited;
}

void take_numbers(ComparePage& page) {
    page.apart = page.finder ? page.finder->found() : nullptr;
    page.no_numbers = !page.apart         ? "Both files are read, and their numbers compared."
                      : page.apart->wrong ? sentence(*page.apart->wrong)
                                          : "";
}

// Obeys what is asked of the document.
struct Comparing {
    ComparePage& page;
    ComparePlace& place;
    Shown& a;
    std::span<const Preset> presets;

    Compared other() const { return compared_with(a.document, presets); }

    void forget_edited() const {
        if (page.other) page.other->look.edited.reset();
    }

    ComparedEdit choose(std::optional<Compared> other) const {
        forget_edited();
        Document document = a.document;
        document.with = std::move(other);
        return {std::move(document)};
    }

    ComparedEdit operator()(const CompareWithPreset& with) const {
        const Preset* const preset = find_preset(presets, with.id);
        return preset ? choose(other_of(*preset)) : ComparedEdit{};
    }

    ComparedEdit operator()(const CompareWithFile& with) const {
        const Result<Opened> opened = open_architecture(with.path, presets);
        Result<Document> document = opened ? document_of(*opened, absolute_path(with.path), a.document.input)
                                           : Result<Document>(opened.error());
        if (!document) return {.notice = notice_of_program("Could not be opened: " + sentence(document.error()))};
        if (document->architecture.vocab == 0) document->architecture = document->base;
        return choose(other_of(*document));
    }

    ComparedEdit operator()(const CompareWithUsual&) const { return choose(std::nullopt); }

    ComparedEdit operator()(const PinThis&) const {
        ComparedEdit edit = choose(other_of(a.document));
        edit.notice = {"Pinned: Compare shows further edits against " + title_of(a.document)};
        return edit;
    }

    ComparedEdit operator()(const SwapSides&) const {
        a.look.edited.reset();
        forget_edited();
        return {with_sides(a.document, other(), other_of(a.document))};
    }

    ComparedEdit operator()(const CopyField& copy) const {
        Document document = a.document;
        document.with = other();  // else what B is would follow from A, and an edit of A would change it
        const bool into_a = copy.to == CompareSide::a;
        Architecture &own = document.architecture, &theirs = document.with->architecture;
        Architecture &from = into_a ? theirs : own, &into = into_a ? own : theirs;
        std::optional<Architecture> changed = with_field_of(into, from, copy.field);
        if (!changed)
            return {.notice = {std::string(info(copy.field).label) + " is nothing that " + from.name + " has."}};
        into = std::move(*changed);
        if (into_a)
            a.look.edited = copy.field;
        else if (page.other)
            page.other->look.edited = copy.field;
        return {std::move(document)};
    }

    ComparedEdit operator()(const ReplaceOther& asked) const {
        if (asked.edited && page.other) page.other->look.edited = asked.edited;
        Document document = a.document;
        document.with = other();
        document.with->architecture = asked.architecture;
        return {std::move(document), asked.settled, asked.run};
    }

    ComparedEdit operator()(const SplitBy& split) const {
        place.split = split.split;
        return {};
    }

    ComparedEdit operator()(const ShowInCompare& asked) const {
        place.shows = asked.shows;
        return {};
    }

    ComparedEdit operator()(const TakeNumbers&) const {
        take_numbers(page);
        take_news(page.run);
        return {};
    }

    ComparedEdit operator()(const ShowCompareTab& show) const {
        place.tab = show.tab;
        return {};
    }
};

}  // namespace

ComparedBecause why_compared_with(const Document& document) {
    if (document.with) return ComparedBecause::chosen;
    return document.architecture != document.base ? ComparedBecause::edited : ComparedBecause::alike;
}

Compared compared_with(const Document& document, std::span<const Preset> presets) {
    switch (why_compared_with(document)) {
        case ComparedBecause::chosen: return *document.with;
        case ComparedBecause::alike: return alike(document, presets);
        case ComparedBecause::edited: break;
    }
    return unedited(document);
}

void look_at_both(ComparePage& page, const Shown& a, std::span<const Preset> presets, bool reads) {
    keep_other(page, a, presets, reads);
    const Counted &in_a = a.derived.shown, &in_b = page.other->derived.shown;
    const bool made = page.difference || !page.failure.empty();
    if (made && page.a == in_a.architecture && page.b == in_b.architecture) return;
    page.difference.reset();
    page.failure.clear();
    page.a = in_a.architecture;
    page.b = in_b.architecture;
    Result<Difference> found = difference(in_a, in_b);
    if (found)
        page.difference = std::make_shared<const Difference>(std::move(*found));
    else
        page.failure = sentence(found.error());
}

void look_at_numbers(ComparePage& page, const Shown& a) {
    page.no_numbers.clear();
    const Shown& b = *page.other;
    for (const Shown* side : {&a, &b})
        if (side->document.file.empty())
            page.no_numbers += (page.no_numbers.empty() ? "" : " ") + title_of(side->document) +
                               " has no file of weights here: open one.";
    if (!page.no_numbers.empty()) {
        page.finder.reset();
        page.apart.reset();
        return;
    }
    if (!page.finder) page.finder = std::make_shared<NumbersFinder>(page.wake);
    page.finder->ask({a.document.file, a.derived.shown.architecture}, {b.document.file, b.derived.shown.architecture});
    take_numbers(page);
}

void rest_numbers(ComparePage& page) {
    if (page.finder) page.finder->rest();
}

bool has_news(const ComparePage& page) {
    return (page.finder && page.finder->found() != page.apart) || has_news(page.run);
}

ComparedEdit change_compare(ComparePage& page, ComparePlace& place, Shown& a, std::span<const Preset> presets,
                            const CompareIntent& intent) {
    return std::visit(Comparing{page, place, a, presets}, intent);
}

}  // namespace headcount
