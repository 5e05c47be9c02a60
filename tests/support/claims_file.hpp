// A teacher's own file of claims, made by the tests: one that is right, and one that is wrong at its second step.
#pragma once

#include <string>

namespace headcount::testing_data {

// `verdict` is what is recorded of the second claim, which is wrong.
inline std::string own_claims(const std::string& verdict = "wrong") {
    return R"({
  "title": "Our own", "source": "The board in room 12", "architecture": "gpt2",
  "claims": [
    {"id": "own-width", "says": "GPT-2 is 768 wide.", "claimed": "768", "computed": "d", "verdict": "right",
     "why": "It is.", "at": "layer.attention.output.weight"},
    {"id": "own-heads", "says": "Its heads are 13 and 64 wide.", "claimed": "832", "reached": "13*64",
     "computed": "h*d_h", "verdict": ")" +
           verdict + R"(", "why": "They are 12.",
     "steps": [{"what": "width of a head", "said": "64", "graph": "d_h", "at": "layer.attention.head.queries"},
               {"what": "heads", "said": "13", "graph": "h", "at": "layer.attention.head"}]}
  ]
})";
}

}  // namespace headcount::testing_data
