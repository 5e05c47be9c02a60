// Says what figures are of.
#include "core/analysis/made_for.hpp"

#include <algorithm>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// A number of the input, or what it takes: a range, or "1,024, 8,192".
std::string number_words(const Input& input, std::int64_t Input::*number, std::span<const ValueRange> varied) {
    for (const ValueRange& range : varied)
        if (range.input && range.input->number == number)
            return range.listed.empty() ? range_text(range) : listed(range.listed, grouped);
    return grouped(input.*number);
}

// What is varied of it, or else as it is.
std::string chosen_words(std::string as_it_is, Choices::Of of, std::span<const ValueRange> varied) {
    for (const ValueRange& range : varied)
        if (range.choices && range.choices->of == of) return range_text(range);
    return as_it_is;
}

// Groups of devices where some are varied: ", devices=8, tensor=2,4".
std::string group_words(const Sharding& sharding, std::span<const ValueRange> varied) {
    std::string words;
    for (std::size_t i = 0; i < Choices::keys.size(); ++i) {
        const auto of = static_cast<Choices::Of>(i);
        if (!Choices{.of = of}.counts_devices()) continue;
        const std::int64_t count = sharding.*counted_as(of);
        const bool said = of == Choices::Of::devices ? count != devices_of(sharding) : count > 1;
        const std::string counts = chosen_words(said ? grouped(count) : "", of, varied);
        if (!counts.empty()) words += ", " + std::string(Choices::keys[i]) + "=" + counts;
    }
    return words;
}

}  // namespace

std::string read_words(const Architecture& arch, const Input& input, std::span<const ValueRange> varied) {
    if (arch.patches)
        return "T = " + grouped(most_tokens(arch)) + " rows of an image of " + grouped(arch.patches->height) + " × " +
               grouped(arch.patches->width);
    const std::string cached = number_words(input, &Input::cached, varied);
    Input computed = input;  // an encoder of sound reads as many as it has positions
    computed.source = bindings(arch, input)[Symbol::source].value_or(input.source);
    std::string before =
        arch.encoder ? ", S = " + number_words(computed, &Input::source, varied) + " source tokens" : "";
    if (cached != "0") before += ", P = " + cached + " cached before them";
    return "T = " + number_words(input, &Input::tokens, varied) + " tokens" + before;
}

std::string pass_words(const Architecture& arch, const Input& input, std::span<const ValueRange> varied) {
    return read_words(arch, input, varied) + ", B = " + number_words(input, &Input::batch, varied) + " side by side";
}

std::string pass_words(const Architecture& arch, const Input& input, const PassOptions& pass,
                       std::span<const ValueRange> varied) {
    std::string words = pass_words(arch, input, varied) + ", " +
                        chosen_words(formats_title(input.precision), Choices::Of::weights, varied);
    const std::string cache = input.cache ? precision_text(*input.cache) : std::string();
    if (const std::string chosen = chosen_words(cache, Choices::Of::cache, varied); !chosen.empty())
        words += ", cache in " + chosen;
    if (pass.phase != Phase::prefill) words += pass.phase == Phase::decode ? ", decoding" : ", training";
    if (pass.adapters) words += (pass.phase == Phase::training ? " " : ", with ") + adapters_words(*pass.adapters);
    if (pass.pairs == Pairs::full) words += ", full scores";
    const bool groups_vary = std::ranges::any_of(
        varied, [](const ValueRange& range) { return range.choices && range.choices->counts_devices(); });
    if (pass.sharding.devices > 1 && !groups_vary) words += ", " + sharding_words(pass.sharding);
    const std::string link = pass.link ? bandwidth_text(*pass.link) : std::string();
    if (const std::string chosen = chosen_words(link, Choices::Of::link, varied); !chosen.empty())
        words += ", each sends " + chosen;
    return groups_vary ? words + group_words(pass.sharding, varied) : words;
}

std::string adapters_words(const Adapters& adapters) {
    std::string beside = adapters.all ? "all linear layers" : listed(adapters.modules);
    if (beside.empty()) beside = "the usual layers";
    return "adapters of rank " + grouped(adapters.rank) + (adapters.magnitudes ? " and magnitudes" : "") + " beside " +
           beside;
}

std::string device_words(const PassOptions& pass) {
    if (!pass.device) return "";
    return (pass.sharing() > 1 ? grouped(pass.sharing()) + " × " : "") + printable(pass.device->name);
}

std::string unpublished_speed(const Device& device) {
    return "How fast " + device.name +
           (device.bandwidth
                ? " computes is not published: times are those of decoding steps alone, bound by its bandwidth"
                : " is, is not published: no times are said");
}

std::string sharding_words(const Sharding& sharding) {
    return grouped(sharding.devices) + " devices: " + grouped(sharding.data()) + " data × " + grouped(sharding.tensor) +
           " tensor × " + grouped(sharding.pipeline) + " pipeline" +
           (sharding.context > 1 ? " × " + grouped(sharding.context) + " context" : "") +
           (sharding.expert > 1 ? ", experts among " + grouped(sharding.expert) : "");
}

std::string made_for(std::string_view model, const Architecture& arch, const Input& input, const PassOptions& pass,
                     std::span<const ValueRange> varied) {
    Input whole = input;  // with its cache's format, whether or not it was chosen
    whole.cache = input.cached_in();
    std::string words = printable(model) + ": " + pass_words(arch, whole, pass, varied);
    const std::string devices = chosen_words(device_words(pass), Choices::Of::device, varied);
    return devices.empty() ? words : words + ", on " + devices;
}

}  // namespace headcount
