// headcount train: a model learns a task, and what that takes stands beside what was predicted.
#include <signal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/run_settings.hpp"
#include "core/base/json_file.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/base/write_file.hpp"
#include "core/files/config.hpp"
#include "core/report/json.hpp"
#include "core/train/lines.hpp"
#include "core/train/trainer.hpp"

namespace headcount {
namespace {

struct TrainArguments {
    ModelArguments model;
    std::optional<TaskKind> task;
    std::optional<std::string> text;
    std::optional<std::filesystem::path> tokenizer;
    std::optional<FileNumbers> dtype;
    std::optional<OptimizerKind> optimizer;
    std::optional<std::int64_t> letters, modulus, tokens, steps, batch, passes, seed, warm_up, threads, held_out,
        save_every, answers;
    std::optional<double> rate, decay, clip;
    std::string output;  // empty: nothing is saved
    bool resume = false, json = false;
};

void add_real(CLI::App* command, const std::string& name, std::optional<double>& value, const std::string& what) {
    const auto read = [](const std::string& text, std::string_view flag) -> Result<double> {
        double number = 0;
        const char* const end = text.data() + text.size();
        const auto end_of_number = read_real(text.data(), end, number);
        if (end_of_number.ec == std::errc{} && end_of_number.ptr == end && std::isfinite(number) && number >= 0)
            return number;
        return Error{quote(text) + " is not a number from 0 up", std::string(flag), "give a number such as 0.001"};
    };
    add_value(command, name, value, "X", what, read);
}

void describe_train(CLI::App* command, TrainArguments& arguments) {
    add_model(command, arguments.model);
    add_choice(command, "--task", arguments.task, "what it learns (reverse; text where --text is given)", task_words);
    add_name(command, "--text", arguments.text, "FILE", "a text of your own, whose characters it learns to go on with");
    add_name(command, "--tokenizer", arguments.tokenizer, "FILE",
             "cuts the text into its tokens; each line is then a text by itself");
    add_whole(command, "--letters", arguments.letters, "N",
              "of a line (8); digits of each number of add (2), sentences of masked (8)", 1, 64);
    add_whole(command, "--modulus", arguments.modulus, "P", "of the task modular (97)", 2, 1000);
    add_whole(command, "--tokens", arguments.tokens, "T", "of a window of a text (64)", 1, 1 << 20);
    add_whole(command, "--steps", arguments.steps, "N", "in all (1,000)", 1);
    add_whole(command, "--batch", arguments.batch, "B", "lines of a pass (32)", 1, 1 << 20);
    add_whole(command, "--passes", arguments.passes, "N",
              "of a step, one behind the other, whose gradients are averaged (1)", 1, 1 << 20);
    add_whole(command, "--seed", arguments.seed, "S", "of the first weights and of the lines (1)", 0);
    add_choice(command, "--optimizer", arguments.optimizer, "(adamw)", optimizer_kind_words);
    add_real(command, "--lr", arguments.rate, "the learning rate at its highest (0.001)");
    add_whole(command, "--warm-up", arguments.warm_up, "N", "steps in which it rises (100); then it falls to a tenth",
              0);
    add_real(command, "--weight-decay", arguments.decay, "of matrices, times the learning rate (0.1)");
    add_real(command, "--clip", arguments.clip, "the longest gradient, 0 for any (1)");
    add_whole(command, "--held-out", arguments.held_out, "N", "lines that it is asked and never learns from (256)", 1,
              1 << 20);
    add_whole(command, "--answers", arguments.answers, "N", "of them that are shown at the end (8)", 0, 1000);
    add_whole(command, "--threads", arguments.threads, "N", "of the processor (as many as it has, up to 8)", 1, 256);
    add_name(command, "-o,--output", arguments.output, "DIR",
             "model.safetensors and config.json, and what --resume goes on from");
    add_choice(command, "--dtype", arguments.dtype, "in which model.safetensors is written (fp32)", file_numbers_words);
    add_whole(command, "--save-every", arguments.save_every, "N", "steps, besides at the end (100)", 1);
    command->add_flag("--resume", arguments.resume, "go on with the training in DIR");
    add_json(command, arguments.json);
    command->footer("The model gets the vocabulary and the context that the task needs. Ctrl+C ends it and saves.");
    add_rule(command, [&arguments]() -> Failure {
        if (arguments.resume && arguments.output.empty())
            return Error{"there is nothing to go on with", "--resume", "name the folder of the training: -o DIR"};
        if (arguments.output == "-") return Error{"a training is saved in a folder", "-o, -", "name one: -o DIR"};
        if (arguments.text && arguments.task.value_or(TaskKind::text) != TaskKind::text)
            return Error{"a text is given for another task", "--text", "leave --task out, or the text"};
        if (!arguments.text && arguments.task == TaskKind::text)
            return Error{"there is no text", "--task text", "give one: --text FILE"};
        if (!arguments.text && arguments.tokenizer)
            return Error{"there is no text to cut", "--tokenizer", "give one: --text FILE"};
        if (arguments.dtype && arguments.output.empty())
            return Error{"nothing is saved", "--dtype", "name a folder: -o DIR"};
        return std::nullopt;
    });
}

// The files that a model's folder has its tokenizer in, or that folder: what is copied beside the weights.
Failure wrong_tokenizer(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::filesystem::path name = path.filename();
    if (!std::filesystem::is_regular_file(path, ignored) || name == "tokenizer.json" || name == "tokenizer.bin")
        return std::nullopt;
    return Error{"this is no tokenizer.json", path.string(), "name one, or the folder of a model"};
}

// `vocab`: of the model as it is given.
Result<TrainSettings> settings_of(const TrainArguments& arguments, std::int64_t vocab) {
    TrainSettings settings;
    settings.task.kind = arguments.task.value_or(arguments.text ? TaskKind::text : TaskKind::reverse);
    settings.task.letters = arguments.letters.value_or(settings.task.kind == TaskKind::add ? 2 : 8);
    settings.task.modulus = arguments.modulus.value_or(settings.task.modulus);
    settings.task.tokens = arguments.tokens.value_or(settings.task.tokens);
    if (arguments.text) {
        Result<std::string> text = read_text(*arguments.text);
        if (!text) return within("--text", text.error());
        settings.task.text = *std::move(text);
    }
    if (arguments.tokenizer) {
        if (Failure failure = wrong_tokenizer(*arguments.tokenizer)) return within("--tokenizer", *std::move(failure));
        Result<Tokenizer> tokenizer = Tokenizer::of_model(*arguments.tokenizer, vocab);
        if (!tokenizer) return within("--tokenizer", tokenizer.error());
        settings.task.tokenizer = std::make_shared<const Tokenizer>(*std::move(tokenizer));
    }
    settings.steps = arguments.steps.value_or(settings.steps);
    settings.batch = arguments.batch.value_or(settings.batch);
    settings.passes = arguments.passes.value_or(settings.passes);
    settings.seed = static_cast<std::uint64_t>(arguments.seed.value_or(1));
    settings.optimizer.kind = arguments.optimizer.value_or(settings.optimizer.kind);
    settings.optimizer.weight_decay = arguments.decay.value_or(settings.optimizer.weight_decay);
    settings.learning_rate = arguments.rate.value_or(settings.learning_rate);
    settings.warm_up = arguments.warm_up.value_or(settings.warm_up);
    settings.clip = arguments.clip.value_or(settings.clip);
    settings.held_out = arguments.held_out.value_or(settings.held_out);
    settings.threads = threads_of(arguments.threads);
    settings.snapshot_every = 0;  // nobody looks back
    return settings;
}

// While there is one, Ctrl+C waits to be asked for. Threads that are started meanwhile leave it alone, too.
class Interrupt {
  public:
    Interrupt() {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGINT);
        sigaddset(&signals_, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    }
    ~Interrupt() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    bool came() {
        const timespec now{};
        came_ = came_ || sigtimedwait(&signals_, nullptr, &now) > 0;
        return came_;
    }

