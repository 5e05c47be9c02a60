// Two models with the same input: what compare and diff say something of.
#pragma once

#include "app/cli/held_arguments.hpp"
#include "app/cli/model.hpp"
#include "core/analysis/difference.hpp"
#include "core/analysis/sweep.hpp"

namespace headcount {

struct TwoArguments {
    std::string a, b;              // as ModelArguments::arch
    std::vector<std::string> set;  // of b
    InputArguments input;          // of both
    AdapterArguments adapter;      // of both
};
// `a` and `b` are what the two are called: "A" and "B".
void add_two_models(CLI::App* command, TwoArguments& arguments, const char* a, const char* b);

struct TwoModels {
    CountedDocument a, b;
    Difference difference;
    SweepPoint in_a, in_b;  // every metric; the time where a device was named
    Notes notes;            // of both, each with "A: " or "B: " before it
};
// Errors say of which of the two they are; notes on files go to `said`.
Result<TwoModels> read_two_models(const TwoArguments& arguments, Notes& said);

// What sweep says of one. Errors: as PointMaker has them.
Result<SweepPoint> figures_of(const CountedDocument& side);

// Where the device has no room for what the figures are of: a note that says so.
void note_room(CountedDocument& side, const SweepPoint& figures, Notes& said);

// A table of both, marked where one of them is only about known.
void write_figures(std::ostream& out, const Table& table, const TwoModels& both);

// "T = 100 tokens, B = 1 side by side, bf16", and of B, C and so on where that is another.
std::string pass_words(std::span<const OpenedDocument* const> models);
std::string pass_words(const TwoModels& both);

}  // namespace headcount
