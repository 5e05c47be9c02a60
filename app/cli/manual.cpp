// headcount manual: the page that man shows.
#include <cstdio>
#include <ostream>

#include "app/cli/command.hpp"
#include "app/cli/command_table.hpp"
#include "core/base/text.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {
namespace {

// "\\[u00D7]"
std::string by_number(char32_t code) {
    char number[16];
    std::snprintf(number, sizeof number, "\\[u%04X]", static_cast<unsigned>(code));
    return number;
}

// As roff prints it: a hyphen that can be copied, no long line, and none that is taken for a request; what is no ASCII
// by its number, since roff reads bytes.
std::string roff(std::string_view text) {
    std::string written;
    bool begins = true;
    std::size_t line = 0;
    while (!text.empty()) {
        const Letter read = letter_at(text);
        char letter = text.front();
        text.remove_prefix(read.length);
        if (letter == ' ' && line >= 60) letter = '\n';
        if (begins && (letter == '.' || letter == '\'')) written += "\\&";
        if (letter == '\\')
            written += "\\e";
        else if (letter == '-')
            written += "\\-";
        else if (read.length > 1)
            written += by_number(*read.code);
        else
            written += letter;
        begins = letter == '\n';
        line = begins ? 0 : line + 1;
    }
    return written;
}

std::string in_face(char face, std::string_view text) { return "\\f" + std::string(1, face) + roff(text) + "\\fR"; }

// "-o, --output FILE"
std::string head_of(const OptionRow& option) {
    const std::string head = listed(option.names, [](const std::string& name) { return in_face('B', name); });
    return option.value.empty() ? head : head + ' ' + in_face('I', option.value);
}

void write_entry(std::ostream& out, const std::string& head, const std::string& what) {
    out << ".TP\n" << head << '\n' << roff(what) << '\n';
}

void write_options(std::ostream& out, const CommandRow& command) {
    for (const OptionRow& place : command.places) write_entry(out, in_face('I', place.names.front()), place.what);
    for (const OptionRow& option : command.options) write_entry(out, head_of(option), option.what);
}

// "headcount shapes --tokens T [OPTION...] ARCH"
std::string usage_of(const CommandRow& command) {
    std::string usage = in_face('B', command.path);
    for (const OptionRow& option : command.options)
        if (option.required) usage += ' ' + in_face('B', option.names.back()) + ' ' + in_face('I', option.value);
    usage += " [" + in_face('I', "OPTION") + "...]";
    for (const OptionRow& place : command.places) {
        const std::string name = in_face('I', place.names.front());
        usage += ' ' + (place.required ? name : '[' + name + ']');
    }
    return usage;
}

struct ManualArguments {
    const CLI::App* program = nullptr;
};

Failure print_manual(const ManualArguments& arguments, Output& output) {
    const std::vector<CommandRow> table = command_table(*arguments.program);
    const CommandRow& program = table.front();
    std::ostream& out = output.out;
    out << ".\\\" Made by \"" << program.path << " manual\".\n"
        << ".TH HEADCOUNT 1 \"\" \"" << roff(arguments.program->version()) << "\" \"User Commands\"\n"
        << ".SH NAME\n"
        << program.path << " \\- " << roff(program.what) << "\n.SH SYNOPSIS\n"
        << usage_of(program) << "\n.br\n"
        << in_face('B', program.path) << ' ' << in_face('I', "COMMAND") << " [" << in_face('I', "OPTION")
        << "...]\n.SH DESCRIPTION\n"
        << roff(program.footer) << "\n.SH OPTIONS\n";
    write_options(out, program);
    write_entry(out, head_of(program.help), program.help.what + ". Every command has it, too.");
    out << ".SH COMMANDS\n";
    for (const CommandRow& command : std::span(table).subspan(1)) {
        out << ".SS " << usage_of(command) << '\n' << roff(capitalized(command.what)) << ".\n";
        if (!command.footer.empty()) out << ".PP\n" << roff(command.footer) << '\n';
        write_options(out, command);
    }
    out << ".SH EXIT STATUS\n0 for success, 1 for an error, 2 for wrong usage.\n";
    return std::nullopt;
}

}  // namespace

Command manual_command() {
    const auto describe = [](const CLI::App* command, ManualArguments& arguments) {
        arguments.program = command->get_parent();
    };
    return make_command("manual", "the page that man shows", describe, print_manual);
}

}  // namespace headcount
