// Names what is saved, in the order in which it is written.
#include "app/state/saved_fields.hpp"

#include <cmath>

#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/files/devices.hpp"

namespace headcount {
namespace {

constexpr std::size_t longest_amount = 100, longest_formats = 100'000, longest_answer = 100'000, longest_page = 400,
                      most_sheets = 10'000, most_given = 10'000;

bool precision(Fields& saved, const std::string& key, Precision& value) {
    std::string text = precision_text(value);
    if (!saved.text(key, text, longest_amount)) return false;
    const Result<Precision> read = parse_precision(text, key);
    if (!read) return saved.refuse(key, "a number format, such as bf16");
    value = *read;
    return true;
}

bool formats(Fields& saved, const std::string& key, Formats& value) {
    std::string text = formats_text(value);
    if (!saved.text(key, text, longest_formats)) return false;
    const Result<Formats> read = parse_formats(text, key);
    if (read) value = *read;
    return read || saved.refuse(key, "a format of weights, such as bf16");
}

bool metric(Fields& saved, const std::string& key, Metric& value) {
    return saved.named(key, value, metrics, &MetricInfo::metric);
}

// As the command line has them, "memory<=24GiB", but with amounts as they were typed.
void saved_goals(Fields& saved, std::vector<WishedGoal>& goals) {
    std::vector<std::string> texts;
    for (const WishedGoal& each : goals)
        texts.push_back(std::string(info(each.metric).key) + (each.least ? ">=" : "<=") + each.typed);
    saved.texts("where", texts, most_goals);
    if (saved.writes()) return;
    goals.clear();
    for (const std::string& text : texts) {
        const std::size_t sign = text.find_first_of("<>");
        const Result<Metric> metric = parse_metric(text.substr(0, sign), "where");
        const bool whole = metric && sign != std::string::npos && text.substr(sign + 1).starts_with('=') &&
                           text.size() <= longest_amount && goals.size() < most_goals;
        if (whole)
            goals.push_back({*metric, text[sign] == '>', text.substr(sign + 2)});
        else
            saved.refuse("where", "conditions, such as memory<=24GiB");
    }
}

bool is_number(Field field) { return info(field).kind == FieldKind::number; }

bool saved_choices(Fields& saved, Choices::Of of, ValueRange& range) {
    std::string values = range.choices ? range_text(range) : "";
    if (!saved.text("values", values, longest_answer)) return false;
    if (saved.writes()) return true;
    const Result<ValueRange> read = parse_varied(std::string(Choices{.of = of}.key()) + "=" + values, known_device);
    if (read) range = *read;
    return read || saved.refuse("values", "a list of formats or devices, such as bf16,int8");
}

bool saved_range(Fields& saved, ValueRange& range) {
    std::string key(range.key());
    if (!saved.text("field", key)) return false;
    if (const auto of = Choices::called(key)) return saved_choices(saved, *of, range);
    const auto input = std::ranges::find(input_numbers, key, &InputNumber::key);
    if (input != input_numbers.end()) range.field = Field::layers, range.input = *input;
    const bool field =
        range.input || (saved.named("field", range.field, fields(), &FieldInfo::field) && is_number(range.field));
    const bool from = saved.whole("from", range.from, 0), until = saved.whole("to", range.to, 0);
    const bool whole = saved.whole("step", range.step, 1) && field && from && until;
    std::optional<std::string> listed;
    if (!range.listed.empty()) listed = range_text(range);
    saved.maybe(listed, [&](std::string& text) { return saved.text("values", text, longest_answer); });
    if (saved.writes() || !whole || !listed) return whole;
    const Result<ValueRange> read = parse_range(key + "=" + *listed);
    if (read) range.listed = read->listed;
    return read || saved.refuse("values", "a list of numbers, such as 1k,8k");
}

// As the command line has it: a place, and behind it a number where it takes one.
bool saved_change(Fields& saved, RunChange& each) {
    Change& change = each.change;
    std::string text = written_change(change);
    saved.flag("on", each.on);
    if (!saved.choice("kind", change.kind, Change::kinds) || !saved.text("place", text)) return false;
    const Result<Change> read = parse_change(takes_number(change.kind) ? change.kind : Change::Kind::off, text);
    if (!read || std::abs(read->number) > largest_change_number) return false;
    change.place = read->place;
    change.number = read->number;
    return true;
}

void saved_choice(Fields& saved, SheetChoice& choice) {
    saved.text("sheet", choice.worksheet, longest_answer);
    saved.maybe(choice.seed, [&](std::uint64_t& seed) { return saved.seed("seed", seed); });
}

struct KeptProgress {
    SheetChoice choice;
    Progress progress;
};

bool saved_progress(Fields& saved, KeptProgress& kept) {
    Progress& progress = kept.progress;
    saved_choice(saved, kept.choice);
    saved.seed("question", progress.question);
    saved.entries("given", progress.given, most_given, [](Fields& given, const std::string& blank, std::string& text) {
        return given.text(blank, text, longest_answer) && !text.empty();
    });
    saved.texts("checked", progress.checked, most_given);
    saved.texts("shown", progress.shown, most_given);
    saved.texts("hinted", progress.hinted, most_given);
    return !kept.choice.worksheet.empty();
}

}  // namespace

void saved_cache(Fields& saved, Input& input) {
    saved.maybe(input.cache, [&](Precision& cache) { return precision(saved, "cache", cache); });
}

Result<Device> known_device(std::string_view id) {
    const Result<KnownDevices> known = known_devices();
    return known ? named_device(*known, id) : known.error();
}

void saved_stored(Fields& saved, std::optional<Formats>& stored) {
    saved.maybe(stored, [&](Formats& value) { return formats(saved, "stored", value); });
}

void saved_fields(Fields& saved, Input& input) {
    saved.whole("tokens", input.tokens, 1);
    saved.whole("source", input.source, 1);
    saved.whole("batch", input.batch, 1);
    saved.whole("cached", input.cached, 0);
    formats(saved, "precision", input.precision);
    saved_cache(saved, input);
}

void saved_fields(Fields& saved, WindowPlace& place) {
    constexpr std::int64_t widest = 1 << 15;  // more than a screen has; screens may lie to the left of the first
    saved.flag("maximised", place.maximised);
    saved.maybe(place.corner, [&](auto& corner) { return saved.numbers("corner", corner, -widest, widest); });
    saved.maybe(place.size, [&](auto& size) { return saved.numbers("size", size, 1, widest); });
}

void saved_fields(Fields& saved, ClaimPlace& place) {
    saved.text("file", place.file);
    saved.text("id", place.claim);
    saved.maybe(place.step, [&](std::size_t& step) { return saved.whole("step", step, 0); });
}

void saved_fields(Fields& saved, ComparePlace& place) {
    saved.choice("split", place.split, compare_split_keys);
    saved.choice("tab", place.tab, compare_tab_keys);
    saved.choice("shows", place.shows, compare_shows_keys);
}

// What is impossible for the model is said in the view.
void saved_fields(Fields& saved, CostsPlace& place) {
    saved.whole("block", place.serving.block, 0);
    saved.whole("pad", place.serving.pad, 0);
    saved.whole("chunk", place.serving.chunk, 0);
    saved.whole("context", place.sharding.context, 1);
    saved.text("device", place.device);
    saved.whole("devices", place.sharding.devices, 1);
    saved.flag("dropout", place.how.dropout);
    saved.whole("expert", place.sharding.expert, 1);
    saved.flag("full", place.full);
    saved.text("link", place.link);
    saved.flag("offload", place.sharding.offload);
    saved.choice("optimizer", place.how.optimizer, optimizer_words());
    saved.choice("phase", place.phase, phase_nouns);
    saved.whole("pipeline", place.sharding.pipeline, 1);
    saved.text("price", place.price);
    saved.whole("reserve", place.serving.reserve, 0, 99);
    saved.choice("recompute", place.how.recompute, recompute_words());
    saved.flag("scores", place.scores);
    saved.whole("tensor", place.sharding.tensor, 1);
    saved.text("train_tokens", place.train_tokens);
    saved.flag("training_scores", place.how.scores);
    saved.whole("zero", place.sharding.zero, 0);
}

// What is looked at in a run goes with the run.
void saved_fields(Fields& saved, RunPlace& place) {
    constexpr double hottest = 100;
    RunSampling& sampling = place.sampling;
    saved.flag("greedy", sampling.greedy);
    saved.flag("beside", place.beside);
    saved.objects("changes", place.experiments.changes, most_changes, saved_change);
    saved.text("ids", place.ids, longest_prompt);
    saved.share("min_p", sampling.min_p, 1);
    saved.text("other", place.experiments.other, longest_prompt);
    saved.text("prompt", place.prompt, longest_prompt);
    saved.flag("reads_other", place.experiments.reads_other);
    saved.seed("seed", sampling.seed);
    saved.flag("at_source", place.at_source);
    saved.flag("shared_scale", place.shared_scale);
    saved.choice("shows", place.shows, run_shows_keys);
    saved.choice("source", place.source, run_source_keys);
    saved.choice("speed", place.speed, run_speed_keys);
    saved.choice("tab", place.tab, run_tab_keys);
    saved.share("temperature", sampling.temperature, hottest);
    saved.whole("top_k", sampling.top_k, 0);
    saved.share("top_p", sampling.top_p, 1);
    saved.whole("tree_depth", place.tree.depth, 1);
    saved.whole("tree_width", place.tree.width, 1);
}

// The head that somebody has chosen; where nobody has, the view finds one.
void saved_head(Fields& saved, RunPlace& run) {
    std::optional<std::int64_t> layer, head;
    if (!run.opens) layer = run.layer, head = run.head;
    saved.maybe(layer, [&](std::int64_t& number) { return saved.whole("layer", number, 0); });
    saved.maybe(head, [&](std::int64_t& number) { return saved.whole("head", number, 0); });
    run.opens = !layer && !head;
    if (run.opens) return;
    run.layer = layer.value_or(0);
    run.head = head.value_or(0);
}

void saved_fields(Fields& saved, TrainPlace& place) {
    constexpr double fastest = 10, longest_clip = 1e6;
    TrainSettings& settings = place.settings;
    saved.choice("source", place.source, train_source_keys);
    saved.choice("task", settings.task.kind, task_words);
    saved.whole("letters", settings.task.letters, 1);
    saved.whole("modulus", settings.task.modulus, 2);
    saved.whole("tokens", settings.task.tokens, 2);
    saved.text("text_file", place.text_file);
    saved.choice("optimizer", settings.optimizer.kind, optimizer_kind_words);
    saved.share("learning_rate", settings.learning_rate, fastest);
    saved.share("clip", settings.clip, longest_clip);
    saved.whole("steps", settings.steps, 1);
    saved.whole("batch", settings.batch, 1);
    saved.seed("seed", settings.seed);
    saved.choice("speed", place.speed, train_speed_keys);
    saved.choice("shows", place.shows, train_shows_keys);
}

void saved_fields(Fields& saved, SweepPlace& place) {
    saved.objects("ranges", place.ranges, most_ranges, saved_range);
    auto third = static_cast<std::int64_t>(place.third);
    if (saved.whole("third", third, 0)) place.third = static_cast<std::size_t>(third);
    metric(saved, "metric", place.metric);
}

void saved_fields(Fields& saved, SolvePlace& place) {
    Metric held = place.held;
    metric(saved, "held", held);
    if (contains(held_metrics, held)) place.held = held;
    for (std::size_t i = 0; i < held_metrics.size(); ++i)
        saved.text(std::string(info(held_metrics[i]).key), place.wished[i], longest_amount);
    saved_goals(saved, place.goals);
    std::vector<std::string> free;
    for (const Field field : place.free) free.emplace_back(info(field).key);
    saved.texts("free", free, fields().size());
    place.free.clear();
    for (const std::string& key : free)
        for (const FieldInfo& field : fields())
            if (field.key == key && is_number(field.field) && place.free.size() < most_freed)
                place.free.push_back(field.field);
    saved.flag("any_shape", place.any_shape);
    metric(saved, "across", place.across);
    metric(saved, "upwards", place.upwards);
    saved.text("size", place.size, longest_amount);
    saved.text("budget", place.budget, longest_amount);
}

void saved_fields(Fields& saved, ShelfPlace& place) {
    saved.choice("x", place.x, shelf_axis_keys);
    saved.choice("y", place.y, shelf_axis_keys);
    saved.flag("log_x", place.log_x);
    saved.flag("log_y", place.log_y);
    saved.maybe(place.kind, [&](ModelKind& kind) { return saved.choice("kind", kind, model_kind_keys); });
    bool tree = false;  // as it was saved before there was a table
    if (!saved.writes()) saved.flag("tree", tree);
    if (tree) place.form = ShelfForm::tree;
    saved.choice("form", place.form, shelf_form_keys);
}

void saved_fields(Fields& saved, WhatIfPlace& place) {
    saved.choice("tab", place.tab, what_if_tab_keys);
    saved.object("sweep", place.sweep);
    metric(saved, "sensitivity", place.sensitivity);
    saved.object("solve", place.solve);
    saved.object("shelf", place.shelf);
}

void saved_fields(Fields& saved, SavedView& seen) {
    View& view = seen.view;
    saved.choice("theme", view.theme, theme_keys);
    long percent = std::lround(view.scale * 100);
    saved.whole("scale_percent", percent, std::lround(least_scale * 100), std::lround(most_scale * 100));
    view.scale = static_cast<float>(percent) / 100;
    saved.flag("reduced_motion", view.reduced_motion);
    saved.flag("welcome", view.welcome.open);
    saved.text("workspace", view.workspace);
    saved.choice("tab", view.bottom_tab, bottom_tab_keys);
    saved.choice("breakdown", view.breakdown, breakdown_chart_keys);
    std::string selection = subject_key(seen.selection);
    saved.text("selection", selection);
    seen.selection = subject_from_key(selection);
    saved.text("page", view.page, longest_page);
    saved.text("folder", view.folder);
    saved.texts("recent", view.recent, most_recent);
    saved.object("claim", view.claim);
    saved.object("what_if", view.what_if);
    saved.object("costs", view.costs);
    saved.object("compare", view.compare);
    saved.object("run", view.run);
    saved_head(saved, view.run);
    saved.object("train", view.train);
    saved.texts("claims_files", view.claims_files, most_opened_files);
    saved.texts("tour_files", view.tour_files, most_opened_files);
    saved.maybe(view.window, [&](WindowPlace& window) { return saved.object("window", window); });
}

void saved_fields(Fields& saved, DeskState& desk) {
    saved_choice(saved, desk.sheet);
    saved.text("student", desk.student, longest_answer);
    saved.flag("check_at_end", desk.at_end);
    saved.text("key_word", desk.key_word, longest_answer);
    saved.entries("seeds", desk.seeds, most_sheets,
                  [](Fields& seeds, const std::string& sheet, std::uint64_t& seed) { return seeds.seed(sheet, seed); });
    std::vector<KeptProgress> all;
    for (const auto& [choice, progress] : desk.progress)
        if (progress != Progress{}) all.push_back({choice, progress});
    saved.objects("progress", all, most_sheets, saved_progress);
    for (KeptProgress& each : all) desk.progress[each.choice] = std::move(each.progress);
}

}  // namespace headcount
