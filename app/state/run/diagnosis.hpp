// Somebody else's activations beside the model that runs: what is asked, and what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/run/snapshot.hpp"
#include "core/diagnose/said.hpp"

namespace headcount {

// The file of what the other program has written.
struct TheirFile {
    std::string path;        // empty: none
    std::size_t opened = 0;  // how often one was: it may be another file by now

    bool operator==(const TheirFile&) const = default;
};

struct RunDiagnosis {
    std::weak_ptr<const Model> of;  // it keeps no memory of it
    TheirFile file;
    double progress = 0;            // 0 to 1
    std::vector<std::int32_t> ids;  // that were read
    bool own_ids = false;           // the file's; else the prompt's
    std::optional<Diagnosis> found;
    std::optional<Error> wrong;  // why nothing can be found

    bool done() const { return found || wrong; }
};

// Whether it is of this file and the model that runs, and of its prompt where the file has no ids of its own.
bool is_diagnosis_of(const RunDiagnosis& diagnosis, const TheirFile& file, const RunSnapshot& run);

// `watch` hears how far it is. Not done where that has stopped it.
RunDiagnosis diagnose_run(const TheirFile& file, const RunSnapshot& run, const Watch& watch);

}  // namespace headcount
