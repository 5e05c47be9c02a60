// Reads what the other program has written, and compares it with the model that runs.
#include "app/state/run/diagnosis.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace headcount {
namespace {

std::vector<std::int32_t> prompt_of(const RunSnapshot& run) {
    const auto ids = run.values->ids().first(std::min(run.prompt, run.values->ids().size()));
    return {ids.begin(), ids.end()};
}

}  // namespace

bool is_diagnosis_of(const RunDiagnosis& diagnosis, const TheirFile& file, const RunSnapshot& run) {
    return diagnosis.file == file && diagnosis.of.lock() == run.values->shared_model() &&
           (diagnosis.own_ids || diagnosis.ids == prompt_of(run));
}

RunDiagnosis diagnose_run(const TheirFile& file, const RunSnapshot& run, const Watch& watch) {
    RunDiagnosis made{.of = run.values->shared_model(), .file = file, .ids = prompt_of(run)};
    try {
        const Result<std::vector<TheirTensor>> theirs = read_theirs(file.path);
        Result<TheirIds> read = read_their_ids(file.path);
        if (!theirs || !read) {
            made.wrong = !theirs ? theirs.error() : read.error();
            return made;
        }
        made.own_ids = read->ids.has_value();
        if (made.own_ids) made.ids = *std::move(read->ids);
        const std::vector<std::int32_t> source =
            read->source ? *read->source : std::vector(run.values->source().begin(), run.values->source().end());
        Result<Diagnosis> found = diagnose(run.values->shared_model(), made.ids, *theirs,
                                           {.threads = run.of->options.threads, .source = source, .watch = watch});
        if (watch.stopped()) return made;
        if (found)
            made.found = *std::move(found);
        else
            made.wrong = found.error();
    } catch (const std::bad_alloc&) {
        made.wrong = Error{"there is not enough memory", "", "write fewer activations, of fewer tokens"};
    }
    return made;
}

}  // namespace headcount
