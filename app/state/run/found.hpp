// What the looker finds of a run, each once it is there.
#pragma once

#include <memory>

namespace headcount {

struct RunNext;       // app/state/run/next.hpp
struct RunLens;       // the same
struct RunTrial;      // app/state/run/trial.hpp
struct RunRanked;     // the same
struct RunHeads;      // app/state/run/vocabulary.hpp
struct RunTrained;    // the same
struct RunWordMap;    // the same
struct RunNear;       // the same
struct RunSteps;      // the same
struct RunTree;       // app/state/run/tree.hpp
struct RunDiagnosis;  // app/state/run/diagnosis.hpp

struct RunFound {
    std::shared_ptr<const RunNext> next;            // what may follow the position that is looked at
    std::shared_ptr<const RunLens> lens;            // what each layer would have said, where a tab shows it
    std::shared_ptr<const RunTrial> trial;          // what changes come to, where that is looked at
    std::shared_ptr<const RunRanked> ranked;        // what each part matters, or how far that is
    std::shared_ptr<const RunHeads> heads;          // heads that are worth a look, where words are shown
    std::shared_ptr<const RunTrained> trained;      // which rows of the embedding a training has moved, beside the map
    std::shared_ptr<const RunWordMap> map;          // of the vocabulary, where that is shown, or how far it is
    std::shared_ptr<const RunNear> near;            // the words that are nearest to one of them
    std::shared_ptr<const RunSteps> steps;          // what the tokenizer does with what is typed, where that is shown
    std::shared_ptr<const RunTree> tree;            // how the text may go on, where that is shown
    std::shared_ptr<const RunDiagnosis> diagnosis;  // of somebody else's activations, or how far that is

    bool operator==(const RunFound&) const = default;
};

}  // namespace headcount
