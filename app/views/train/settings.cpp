// The left panel of the Train view: the task, the model that learns it, the optimizer, and what is kept to look back.
#include <algorithm>
#include <array>
#include <cstdio>

#include "app/parts/field_rows.hpp"
#include "app/parts/file_tasks.hpp"
#include "app/parts/read_row.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/text_field.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/train/panels.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"
#include "core/files/assets.hpp"

namespace headcount {
namespace {

constexpr float task_row_height = 24;
constexpr std::array<std::string_view, task_words.size()> task_names{
    "Copy", "Reverse", "Sort", "Add", "Modular", "Induction", "Brackets", "Masked words", "Own text"};
constexpr std::array<std::string_view, optimizer_kind_words.size()> optimizer_names{"AdamW", "SGD", "Muon"};

// The same numbers for another kind, or the nearest that it takes.
TaskSettings as_kind(TaskSettings settings, TaskKind kind) {
    if (settings.kind == kind) return settings;
    settings.kind = kind;
    settings.letters = std::min<std::int64_t>(settings.letters, kind == TaskKind::add ? 2 : 64);
    if (kind == TaskKind::induction) settings.letters = std::max<std::int64_t>(settings.letters, 2);
    while (kind != TaskKind::text && settings.letters > 2 && !Task::make(settings)) --settings.letters;
    return settings;
}

// One line of it, so that one sees what is meant.
std::string example_of(const TaskSettings& settings, TaskKind kind) {
    if (kind == TaskKind::text) return "a file of yours";
    const Result<Task> task = Task::make(as_kind(settings, kind));
    if (!task) return {};
    TaskLine line = task->line(1, 0, true);
    for (const std::size_t place : line.hidden)
        if (place < line.answer) line.ids[place] = task->mask();
    std::string text = task->text(line.ids.data(), line.ids.size());
    text.erase(0, text.find_first_not_of(' '));  // words bring theirs along
    return text;
}

void task_rows(TrainPanel& panel) {
    const Ui& ui = panel.ui;
    const TaskSettings& task = panel.place.settings.task;
    section_title(ui, "Task");
    gap(ui, 4);
    const auto& examples = made(ui, "train.examples", task, [&] {
        std::array<std::string, task_words.size()> lines;
        for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = example_of(task, static_cast<TaskKind>(i));
        return lines;
    });
    float names = available_width() * 0.42F;
    for (const std::string_view each : task_names)
        names = std::max(names, text_width(ui.fonts.body_medium, each) + ui.px(8));
    for (std::size_t i = 0; i < task_words.size(); ++i) {
        const auto kind = static_cast<TaskKind>(i);
        const auto [min, max] = take_line(ui, task_row_height);
        const std::string name = "train.task." + std::string(task_words[i]);
        ui.recorder.record(name, min, max);
        const Press press = press_area(ui, name.c_str(), min, max, size::radius_field);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const bool chosen = task.kind == kind;
        if (chosen || press.hovered) tint_row(ui, min, max, chosen ? selected_tint(ui.theme) : hover_tint(ui.theme));
        draw_text_in(list, chosen ? ui.fonts.body_medium : ui.fonts.body, min, max,
                     chosen ? ui.theme.text_high : ui.theme.text_mid, task_names[i]);
        draw_text_in(list, ui.fonts.mono_caption, ImVec2(min.x + names, min.y), max,
                     chosen ? ui.theme.text_high : ui.theme.text_low, examples[i]);
        if (press.hovered) show_tooltip(ui, {.title = task_names[i], .remark = task_meaning(kind)});
        if (press.pressed) panel.set([&](TrainPlace& place) { place.settings.task = as_kind(task, kind); });
    }
    gap(ui, 8);
}

// A whole number, dragged or typed.
template <class Set>
void number(TrainPanel& panel, std::string_view name, std::string_view label, std::string_view symbol,
            std::int64_t value, const SliderScale& scale, std::string_view tooltip, Set set) {
    const SliderRowResult result = slider_row(
        panel.ui, name, {.label = label, .symbol = symbol, .value = value, .scale = scale, .tooltip = tooltip});
    if (!result.value || *result.value == value) return;
    const std::int64_t next = std::clamp(*result.value, scale.minimum, std::max(scale.maximum, value));
    panel.set([&](TrainPlace& place) { set(place, next); });
}

void task_numbers(TrainPanel& panel) {
    const Ui& ui = panel.ui;
    const TaskSettings& task = panel.place.settings.task;
    if (task.kind == TaskKind::modular)
        number(panel, "train.modulus", "Modulus", "p", task.modulus, {2, 199}, "Sums are taken modulo this number.",
               [](TrainPlace& place, std::int64_t value) { place.settings.task.modulus = value; });
    else if (task.kind == TaskKind::text)
        number(panel, "train.tokens", "Characters a line", "T", task.tokens, {8, 256}, "Of a window of the text.",
               [](TrainPlace& place, std::int64_t value) { place.settings.task.tokens = value; });
    else
        number(panel, "train.letters", capitalized(letters_are(task.kind)) + "s", "n", task.letters,
               {task.kind == TaskKind::induction ? 2 : 1, task.kind == TaskKind::add ? 6 : 16},
               task.kind == TaskKind::masked ? "Of a line." : "Of a question.",
               [](TrainPlace& place, std::int64_t value) { place.settings.task.letters = value; });
    if (task.kind != TaskKind::text) return;
    caption(ui, "A text file");
    gap(ui, 4);
    const TextFieldResult typed = text_field(ui, "train.text_file",
                                             {.text = panel.place.text_file,
                                              .prompt = "/home/you/book.txt",
                                              .font = &ui.fonts.mono,
                                              .extent = ImVec2(available_width(), ui.px(28))});
    if (typed.edited) panel.set([&](TrainPlace& place) { place.text_file = *typed.edited; });
    gap(ui, 6);
    if (button(ui, "train.choose_text", {.label = info(FileTask::open_text).menu, .small = true}))
        panel.intents.push_back(AskForFile{FileTask::open_text});
    if (panel.page.text_error)
        paragraph(ui, ui.fonts.caption, ui.theme.wrong, begun_as_sentence(sentence(*panel.page.text_error)));
    gap(ui, 8);
}

void model_rows(TrainPanel& panel, const Session& session) {
    const Ui& ui = panel.ui;
    const TrainSnapshot* const run = panel.shown();
    section_title(ui, "Model", run ? grouped(run->parameters) + " parameters" : std::string());
    gap(ui, 6);
    constexpr std::array<std::string_view, train_source_keys.size()> sources{"Micro", "Encoder", "Stacks", "Yours"};
    const ChoiceResult chosen = segmented(ui, "train.source", sources, static_cast<int>(panel.place.source), true);
    if (chosen.chosen)
        panel.set([&](TrainPlace& place) {
            place.source = static_cast<TrainSource>(*chosen.chosen);
            place.layer = place.head = 0;
            place.step.reset();
        });
    gap(ui, 8);
    if (panel.place.source == TrainSource::own) {
        FieldForm form = field_form(ui, session, panel.intents);
        number_row(form, Field::dim);
        number_row(form, Field::layers);
        if (has_row(form, Field::heads)) number_row(form, Field::heads);
        if (has_row(form, Field::ffn_dim)) number_row(form, Field::ffn_dim);
    } else if (run) {
        const Bindings numbers = bindings(run->architecture, Input{});
        const auto row = [&](std::string_view name, std::string_view label, std::string_view symbol, Symbol of) {
            if (const std::optional<std::int64_t> value = numbers[of])
                derived_row(ui, name, label, symbol, std::to_string(*value));
        };
        row("train.model.dim", "Width", "d", Symbol::dim);
        row("train.model.layers", "Layers", "L", Symbol::layers);
        row("train.model.heads", "Heads", "h", Symbol::heads);
        row("train.model.ffn_dim", "FFN hidden", "d_ff", Symbol::ffn_dim);
    }
    if (run) {
        const Bindings numbers = bindings(run->architecture, Input{});
        derived_row(ui, "train.model.vocab", "Vocabulary, by the task", "V",
                    std::to_string(numbers[Symbol::vocab].value_or(0)));
    }
    if (panel.place.source != TrainSource::own) {
        gap(ui, 6);
        if (button(ui, "train.edit", {.label = "Edit this model", .small = true})) {
            panel.intents.push_back(OpenFile{or_shipped_model(std::string(small_model(panel.place.source)))});
            panel.set([](TrainPlace& place) { place.source = TrainSource::own; });
        }
    }
}

// A number that need not be whole; what cannot be read stays in the field.
template <class Set>
void typed_number_row(TrainPanel& panel, std::string_view name, std::string_view label, std::string_view symbol,
                      double value, double most, std::string_view tooltip, Set set) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    const auto read = [&](const std::string& typed) -> Result<double> {
        const std::optional<double> number = whole_real(typed);
        if (number && *number >= 0 && *number <= most) return *number;
        return must_be(label, "a number from 0 to " + decimal_text(most, 0), typed);
    };
    const TypedRow row{.label = label, .symbol = symbol, .text = text.data(), .tooltip = tooltip};
    if (const std::optional<double> typed = read_row(panel.ui, name, row, read))
        panel.set([&](TrainPlace& place) { set(place, *typed); });
}

void optimizer_rows(TrainPanel& panel) {
    const Ui& ui = panel.ui;
    const TrainSettings& settings = panel.place.settings;
    section_title(ui, "Optimizer");
    gap(ui, 6);
    const ChoiceResult chosen =
        segmented(ui, "train.optimizer", optimizer_names, static_cast<int>(settings.optimizer.kind), true);
    if (chosen.chosen)
        panel.set(
            [&](TrainPlace& place) { place.settings.optimizer.kind = static_cast<OptimizerKind>(*chosen.chosen); });
    gap(ui, 6);
    constexpr double most_rate = 10, most_clip = 1e6;
    typed_number_row(panel, "train.rate", "Learning rate", "η", settings.learning_rate, most_rate,
                     "At its height. It changes from the next step on, without beginning again.",
                     [](TrainPlace& place, double value) { place.settings.learning_rate = value; });
    typed_number_row(panel, "train.clip", "Longest gradient", {}, settings.clip, most_clip,
                     "All numbers as one vector; 0: never cut.",
                     [](TrainPlace& place, double value) { place.settings.clip = value; });
    number(panel, "train.batch", "Batch", "B", settings.batch, {1, 256, true}, "Lines a step.",
           [](TrainPlace& place, std::int64_t value) { place.settings.batch = value; });
    number(panel, "train.steps", "Steps of the schedule", {}, settings.steps, {50, 20000, true, 50},
           "Up to a tenth of them the learning rate rises, then it falls along a cosine.",
           [](TrainPlace& place, std::int64_t value) {
               place.settings.steps = value;
               place.settings.warm_up = std::min<std::int64_t>(100, value / 10);
           });
    number(panel, "train.seed", "Seed", {}, static_cast<std::int64_t>(settings.seed), {0, 99},
           "Of the first weights and of the lines.",
           [](TrainPlace& place, std::int64_t value) { place.settings.seed = static_cast<std::uint64_t>(value); });
    if (const TrainSnapshot* const run = panel.shown())
        derived_row(ui, "train.step_tokens", "Tokens a step", "B·T", grouped(run->work.tokens));
}

void kept_rows(TrainPanel& panel) {
    const TrainSnapshot* const run = panel.shown();
    if (!run) return;
    const Ui& ui = panel.ui;
    section_title(ui, "Snapshots", "to look back at");
    gap(ui, 4);
    derived_row(ui, "train.kept.every", "Every", {}, grouped(run->snapshot_every) + " steps");
    derived_row(ui, "train.kept.count", "Kept", {}, grouped(run->snapshots));
    derived_row(ui, "train.kept.memory", "Memory", {}, bytes_text(run->snapshot_bytes));
}

}  // namespace

Intents draw_train_settings(TrainPanel panel, const Session& session) {
    const Ui& ui = panel.ui;
    task_rows(panel);
    task_numbers(panel);
    separator(ui, 10, 12);
    model_rows(panel, session);
    separator(ui, 10, 12);
    optimizer_rows(panel);
    separator(ui, 10, 12);
    kept_rows(panel);
    return std::move(panel.intents);
}

}  // namespace headcount
