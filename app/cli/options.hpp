// Kinds of options, each with what its word is read as, and the options that several commands have. What cannot be read
// ends the command line before anything is opened.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/model.hpp"
#include "core/analysis/hire.hpp"
#include "core/analysis/memory.hpp"

namespace headcount {

// What is wrong about the words themselves, whatever the model.
struct WrongWords : CLI::ParseError {
    explicit WrongWords(const headcount::Error& what) : CLI::ParseError(sentence(what), 1), error(what) {}

    headcount::Error error;
};

// `reader` makes a Result of a word and the option's name, which its error names.
template <class T, class Reader>
CLI::Option* add_value(CLI::App* command, const std::string& name, T& value, const std::string& type,
                       const std::string& what, Reader reader) {
    const CLI::callback_t take = [&value, reader, name](const CLI::results_t& words) {
        auto read = reader(words.front(), name);
        if (!read) throw WrongWords(read.error());
        value = *std::move(read);
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
        for (const std::string& word : words) {
            auto read = reader(word, name);
            if (!read) throw WrongWords(read.error());
            values.push_back(*std::move(read));
        }
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

// A whole number as people type it ("8k"), from `least` to `greatest`.
CLI::Option* add_whole(CLI::App* command, const std::string& name, std::optional<std::int64_t>& value,
                       const std::string& type, const std::string& what, std::int64_t least,
                       std::int64_t greatest = std::numeric_limits<std::int64_t>::max());

// The place of a word among those that an option may have.
Result<std::size_t> read_word(const std::string& text, std::string_view flag, std::span<const std::string_view> words);

// "dark|light": how one of these words is named in the help, and what a shell completes.
std::string any_of(std::span<const std::string_view> words);

// What stands between the separators: one piece more than there are separators.
std::vector<std::string> split(const std::string& text, char separator);

// The words of a table, in its order.
template <class Table>
std::vector<std::string_view> keys_of(const Table& table) {
    std::vector<std::string_view> keys;
    for (const auto& each : table) keys.push_back(each.key);
    return keys;
}

// One of the words, which are in the order of the enumeration.
template <class Choice>
CLI::Option* add_choice(CLI::App* command, const std::string& name, std::optional<Choice>& value,
                        const std::string& what, std::span<const std::string_view> words) {
    return add_value(command, name, value, any_of(words), what,
                     [known = std::vector<std::string_view>(words.begin(), words.end())](
                         const std::string& text, std::string_view flag) -> Result<Choice> {
                         const Result<std::size_t> place = read_word(text, flag, known);
                         if (!place) return place.error();
                         return static_cast<Choice>(*place);
                     });
}

// What must hold of all the words together. A command has one rule.
template <class Rule>
void add_rule(CLI::App* command, Rule rule) {
    command->parse_complete_callback([rule] {
        if (const Failure failure = rule()) throw WrongWords(*failure);
    });
}

// ARCH and --set.
CLI::Option* add_model(CLI::App* command, ModelArguments& model);
void add_set(CLI::App* command, std::vector<std::string>& set);

// What each word of the input is called and means, and which field of InputArguments it fills, is said in one table.
// The options of these words, or of all of them; the command refuses the others by a sentence, and its help does not
// name them. Returns that of --tokens.
CLI::Option* add_input(CLI::App* command, InputArguments& input);
CLI::Option* add_input(CLI::App* command, InputArguments& input, std::span<const InputWord> words);
CLI::Option* add_input_but(InputWord word, CLI::App* command, InputArguments& input);

// What was said but for this word.
InputArguments without(InputWord word, const InputArguments& input);

// That of --tokens must be given, unless ARCH is a link, which says them, or reads an image and no other number.
void require_tokens(CLI::Option* arch, CLI::Option* tokens);

// The address of the page in a browser, which links begin with.
CLI::Option* add_base(CLI::App* command, std::string& base, const std::string& what);

void add_json(CLI::App* command, bool& json);

// --measured FILE: measured speeds, beside one's own and those that ship.
void add_measured(CLI::App* command, std::string& file);

// --train-tokens, --price and --mfu: what is asked of devices that are hired.
void add_hire(CLI::App* command, HireTerms& terms);
// What an hour costs: of any device, or of each by its id.
struct Prices {
    std::optional<double> any;
    std::vector<std::pair<std::string, double>> each;

    bool said() const { return any || !each.empty(); }
};
// "2.5", "h100=2.5,a100=1.6"
Result<Prices> read_prices(const std::string& text, std::string_view flag);
// --price alone, for a figure that hangs on what a device's hour costs; and what was given, for that of a pass. Error:
// the pass has no device.
void add_price(CLI::App* command, std::optional<double>& price);
Failure set_price(const std::optional<double>& price, PassOptions& pass);
// For the command's rule: there are no hours without a device, and of a training none without its tokens.
Failure wrong_hire(const HireTerms& terms, const ModelArguments& model, const InputArguments& input);
// That there are none, which of a link is known when it is read.
Error no_hours(const HireTerms& terms);

// --csv and --json, of which one is given.
void add_csv_or_json(CLI::App* command, bool& csv, bool& json);
// Its rule, for a command that has another beside it.
Failure wrong_csv_or_json(bool csv, bool json);

// Theme and size of a picture and of a window alike.
struct LookArguments {
    std::optional<ThemeChoice> theme;
    std::optional<PictureSize> size;
};
void add_look(CLI::App* command, LookArguments& look, const std::string& theme, const std::string& size);

// A format that a file may have, and what it then holds.
struct FileFormat {
    std::string_view name, holds;  // "svg", "the diagram alone"; ".svg" is its ending
    std::string_view also = {};    // another ending, less its point: "htm"
};

// What a word names that a file is written to: "-" is standard output.
std::string output_file(const std::string& word);

// A file to write.
struct OutputArguments {
    std::string file;                   // empty: standard output
    std::optional<std::size_t> format;  // its place among the command's formats; see `settle`
};
CLI::Option* add_output(CLI::App* command, OutputArguments& output, std::span<const FileFormat> formats);

// For the command's rule: the format that was asked for, or that the file's ending says; else `otherwise`.
Failure settle(OutputArguments& output, std::span<const FileFormat> formats, std::optional<std::size_t> otherwise = {});

}  // namespace headcount
