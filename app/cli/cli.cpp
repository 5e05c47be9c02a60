// Which words the command line takes. What they do is in the file of each subcommand.
#include "app/cli/cli.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <new>
#include <ostream>
#include <stdexcept>

#include "app/cli/commands.hpp"
#include "app/cli/model.hpp"
#include "app/cli/option_kinds.hpp"
#include "app/cli/options.hpp"
#include "app/cli/worksheet.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/report/text_table.hpp"

namespace headcount {
namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;

int report(const Error& error, std::ostream& err, int status) {
    err << "headcount: " << printable(sentence(error)) << '\n';
    return status;
}

// A file with a bare name (a script called "run", say) is more likely a command that is not there.
bool looks_like_a_path(const std::string& word) {
    std::error_code ignored;
    if (word.find('/') != std::string::npos || std::filesystem::is_directory(word, ignored)) return true;
    return word.find('.') != std::string::npos && std::filesystem::exists(word, ignored);
}

class Reader {
  public:
    Reader(std::ostream& out, std::ostream& err, std::span<const std::string_view> views, const DrawBlock& draw)
        : app_(HEADCOUNT_ABOUT ".", "headcount") {
        app_.set_version_flag("--version", std::string("headcount ") + HEADCOUNT_VERSION);
        add_commands(out, err);
        worksheet_.draw = draw;
        add_worksheets(out);
        add_pictures(views);
        add_texts(out);
        // What follows comes behind the commands, so that they do not inherit it. An unknown command is let through
        // here, to be named as one later.
        app_.require_subcommand(0, 1);
        app_.allow_extras();
        app_.footer(
            "With no command a window opens. ARCH is a preset's id (\"headcount presets\" lists them), or a file: a\n"
            "Hugging Face config.json, Meta's params.json, weights (.safetensors, their index, .gguf, llama2.c's\n"
            ".bin), a directory that holds one of these, or a document saved by Headcount.");
    }

    CommandLine run(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
        try {
            app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        } catch (const WrongWords& wrong) {
            return report(wrong.error, err, wrong_usage);
        } catch (const CLI::ParseError& stopped) {
            if (stopped.get_exit_code() != 0) return report(wrong(stopped), err, wrong_usage);
            app_.exit(stopped, out, out);  // --help or --version
            return finished(std::nullopt, out, err);
        }
        std::vector<CLI::App*> chosen = app_.get_subcommands();
        if (chosen.empty()) return open_window(err);
        std::vector<std::string> stray = app_.remaining();
        for (const CLI::Option* option : app_.get_options())
            if (option->count() > 0) stray.push_back(option->get_name());
        if (!stray.empty())
            return report(usage(quote(stray.front()) + " does not belong before a command"), err, wrong_usage);
        if (chosen.front() == render_command_) {
            Result<RenderOptions> options = render_options(render_, notes_);
            if (options) write_notes(err);
            if (options) return *options;
            return report(options.error(), err, failed);
        }
        for (const auto& [command, action] : actions_)
            if (command == chosen.front()) {
                const int status = finish(action, out, err);
                if (status == 0) write_notes(err);
                for (const std::string& each : failures_) err << "headcount:   " << printable(each) << '\n';
                return status;
            }
        return wrong_usage;
    }

  private:
    using Action = std::function<Failure()>;

    CLI::App* add(const std::string& name, const std::string& what, Action action) {
        CLI::App* command = app_.add_subcommand(name, what);
        actions_.emplace_back(command, std::move(action));
        return command;
    }