  private:
    sigset_t signals_, before_;
    bool came_ = false;
};

std::string padded(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 1, ' ') + text;
}

struct MemoryRow {
    const char *name, *key;
    std::int64_t TrainMemory::*bytes;
};
constexpr std::array<MemoryRow, 6> memory_rows{{{"weights", "weights", &TrainMemory::weights},
                                                {"gradients", "gradients", &TrainMemory::gradients},
                                                {"moments", "moments", &TrainMemory::moments},
                                                {"kept activations", "kept_activations", &TrainMemory::kept},
                                                {"backward pass", "backward_pass", &TrainMemory::passing},
                                                {"working room", "working_room", &TrainMemory::working}}};

void write_prediction(std::ostream& out, const Trainer& trainer, const TrainMemory& predicted, const StepWork& work) {
    const Task& task = trainer.task();
    const TrainSettings& settings = trainer.settings();
    const Architecture& arch = trainer.architecture();
    out << word_of(task_words, settings.task.kind) << ": " << task_meaning(settings.task.kind)
        << ". The model has vocab=" << arch.vocab << " and context=" << arch.context << ", as the task needs.\n";
    out << grouped(trainer.parameters().trained()) << " parameters, " << grouped(settings.batch * settings.passes)
        << " lines of " << grouped(work.tokens / (settings.batch * settings.passes)) << " tokens a step\n";
    const TrainMemory measured = trainer.measured_memory();
    out << padded("bytes", 16) << padded("predicted", 16) << padded("measured", 16) << '\n';
    for (const MemoryRow& row : memory_rows)
        out << padded(row.name, 16) << padded(grouped(predicted.*row.bytes), 16)
            << padded(grouped(measured.*row.bytes), 16) << '\n';
    out << "operations a step: " << grouped(work.flops) << " by the graph, "
        << grouped(static_cast<std::int64_t>(work.by_rule)) << " by 6·N·D\n";
    out << "knows nothing: ln " << arch.vocab << " = " << decimal_text(std::log(static_cast<double>(arch.vocab)), 3);
    if (const std::optional<LineFloor> floor = floor_of(line_form(arch, task), task); floor && floor->words.empty())
        out << "; the answer follows from the question: 0";
    else if (floor)
        out << "; what nobody can know: " << floor->words << " = " << decimal_text(floor->nats, 3);
    out << '\n';
}

struct Row {
    std::int64_t step = 0;
    std::optional<double> loss;  // of the lines of this step; none behind the last
    double rate = 0;
    HeldOut held_out;
};

void write_row(std::ostream& out, const Row& row, bool answers) {
    out << padded(grouped(row.step), 8) << padded(row.loss ? decimal_text(*row.loss, 4) : "", 10)
        << padded(decimal_text(row.held_out.loss, 4), 10)
        << padded(decimal_text(100 * row.held_out.tokens_right, 1), 10);
    if (answers) out << padded(decimal_text(100 * row.held_out.lines_right, 1), 10);
    out << padded(factor_text(row.rate), 12) << std::endl;
}

void write_answers(std::ostream& out, const std::vector<TaskAnswer>& answers) {
    for (const TaskAnswer& each : answers) {
        const auto right = std::ranges::count(each.right, true);
        out << "  " << printable(each.question) << ' ' << printable(each.answer) << "  "
            << (each.whole() ? "right" : grouped(right) + " of " + grouped(std::ssize(each.right))) << '\n';
    }
}

nlohmann::ordered_json trained_json(Trainer& trainer, const TrainMemory& predicted, const StepWork& work,
                                    const std::vector<Row>& rows, const std::vector<TaskAnswer>& answers,
                                    double steps_a_second, double roof) {
    const Architecture& arch = trainer.architecture();
    nlohmann::ordered_json json{{"task", word_of(task_words, trainer.settings().task.kind)},
                                {"vocab", arch.vocab},
                                {"context", arch.context},
                                {"parameters", trainer.parameters().trained()},
                                {"steps", trainer.steps_done()},
                                {"tokens_per_step", work.tokens},
                                {"knows_nothing", std::log(static_cast<double>(arch.vocab))},
                                {"floor", nullptr}};
    if (const auto floor = floor_of(line_form(arch, trainer.task()), trainer.task())) json["floor"] = floor->nats;
    const TrainMemory measured = trainer.measured_memory();
    for (const MemoryRow& row : memory_rows)
        json["memory"][row.key] = {{"predicted", predicted.*row.bytes}, {"measured", measured.*row.bytes}};
    json["memory"]["for_a_moment"] = {{"predicted", predicted.passing + predicted.working},
                                      {"measured", measured.passing + measured.working}};
    json["flops_per_step"] = work.flops;
    json["flops_by_rule"] = work.by_rule;
    json["steps_per_second"] = steps_a_second;
    json["roof_flops_per_second"] = roof;
    json["roof_steps_per_second"] = roof / static_cast<double>(work.flops);
    json["rows"] = nlohmann::json::array();
    for (const Row& row : rows)
        json["rows"].push_back({{"step", row.step},
                                {"loss", row.loss ? nlohmann::ordered_json(*row.loss) : nlohmann::ordered_json()},
                                {"held_out_loss", row.held_out.loss},
                                {"tokens_right", row.held_out.tokens_right},
                                {"lines_right", row.held_out.lines_right},
                                {"learning_rate", row.rate}});
    json["answers"] = nlohmann::json::array();
    for (const TaskAnswer& each : answers)
        json["answers"].push_back({{"question", each.question},
                                   {"answer", each.answer},
                                   {"expected", each.expected},
                                   {"right", each.whole()}});
    return json;
}

Failure cannot_save(const Architecture& arch, const TrainArguments& arguments) {
    if (arguments.output.empty()) return std::nullopt;
    if (const Result<nlohmann::ordered_json> config = write_config(arch); !config) return within("-o", config.error());
    std::error_code ignored;
    const std::filesystem::path folder = arguments.output;
    if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_directory(folder, ignored))
        return Error{"this is a file", arguments.output, "name a folder with -o"};
    const auto has = [&](const char* name) { return std::filesystem::exists(folder / name, ignored); };
    if ((has("model.safetensors") || has("config.json")) && !arguments.resume && !has("training.safetensors"))
        return Error{"a model is there that was not trained here", arguments.output, "name another folder with -o"};
    return std::nullopt;
}

