// Kinds of options, each with what its word is read as: a number, a choice, a name, a file to write. What cannot be
// read ends the command line before anything is opened.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/commands.hpp"
#include "app/cli/values.hpp"
#include "core/analysis/amount_text.hpp"

namespace headcount {

// What is wrong about the words themselves, whatever the model.
struct WrongWords : CLI::ParseError {
    explicit WrongWords(const headcount::Error& what) : CLI::ParseError(sentence(what), 1), error(what) {}

    headcount::Error error;
};

template <class T>
T or_wrong(Result<T> read) {
    if (!read) throw WrongWords(read.error());
    return *std::move(read);
}

// A reader makes a value of a word and the option's name: see values.hpp.
template <class T, class Reader>
CLI::Option* add_value(CLI::App* command, const std::string& name, T& value, const std::string& type,
                       const std::string& what, Reader reader) {
    const CLI::callback_t take = [&value, reader, name](const CLI::results_t& words) {
        value = or_wrong(reader(words.front(), name));
        return true;
    };
    return command->add_option(name, take, what)->type_name(type);
}

// One that may be repeated.
template <class T, class Reader>
CLI::Option* add_values(CLI::App* command, const std::string& name, std::vector<T>& values, const std::string& type,
                        const std::string& what, Reader reader) {
    const CLI::callback_t take = [&values, reader, name](const CLI::results_t& words) {
        values.clear();
        for (const std::string& word : words) values.push_back(or_wrong(reader(word, name)));
        return true;
    };
    return command->add_option(name, take, what)
        ->type_name(type)
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);
}

// A name: what there is of it is seen when it is looked for.
template <class T>
CLI::Option* add_name(CLI::App* command, const std::string& name, T& value, const std::string& type,
                      const std::string& what) {
    return add_value(command, name, value, type, what,
                     [](const std::string& text, std::string_view) { return Result<std::string>(text); });
}

inline CLI::Option* add_whole(CLI::App* command, const std::string& name, std::optional<std::int64_t>& value,
                              const std::string& type, const std::string& what, std::int64_t least,
                              std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    return add_value(command, name, value, type, what, [least, most](const std::string& text, std::string_view flag) {
        return read_whole(text, flag, least, most);
    });
}

// "dark|light": how one of these words is named in the help, and what a shell completes.
template <class Words>
std::string any_of(const Words& words) {
    std::string all;
    for (const auto& word : words) all.append(all.empty() ? "" : "|").append(word);
    return all;
}

// One of the words, which are in the order of the enumeration.
template <class Choice, class Words>
CLI::Option* add_choice(CLI::App* command, const std::string& name, std::optional<Choice>& value,
                        const std::string& what, const Words& words) {
    return add_value(command, name, value, any_of(words), what,
                     [known = std::vector<std::string_view>(words.begin(), words.end())](
                         const std::string& text, std::string_view flag) -> Result<Choice> {
                         const Result<std::size_t> place = read_word(text, flag, known);
                         if (!place) return place.error();
                         return static_cast<Choice>(*place);
                     });
}

inline CLI::Option* add_amount(CLI::App* command, const std::string& name, std::optional<std::int64_t>& value,
                               const std::string& type, const std::string& what, Unit unit) {
    return add_value(command, name, value, type, what,
                     [unit](const std::string& text, std::string_view flag) { return parse_amount(text, flag, unit); });
}

inline CLI::Option* add_sampling(CLI::App* command, const std::string& name, std::optional<double>& value,
                                 const std::string& type, const std::string& what, double Sampling::*part) {
    return add_value(command, name, value, type, what, [part](const std::string& text, std::string_view flag) {
        return read_sampling(text, flag, part);
    });
}

// What must hold of all the words together. A command has one rule.
template <class Rule>
void add_rule(CLI::App* command, Rule rule) {
    command->parse_complete_callback([rule] {
        if (const Failure failure = rule()) throw WrongWords(*failure);
    });
}

template <class Format>
CLI::Option* add_output(CLI::App* command, OutputArguments<Format>& output, const std::string& what,
                        std::span<const FileFormat> formats) {
    std::vector<std::string_view> words;
    std::string list;
    for (const FileFormat& format : formats) {
        words.push_back(format.name);
        list += (list.empty() ? "" : ", ") + std::string(format.name) + " (" + std::string(format.holds) + ')';
    }
    add_choice(command, "--format", output.format, list + "; by the file's ending where it is not given", words);
    return command->add_option("-o,--output", output.file, what)->type_name("FILE");
}

// The format that was asked for, or that the file's ending says; else `otherwise`.
template <class Format>
Failure settle(OutputArguments<Format>& output, std::span<const FileFormat> formats,
               std::optional<Format> otherwise = {}) {
    const auto asked = output.format ? std::optional(static_cast<std::size_t>(*output.format)) : std::nullopt;
    const Result<std::optional<std::size_t>> format = format_of(output.file, asked, formats);
    if (!format) return format.error();
    if (*format)
        output.format = static_cast<Format>(**format);
    else if (!otherwise)
        return no_format(output.file, formats);
    else
        output.format = otherwise;
    return std::nullopt;
}

}  // namespace headcount
