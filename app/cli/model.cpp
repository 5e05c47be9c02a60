// From the words ARCH, --set, --tokens, --device and the like to what they name.
#include "app/cli/model.hpp"

#include <algorithm>
#include <iostream>

#include "app/cli/idle_words.hpp"
#include "app/state/costs/page.hpp"
#include "app/state/link.hpp"
#include "core/analysis/arithmetic.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/base/write_file.hpp"
#include "core/files/assets.hpp"
#include "core/files/devices.hpp"
#include "core/files/documents.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

constexpr int json_schema = 1;  // of all documents: one more when a field changes its meaning

Result<Architecture> apply_set(Architecture arch, const std::string& change) {
    const std::size_t equals = change.find('=');
    Result<Architecture> changed = with_field(std::move(arch), change.substr(0, equals), change.substr(equals + 1));
    if (!changed) return within("--set", changed.error());
    return changed;
}

// What a problem's buttons do in the window, as words for the command line.
Error with_fixes(const Problem& problem) {
    Error error = problem.error;
    const char* before = ", for example ";
    for (const Fix& fix : problem.fixes) {
        error.fix += before + ("--set " + std::string(info(fix.field).key)) + "=" + fix.text;
        before = " or ";
    }
    return error;
}

// "layers": the field of the largest number in a formula; empty where there is none.
std::string largest_factor(const Architecture& arch, std::string_view formula) {
    const auto is_letter = [](char c) { return c == '_' || is_letter_or_digit(c); };
    formula.remove_prefix(std::min(formula.rfind(' ') + 1, formula.size()));  // behind the tensor's name
    std::string largest;
    std::int64_t most = 0;
    for (std::size_t start = 0; start < formula.size();) {
        std::size_t end = start;
        while (end < formula.size() && is_letter(formula[end])) ++end;
        for (const FieldInfo& field : fields()) {
            if (!field.symbol || info(*field.symbol).text != formula.substr(start, end - start)) continue;
            const std::int64_t number = field_number(arch, field.field).value_or(0);
            if (number <= most) continue;
            most = number;
            largest = field.key;
        }
        start = end + 1;
    }
    return largest;
}

}  // namespace

Error in_file(const Document& document, const ModelArguments& arguments, Error error) {
    if (document.file.empty()) return error;
    const std::string field = largest_factor(document.architecture, error.where);
    if (!field.empty()) error = within(field, std::move(error));
    return within(arguments.arch, std::move(error));
}

Result<Device> read_device(const std::string& id, std::string_view flag, Notes& said) {
    const Result<KnownDevices> known = known_devices();
    if (!known) return known.error();
    Result<Device> device = named_device(*known, id);
    if (device && known->unread && !contains(said, known->note())) said.push_back(known->note());
    if (device) return device;
    // "4xH100"
    const std::size_t cross = id.find_first_not_of("0123456789");
    if (cross != std::string::npos && cross > 0 && lower(id[cross]) == 'x') {
        const std::string one = lower(id.substr(cross + 1));
        if (find_device(known->devices, one))
            return Error{"that is several devices", std::string(flag) + ", " + id,
                         "write --device " + one + " --devices " + id.substr(0, cross)};
    }
    return within(std::string(flag), device.error());
}

