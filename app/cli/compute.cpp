// headcount compute: how much arithmetic a model takes, and how fast a device could be at it.
#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/measured.hpp"
#include "core/link/link_text.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/hire_report.hpp"
#include "core/report/json.hpp"
#include "core/report/measured_report.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct ComputeArguments {
    ModelArguments model;
    InputArguments input;
    HeldArguments held;
    std::string measured;  // a file; may be empty
    HireTerms hire;
    bool json = false;
};

// What of the model a device has to hold in a pass.
struct Shared {
    std::optional<std::int64_t> held;
    bool fits = true;
};

Shared shared_of(const Document& document, const PassOptions& options) {
    Shared shared;
    const Input& input = document.input;
    if (!options.device) return shared;
    const Result<CountedModel> held = held_model(document.architecture, input);
    if (!held) return shared;  // of more tokens than there are numbers for
    const MemoryOptions how = options.held(input);
    const MemoryFormulas formulas(document.architecture, held->graph, how);
    shared.held = formulas.total_on_device(held->bindings);
    shared.fits = shared.held && *shared.held <= how.serving.usable(*options.device);
    return shared;
}

void write_fits(std::ostream& out, const Shared& shared, const PassOptions& options, std::string_view what,
                std::string_view sign) {
    if (shared.fits) return;
    out << "\nThe " << what << " does not fit: ";
    if (shared.held)
        out << "each device would hold at least " << sign << bytes_text(*shared.held) << ", and has room for ";
    else
        out << "what each device would hold does not fit in 64 bits, and it has room for ";
    out << bytes_text(options.serving.usable(*options.device)) << ".\n";
}

void write_shared(std::ostream& out, const Shared& shared, const Pass& pass, const OpenedDocument& opened) {
    const PassOptions& options = opened.pass;
    const std::string_view sign = doubt_sign(opened.doubt);
    if (!pass.links.empty()) {
        out << "\nBetween the devices, in the " << word_of(phase_words, options.phase) << ":\n\n";
        write_figures(out, links_table(pass, options.link), opened);
    }
    if (const std::optional<double> computing = pass.computing(); computing && pass.sending)
        out << "\nWhat is computed and what is sent may overlap: it takes at least " << sign
            << seconds_text(*pass.seconds) << ", the longer of " << seconds_text(*computing) << " and "
            << seconds_text(*pass.sending) << ".\n";
    write_fits(out, shared, options, "model", sign);
}

nlohmann::ordered_json shared_json(const Shared& shared, const Pass& pass) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const LinkUse& each : pass.links)
        json["links"][std::string(each.key)] = {{"devices", each.devices}, {"bytes", each.sent.bytes}};
    if (pass.sending) json["link_seconds"] = *pass.sending;
    if (shared.held) json["on_device"] = *shared.held;
    return json;
}

void write_heading(std::ostream& out, const OpenedDocument& opened, const Pass& pass) {
    const Document& document = opened.document;
    const PassOptions& options = opened.pass;
    const Input& input = document.input;
    out << printable(title_as_known(document)) << ": " << pass_words(document.architecture, input) << ", "
        << formats_title(input.precision) << rough_words(opened);
    if (input.cache) out << ", cache in " << precision_text(*input.cache);
    if (options.adapters) out << ", with " << adapters_words(*options.adapters);
    out << (pass.work.flops.pairs == Pairs::full ? ", full scores" : ", causal scores");
    if (pass.roof) out << ", at the roof of " << device_words(options) << ": " << roof_text(*pass.roof);
    if (const std::int64_t copies = options.sharding.data(); pass.roof && copies > 1)
        out << ", for each of " << grouped(copies) << (options.sharing() > 1 ? " groups" : " devices");
    out << "\n\n";
}

// Says what the prefill's time is worked out by, where that is not all of its operations.
void write_last_logits(std::ostream& out, const Passes& passes) {
    if (!passes.prefill || !passes.prefill->roof) return;
    const PassWork& work = passes.prefill->work;
    if (work.least.flops < work.flops.counted())
        out << "\nThe prefill's time leaves out the scores of all tokens but each sequence's last, which no text "
               "needs: it "
               "is that of "
            << flop_text(static_cast<double>(work.least.flops)) << " and " << bytes_text(work.least.bytes) << ".\n";
}

constexpr const char* shared_by_rule =
    " It counts what layers share once, though each of them multiplies by it: the exact count has every time.";

std::string multiplied_words(const Multiplied& multiplied, std::string_view doubt) {
    const auto about = [&](std::int64_t number) { return std::string(doubt_sign(doubt)) + grouped(number); };
    if (multiplied.source == 0) return about(multiplied.token) + " parameters that are multiplied";
    return about(multiplied.source) + " parameters that a source token is multiplied with, and " +
           about(multiplied.token) + " that a token of the decoder is";
}

// Of a training, where another pass is looked at.
Result<Shared> shared_in_training(const Document& document, PassOptions options) {
    options.phase = Phase::training;
    if (const std::optional<Error> wrong = wrong_options(options.held(document.input), document.architecture))
        return within("--train-tokens", *wrong);
    return shared_of(document, options);
}

Failure no_times(const ComputeArguments& arguments) {
    if (arguments.measured.empty()) return std::nullopt;
    return Error{"without a device there is no time", "--measured", "add --device, such as --device rtx-4090"};
}

