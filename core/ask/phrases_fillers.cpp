// Words of a question that say nothing of what is asked.
#include <array>

#include "core/ask/phrases.hpp"

namespace headcount::ask_lists {
namespace {

constexpr auto words = std::to_array<std::string_view>(
    {"of", "in", "the", "a", "an", "for", "with", "at", "is", "are", "what", "which", "how", "many", "much", "does",
     "do", "has", "have", "need", "needs", "take", "takes", "and", "to", "on", "by", "from", "there", "its", "it", "s",
     "me", "show", "tell", "give", "please", "using", "when", "number", "tensor", "tensors", "matrix", "matrices",
     "big", "large", "long", "than", "or", "between", "into", "can", "models", "why", "i", "you", "we", "if", "so",
     "as", "this", "that", "these", "their", "will", "would", "be", "was", "did", "use", "uses", "used", "needed",
     "required", "requires", "require", "calculate", "exactly", "about", "called", "to run", "i run", "can run",
     "to find", "inference", "gpu", "part", "parts", "component", "hold", "holds", "contain", "contains",
     // One architecture, however it was trained on.
     "instruct", "chat", "base"});

constexpr auto filler_phrases = [] {
    std::array<AskPhrase, words.size()> phrases{};
    for (std::size_t i = 0; i < words.size(); ++i) phrases[i] = {words[i], AskFiller{}};
    return phrases;
}();

}  // namespace

std::span<const AskPhrase> fillers() {
    return filler_phrases;
}

}  // namespace headcount::ask_lists
