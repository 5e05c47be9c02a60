// The shells' scripts: how each finds the command that the words so far are of
// is typed here, the rest is the table.
#include "app/cli/completion_scripts.hpp"

#include <ostream>
#include <string_view>

#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string spaced(std::span<const std::string> words) { return listed(words, std::identity(), " "); }

std::vector<std::string> names_of(std::span<const InnerCommand> commands) {
    std::vector<std::string> names;
    for (const InnerCommand& each : commands) names.push_back(each.name);
    return names;
}

std::string escaped(std::string_view text, std::string_view letters, std::string_view before) {
    std::string result;
    for (const char letter : text) {
        if (letters.find(letter) != std::string_view::npos) result += before;
        result += letter;
    }
    return result;
}

// A word that a shell takes as it is: bash and zsh end the quotes for a quote,
// fish escapes it.
std::string for_sh(std::string_view text) { return '\'' + escaped(text, "'", "'\\'") + '\''; }
std::string for_fish(std::string_view text) { return '\'' + escaped(text, "'\\", "\\") + '\''; }

void write_origin(std::ostream& out, std::string_view first, std::string_view shell) {
    out << first << "Made by \"headcount completion " << shell << "\".\n";
}

// Which words there are for a value, in bash and in zsh.
void write_values(std::ostream& out, const Completions& completions) {
    out << "_headcount_value() {\n    known='' files='' goes_on=''\n    case $1 "
           "in\n";
    for (const auto& [value, completion] : completions)
        out << "    " << for_sh(value) << ") known=" << for_sh(spaced(completion.words))
            << (completion.files ? " files=1" : "") << (completion.goes_on ? " goes_on=1" : "") << " ;;\n";
    out << "    esac\n}\n";
}

// Bash ends words at = and : as well, so they are put together first; what it
// is told replaces the last piece alone.
constexpr std::string_view bash_reader = R"(
_headcount() {
    local cur='' at=headcount place=1 option='' glued='' given=() piece word
    local commands options value known files goes_on
    for piece in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#given[@]} -gt 0 && -n $piece && ( -n $glued || $piece == [=:]* ) ]]; then given[-1]+=$piece
        else given+=("$piece"); fi
        if [[ $piece == [=:]* ]]; then glued=1; else glued=''; fi
    done
    cur=${given[-1]}
    for word in "${given[@]:0:${#given[@]}-1}"; do
        if [[ -n $option ]]; then option=''
        elif [[ $word == -*=* ]]; then :
        elif [[ $word == -* ]]; then _headcount_behind "$at $word" && option=$word
        elif [[ $place == 1 ]] && _headcount_inside "$at $word"; then at+=" $word"
        else ((place++)); fi
    done
    COMPREPLY=()
    value='' commands='' options=''
    if [[ -n $option ]]; then _headcount_behind "$at $option"
    elif [[ $cur == --*=* ]]; then _headcount_behind "$at ${cur%%=*}"; cur=${cur#*=}
    else
        _headcount_inside "$at"
        if [[ $cur == -* ]]; then commands=$options; else _headcount_behind "$at $place"; fi
        [[ $place == 1 || $cur == -* ]] || commands=''
    fi
    _headcount_value "$value"
    mapfile -t COMPREPLY < <(compgen -W "$commands $known" -- "$cur"; [[ -z $files ]] || compgen -f -- "$cur")
    [[ -z $files ]] || compopt -o filenames 2>/dev/null
    [[ -z $goes_on ]] || compopt -o nospace 2>/dev/null
    COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*[=:]}"}"}")
}
complete -F _headcount headcount
)";

constexpr std::string_view zsh_reader = R"(
_headcount_words() {
    local known files goes_on
    _headcount_value "$1"
    [[ -z $known ]] || compadd ${goes_on:+-S} ${goes_on:+''} -- ${=known}
    [[ -z $files ]] || _files
}
_headcount() {
    local at=headcount context state state_descr line curcontext=$curcontext
    local -A opt_args
    local -a inside specs
    while (( CURRENT > 2 )) && _headcount_specs "$at $words[2]"; do
        at+=" $words[2]"
        shift words
        (( CURRENT-- ))
    done
    _headcount_specs "$at"
    _arguments -S : "$specs[@]"
}
if [[ $funcstack[1] == _headcount ]]; then _headcount "$@"; else compdef _headcount headcount; fi
)";

constexpr std::string_view fish_reader = R"(
# Whether the words so far are of this command, and not of one inside it.
function __headcount_at
    set -l at headcount
    for word in (commandline -opc)[2..]
        contains -- "$at $word" $__headcount_commands; or break
        set at "$at $word"
    end
    test "$at" = "$argv"
end
complete -c headcount -f

# Which words there are for a value.
function __headcount_value
    switch $argv
)";

// In zsh a colon ends a part of a specification, and a bracket its description.
std::string part_of_spec(std::string_view text) { return escaped(text, ":[]\\", "\\"); }

std::string zsh_value(const std::string& value) {
    return ':' + part_of_spec(value) + ":{_headcount_words \"" + value + "\"}";
}

