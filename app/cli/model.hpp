// From the words ARCH, --set, --tokens, --hardware and the like to what they name: a model that is counted, a device.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/state/costs/place.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/hire.hpp"
#include "core/analysis/made_for.hpp"
#include "core/analysis/measured.hpp"
#include "core/analysis/metric.hpp"
#include "core/analysis/pass.hpp"
#include "core/arch/input.hpp"
#include "core/files/document.hpp"
#include "core/files/open.hpp"

namespace headcount {

// As ARCH: the configuration, or the document, that comes on standard input.
inline constexpr std::string_view standard_input = "-";

struct ModelArguments {
    std::string arch;              // a preset's id, a path or standard_input; may be empty where a window opens
    std::vector<std::string> set;  // "key=value", in order; each is right by itself
};

// What the figures of a command can depend on: what goes through a model, and what it runs on.
enum class InputWord {
    tokens,
    source,
    batch,
    cached,
    dtype,
    kv_dtype,
    device,
    devices,
    tensor,
    pipeline,
    context,
    expert,
    link,
    phase,
    full
};
// One that was said, as it was.
struct SaidWord {
    InputWord word;
    std::string flag, text;
};

// What goes through a model and what it runs on; what is absent stays as the model has it.
struct InputArguments {
    std::optional<std::int64_t> tokens, source, batch, cached;
    std::optional<std::string> precision, cache;  // a format, or "file"; checked where words are read
    std::optional<std::string> device;            // an id, or one made by hand
    std::optional<std::int64_t> devices, tensor, pipeline, context, expert;  // see Sharding
    std::optional<std::string> link;  // what each device sends a second, as it was said
    std::optional<Phase> phase;
    bool full = false;                             // scores
    std::function<void(Training&)> training = {};  // what the words say of how, in that phase
    std::optional<Adapters> adapters = {};
    std::vector<SaidWord> said = {};
    bool several = false;      // said of several models: what plays no part in one may in another
    bool groups_vary = false;  // of devices: how many there are is not yet known
};

// What ARCH is, with every --set applied and the input filled in.
struct OpenedDocument {
    Document document;
    CostsPlace costs;                              // how it is run, as a link says and then the words
    PassOptions pass;                              // as it says, with the device alone that was named
    std::shared_ptr<const Checkpoint> checkpoint;  // weights that lie in or beside the file
    Notes notes;                                   // what a preset leaves out, what of a file was not read
    std::string doubt;                             // as doubt_on has it
    std::vector<std::filesystem::path> read = {};  // the files that it came from
    std::string weights_doubt = {};                // why what weights take there is only about known, a clause
    std::vector<Error> idle = {};                  // words of several models that play no part in this one: idle_in_all
};

// The architecture is valid: an impossible combination is an error that ends with the --set that would mend it; the
// input fits it, and every word of the input plays a part in it. What is opened can be counted, as a document's base
// must be. Errors name the file. Appends the notes on a file to `said`.
Result<OpenedDocument> open_document(const ModelArguments& arguments, std::span<const Preset> presets, Notes& said,
                                     const InputArguments& input = {});

// The same among the presets that ship.
Result<OpenedDocument> open_document(const ModelArguments& arguments, Notes& said, const InputArguments& input = {});

// Of a link's speed where there is no link.
Error nothing_sent(std::string where);

// By its id, or made by hand: "mem=80GB,bw=3.35TB/s"; errors name the flag. What could not be read of one's own is
// said.
Result<Device> read_device(const std::string& id, std::string_view flag, Notes& said);

// And what was counted of it. An edited model says so in its name.
struct CountedDocument : OpenedDocument {
    CountedModel model;
};
Result<CountedDocument> count_document(const ModelArguments& arguments, Notes& said, const InputArguments& input = {});

// An error that the opened numbers make, seen from their file; of a preset's it is the same.
Error in_file(const Document& document, const ModelArguments& arguments, Error error);

// What it is and what goes through it: pass_words and made_for of core/analysis/made_for.hpp.
std::string pass_words(const OpenedDocument& opened, std::span<const ValueRange> varied = {});
std::string made_for(const OpenedDocument& opened, std::span<const ValueRange> varied = {});

// Behind what figures are of, in these too: why what the weights take is only about known, in JSON "weights_about".
std::string rough_words(const OpenedDocument& opened, std::span<const ValueRange> varied = {});

// A command line as a shell reads it: "headcount report llama-2-7b --set 'layers=8'".
std::string command_text(std::span<const std::string> words);

// The document as text: before what it has which program wrote it and in which form, with a model also what was asked
// about; behind it "notes".
std::string noted_json(const nlohmann::ordered_json& json, const Notes& notes);
std::string noted_json(const nlohmann::ordered_json& json, const OpenedDocument& opened,
                       std::span<const ValueRange> varied = {});
nlohmann::ordered_json input_json(const OpenedDocument& opened);
// "input", less what varies, and of a model that is only about known "verified", false: what stands beside figures of
// one of several.
nlohmann::ordered_json asked_json(const OpenedDocument& opened, std::span<const ValueRange> varied = {});

struct Table;  // core/report/table.hpp
// A table of its figures, marked where the model is only about known.
void write_figures(std::ostream& out, const Table& table, const OpenedDocument& opened);

// Where a device was named whose speed with numbers of this format is not published, so that there is no time of that
// phase to say; and a note on it, where others are said all the same.
Failure no_speed(const OpenedDocument& opened, Phase phase);
void note_speed(OpenedDocument& opened, Notes& said);

struct Passes;  // core/report/costs_report.hpp

// How long passes likely take, and of those of which none is said why.
struct LikelyPasses {
    std::vector<Likely> found;
    Notes unsaid;
    std::shared_ptr<const Reached> reached;  // by whom; null where there is no device
};
// Of each pass on the device that was named, by measurements: those of `more` (a file; may be empty), one's own, and
// those that ship. None without a device whose speed is known.
Result<LikelyPasses> likely_passes(const OpenedDocument& opened, const Passes& passes,
                                   const std::filesystem::path& more = {});

// Hours of devices for each of these passes: of one that makes several sequences side by side also for one by itself.
Result<std::vector<Hire>> hires_of(const OpenedDocument& opened, const Passes& passes,
                                   const std::vector<Likely>& likely, const HireTerms& terms,
                                   const std::filesystem::path& more = {});

// Writes the file, but not over one that the text was made from (`read`), and says so on `out`: not where the text goes
// into a stream, which may be `out` itself.
Failure write_out(std::string_view text, const std::filesystem::path& path, std::span<const std::filesystem::path> read,
                  std::ostream& out);

}  // namespace headcount
