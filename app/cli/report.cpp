// headcount report: one document about a model: its picture, counts, memory, arithmetic, and what was assumed.
#include <array>
#include <span>

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "app/cli/pdf.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/devices.hpp"
#include "core/files/documents.hpp"
#include "core/files/open.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/hire_report.hpp"
#include "core/report/measured_report.hpp"
#include "core/report/page.hpp"
#include "core/workbook/workbook.hpp"

namespace headcount {
namespace {

enum class ReportFormat { html, pdf, md, xlsx };
constexpr std::array<FileFormat, 4> report_formats{{{"html", "a page with the model's picture", "htm"},
                                                    {"pdf", "the same, printed"},
                                                    {"md", "sentences and tables", "markdown"},
                                                    {"xlsx", "parameters and memory as live formulas"}}};

struct ReportArguments {
    ModelArguments model;
    InputArguments input;
    HeldArguments held;
    OutputArguments output;
    HireTerms hire;
    DrawPlace draw;  // may be empty
};

ReportSection overview(const CountedDocument& counted, const DrawPlace& draw, const std::string& made) {
    const Parameters& parameters = counted.model.parameters;
    const Multiplied multiplied = parameters.multiplied();
    ReportSection section;
    section.sentences = {
        std::string(doubt_sign(counted.doubt)) + grouped(parameters.total) + " parameters (" +
        short_count(parameters.total) + "), " +
        (counted.model.graph.has_encoder()
             ? (parameters.active == parameters.total ? "" : grouped(parameters.active) + " active, ") +
                   grouped(multiplied.source) + " of them multiplied for each source token and " +
                   grouped(multiplied.token) + " for each token of the decoder."
             : grouped(parameters.active) + " of them active for each token.")};
    section.sentences.insert(section.sentences.end(), counted.notes.begin(), counted.notes.end());
    section.sentences.push_back(made);
    if (draw) section.picture = draw(counted.document.architecture, counted.document.input, "", PictureNumbers::shown);
    return section;
}

// In which formats, and how it is trained, or how much of it is read at once.
std::string how(const OpenedDocument& opened, const MemoryOptions& held) {
    std::string weights = "Weights in " + weights_words(held);
    const std::string of = "; " + pass_words(opened);
    if (held.adapters)
        weights += ", beside them " + adapters_words(*held.adapters) + " in " + precision_text(adapter_format);
    const auto word = [](std::span<const std::string_view> words, auto each) {
        return std::string(words[static_cast<std::size_t>(each)]);
    };
    if (const std::optional<Training>& training = held.training)
        return weights + (held.adapters ? ", these alone trained with " : ", trained with ") +
               word(optimizer_words(), training->optimizer) +
               (held.adapters ? "" : ", in the formats of " + word(mixed_words(), training->mixed)) +
               ", computed again: " + word(recompute_words(), training->recompute) + of;
    return weights + ", cache in " + precision_text(held.cache) + of +
           (held.decoding ? ", one token at a time" : ", read in pieces of " + grouped(held.serving.chunk));
}

Result<ReportSection> memory_section(const OpenedDocument& opened) {
    const Document& document = opened.document;
    const PassOptions& options = opened.pass;
    const Result<CountedModel> at_once = held_model(document.architecture, document.input);
    if (!at_once) return at_once.error();
    const MemoryOptions held = options.held(document.input);
    const MemoryFormulas formulas(document.architecture, at_once->graph, held);
    const Result<Memory> memory = formulas.at(at_once->bindings);
    if (!memory) return memory.error();
    const Result<KnownDevices> known = known_devices();
    if (!known) return known.error();
    const std::vector<Device> devices = options.device ? std::vector{*options.device} : known->devices;
    const std::vector<DeviceRoom> rooms = device_rooms(formulas, devices, at_once->bindings);
    ReportSection section{.heading = "Memory",
                          .sentences = {how(opened, held) + ". Of each device " + std::to_string(held.serving.reserve) +
                                        " % are left to other things."},
                          .tables = {memory_table(*memory, held, doubt_sign(opened.weights_doubt))}};
    if (held.training) section.tables.push_back(kept_table(*memory));
    section.tables.push_back(devices_table(rooms, !opened.document.architecture.patches));
    if (known->unread && !options.device) section.sentences.push_back(known->note());
    return section;
}

Result<ReportSection> arithmetic_section(const CountedDocument& counted, const HireTerms& terms) {
    const Document& document = counted.document;
    const PassOptions& options = counted.pass;
    const Result<Passes> passes = passes_of(document.architecture, document.input, counted.model.parameters, options);
    if (!passes) return passes.error();
    std::string words = pass_words(counted) + "; what is masked is " +
                        (options.pairs == Pairs::full ? "counted as well." : "not counted.");
    if (passes->of(options.phase)->roof)
        words += " No pass can be faster than " + device_words(options) + " computes, or reads its memory.";
    ReportSection section{.heading = "Arithmetic", .sentences = {words}, .tables = {passes_table(*passes)}};
    for (const std::string& why : left_out(document.architecture, *passes)) section.sentences.push_back(why + ".");
    const Result<LikelyPasses> said = likely_passes(counted, *passes);
    const LikelyPasses likely = said ? *said : LikelyPasses{};
    if (!said) section.sentences.push_back("How long it likely takes is not said: " + sentence(said.error()) + ".");
    for (const std::string& why : likely.unsaid) section.sentences.push_back(why + ".");
    if (!likely.found.empty()) section.tables.push_back(likely_table(likely.found));
    if (const std::optional<Served>& served = passes->served; served && likely.reached)
        section.tables.push_back(served_table(
            *served,
            likely_served_of(document.architecture, document.input, options, likely.reached).value_or(Served{})));
    if (terms.asked()) {
        const Result<std::vector<Hire>> hires = hires_of(counted, *passes, likely.found, terms);
        if (!hires) return hires.error();
        section.tables.push_back(hire_table(*hires, terms));
        if (const std::string days = days_text(*hires, options.sharding.devices); !days.empty())
            section.sentences.push_back(days);
    }
    const Pass& shown = *passes->of(options.phase);
    if (!shown.links.empty()) section.tables.push_back(links_table(shown, options.link));
    section.tables.push_back(operations_table(shown));
    return section;
}

Result<std::string> spreadsheet(const OpenedDocument& opened, const std::string& made) {
    const Input& input = opened.document.input;
    const Result<CountedModel> at_once = held_model(opened.document.architecture, input);
    if (!at_once) return at_once.error();
    const MemoryFormulas formulas(at_once->architecture, at_once->graph, opened.pass.held(input));
    const Result<Memory> found = formulas.at(at_once->bindings);
    if (!found) return found.error();
    return workbook(*at_once, *found, formulas.moments_of_activations(input.cached > 0), made);
}

Failure write_report(const ReportArguments& arguments, Output& output) {
    Result<CountedDocument> counted =
        count_document(arguments.model, output.notes, held_input(arguments.held, arguments.input));
    if (!counted) return counted.error();
    if (Failure failure = hold_as_said(*counted, arguments.held)) return failure;
    note_speed(*counted, output.notes);
    const Document& document = counted->document;
    const ReportFormat format = static_cast<ReportFormat>(arguments.output.format.value_or(0));
    if (arguments.hire.asked())
        if (Failure failure = no_speed(*counted, sees_all(document.architecture) ? Phase::prefill : Phase::decode))
            return failure;
    const std::string made = "Made by Headcount " HEADCOUNT_VERSION " for " + made_for(*counted) +
                             ". This makes it again: " + command_text(output.words);
    if (format == ReportFormat::xlsx) {
        const Result<std::string> bytes = spreadsheet(*counted, made);
        if (!bytes) return in_file(document, arguments.model, bytes.error());
        return write_out(*bytes, arguments.output.file, counted->read, output.out);
    }
    ReportPage page =
        model_page(title_of(document), counted->model.architecture, counted->model.graph, counted->model.parameters);
    // Markdown has no pictures.
    page.sections.insert(page.sections.begin(),
                         overview(*counted, format == ReportFormat::md ? DrawPlace() : arguments.draw, made));
    for (const Result<ReportSection>& section :
         {memory_section(*counted), arithmetic_section(*counted, arguments.hire)}) {
        if (!section) return in_file(document, arguments.model, section.error());
        page.sections.push_back(*section);
    }
    page = marked(std::move(page), doubt_sign(counted->doubt));
    const Result<std::string> text = format == ReportFormat::md    ? Result<std::string>(markdown(page))
                                     : format == ReportFormat::pdf ? pdf_of(html(page), ".html")
                                                                   : html(page);
    return text ? write_out(*text, arguments.output.file, counted->read, output.out) : text.error();
}

}  // namespace

Command report_command(const DrawPlace& draw) {
    const auto describe = [draw](CLI::App* command, ReportArguments& arguments) {
        arguments.draw = draw;
        add_model(command, arguments.model);
        add_input(command, arguments.input);
        add_held(command, arguments.held);
        add_hire(command, arguments.hire);
        add_output(command, arguments.output, report_formats)->required();
        add_rule(command, [&arguments]() -> Failure {
            Failure failure = wrong_hire(arguments.hire, arguments.model, arguments.input);
            if (!failure) failure = wrong_held(arguments.held, arguments.model, arguments.input);
            if (!failure) failure = settle(arguments.output, report_formats);
            if (failure || !arguments.hire.asked()) return failure;
            if (static_cast<ReportFormat>(arguments.output.format.value_or(0)) != ReportFormat::xlsx) return failure;
            return Error{"a spreadsheet has no hours of devices", "--train-tokens, --price, --mfu",
                         "leave them out, or write .html, .pdf or .md"};
        });
    };
    return make_command("report", "one document: picture, counts, memory, arithmetic, what was assumed", describe,
                        write_report);
}

}  // namespace headcount