// Found out before the first step, and not behind the last.
Failure no_room(const TrainArguments& arguments, const TrainMemory& predicted) {
    if (arguments.output.empty()) return std::nullopt;
    const std::optional<std::uintmax_t> room = free_room(arguments.output);
    // The optimizer's numbers, and the weights in as few as 16 bits.
    const auto needed = static_cast<std::uintmax_t>(predicted.moments + predicted.weights / 2);
    if (!room || *room >= needed) return std::nullopt;
    return Error{"there is no room for the model: its files take " + bytes_text(static_cast<std::int64_t>(needed)) +
                     ", and " + bytes_text(static_cast<std::int64_t>(*room)) + " are free",
                 arguments.output, "name a folder elsewhere with -o"};
}

// The tokenizer is copied beside the weights, so that the model reads texts.
Failure save(const Trainer& trainer, const TrainArguments& arguments) {
    if (Failure failure = trainer.save(arguments.output, arguments.dtype.value_or(FileNumbers::fp32))) return failure;
    if (!arguments.tokenizer) return std::nullopt;
    const Result<std::filesystem::path> file = Tokenizer::file_of_model(*arguments.tokenizer);
    if (!file) return file.error();
    std::error_code failed;
    const std::filesystem::path copy = std::filesystem::path(arguments.output) / file->filename();
    if (std::filesystem::equivalent(*file, copy, failed)) return std::nullopt;
    std::filesystem::copy_file(*file, copy, std::filesystem::copy_options::overwrite_existing, failed);
    if (failed)
        return Error{"the tokenizer cannot be copied: " + failed.message(), copy.string(), "name another folder"};
    return std::nullopt;
}