std::string zsh_option(const OptionRow& option) {
    const std::string spec =
        '[' + part_of_spec(option.what) + ']' + (option.value.empty() ? "" : zsh_value(option.value));
    std::string all;
    for (const std::string& name : option.names) {
        const std::string others = option.repeated ? "*" : '(' + spaced(option.names) + ')';
        const bool joined = !option.value.empty() && name.starts_with("--");  // "--theme=dark" as well
        all += ' ' + for_sh(others + name + (joined ? "=" : "") + spec);
    }
    return all;
}

}  // namespace

void write_bash(std::ostream& out, std::span<const CommandRow> table, const Completions& completions) {
    write_origin(out, "# ", "bash");
    out << "\n# The commands inside a command, and its options; fails where "
           "there is no such command.\n"
           "_headcount_inside() {\n    case $1 in\n";
    for (const CommandRow& command : table) {
        std::string options = spaced(command.help.names);
        for (const OptionRow& option : command.options) options += ' ' + spaced(option.names);
        out << "    " << for_sh(command.path) << ") commands=" << for_sh(spaced(names_of(command.commands)))
            << " options=" << for_sh(options) << " ;;\n";
    }
    out << "    *) return 1 ;;\n    esac\n}\n\n# What stands behind an option, "
           "or in a place; fails where nothing "
           "does.\n"
           "_headcount_behind() {\n    case $1 in\n";
    for (const CommandRow& command : table) {
        for (const OptionRow& option : command.options)
            for (const std::string& name : option.names)
                if (!option.value.empty())
                    out << "    " << for_sh(command.path + ' ' + name) << ") value=" << for_sh(option.value) << " ;;\n";
        for (std::size_t place = 0; place < command.places.size(); ++place)
            out << "    " << for_sh(command.path + ' ' + std::to_string(place + 1))
                << ") value=" << for_sh(command.places[place].value) << " ;;\n";
    }
    out << "    *) return 1 ;;\n    esac\n}\n\n";
    write_values(out, completions);
    out << bash_reader;
}

void write_zsh(std::ostream& out, std::span<const CommandRow> table, const Completions& completions) {
    out << "#compdef headcount\n";
    write_origin(out, "# ", "zsh");
    out << "\n_headcount_specs() {\n    inside=()\n    case $1 in\n";
    for (const CommandRow& command : table) {
        out << "    " << for_sh(command.path) << ")\n        specs=(" << zsh_option(command.help);
        for (const OptionRow& option : command.options) out << "\n           " << zsh_option(option);
        for (std::size_t place = 0; place < command.places.size(); ++place) {
            const OptionRow& row = command.places[place];
            const bool first = place == 0 && !command.commands.empty();
            out << "\n            "
                << for_sh(std::to_string(place + 1) + ':' + part_of_spec(row.names.front()) + ":{" +
                          (first ? "_describe command inside; " : "") + "_headcount_words \"" + row.value + "\"}");
        }
        if (!command.commands.empty() && command.places.empty())
            out << "\n            '1:command:{_describe command inside}'";
        out << ")\n";
        if (!command.commands.empty()) {
            out << "        inside=(";
            for (const InnerCommand& each : command.commands)
                out << "\n            " << for_sh(each.name + ':' + each.what);
            out << ")\n";
        }
        out << "        ;;\n";
    }
    out << "    *) return 1 ;;\n    esac\n}\n";
    write_values(out, completions);
    out << zsh_reader;
}

void write_fish(std::ostream& out, std::span<const CommandRow> table, const Completions& completions) {
    write_origin(out, "# ", "fish");
    out << "\nset -g __headcount_commands";
    for (const CommandRow& command : table) out << ' ' << for_fish(command.path);
    out << '\n' << fish_reader;
    for (const auto& [value, completion] : completions)
        out << "        case " << for_fish(value) << "\n            string split ' ' "
            << for_fish(spaced(completion.words)) << '\n';
    out << "    end\nend\n\n";
    const auto words_of = [&completions](const std::string& value) {
        const auto found = completions.find(value);
        if (found == completions.end()) return std::string(" -f");
        const std::string words = " -a " + for_fish("(__headcount_value " + for_fish(value) + ')');
        return (found->second.files ? " -F" : " -f") + (found->second.words.empty() ? "" : words);
    };
    for (const CommandRow& command : table) {
        const std::string at = "complete -c headcount -n " + for_fish("__headcount_at " + command.path);
        for (const InnerCommand& each : command.commands)
            out << at << " -a " << for_fish(each.name) << " -d " << for_fish(each.what) << '\n';
        for (const OptionRow& place : command.places) out << at << words_of(place.value) << '\n';
        std::vector<OptionRow> options = command.options;
        options.push_back(command.help);
        for (const OptionRow& option : options) {
            out << at;
            for (const std::string& name : option.names)
                out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
            if (!option.value.empty()) out << " -r" << words_of(option.value);
            out << " -d " << for_fish(option.what) << '\n';
        }
    }
}

}  // namespace headcount
