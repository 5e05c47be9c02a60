// What a link says, key by key.
#include "app/state/link_fields.hpp"

#include <algorithm>
#include <cmath>

#include "app/state/saved_fields.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// Before the tabs of What-if those of a view alone; What-if alone is the tab that it opens with.
constexpr std::array<std::string_view, 13> view_words{
    "explore",       "compare",       "costs",        "run",           "train",
    "worksheet",     "claims",        "what-if",      "what-if:sweep", "what-if:sensitivity",
    "what-if:solve", "what-if:front", "what-if:shelf"};
constexpr std::size_t longest_text = longest_link, most_texts = 100;

void linked_view(Fields& saved, View& view) {
    constexpr std::size_t first_tab = view_words.size() - what_if_tab_keys.size();
    std::size_t place = first_tab + static_cast<std::size_t>(view.what_if.tab);
    if (view.workspace != what_if_view)
        place = static_cast<std::size_t>(std::ranges::find(view_words, view.workspace) - view_words.begin());
    if (place >= view_words.size() || !saved.choice("view", place, view_words)) return;
    view.workspace = place < first_tab ? view_words[place] : what_if_view;
    if (place >= first_tab) view.what_if.tab = static_cast<WhatIfTab>(place - first_tab);
}

// Counted from 1, as people count steps and questions.
void counted(Fields& saved, const std::string& key, std::size_t& from_0) {
    std::size_t from_1 = from_0 + 1;
    if (saved.whole(key, from_1, 1)) from_0 = from_1 - 1;
}

// Those that are on, by their kinds, in the order in which a run takes them.
void linked_changes(Fields& saved, std::vector<RunChange>& changes) {
    std::vector<RunChange> all;
    using enum Change::Kind;
    for (const Change::Kind kind : {patch, mean, put, scale, off}) {
        std::vector<std::string> texts;
        for (const RunChange& each : changes)
            if (each.on && each.change.kind == kind) texts.push_back(written_change(each.change));
        // "patch" is a field.
        const std::string key(kind == patch ? "patched" : headcount::key(kind));
        saved.texts(key, texts, most_texts);
        for (const std::string& text : texts) {
            if (all.size() == most_changes) {
                saved.refuse(key, "at most " + std::to_string(most_changes) + " changes in all");
                break;
            }
            Result<Change> change = parse_change(kind == patch ? off : kind, text);
            if (!change) {
                saved.refuse(key, sentence(change.error()));
                continue;
            }
            if (std::abs(change->number) > largest_change_number) {
                saved.refuse(key, "a number from -100 to 100, not " + quote(text));
                continue;
            }
            change->kind = kind;
            all.push_back({*std::move(change), true});
        }
    }
    if (!saved.writes()) changes = std::move(all);
}

// Between ranges stand commas, and in lists of values too: what says no key goes on with the range before it.
std::vector<std::string> whole_ranges(const std::vector<std::string>& pieces) {
    std::vector<std::string> whole;
    for (const std::string& piece : pieces)
        if (whole.empty() || piece.find('=') != std::string::npos)
            whole.push_back(piece);
        else
            whole.back() += "," + piece;
    return whole;
}

void linked_ranges(Fields& saved, std::vector<ValueRange>& ranges) {
    std::vector<std::string> texts;
    for (const ValueRange& each : ranges) texts.push_back(std::string(each.key()) + "=" + range_text(each));
    saved.texts("vary", texts, most_texts);
    if (saved.writes()) return;
    ranges.clear();
    for (const std::string& text : whole_ranges(texts)) {
        if (ranges.size() == most_ranges) {
            saved.refuse("vary", "at most " + std::to_string(most_ranges) + " ranges");
            break;
        }
        if (const Result<ValueRange> range = parse_varied(text, known_device))
            ranges.push_back(*range);
        else
            saved.refuse("vary", sentence(range.error()));
    }
}

void linked_hidden(Fields& saved, std::vector<Subject>& hidden) {
    std::vector<std::string> keys;
    for (const Subject& each : hidden)
        if (std::string key = subject_key(each); !key.empty()) keys.push_back(std::move(key));
    saved.texts("hide", keys, most_texts);
    hidden.clear();
    for (const std::string& key : keys)
        if (const Subject subject = subject_from_key(key); !nothing(subject))
            hidden.push_back(subject);
        else
            saved.refuse("hide", "ids of what can be selected");
}

}  // namespace

void saved_fields(Fields& saved, Linked& state) {
    View& view = state.view;
    saved_fields(saved, state.document.input);
    linked_view(saved, view);
    saved.text("at", state.at, longest_text);
    saved.text("select", state.select, longest_text);
    saved.flag("tilt", state.tilted);
    saved.flag("log", state.log_sides);
    linked_hidden(saved, view.hidden);
    saved.choice("theme", view.theme, theme_keys);
    saved.flag("present", view.show.presenting);
    saved.flag("chrome", view.chrome);
    saved.text("tour", view.show.tour, longest_text);
    counted(saved, "step", view.show.step);
    saved.text("claim", view.claim.claim, longest_text);
    saved.text("sheet", state.sheet.worksheet, longest_text);
    saved.maybe(state.sheet.seed, [&](std::uint64_t& seed) { return saved.seed("seed", seed); });
    counted(saved, "question", state.sheet.question);
    saved.text("lesson", state.lesson, longest_text);
    saved.choice("tab", view.bottom_tab, bottom_tab_keys);
    saved.choice("breakdown", view.breakdown, breakdown_chart_keys);
    linked_changes(saved, view.run.experiments.changes);
    saved_head(saved, view.run);
    saved.maybe(view.run.position, [&](std::int64_t& position) { return saved.whole("token", position, 0); });
    linked_ranges(saved, view.what_if.sweep.ranges);
    saved.object("compare", view.compare);
    saved.object("costs", view.costs);
    saved.object("run", view.run);
    saved.object("train", view.train);
    saved.object("what_if", view.what_if);
}

}  // namespace headcount