struct Taught {
    std::vector<Row> rows;
    double seconds = 0;  // of the steps alone
};

// Step after step, saved now and then, until there are enough or it is interrupted. Rows go to `out` as they are made,
// where there is one.
Result<Taught> teach(Trainer& trainer, const TrainArguments& arguments, Interrupt& interrupt, std::ostream* out) {
    const std::int64_t steps = trainer.settings().steps, every = std::max<std::int64_t>(1, steps / 20);
    const std::int64_t save_every = arguments.save_every.value_or(100);
    Taught taught;
    while (trainer.steps_done() < steps && !interrupt.came()) {
        const bool shows = trainer.steps_done() % every == 0;
        Row row{.step = trainer.steps_done(), .loss = {}, .rate = 0, .held_out = {}};
        if (shows) row.held_out = trainer.held_out();
        const Result<StepFigures> made = trainer.step();
        if (!made) return made.error();
        taught.seconds += made->seconds;
        row.loss = made->loss;
        row.rate = made->learning_rate;
        if (shows) taught.rows.push_back(row);
        if (shows && out) write_row(*out, row, trainer.task().has_answers());
        const bool saves = trainer.steps_done() % save_every == 0 && trainer.steps_done() < steps;
        if (saves && !arguments.output.empty())
            if (Failure failure = save(trainer, arguments)) return *std::move(failure);
    }
    return taught;
}