    void add_commands(std::ostream& out, std::ostream& err) {
        CLI::App* presets = add("presets", "list the models that ship with Headcount",
                                [&] { return print_presets(presets_, out, notes_); });
        add_json(presets, presets_.json);

        CLI::App* count = add("count", "count parameters: overall, by component, by kind of tensor",
                              [&] { return print_count(count_, out); });
        add_model(count, count_.model);
        add_json(count, count_.json);

        CLI::App* tensors = add("tensors", "list every parameter tensor of the checkpoint",
                                [&] { return print_tensors(tensors_, out, notes_); });
        describe_tensors(tensors, tensors_);

        CLI::App* tree = add("tree", "print the module tree as transformers prints a model",
                             [&] { return print_tree(tree_, out, notes_); });
        add_model(tree, tree_.model);
        tree->add_flag("--base", tree_.base, "without the output head");
        tree->add_flag("--counts", tree_.counts, "each line's parameters behind it");

        CLI::App* match = add("match", "compare a file of weights with the computed tensors",
                              [&] { return print_match(match_, out); });
        add_model(match, match_.model);
        add_json(match, match_.json);
        match->footer(
            "The exit status is 0 also where tensors differ: a script reads \"differences\" of --json, 0 where all "
            "fit.");

        CLI::App* shapes = add("shapes", "list every activation in order, with its shape",
                               [&] { return print_shapes(shapes_, out, notes_); });
        add_model(shapes, shapes_.model);
        add_input(shapes, shapes_.input, true);
        shapes->add_flag("--head", shapes_.head, "the rows of one attention head");
        add_json(shapes, shapes_.json);

        CLI::App* compare = add("compare", "set two models side by side: what makes them differ in size",
                                [&] { return print_compare(compare_, out, notes_); });
        compare->add_option("A", compare_.a, "a model, named as ARCH is")->required()->type_name("ARCH");
        compare->add_option("B", compare_.b, "another; the differences are B less A")->required()->type_name("ARCH");
        add_set(compare, compare_.set);
        add_json(compare, compare_.json);

        add_what_if(out);

        CLI::App* generate =
            add("run", "text from a model on the CPU", [&] { return run_text(run_, out, err, notes_); });
        describe_run(generate, run_);

        CLI::App* claims = add("claims", "recompute published statements and say what is right about them",
                               [&] { return print_claims(claims_, out, notes_); });
        claims->add_option("ID", claims_.id, "one claim, with its derivation; a file of claims by its name or path")
            ->type_name("CLAIM");
        add_json(claims, claims_.json);

        CLI::App* file = add("export", "write the architecture or its tables to a file",
                             [&] { return export_file(export_, out, notes_); });
        describe_export(file, export_);
    }

    void add_what_if(std::ostream& out) {
        CLI::App* memory = add("memory", "weights, cache, activations, training; which devices hold them",
                               [&] { return print_memory(memory_, out, notes_); });
        describe_memory(memory, memory_);

        CLI::App* compute = add("compute", "arithmetic and memory traffic of each operation; time at a device's roof",
                                [&] { return print_compute(compute_, out, notes_); });
        describe_compute(compute, compute_);

        CLI::App* sweep =
            add("sweep", "totals and memory along a range of values", [&] { return print_sweep(sweep_, out, notes_); });
        describe_sweep(sweep, sweep_);

        CLI::App* steps = add("sensitivity", "what one step more of every field adds",
                              [&] { return print_sensitivity(sensitivity_, out, notes_); });
        describe_sensitivity(steps, sensitivity_);

        CLI::App* solve = add("solve", "values that meet a total or a budget, and the same shape in another size",
                              [&] { return print_solve(solve_, out, notes_); });
        describe_solve(solve, solve_);
    }

    void add_worksheets(std::ostream& out) {
        CLI::App* command = add("worksheet", "list, show, grade and print worksheets", [&, this] {
            if (worksheet_command_->got_subcommand("list")) return list_worksheets(worksheet_, out, notes_);
            if (worksheet_command_->got_subcommand("show")) return show_worksheet(worksheet_, out, notes_);
            if (worksheet_command_->got_subcommand("answer")) return grade_answers(worksheet_, out, notes_, failures_);
            return export_worksheet(worksheet_, out, notes_);
        });
        worksheet_command_ = command;
        describe_worksheets(command, worksheet_);
    }

    void add_pictures(std::span<const std::string_view> views) {
        render_command_ = app_.add_subcommand("render", "write a picture of a view, without a window");
        describe_render(render_command_, render_, views);
        describe_window(&app_, window_);
    }

    // What the commands say of themselves.
    void add_texts(std::ostream& out) {
        CLI::App* completion = add("completion", "a script that makes a shell complete what is typed",
                                   [&] { return print_completion(completion_, command_table(app_), out); });
        describe_completion(completion, completion_);
        add("manual", "the page that man shows",
            [&] { return print_manual(command_table(app_), HEADCOUNT_VERSION, out); });
    }

    Error usage(std::string what) const {
        std::vector<CLI::App*> chosen = app_.get_subcommands();
        std::string command = "headcount" + (chosen.empty() ? "" : " " + chosen.front()->get_name());
        return {std::move(what), command, "\"" + command + " --help\" says how it is used"};
    }

