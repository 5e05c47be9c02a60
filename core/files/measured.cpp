// Reads measured speeds, and works out what they say; see the header.
#include "core/files/measured.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "core/arch/validate.hpp"
#include "core/base/json_fields.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"
#include "core/files/devices.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;
using namespace json_fields;

struct RateWord {
    std::string_view key;
    std::optional<double> MeasuredRate::*rate;
};
constexpr std::array<RateWord, 3> rate_words{{{"tokens_per_second", &MeasuredRate::tokens_per_second},
                                              {"seconds", &MeasuredRate::seconds},
                                              {"mfu", &MeasuredRate::mfu}}};

Wrong read_rate(const Json& json, std::string_view path, MeasuredRate& rate) {
    int given = 0;
    for (const RateWord& each : rate_words) {
        const auto found = json.find(each.key);
        if (found == json.end()) continue;
        const double most = each.rate == &MeasuredRate::mfu ? 1 : std::numeric_limits<double>::max();
        if (!found->is_number() || !(found->get<double>() > 0) || found->get<double>() > most)
            return Error{"this is no such number", under(path, each.key),
                         most == 1 ? "give a part of 1, such as 0.4" : "give a positive number"};
        rate.*each.rate = found->get<double>();
        ++given;
    }
    if (given == 1) return std::nullopt;
    return Error{given == 0 ? "nothing says how fast it was" : "there are two speeds", std::string(path),
                 "give one of tokens_per_second, seconds and mfu"};
}

Wrong read_run(const Json& json, std::string_view path, const KnownDevices& devices, Measurement& into) {
    Workload& run = into.run;
    std::string device, phase, dtype = "bf16", cache;
    for (auto [key, text] : {std::pair("device", &device), {"phase", &phase}})
        if (Wrong wrong = read_text(json, path, key, *text, true)) return wrong;
    for (auto [key, text] : {std::pair("dtype", &dtype), {"kv_dtype", &cache}})
        if (Wrong wrong = read_text(json, path, key, *text)) return wrong;
    constexpr std::int64_t most = std::int64_t{1} << 40;
    for (auto [key, number] :
         {std::pair("devices", &run.devices), {"tokens", &run.input.tokens}, {"batch", &run.input.batch}})
        if (json.contains(key))
            if (Wrong wrong = read_number(json, path, key, 1, most, *number)) return wrong;
    Result<Device> named = named_device(devices, device);
    if (!named) return within(under(path, "device"), named.error());
    run.device = *std::move(named);
    const auto known = choice_called<Phase>(phase_words, phase);
    if (!known) return Error{"there is no pass " + quote(phase), under(path, "phase"), "give prefill, decode or train"};
    run.phase = *known;
    const Result<Formats> formats = parse_formats(dtype, under(path, "dtype"));
    if (!formats) return formats.error();
    run.input.precision = *formats;
    if (cache.empty()) return std::nullopt;
    const Result<Precision> precision = parse_precision(cache, under(path, "kv_dtype"));
    if (!precision) return precision.error();
    run.input.cache = *precision;
    return std::nullopt;
}

Wrong read_set(const Json& json, std::string_view path, Measurement& into) {
    const auto set = json.find("set");
    if (set == json.end()) return std::nullopt;
    if (!set->is_object()) return Error{"this sets no fields", under(path, "set"), "write it as {\"layers\": 12}"};
    for (const auto& [key, value] : set->items())
        into.set.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    return std::nullopt;
}

Wrong read_measurement(const Json& json, std::string_view path, const KnownDevices& devices, Measurement& into) {
    constexpr std::array<std::string_view, 14> keys{"model",  "set",     "device", "devices",          "phase",
                                                    "tokens", "batch",   "dtype",  "kv_dtype",         "with",
                                                    "source", "seconds", "mfu",    "tokens_per_second"};
    if (!json.is_object()) return Error{"this is no measurement", std::string(path), "put each in { }"};
    if (Wrong wrong = unknown_key(json, path, keys)) return wrong;
    for (auto [key, text] : {std::pair("model", &into.model), {"source", &into.source}})
        if (Wrong wrong = read_text(json, path, key, *text, true)) return wrong;
    if (Wrong wrong = read_text(json, path, "with", into.with)) return wrong;
    if (Wrong wrong = read_set(json, path, into)) return wrong;
    if (Wrong wrong = read_rate(json, path, into.rate)) return wrong;
    return read_run(json, path, devices, into);
}