Failure train(const TrainArguments& arguments, Output& output) {
    std::optional<Interrupt> interrupt(std::in_place);
    const Result<OpenedDocument> opened = open_document(arguments.model, output.notes);
    if (!opened) return opened.error();
    const Result<TrainSettings> settings = settings_of(arguments, opened->document.architecture.vocab);
    if (!settings) return settings.error();
    const Result<Task> task = Task::make(settings->task);
    if (!task) return within("--task", task.error());
    const Result<Architecture> arch = architecture_for(opened->document.architecture, *task);
    if (!arch) return within(arguments.model.arch, arch.error());
    if (Failure failure = cannot_save(*arch, arguments)) return failure;
    Result<Trainer> trainer = Trainer::make(*arch, *settings);
    if (!trainer) return trainer.error();
    if (arguments.resume)
        if (Failure failure = trainer->resume(arguments.output)) return within("--resume", *std::move(failure));
    const Result<TrainMemory> predicted = trainer->predicted_memory();
    if (!predicted) return predicted.error();
    if (Failure failure = no_room(arguments, *predicted)) return failure;
    const Result<StepWork> work = trainer->work();
    if (!work) return work.error();
    std::ostream& out = output.out;
    const bool answers = trainer->task().has_answers();
    if (!arguments.json) {
        write_prediction(out, *trainer, *predicted, *work);
        out << padded("step", 8) << padded("loss", 10) << padded("held out", 10) << padded("% tokens", 10)
            << (answers ? padded("% lines", 10) : "") << padded("rate", 12) << std::endl;
    }
    const std::int64_t first = trainer->steps_done();
    Result<Taught> taught = teach(*trainer, arguments, *interrupt, arguments.json ? nullptr : &out);
    if (!taught) return taught.error();
    // Before anything else: who ended it may not wait.
    const Failure failed = arguments.output.empty() ? std::nullopt : save(*trainer, arguments);
    interrupt.reset();  // what comes now is told, and may be cut short
    const std::int64_t done = trainer->steps_done();
    const double speed = taught->seconds > 0 ? static_cast<double>(done - first) / taught->seconds : 0;
    const double roof = trainer->roof(), flops = static_cast<double>(work->flops);
    Row last{.step = done, .loss = {}, .rate = 0, .held_out = trainer->held_out()};
    last.rate = trainer->learning_rate_at(std::max<std::int64_t>(0, done - 1));
    taught->rows.push_back(last);
    const std::vector<TaskAnswer> shown =
        answers ? trainer->answers(arguments.answers.value_or(8)) : std::vector<TaskAnswer>{};
    if (arguments.json) {
        out << noted_json(trained_json(*trainer, *predicted, *work, taught->rows, shown, speed, roof), opened->notes);
    } else {
        write_row(out, last, answers);
        write_answers(out, shown);
        out << grouped(done - first) << " steps, " << decimal_text(speed, 1) << " a second"
            << (done < settings->steps ? ": ended early\n" : "\n");
        out << flop_text(flops * speed) << "/s; with nothing but products this machine reaches " << flop_text(roof)
            << "/s, which is " << decimal_text(roof / flops, 1) << " steps a second\n";
    }
    if (arguments.output.empty() || failed) return failed;
    if (!arguments.json) out << wrote(std::filesystem::path(arguments.output) / "model.safetensors");
    return std::nullopt;
}

}  // namespace

Command train_command() {
    return make_command("train", "teach a small model a task, and see what that takes", describe_train, train);
}

}  // namespace headcount
