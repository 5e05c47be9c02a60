// headcount compute: how much arithmetic a model takes, and how fast a device could be at it.
#include <array>
#include <ostream>

#include "app/cli/model.hpp"
#include "app/cli/options.hpp"
#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/documents.hpp"
#include "core/files/measured.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/json.hpp"
#include "core/report/measured_report.hpp"
#include "core/report/table.hpp"

namespace headcount {
namespace {

struct ComputeArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<std::int64_t> tensor, pipeline;
    std::string measured;  // a file; may be empty
    bool json = false;
};

Result<PassOptions> read_options(const ComputeArguments& arguments, const OpenedDocument& opened) {
    PassOptions options = opened.pass;
    if (!arguments.tensor && !arguments.pipeline) return options;
    MemoryOptions held;
    Sharding& sharding = held.sharding;
    sharding.tensor = arguments.tensor.value_or(sharding.tensor);
    sharding.pipeline = arguments.pipeline.value_or(sharding.pipeline);
    const std::optional<std::int64_t> together = checked_multiply(sharding.tensor, sharding.pipeline);
    if (!together) return Error{"so many devices do not fit in 64 bits", "--tensor", "give smaller groups"};
    options.devices = sharding.devices = *together;
    if (arguments.input.devices.value_or(*together) != *together)
        return Error{grouped(*arguments.input.devices) + " devices are not " + grouped(sharding.tensor) + " × " +
                         grouped(sharding.pipeline),
                     "--devices", "leave it out"};
    if (std::optional<Error> wrong = wrong_options(held, opened.document.architecture)) return *wrong;
    return options;
}

void write_heading(std::ostream& out, const Document& document, const PassOptions& options, Pairs pairs) {
    const Input& input = document.input;
    out << printable(title_of(document)) << ": " << pass_words(document.architecture, input) << ", "
        << formats_text(input.precision);
    if (options.cache) out << ", cache in " << info(*options.cache).key;
    out << (pairs == Pairs::full ? ", full scores" : ", causal scores");
    if (const std::optional<Roof> roof = options.roof_for(input)) {
        out << ", at the roof of " << (options.devices > 1 ? grouped(options.devices) + " × " : "")
            << printable(options.device->name) << ": " << flop_text(roof->flops) << "/s, "
            << factor_text(roof->bandwidth / 1e9) << " GB/s";
    }
    out << "\n\n";
}

std::string multiplied_words(const Multiplied& multiplied) {
    if (multiplied.source == 0) return grouped(multiplied.token) + " parameters that are multiplied";
    return grouped(multiplied.source) + " parameters that a source token is multiplied with, and " +
           grouped(multiplied.token) + " that a token of the decoder is";
}

// Of each pass at the roof.
std::vector<Likely> likely_passes(const Passes& passes, const Document& document, const PassOptions& options,
                                  Measured& measured) {
    std::vector<Likely> all;
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::training}) {
        if (phase == Phase::decode && !passes.decode) continue;
        const Pass& pass = passes.of(phase);
        Input input = document.input;
        if (phase == Phase::decode) input = all_at_once(input);
        const std::optional<Efficiency> efficiency =
            measured.efficiency({phase, input, *options.device, options.devices});
        if (!efficiency || !pass.seconds) continue;
        Likely likely{.pass = std::string(phase_words[static_cast<std::size_t>(phase)]),
                      .bound = *pass.seconds,
                      .tokens = pass.tokens,
                      .efficiency = *efficiency,
                      .of = {}};
        for (const std::size_t place : efficiency->of) likely.of.push_back(&measured.all()[place]);
        all.push_back(std::move(likely));
    }
    return all;
}

Failure print_compute(const ComputeArguments& arguments, Output& output) {
    Result<CountedDocument> counted = count_document(arguments.model, output.notes, arguments.input);
    if (!counted) return counted.error();
    const Document& document = counted->document;
    std::ostream& out = output.out;
    if (Failure failure = no_speed(*counted)) return failure;
    Result<PassOptions> options = read_options(arguments, *counted);
    if (!options) return options.error();
    counted->pass = *options;
    Result<Passes> passes = passes_of(document.architecture, document.input, counted->model.parameters, *options);
    if (!passes) return in_file(document, arguments.model, passes.error());
    const std::optional<Roof> roof = options->roof_for(document.input);
    Measured measured({});
    if (roof) {
        Result<std::vector<Measurement>> all = all_measured(arguments.measured);
        if (!all) return all.error();
        measured = Measured(*std::move(all));
    }
    const std::vector<Likely> likely =
        roof ? likely_passes(*passes, document, *options, measured) : std::vector<Likely>{};
    if (arguments.json) {
        nlohmann::ordered_json json = compute_json(*passes, roof, *options);
        for (const Likely& each : likely) json[each.pass]["likely"] = likely_json(each);
        out << noted_json(json, *counted);
        return std::nullopt;
    }
    write_heading(out, document, *options, passes->prefill.work.flops.pairs);
    write_text(out, passes_table(*passes, roof));
    if (!likely.empty()) {
        out << '\n';
        write_text(out, likely_table(likely));
    }
    if (passes->decode && passes->decode->anew)
        out << "\nDecode absorbs W_ukv, as DeepSeek does: queries are compared with the cached bottleneck. Made anew "
               "from it are all keys and values in the row below.\n";
    out << "\nThe rule is 2·N operations a token forwards and 6·N in training, N = "
        << multiplied_words(passes->multiplied) << ".\n\n";
    write_text(out, pass_formulas_table(*passes));
    constexpr std::array headings{"Prefill", "Decode", "Training"};
    out << '\n' << headings[static_cast<std::size_t>(options->phase)] << ", operation by operation:\n\n";
    write_text(out, operations_table(passes->of(options->phase), roof));
    return std::nullopt;
}

}  // namespace

Command compute_command() {
    const auto describe = [](CLI::App* command, ComputeArguments& arguments) {
        add_model(command, arguments.model);
        add_input(command, arguments.input)->required();
        add_whole(command, "--tensor", arguments.tensor, "N", "so many of them share each matrix (1)", 1);
        add_whole(command, "--pipeline", arguments.pipeline, "N", "so many of them share the layers (1)", 1);
        add_measured(command, arguments.measured);
        add_json(command, arguments.json);
        add_rule(command, [&arguments]() -> Failure {
            if (arguments.measured.empty() || arguments.input.device) return std::nullopt;
            return Error{"without a device there is no time", "--measured", "add --device, such as --device rtx-4090"};
        });
    };
    return make_command("compute", "arithmetic and memory traffic of each operation; time at a device's roof", describe,
                        print_compute);
}

}  // namespace headcount