Result<Architecture> model_of(const Measurement& measurement) {
    Result<std::vector<Preset>> presets = presets_to_open(measurement.model);
    if (!presets) return presets.error();
    const Preset* const preset = find_preset(*presets, measurement.model);
    if (!preset) return Error{"there is no such model", measurement.model, "name a preset: headcount presets"};
    Architecture arch = preset->architecture;
    for (const auto& [key, value] : measurement.set) {
        Result<Architecture> changed = with_field(std::move(arch), key, value);
        if (!changed) return within("set", changed.error());
        arch = *std::move(changed);
    }
    if (std::vector<Problem> problems = validate(arch); !problems.empty()) return within("set", problems.front().error);
    return arch;
}

}  // namespace

Result<std::vector<Measurement>> load_measured(const fs::path& file) {
    constexpr std::size_t most_measurements = 10'000;
    const Result<Json> json = read_json(file);
    if (!json) return json.error();
    const Result<KnownDevices> known = known_devices();
    if (!known) return known.error();
    constexpr std::array<std::string_view, 1> keys{"measured"};
    if (Wrong wrong = unknown_key(*json, "", keys)) return within(file.string(), *wrong);
    if (Wrong wrong = wrong_list(*json, "", "measured", 1, most_measurements)) return within(file.string(), *wrong);
    std::vector<Measurement> all;
    for (const Json& each : (*json)["measured"]) {
        const std::string path = at("measured", all.size());
        Measurement measurement;
        if (Wrong wrong = read_measurement(each, path, *known, measurement)) return within(file.string(), *wrong);
        all.push_back(std::move(measurement));
    }
    return all;
}

Result<std::vector<Measurement>> all_measured(const fs::path& more) {
    const Result<fs::path> assets = assets_directory();
    if (!assets) return assets.error();
    std::vector<fs::path> files;
    if (!more.empty()) files.push_back(more);
    std::error_code failure;
    if (const fs::path own = own_file("measured.json"); !own.empty() && fs::exists(own, failure)) files.push_back(own);
    files.push_back(*assets / "measured.json");
    std::vector<Measurement> all;
    for (const fs::path& file : files) {
        Result<std::vector<Measurement>> found = load_measured(file);
        if (!found) return found.error();
        all.insert(all.end(), std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
    }
    return all;
}

Result<MeasuredTime> Measured::time(std::size_t place) {
    std::optional<Result<MeasuredTime>>& time = times_[place];
    if (time) return *time;
    const Result<Architecture> arch = model_of(all_[place]);
    time = arch ? measured_time(all_[place], *arch) : Result<MeasuredTime>(arch.error());
    return *time;
}

std::optional<Efficiency> Measured::efficiency(const Workload& run, std::optional<std::size_t> without) {
    std::vector<Alike> alike;
    std::vector<double> reached;
    for (const Alike& each : most_alike(all_, run, without)) {
        const Result<MeasuredTime> found = time(each.place);
        if (!found) continue;
        alike.push_back(each);
        reached.push_back(found->efficiency());
    }
    return efficiency_of(alike, reached);
}

Result<Likely> Measured::likely(const Pass& pass, Phase phase, const BoundWith& step, const Input& input,
                                const PassOptions& options) {
    const Result<Workload> run = workload_of(phase, input, options);
    if (!run) return run.error();
    std::optional<Efficiency> reached = efficiency(*run);
    const std::optional<double> bound = pass.computing();
    if (!reached || !bound) return Error{"no pass like it was measured", "", ""};
    const auto part = [&](const Workload& other) {
        const std::optional<Efficiency> found = efficiency(other);
        return found ? std::optional(found->likely) : std::nullopt;
    };
    Likely likely{.phase = phase,
                  .bound = *bound,
                  .tokens = pass.tokens,
                  .efficiency = *std::move(reached),
                  .of = {},
                  .devices = run->devices,
                  .sending = pass.sending.value_or(0),
                  .with_fewer = likely_with_fewer(*run, step, part)};
    for (const std::size_t place : likely.efficiency.of) likely.of.push_back(all_[place]);
    return likely;
}

Result<std::shared_ptr<const Reached>> reached_by_all() {
    Result<std::vector<Measurement>> measured = all_measured();
    if (!measured) return measured.error();
    return reached_by(std::make_shared<Measured>(*std::move(measured)));
}

std::shared_ptr<const Reached> reached_by(std::shared_ptr<Measured> measured) {
    return std::make_shared<const Reached>([measured = std::move(measured)](const Workload& run) {
        const std::optional<Efficiency> found = measured->efficiency(run);
        return found ? std::optional(found->likely) : std::nullopt;
    });
}

}  // namespace headcount
