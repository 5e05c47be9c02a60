// Reads the command line, and runs the command that it names.
#include "app/cli/cli.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <new>
#include <ostream>
#include <stdexcept>

#include "app/cli/command.hpp"
#include "app/cli/options.hpp"
#include "app/cli/window.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/files/presets.hpp"
#include "core/link/link_text.hpp"

namespace headcount {
namespace {

constexpr int failed = 1;
constexpr int wrong_usage = 2;

int report(const Error& error, std::ostream& err, int status) {
    err << "headcount: " << printable(sentence(error)) << '\n';
    return status;
}

// What was written may still be on its way: only now is it known whether it arrived.
int finished(const Failure& failure, std::ostream& out, std::ostream& err) {
    if (failure) return report(*failure, err, failed);
    if (out.flush()) return 0;
    return report({"the output could not be written", "standard output", "make room, or send it elsewhere"}, err,
                  failed);
}

CommandLine act(const CommandAction& action, Output output) {
    int status = 0;
    try {
        status = finished(action(output), output.out, output.err);
    } catch (const std::bad_alloc&) {
        status = report_no_memory(output.err);
    } catch (const std::length_error&) {
        status = report_no_memory(output.err);
    }
    // What the numbers of a file do not say of themselves, for whoever reads them by a script.
    if (status == 0 || output.answered)
        for (const std::string& note : output.notes) output.err << "headcount: note: " << printable(note) << '\n';
    for (const std::string& each : output.failures) output.err << "headcount:   " << printable(each) << '\n';
    if (status == 0 && output.picture) return *std::move(output.picture);
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
    Reader(std::span<const std::string_view> views, const DrawPlace& draw, const DrawPicture& picture,
           std::span<const AskCommand> actions)
        : app_(HEADCOUNT_ABOUT ".", "headcount") {
        app_.set_version_flag("--version", std::string("headcount ") + HEADCOUNT_VERSION);
        for (const Command& command : all_commands(views, draw, picture, actions)) {
            CLI::App* words = app_.add_subcommand(command.name, command.what);
            actions_.emplace_back(words, command.describe(words));
        }
        // What follows comes behind the commands, so that they do not inherit it. An unknown command is let through
        // here, to be named as one later.
        describe_window(&app_, window_, views);
        app_.require_subcommand(0, 1);
        app_.allow_extras();
        app_.footer(
            "With no command a window opens. ARCH is a preset's id (\"headcount presets\" lists them), or a file: a\n"
            "Hugging Face config.json, Meta's params.json, weights (.safetensors, their index, .gguf, llama2.c's\n"
            ".bin), a directory that holds one of these, a document saved by Headcount, or a link (\"headcount link\"\n"
            "makes one). What can be dropped on the window opens too: a worksheet, a tour, claims, a folder of\n"
            "answers, activations of another program.");
    }

    CommandLine run(std::span<const std::string> arguments, std::ostream& out, std::ostream& err) {
        // "headcount help count" is "headcount count --help".
        std::vector<std::string> words(arguments.begin(), arguments.end());
        if (!words.empty() && words.front() == "help") {
            words.erase(words.begin());
            if (const Failure wrong = no_help_on(words)) return report(*wrong, err, wrong_usage);
            words.emplace_back("--help");
        }
        try {
            app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
        } catch (const WrongWords& wrong) {
            return report(wrong.error, err, wrong_usage);
        } catch (const CLI::ParseError& stopped) {
            if (stopped.get_exit_code() != 0) return report(wrong(stopped), err, wrong_usage);
            app_.exit(stopped, out, out);  // --help or --version
            return finished(std::nullopt, out, err);
        }
        const std::vector<CLI::App*> chosen = app_.get_subcommands();
        if (chosen.empty()) return open_window(err);
        std::vector<std::string> stray = app_.remaining();
        for (const CLI::Option* option : app_.get_options())
            if (option->count() > 0) stray.push_back(option->get_name());
        if (!stray.empty())
            return report(usage(quote(stray.front()) + " does not belong before a command"), err, wrong_usage);
        for (const auto& [command, action] : actions_)
            if (command == chosen.front()) return act(action, {.out = out, .err = err, .words = words});
        return wrong_usage;
    }

  private:
    // Help is on one command, or one of those within it.
    Failure no_help_on(std::span<const std::string> words) const {
        const CLI::App* at = &app_;
        for (const std::string& word : words) {
            const std::vector<const CLI::App*> within = at->get_subcommands(std::function<bool(const CLI::App*)>());
            const auto found =
                std::ranges::find_if(within, [&](const CLI::App* command) { return command->check_name(word); });
            if (found == within.end() && at == &app_) return no_command("this is no command", word, {});
            if (found == within.end())
                return Error{"unexpected " + quote(word), "headcount help", "ask for one command at a time"};
            at = *found;
        }
        return std::nullopt;
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
        const std::vector<std::string> left_over = app_.remaining(true);  // CLI11's own words have them backwards
        // What is misspelt may be what is missing.
        if (dynamic_cast<const CLI::RequiredError*>(&error) && !left_over.empty() &&
            left_over.front().starts_with('-') && left_over.front() != "--")
            return usage("unexpected " + quote(left_over.front()) + ", and " + what);
        if (dynamic_cast<const CLI::ExtrasError*>(&error))
            return usage("unexpected " + quote((left_over.empty() ? what : left_over.front())));
        if (colon != std::string::npos && dynamic_cast<const CLI::ArgumentMismatch*>(&error))
            return usage(what.substr(0, colon) + (what.ends_with("missing") ? " needs a value" : " is given twice"));
        // Named as the help page and most people write it.
        if (what == "--output is required") return usage("-o FILE (--output) is required");
        return usage(what);
    }

    CommandLine open_window(std::ostream& err) const {
        std::vector<std::string> stray = app_.remaining();
        const std::string& arch = window_.model.arch;
        const bool known = arch.empty() || is_link(arch) || looks_like_a_path(arch) || or_shipped_model(arch) != arch;
        if (!known) {  // or else only the window reads all presets
            const Result<std::vector<Preset>> presets = shipped_presets();
            if (presets && presets_called(*presets, arch).empty())
                return report(unknown_command(arch, *presets), err, wrong_usage);
        }
        if (!stray.empty()) return report(usage("unexpected " + quote(stray.front())), err, wrong_usage);
        Result<WindowOptions> options = window_options(window_);
        if (options) return *options;
        return report(options.error(), err, failed);
    }

    Error unknown_command(const std::string& word, std::span<const Preset> presets) const {
        if (std::optional<Error> damaged = damaged_preset(word)) return *std::move(damaged);
        return no_command("this is no command, preset or file", word, presets);
    }

    Error no_command(std::string what, const std::string& word, std::span<const Preset> presets) const {
        std::vector<std::string_view> names;
        std::string commands;
        for (const CLI::App* command : app_.get_subcommands({})) {
            names.push_back(command->get_name());
            commands += (commands.empty() ? "" : ", ") + command->get_name();
        }
        for (const Preset& preset : presets) names.push_back(preset.id);
        const std::string nearest = did_you_mean(word, names);
        return {std::move(what), word, (nearest.empty() ? "" : nearest + " ") + "the commands are " + commands};
    }

    CLI::App app_;
    std::vector<std::pair<CLI::App*, CommandAction>> actions_;
    WindowArguments window_;
};

}  // namespace

int report_no_memory(std::ostream& err) {
    return report({"there is not enough memory for this", "", "end other programs, or give a smaller model or file"},
                  err, failed);
}

CommandLine parse_command_line(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                               std::span<const std::string_view> views, const DrawPlace& draw,
                               const DrawPicture& picture, std::span<const AskCommand> actions) {
    return Reader(views, draw, picture, actions).run(arguments, out, err);
}

}  // namespace headcount
