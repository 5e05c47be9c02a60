// The options that several commands have, what their words are read as, and what --help says of them.
#include "app/cli/options.hpp"

#include <algorithm>
#include <filesystem>

#include "app/state/view.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/arch/fields.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/link/link_text.hpp"

namespace headcount {
namespace {

// How many are possible is the model's to say, so what is beyond 64 bits is the largest number there is.
Result<std::int64_t> read_tokens(const std::string& text, std::string_view flag) {
    if (beyond_64_bits(text)) return std::numeric_limits<std::int64_t>::max();
    const Result<std::int64_t> number = parse_count(text, flag);
    return number ? number : must_be_number(flag, text, number.error(), 1);
}

// "key=value" of a field and what it may be.
Result<std::string> read_change(const std::string& text, std::string_view flag) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        return Error{quote(text) + " is not a change", std::string(flag), "write it as key=value, such as kv_heads=8"};
    const Result<Architecture> changed = with_field(Architecture{}, text.substr(0, equals), text.substr(equals + 1));
    if (!changed) return within(std::string(flag), changed.error());
    return text;
}

constexpr const char* standard_output = "/dev/stdout";

// What a shell completes; all of them stand in docs/command-line.md.
constexpr std::array<std::string_view, 10> usual_dtypes{"fp32", "bf16", "fp16",  "fp8",    "int8",
                                                        "int4", "nf4",  "mxfp4", "q4_k_m", "file"};
constexpr std::array<std::string_view, 7> usual_cache_dtypes{"fp32", "bf16", "fp16", "fp8", "int8", "int4", "file"};

// What `parse` reads, or as it is stored: how that is, the model says.
template <auto parse>
Result<std::string> read_format(const std::string& text, std::string_view flag) {
    if (text == Choices::as_stored) return text;
    const auto format = parse(text, flag);
    if (!format) return format.error();
    return text;
}

// One word's text into its field of the arguments.
using ReadInput = Failure (*)(const std::string& text, std::string_view flag, InputArguments& into);

template <class T>
Failure put(Result<T> read, std::optional<T>& into) {
    if (!read) return read.error();
    into = *std::move(read);
    return std::nullopt;
}

Result<std::int64_t> read_from(const std::string& text, std::string_view flag, std::int64_t least) {
    const Result<std::int64_t> number = parse_count(text, flag, least);
    return number ? number : must_be_number(flag, text, number.error(), least);
}

Result<Phase> read_phase(const std::string& text, std::string_view flag) {
    const Result<std::size_t> place = read_word(text, flag, phase_words);
    if (!place) return place.error();
    return static_cast<Phase>(*place);
}

struct InputOption {
    InputWord word;
    std::string_view name;
    std::string type;  // empty: a flag
    std::string_view what;
    ReadInput read;
};

std::vector<InputOption> input_options() {
    using Text = const std::string&;
    using Flag = std::string_view;
    using Into = InputArguments&;
    return {
        {InputWord::tokens, "--tokens", "T", "tokens of each sequence in this pass",
         [](Text text, Flag flag, Into into) { return put(read_tokens(text, flag), into.tokens); }},
        {InputWord::source, "--source", "S", "tokens that an encoder beside the decoder reads (100)",
         [](Text text, Flag flag, Into into) { return put(read_tokens(text, flag), into.source); }},
        {InputWord::batch, "--batch,--users", "B", "sequences side by side (1)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 1), into.batch); }},
        {InputWord::cached, "--cached", "P", "tokens already in the key/value cache (0)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 0), into.cached); }},
        {InputWord::dtype, "--dtype", any_of(usual_dtypes),
         "of the weights; also other formats, experts=mxfp4,rest=bf16, and file: as they are stored",
         [](Text text, Flag flag, Into into) { return put(read_format<parse_formats>(text, flag), into.precision); }},
        {InputWord::kv_dtype, "--kv-dtype", any_of(usual_cache_dtypes),
         "of the key/value cache (as the file says, else as computed in)",
         [](Text text, Flag flag, Into into) { return put(read_format<parse_precision>(text, flag), into.cache); }},
        {InputWord::device, "--device,--hardware", "DEVICE",
         "what it runs on: its memory, and the time at its roof; such as rtx-4090, or mem=80GB,bw=3.35TB/s,fp16=989T",
         [](Text text, Flag, Into into) { return put(Result<std::string>(text), into.device); }},
        {InputWord::devices, "--devices,--gpus", "N", "so many devices (1, or what the groups below are of)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 1), into.devices); }},
        {InputWord::tensor, "--tensor", "N", "devices of a tensor-parallel group (1)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 1), into.tensor); }},
        {InputWord::pipeline, "--pipeline", "N", "stages of a pipeline (1)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 1), into.pipeline); }},
        {InputWord::context, "--context", "N", "devices among which a sequence's tokens are divided (1)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 1), into.context); }},
        {InputWord::expert, "--expert", "N", "devices among which the experts are divided (1)",
         [](Text text, Flag flag, Into into) { return put(read_from(text, flag, 1), into.expert); }},
        {InputWord::link, "--link", "SPEED",
         "what each device can send a second, such as 450GB/s or 400Gb/s (as if that took no time)",
         [](Text text, Flag flag, Into into) {
             const Result<double> speed = parse_bandwidth(text, flag);
             return put(speed ? Result<std::string>(text) : speed.error(), into.link);
         }},
        {InputWord::phase, "--phase", any_of(phase_words),
         "which pass: all tokens read at once, the last one made behind the others, or forwards and backwards "
         "(prefill)",
         [](Text text, Flag flag, Into into) { return put(read_phase(text, flag), into.phase); }},
        {InputWord::full, "--full", "", "every query counted against every key, and not only what is not masked",
         [](Text, Flag, Into into) -> Failure {
             into.full = true;
             return std::nullopt;
         }}};
}

Result<PictureSize> read_size(const std::string& text, std::string_view flag) {
    const std::string where(flag);
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos)
        return Error{quote(text) + " is not a size", where, "give width and height in pixels, such as 1600x1000"};
    const std::string range = "give whole numbers from " + std::to_string(smallest_picture) + " to " +
                              std::to_string(largest_picture) + ", such as 1600x1000";
    PictureSize size;
    for (auto [pixels, digits] :
         {std::pair(&size.width, text.substr(0, cross)), {&size.height, text.substr(cross + 1)}}) {
        const Result<std::int64_t> number = parse_whole_number(digits, flag);
        if (!number) return Error{number.error().what, where, range};
        if (*number < smallest_picture || *number > largest_picture)
            return Error{digits + " pixels are out of range", where, range};
        *pixels = static_cast<int>(*number);
    }
    return size;
}

// What is wrong where neither the file's ending nor --format says one.
Error no_format(const std::string& file, std::span<const FileFormat> formats) {
    std::string endings;
    for (const FileFormat& format : formats)
        endings.append(endings.empty() ? "." : ", .").append(format.name).append(" (").append(format.holds).append(")");
    if (file == standard_output) return {"standard output has no ending that says a format", "-o", "give --format"};
    return {"the ending of this name says no format", "-o " + file, "end it in " + endings + ", or give --format"};
}

}  // namespace

Result<std::size_t> read_word(const std::string& text, std::string_view flag, std::span<const std::string_view> words) {
    const auto found = std::ranges::find(words, text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    const std::string known = listed(words);
    return Error{quote(text) + " is not known", std::string(flag), "give one of " + known};
}

std::string any_of(std::span<const std::string_view> words) { return listed(words, std::identity(), "|"); }

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> pieces(1);
    for (const char letter : text) {
        if (letter == separator)
            pieces.emplace_back();
        else
            pieces.back() += letter;
    }
    return pieces;
}

CLI::Option* add_whole(CLI::App* command, const std::string& name, std::optional<std::int64_t>& value,
                       const std::string& type, const std::string& what, std::int64_t least, std::int64_t greatest) {
    const auto read = [least, greatest](const std::string& text, std::string_view flag) -> Result<std::int64_t> {
        Result<std::int64_t> number = parse_count(text, flag, least);
        const bool ends = greatest < std::numeric_limits<std::int64_t>::max();
        if (ends && (!number || *number > greatest)) return must_be(flag, numbers_from(least, greatest), text);
        return number ? number : must_be_number(flag, text, number.error(), least);
    };
    return add_value(command, name, value, type, what, read);
}

CLI::Option* add_model(CLI::App* command, ModelArguments& model) {
    CLI::Option* const arch = command->add_option(
        "ARCH", model.arch,
        "a preset's id, a configuration, weights, a document saved by Headcount, or a link; - is standard input");
    add_set(command, model.set);
    return arch->required();
}

void add_set(CLI::App* command, std::vector<std::string>& set) {
    add_values(command, "--set", set, "KEY=VALUE", "change a field after loading, such as kv_heads=8; may be repeated",
               read_change);
}

void require_tokens(CLI::Option* arch, CLI::Option* tokens) {
    tokens->required();
    arch->each([tokens](const std::string& word) { tokens->required(!is_link(word)); });
}

namespace {

template <class OfUse>
CLI::Option* add_words(CLI::App* command, InputArguments& input, OfUse is_of_use) {
    CLI::Option* tokens = nullptr;
    for (const InputOption& option : input_options()) {
        const bool of_use = is_of_use(option.word);
        const std::string name(option.name), shown = name.substr(0, name.find(','));
        const auto take = [command, of_use, shown, word = option.word, read = option.read,
                           &input](const std::string& text) {
            if (!of_use) throw WrongWords({quote(command->get_name()) + " has no use for this", shown, "leave it out"});
            if (const Failure failure = read(text, shown, input)) throw WrongWords(*failure);
            input.said.push_back({word, shown, text});
        };
        CLI::Option* added = nullptr;
        if (option.type.empty()) {
            added = command->add_flag_callback(
                name, [take] { take(""); }, std::string(option.what));
        } else {
            const CLI::callback_t all = [take](const CLI::results_t& texts) {
                take(texts.front());
                return true;
            };
            added = command->add_option(name, all, std::string(option.what))->type_name(option.type);
        }
        // The help leaves it out; said twice, it is refused by the same sentence.
        if (!of_use) added->group("")->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        if (option.word == InputWord::tokens) tokens = added;
    }
    return tokens;
}

}  // namespace

CLI::Option* add_input(CLI::App* command, InputArguments& input) {
    return add_words(command, input, [](InputWord) { return true; });
}
CLI::Option* add_input(CLI::App* command, InputArguments& input, std::span<const InputWord> words) {
    return add_words(command, input, [&](InputWord word) { return contains(words, word); });
}
CLI::Option* add_input_but(InputWord word, CLI::App* command, InputArguments& input) {
    return add_words(command, input, [&](InputWord each) { return each != word; });
}

InputArguments without(InputWord word, const InputArguments& input) {
    InputArguments rest;
    rest.several = input.several;
    for (const InputOption& option : input_options())
        for (const SaidWord& each : input.said)
            if (each.word == option.word && each.word != word && !option.read(each.text, each.flag, rest))
                rest.said.push_back(each);
    return rest;
}

void add_json(CLI::App* command, bool& json) {
    command->add_flag("--json", json, "one JSON document and nothing else");
}

void add_measured(CLI::App* command, std::string& file) {
    command
        ->add_option("--measured", file, "speeds that you measured, which count beside those that ship: measured.json")
        ->type_name("FILE");
}

Result<Prices> read_prices(const std::string& text, std::string_view flag) {
    Prices prices;
    for (const std::string& one : split(text, ',')) {
        const std::size_t sign = one.find('=');
        const Result<double> price = parse_price(sign == std::string::npos ? one : one.substr(sign + 1), flag);
        if (!price) return price.error();
        if (sign != std::string::npos)
            prices.each.emplace_back(lower(one.substr(0, sign)), *price);
        else if (one == text)
            prices.any = *price;
        else
            return Error{quote(one) + " says no device", std::string(flag),
                         "write each as h100=2.5, or one price for all"};
    }
    return prices;
}

void add_price(CLI::App* command, std::optional<double>& price) {
    add_value(command, "--price", price, "PRICE", "of an hour of one device, such as 2.5 or $2.5", parse_price);
}

Failure set_price(const std::optional<double>& price, PassOptions& pass) {
    if (price && !pass.device)
        return Error{"a price is a device's", "--price", "name one with --device, such as --device h100"};
    if (price) pass.price = price;
    return std::nullopt;
}

void add_hire(CLI::App* command, HireTerms& terms) {
    add_value(
        command, "--train-tokens", terms.train_tokens, "N",
        "the tokens of a whole training, such as 15T: how many hours of devices it takes",
        [](const std::string& text, std::string_view flag) { return parse_amount(text, flag, Unit::parameters); });
    add_price(command, terms.price);
    add_value(command, "--mfu", terms.mfu, "PART",
              "in training: the part of the peak at which its operations are done, masked scores too, such as 41%",
              parse_part);
}

Error no_hours(const HireTerms& terms) {
    const char* const given = terms.train_tokens ? "--train-tokens" : terms.price ? "--price" : "--mfu";
    return {"without a device there are no hours of one", given, "add --device, such as --device h100"};
}

Failure wrong_hire(const HireTerms& terms, const ModelArguments& model, const InputArguments& input) {
    if (terms.asked() && !input.device && !is_link(model.arch)) return no_hours(terms);
    if (terms.mfu && !terms.train_tokens)
        return Error{"the part of the peak is of a training", "--mfu", "add --train-tokens, such as 15T"};
    return std::nullopt;
}

Failure wrong_csv_or_json(bool csv, bool json) {
    if (!csv || !json) return std::nullopt;
    return Error{"one output cannot be both", "--csv and --json", "leave one of them out"};
}

void add_csv_or_json(CLI::App* command, bool& csv, bool& json) {
    command->add_flag("--csv", csv, "comma-separated values");
    add_json(command, json);
    add_rule(command, [&csv, &json] { return wrong_csv_or_json(csv, json); });
}

void add_look(CLI::App* command, LookArguments& look, const std::string& theme, const std::string& size) {
    add_choice(command, "--theme", look.theme, theme, theme_keys);
    add_value(command, "--size", look.size, "WxH", size, read_size);
}

std::string output_file(const std::string& word) { return word == "-" ? standard_output : word; }

CLI::Option* add_output(CLI::App* command, OutputArguments& output, std::span<const FileFormat> formats) {
    std::vector<std::string_view> words;
    std::string list;
    for (const FileFormat& format : formats) {
        words.push_back(format.name);
        list += (list.empty() ? "" : ", ") + std::string(format.name) + " (" + std::string(format.holds) + ')';
    }
    add_choice(command, "--format", output.format, list + "; by the file's ending where it is not given", words);
    return command->add_option("-o,--output", output.file, "write to this file; - is standard output")
        ->type_name("FILE")
        ->transform(output_file);
}

Failure settle(OutputArguments& output, std::span<const FileFormat> formats, std::optional<std::size_t> otherwise) {
    const std::string ending = std::filesystem::path(output.file).extension().string();
    const auto ends_so = [&](const FileFormat& format) {
        return ending.size() > 1 && (ending.substr(1) == format.name || ending.substr(1) == format.also);
    };
    // Two formats may share an ending: then one is asked for by its name.
    if (output.format && ends_so(formats[*output.format])) return std::nullopt;
    const auto named = std::ranges::find_if(formats, ends_so);
    if (named != formats.end()) {
        const auto place = static_cast<std::size_t>(named - formats.begin());
        if (output.format.value_or(place) != place)
            return Error{"the file's name says " + std::string(named->name) + ", --format " +
                             std::string(formats[*output.format].name),
                         "-o " + output.file, "leave --format out, or change the name"};
        output.format = place;
    }
    if (output.format) return std::nullopt;
    if (!ending.empty() || !otherwise) return no_format(output.file, formats);
    output.format = otherwise;
    return std::nullopt;
}

CLI::Option* add_base(CLI::App* command, std::string& base, const std::string& what) {
    const auto read = [](const std::string& text, std::string_view flag) -> Result<std::string> {
        if (text.find("://") != std::string::npos && text.find('#') == std::string::npos) return text;
        return Error{quote(text) + " is no address of a page", std::string(flag),
                     "give one without a #, such as https://example.org/headcount/"};
    };
    return add_value(command, "--base", base, "URL", what, read);
}

}  // namespace headcount