Failure print_compute(const ComputeArguments& arguments, Output& output) {
    Result<CountedDocument> counted =
        count_document(arguments.model, output.notes, held_input(arguments.held, arguments.input));
    if (!counted) return counted.error();
    const bool on_device = counted->pass.device.has_value();
    if (Failure failure = on_device ? std::nullopt : no_times(arguments)) return failure;
    if (Failure failure =
            hold_as_said(*counted, arguments.held, {.memory = on_device, .cache = on_device, .room = on_device}))
        return failure;
    note_speed(*counted, output.notes);
    const Document& document = counted->document;
    std::ostream& out = output.out;
    const PassOptions* const options = &counted->pass;
    const Result<Passes> passes = passes_of(document.architecture, document.input, counted->model.parameters, *options);
    if (!passes) return in_file(document, arguments.model, passes.error());
    const Pass& shown = *passes->of(options->phase);
    const bool train_sends = arguments.hire.train_tokens && passes->train && !passes->train->links.empty();
    if (arguments.input.link && shown.links.empty() && !train_sends) return nothing_sent("--link");
    const Shared shared = shared_of(document, *options);
    const Result<Shared> trained = shared_in_training(document, *options);
    if (!trained && arguments.hire.train_tokens) return trained.error();
    const bool trains = on_device && passes->train && trained;
    const Result<LikelyPasses> likely = likely_passes(*counted, *passes, arguments.measured);
    if (!likely) return likely.error();
    std::vector<std::string> unsaid = left_out(document.architecture, *passes);
    unsaid.insert(unsaid.end(), likely->unsaid.begin(), likely->unsaid.end());
    const std::optional<Served>& served = passes->served;
    const Served to_users =
        likely_served_of(document.architecture, document.input, *options, likely->reached).value_or(Served{});
    const Result<std::vector<Hire>> hires =
        arguments.hire.asked() ? hires_of(*counted, *passes, likely->found, arguments.hire, arguments.measured)
                               : std::vector<Hire>{};
    if (!hires) return hires.error();
    if (arguments.json) {
        nlohmann::ordered_json json = compute_json(*passes, *options);
        for (const Likely& each : likely->found) json[word_of(phase_words, each.phase)]["likely"] = likely_json(each);
        json[word_of(phase_words, options->phase)].update(shared_json(shared, shown));
        if (served) json["served"] = served_json(*served, to_users);
        if (options->device) json["fits"] = shared.fits;
        if (trains) json["train"]["fits"] = trained->fits;
        if (!hires->empty()) json["hire"] = hire_json(*hires, arguments.hire);
        counted->notes.insert(counted->notes.end(), unsaid.begin(), unsaid.end());
        out << noted_json(json, *counted);
        return std::nullopt;
    }
    write_heading(out, *counted, shown);
    write_figures(out, passes_table(*passes), *counted);
    if (!likely->found.empty()) {
        out << '\n';
        write_figures(out, likely_table(likely->found), *counted);
    }
    for (const std::string& why : unsaid) out << '\n' << why << ".\n";
    if (served) {
        out << '\n';
        write_figures(out, served_table(*served, to_users), *counted);
    }
    if (!hires->empty()) {
        out << '\n';
        write_figures(out, hire_table(*hires, arguments.hire), *counted);
        if (const std::string days = days_text(*hires, options->sharding.devices); !days.empty())
            out << '\n' << days << '\n';
    }
    write_shared(out, shared, shown, *counted);
    if (trains && options->phase != Phase::training)
        write_fits(out, *trained, *options, "training", doubt_sign(counted->doubt));
    write_last_logits(out, *passes);
    if (passes->decode && passes->decode->anew)
        out << "\nDecode absorbs W_ukv, as DeepSeek does: queries are compared with the cached bottleneck. Made anew "
               "from it are all keys and values in the row below.\n";
    out << "\nThe rule is "
        << (passes->adapters ? "2·(N + n) operations a token forwards and 4·N + 6·n in training of adapters alone, N "
                             : "2·N operations a token forwards and 6·N in training, N ")
        << (counted->doubt.empty() ? "= " : "") << multiplied_words(passes->multiplied, counted->doubt)
        << (passes->adapters ? ", n = " + multiplied_words(*passes->adapters, counted->doubt) + ", of adapters." : ".")
        << (counted->model.parameters.shared_by_layers > 0 ? shared_by_rule : "") << "\n\n";
    write_figures(out, pass_formulas_table(*passes), *counted);
    constexpr std::array headings{"Prefill", "Decode", "Training"};
    out << '\n' << headings[static_cast<std::size_t>(options->phase)] << ", operation by operation:\n\n";
    write_figures(out, operations_table(shown), *counted);
    return std::nullopt;
}

}  // namespace

Command compute_command() {
    const auto describe = [](CLI::App* command, ComputeArguments& arguments) {
        CLI::Option* const arch = add_model(command, arguments.model);
        require_tokens(arch, add_input(command, arguments.input));
        add_held(command, arguments.held);
        add_measured(command, arguments.measured);
        add_hire(command, arguments.hire);
        add_json(command, arguments.json);
        add_rule(command, [&arguments]() -> Failure {
            if (Failure failure = wrong_hire(arguments.hire, arguments.model, arguments.input)) return failure;
            if (Failure failure = wrong_held(arguments.held, arguments.model, arguments.input)) return failure;
            return arguments.input.device || is_link(arguments.model.arch) ? std::nullopt : no_times(arguments);
        });
    };
    return make_command("compute", "arithmetic and memory traffic of each operation; time at a device's roof", describe,
                        print_compute);
}

}  // namespace headcount
