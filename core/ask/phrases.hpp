// The lists that the ask bar's phrases come in.
#pragma once

#include "core/ask/words.hpp"

namespace headcount::ask_lists {

std::span<const AskPhrase> parts();       // "queries", "w q", "kv cache"
std::span<const AskPhrase> quantities();  // "parameters", "shape"
std::span<const AskPhrase> scopes();      // "one head", "in total"
std::span<const AskPhrase> wides();       // "biggest matrix", "flops", "fits"
std::span<const AskPhrase> inputs();      // "tokens", "bf 16"
std::span<const AskPhrase> symbols();     // "hidden size", "kv heads"
std::span<const AskPhrase> fillers();     // "of", "how"

}  // namespace headcount::ask_lists