namespace {

constexpr const char* standard_input_file = "/dev/stdin";

Result<Opened> open_standard_input() {
    constexpr std::size_t most = 8u << 20;  // as of a configuration in a file
    std::string text(most + 1, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    if (text.empty())
        return Error{"nothing came on standard input", std::string(standard_input),
                     "pipe a configuration into this command; it can be read once"};
    if (text.size() > most)
        return Error{"more than 8 MiB came on standard input", std::string(standard_input),
                     "pipe a configuration, and name a file of weights"};
    Result<Opened> opened = open_text(text, standard_input_file);
    if (opened) return opened;
    Error error = opened.error();  // by the name that it was given
    if (error.where.starts_with(standard_input_file))
        error.where.replace(0, std::string_view(standard_input_file).size(), standard_input);
    return error;
}

// A model that ships with its weights is its preset, and has them.
Result<Opened> open_named(const std::string& name, std::span<const Preset> presets) {
    if (name == standard_input) return open_standard_input();
    Result<Opened> opened = open_architecture(name, presets);
    const std::string folder = or_shipped_model(name);
    if (folder == name) return opened;
    Result<Opened> weights = open_architecture(folder, presets);
    if (!weights || !opened || !opened->preset) return weights;
    weights->architecture = opened->architecture;
    weights->preset = opened->preset;
    return weights;
}

// Which sizes a field that was set has brought with it, which nobody chose: "experts_per_token=2, expert_dim=14336".
std::string brought_in(const Architecture& before, const Architecture& after, const std::vector<std::string>& set) {
    std::string brought;
    for (const FieldInfo& field : fields()) {
        if (field.kind != FieldKind::number || field_number(after, field.field).value_or(0) == 0) continue;
        const std::optional<std::string> text = field_text(after, field.field);
        const bool chosen = std::ranges::any_of(
            set, [&](const std::string& change) { return change.starts_with(std::string(field.key) + "="); });
        if (!chosen && text && !field_text(before, field.field))
            brought += (brought.empty() ? "" : ", ") + std::string(field.key) + "=" + *text;
    }
    return brought;
}

// The architecture is valid; whether its numbers fit is not known yet.
Result<OpenedDocument> read_document(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said) {
    Result<Opened> opened = open_named(arguments.arch, presets);
    if (!opened) return opened.error();
    Architecture arch = opened->architecture;
    for (const std::string& change : arguments.set) {
        Result<Architecture> changed = apply_set(std::move(arch), change);
        if (!changed) return changed.error();
        arch = std::move(*changed);
    }
    if (std::vector<Problem> problems = validate(arch); !problems.empty()) {
        const Error error = with_fixes(problems.front());
        return opened->preset ? error : within(arguments.arch, error);
    }
    Document document;
    // What the file leaves open, --set may have given: then that is what the document starts from.
    document.base = validate(opened->architecture).empty() ? opened->architecture : arch;
    document.input = first_input(arch);
    document.input.precision = opened->precision.value_or(document.input.precision);
    document.input.cache = opened->cache;
    document.architecture = std::move(arch);
    document.stored = opened->precision;
    if (opened->preset)
        document.preset = opened->preset->id;
    else
        document.file =
            arguments.arch == standard_input ? standard_input_file : absolute_path(or_shipped_model(arguments.arch));
    // A preset's note speaks of the preset; the question that a params.json leaves is answered by now.
    const bool edited = document.architecture != document.base;
    if (opened->preset && !opened->preset->note.empty() && !edited) opened->notes.push_back(opened->preset->note);
    std::erase(opened->notes, no_vocabulary_note);
    if (const std::string brought = brought_in(document.base, document.architecture, arguments.set); !brought.empty()) {
        opened->notes.push_back("Chosen with what was set: " + brought + ".");
        if (opened->preset) said.push_back(opened->notes.back());
    }
    if (!opened->preset) said.insert(said.end(), opened->notes.begin(), opened->notes.end());
    std::string doubt = doubt_on(document);
    return OpenedDocument{.document = std::move(document),
                          .checkpoint = opened->checkpoint,
                          .notes = std::move(opened->notes),
                          .doubt = std::move(doubt),
                          .read = std::move(opened->read),
                          .weights_doubt = std::move(opened->weights_doubt)};
}

// The preset that a link names, with the changes that it says before those of --set, and its input.
Result<OpenedDocument> read_linked(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said) {
    const Result<ReadLink> link = read_link(arguments.arch, presets);
    if (!link) return link.error();
    said.insert(said.end(), link->lost.begin(), link->lost.end());
    ModelArguments named{link->state.document.preset, {}};
    const Result<LinkEntries> entries = parse_link(arguments.arch);
    for (const LinkEntry& entry : *entries)
        if (is_field(entry.key)) named.set.push_back(entry.key + "=" + entry.value);
    named.set.insert(named.set.end(), arguments.set.begin(), arguments.set.end());
    Result<OpenedDocument> opened = read_document(named, presets, said);
    if (!opened) return opened;
    opened->document.input = link->state.document.input;
    opened->costs = link->state.view.costs;
    opened->costs.phase = phase_for(opened->costs, opened->document.architecture);
    // One that there is not was passed over, and no other stands in its place.
    if (const auto said_device = std::ranges::find(*entries, "device", &LinkEntry::key); said_device != entries->end())
        if (Result<Device> device = read_device(said_device->value, "device", said))
            opened->pass.device = *std::move(device);
    opened->notes.insert(opened->notes.begin(), link->lost.begin(), link->lost.end());
    return opened;
}

// Among the presets that ship.
Result<OpenedDocument> read_document(const ModelArguments& arguments, Notes& said) {
    if (is_link(arguments.arch)) {
        const Result<std::vector<Preset>> all = shipped_presets();
        return all ? read_linked(arguments, *all, said) : all.error();
    }
    Result<std::vector<Preset>> presets = presets_to_open(arguments.arch);
    if (!presets) return presets.error();
    return read_document(arguments, *presets, said);
}

// How the devices that the words name divide a model: as many as are said, or as few as can.
Failure divide(const InputArguments& arguments, Sharding& sharding) {
    const auto words = {std::pair(&arguments.tensor, &Sharding::tensor),
                        {&arguments.pipeline, &Sharding::pipeline},
                        {&arguments.context, &Sharding::context},
                        {&arguments.expert, &Sharding::expert}};
    bool said = false;
    for (const auto& [word, group] : words)
        if (*word) said = true, sharding.*group = **word;
    if (arguments.devices) sharding.devices = *arguments.devices;
    if (arguments.devices || !said) return std::nullopt;
    const std::optional<std::int64_t> fewest = devices_of(sharding);
    if (!fewest) return Error{"so many devices do not fit in 64 bits", "--tensor", "give smaller groups"};
    sharding.devices = *fewest;
    return std::nullopt;
}

}  // namespace

Error nothing_sent(std::string where) {
    return {"nothing is sent between devices", std::move(where),
            "leave it out, or divide the model, as with --tensor 8"};
}

namespace {

// How a pass of this model is counted: what the words say goes before what the link does.
Failure read_pass(const InputArguments& arguments, OpenedDocument& opened, Notes& said) {
    CostsPlace& costs = opened.costs;
    if (Failure failure = divide(arguments, costs.sharding)) return failure;
    costs.link = arguments.link.value_or(costs.link);
    costs.phase = arguments.phase.value_or(costs.phase);
    costs.full |= arguments.full;
    if (arguments.training) arguments.training(costs.how);
    if (arguments.adapters) costs.adapters = arguments.adapters;
    if (arguments.link && costs.sharding.devices == 1 && !arguments.groups_vary) return nothing_sent("--link");
    std::optional<Device> device = std::move(opened.pass.device);
    if (arguments.device) {
        Result<Device> named = read_device(*arguments.device, "--device", said);
        if (!named) return named.error();
        costs.device = named->id == made_device ? *arguments.device : named->id;
        device = *std::move(named);
    }
    opened.pass = options_of(costs, device ? &*device : nullptr);
    const Document& document = opened.document;
    const Architecture& arch = document.architecture;
    if (Failure wrong = wrong_options(opened.pass.held(document.input), arch)) return wrong;
    // Of several models those that a sweep makes say it.
    return arguments.several ? std::nullopt : wrong_context(opened.pass.sharding, arch, document.input);
}

// What a division among devices does not do, or not evenly.
Notes notes_on(const PassOptions& pass, const Architecture& arch, bool groups_vary) {
    const Sharding& sharding = pass.sharding;
    Notes notes;
    if (const std::string uneven = uneven_parts(sharding, arch); !uneven.empty())
        notes.push_back("Not divided evenly: " + uneven + ". What is said of a device is said of the fullest.");
    if (pass.device && sharding.pipeline > 1 && pass.phase != Phase::training)
        notes.push_back("The times are those of all " + grouped(sharding.pipeline) +
                        " stages at work, each with sequences of its own. One sequence alone passes them one after "
                        "another: then a token takes up to " +
                        grouped(sharding.pipeline) + " times as long.");
    if (sharding.data() > 1 && sharding.zero < 3 && !groups_vary && pass.phase != Phase::training) {
        Sharding divided = sharding;
        divided.tensor *= sharding.data();
        const bool experts = sharding.expert > 1, possible = !experts && !wrong_sharding(divided, arch);
        notes.push_back(grouped(sharding.devices) + " devices hold " + grouped(sharding.data()) + " copies of " +
                        (experts ? "all but the experts, which are divided among " + grouped(sharding.expert)
                                 : std::string("the model")) +
                        ", each with a batch of its own: they make no pass faster, and serve " +
                        grouped(sharding.data()) + " times as many users" +
                        (possible ? "; --tensor " + grouped(divided.tensor) + " divides it." : "."));
    }
    return notes;
}

Failure fill_in(OpenedDocument& opened, const InputArguments& arguments, Notes& said) {
    Document& document = opened.document;
    Input& input = document.input;
    input.tokens = arguments.tokens.value_or(input.tokens);
    opened.idle = idle_in(document, arguments);
    if (!arguments.several && !opened.idle.empty()) return opened.idle.front();
    input.source = arguments.source.value_or(input.source);
    input.batch = arguments.batch.value_or(input.batch);
    input.cached = arguments.cached.value_or(input.cached);
    if (arguments.cache && *arguments.cache != Choices::as_stored) {
        const Result<Precision> cache = parse_precision(*arguments.cache, "--kv-dtype");
        if (!cache) return cache.error();
        input.cache = *cache;
    }
    if (arguments.precision && *arguments.precision != Choices::as_stored) {
        const Result<Formats> formats = parse_formats(*arguments.precision, "--dtype");
        if (!formats) return formats.error();
        input.precision = *formats;
    } else if (arguments.precision && !document.stored) {
        return Error{"nothing says how this model is stored", "--dtype " + *arguments.precision,
                     "name a format, such as bf16"};
    }
    const std::vector<Error> errors = validate(document.architecture, input);
    if (!errors.empty()) return errors.front();
    // What is said of the weights here is no longer about.
    if (arguments.precision && *arguments.precision != Choices::as_stored) opened.weights_doubt.clear();
    if (Failure failure = read_pass(arguments, opened, said)) return failure;
    for (const std::string& note : notes_on(opened.pass, document.architecture, arguments.groups_vary)) {
        opened.notes.push_back(note);
        said.push_back(note);
    }
    return std::nullopt;
}

Failure check_base(const Document& document, const ModelArguments& arguments) {
    Input least = first_input(document.base);
    least.tokens = 1;
    if (Result<Counted> counted = count(document.base, least); !counted)
        return in_file(document, arguments, counted.error());
    return std::nullopt;
}

Result<OpenedDocument> checked(Result<OpenedDocument> opened, const ModelArguments& arguments,
                               const InputArguments& input, Notes& said) {
    if (!opened) return opened;
    if (Failure failure = check_base(opened->document, arguments)) return *failure;
    if (Failure failure = fill_in(*opened, input, said)) return *failure;
    return opened;
}

}  // namespace

Result<OpenedDocument> open_document(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said,
                                     const InputArguments& input) {
    const bool linked = is_link(arguments.arch);
    return checked(linked ? read_linked(arguments, presets, said) : read_document(arguments, presets, said), arguments,
                   input, said);
}

Result<OpenedDocument> open_document(const ModelArguments& arguments, Notes& said, const InputArguments& input) {
    return checked(read_document(arguments, said), arguments, input, said);
}

Result<CountedDocument> count_document(const ModelArguments& arguments, Notes& said, const InputArguments& input) {
    Result<OpenedDocument> opened = read_document(arguments, said);
    if (!opened) return opened.error();
    if (Failure failure = fill_in(*opened, input, said)) return *failure;
    const Document& document = opened->document;
    // Without an edit it is what is counted anyway.
    if (document.base != document.architecture)
        if (Failure failure = check_base(document, arguments)) return *failure;
    Result<CountedModel> model = count_model(document.architecture, document.input);
    if (!model) return in_file(document, arguments, model.error());
    model->architecture.name = title_of(document);
    return CountedDocument{*std::move(opened), *std::move(model)};
}

std::string noted_json(const nlohmann::ordered_json& json, const Notes& notes) {
    nlohmann::ordered_json whole{{"headcount", HEADCOUNT_VERSION}, {"schema", json_schema}};
    whole.update(json);
    whole["notes"] = notes;
    return json_text(whole);
}

std::string noted_json(const nlohmann::ordered_json& json, const OpenedDocument& opened,
                       std::span<const ValueRange> varied) {
    nlohmann::ordered_json asked{{"model", title_of(opened.document)}};
    asked.update(asked_json(opened, varied));
    asked.update(json);
    return noted_json(asked, opened.notes);
}

Failure write_out(std::string_view text, const std::filesystem::path& path, std::span<const std::filesystem::path> read,
                  std::ostream& out) {
    if (Failure failure = cannot_write(path, read)) return failure;
    if (const auto written = write_text(path, text); !written) return written.error();
    out << wrote(path);
    return std::nullopt;
}

}  // namespace headcount