    // CLI11's errors in our words.
    Error wrong(const CLI::ParseError& error) const {
        std::string what = error.what();
        std::size_t colon = what.find(": ");
        if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
            std::vector<std::string> left_over = app_.remaining(true);  // CLI11's own words have them backwards
            return usage("unexpected " + quote((left_over.empty() ? what : left_over.front())));
        }
        if (colon != std::string::npos && dynamic_cast<const CLI::ArgumentMismatch*>(&error))
            return usage(what.substr(0, colon) + (what.ends_with("missing") ? " needs a value" : " is given twice"));
        // Named as the help page and most people write it.
        if (what == "--output is required") return usage("-o FILE (--output) is required");
        return usage(what);
    }

    CommandLine open_window(std::ostream& err) const {
        std::vector<std::string> stray = app_.remaining();
        const std::string& arch = window_.model.arch;
        Result<std::vector<Preset>> presets = shipped_presets();
        bool known = arch.empty() || looks_like_a_path(arch) || or_shipped_model(arch) != arch ||
                     (presets && find_preset(*presets, arch));
        if (presets && !known) return report(unknown_command(arch, *presets), err, wrong_usage);
        if (!stray.empty()) return report(usage("unexpected " + quote(stray.front())), err, wrong_usage);
        Result<WindowOptions> options = window_options(window_);
        if (options) return *options;
        return report(options.error(), err, failed);
    }

    Error unknown_command(const std::string& word, std::span<const Preset> presets) const {
        if (std::optional<Error> damaged = damaged_preset(word)) return *std::move(damaged);
        std::vector<std::string_view> names;
        std::string commands;
        for (const CLI::App* command : app_.get_subcommands({})) {
            names.push_back(command->get_name());
            commands += (commands.empty() ? "" : ", ") + command->get_name();
        }
        for (const Preset& preset : presets) names.push_back(preset.id);
        const std::string nearest = did_you_mean(word, names);
        return {"this is no command, preset or file", word,
                (nearest.empty() ? "" : nearest + " ") + "the commands are " + commands};
    }

    // What the numbers of a file do not say of themselves, for whoever reads them by a script.
    void write_notes(std::ostream& err) const {
        for (const std::string& note : notes_) err << "headcount: note: " << printable(note) << '\n';
    }

    static int finish(const Action& action, std::ostream& out, std::ostream& err) {
        try {
            return finished(action(), out, err);
        } catch (const std::bad_alloc&) {
            return report_no_memory(err);
        } catch (const std::length_error&) {
            return report_no_memory(err);
        }
    }

    // What was written may still be on its way: only now is it known whether it arrived.
    static int finished(const Failure& failure, std::ostream& out, std::ostream& err) {
        if (failure) return report(*failure, err, failed);
        if (out.flush()) return 0;
        return report({"the output could not be written", "standard output", "make room, or send it elsewhere"}, err,
                      failed);
    }

    CLI::App app_;
    CLI::App* render_command_ = nullptr;
    CLI::App* worksheet_command_ = nullptr;
    std::vector<std::pair<CLI::App*, Action>> actions_;
    std::vector<std::string> failures_;  // where several things went wrong: a line each, below what is said of all
    Notes notes_;
    PresetsArguments presets_;
    CountArguments count_;
    TensorsArguments tensors_;
    TreeArguments tree_;
    MatchArguments match_;
    ShapesArguments shapes_;
    CompareArguments compare_;
    MemoryArguments memory_;
    ComputeArguments compute_;
    SweepArguments sweep_;
    SensitivityArguments sensitivity_;
    SolveArguments solve_;
    RunArguments run_;
    ClaimsArguments claims_;
    ExportArguments export_;
    WorksheetArguments worksheet_;
    CompletionArguments completion_;
    RenderArguments render_;
    WindowArguments window_;
};

}  // namespace

int report_no_memory(std::ostream& err) {
    return report({"there is not enough memory for this", "", "end other programs, or give a smaller model or file"},
                  err, failed);
}

CommandLine parse_command_line(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                               std::span<const std::string_view> views, const DrawBlock& draw) {
    return Reader(out, err, views, draw).run(arguments, out, err);
}

}  // namespace headcount
