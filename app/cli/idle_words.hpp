// Which words of the input play no part: in a model, or in the figures that are shown of it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "app/cli/model.hpp"

namespace headcount {

// What of these words this model has no use for, each as an error whose `where` is the word.
std::vector<Error> idle_in(const Document& document, const InputArguments& words);

// Of the words that were said those on which none of these figures of a model hangs; `fix` says what to do about it.
std::vector<Error> idle_in_figures(const Architecture& arch, const InputArguments& words,
                                   std::span<const Metric> figures, std::string_view fix = "leave it out");

// Of what was opened with the same words, the first that none of the models has a use for.
Failure idle_in_all(std::span<const OpenedDocument* const> models);

}  // namespace headcount
