// What was asked of each subcommand. Names, of models and files, are as they were typed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/state/options.hpp"
#include "app/state/view.hpp"
#include "app/state/what_if/place.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/metric.hpp"
#include "core/analysis/sweep.hpp"
#include "core/arch/fields.hpp"
#include "core/arch/input.hpp"
#include "core/runtime/sampler.hpp"

namespace headcount {

// A file to write.
template <class Format>
struct OutputArguments {
    std::string file;              // empty: standard output
    std::optional<Format> format;  // as asked for; else by the file's ending, filled in once all words are read
};
enum class ExportFormat { json, csv, md, headcount };
enum class SheetFormat { html, md, csv, json };

struct ModelArguments {
    std::string arch;              // a preset's id or a path; may be empty where a window opens
    std::vector<std::string> set;  // "key=value", in order; each is right by itself
};

struct InputArguments {
    std::optional<std::int64_t> tokens, batch, cached;
    std::optional<Precision> precision;
};

struct PresetsArguments {
    bool json = false;
};

struct CountArguments {
    ModelArguments model;
    bool json = false;
};

struct TensorsArguments {
    ModelArguments model;
    std::optional<std::int64_t> layer;
    bool json = false;
};

struct TreeArguments {
    ModelArguments model;
    bool base = false, counts = false;
};

struct MatchArguments {
    ModelArguments model;
    bool json = false;
};

struct ShapesArguments {
    ModelArguments model;
    InputArguments input;
    bool head = false, json = false;
};

struct CompareArguments {
    std::string a, b;              // as ModelArguments::arch
    std::vector<std::string> set;  // of b
    bool json = false;
};

struct MemoryArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<Precision> cache_precision;
    std::optional<Optimizer> train;
    std::optional<Recompute> recompute;
    std::optional<std::int64_t> devices, tensor, pipeline, zero;
    bool scores = false, fused = false, dropout = false, json = false;
};

struct ComputeArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<std::string> hardware;
    std::optional<Precision> cache_precision;
    std::optional<std::int64_t> tensor, pipeline;
    bool full = false, json = false;
};

struct SweepArguments {
    ModelArguments model;
    InputArguments input;
    std::vector<ValueRange> vary;  // one or two
    std::optional<std::string> hardware;
    bool memory = false, csv = false, json = false;
};

struct SensitivityArguments {
    ModelArguments model;
    InputArguments input;
    Metric by = Metric::total;
    std::optional<std::string> hardware;
    bool csv = false, json = false;
};

struct SolveArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<Field> vary;  // this or `free`, but of `size` and `compute`
    std::vector<Field> free;
    std::optional<std::int64_t> total, memory, flops, size;  // one of these and the next two
    std::optional<double> compute;
    std::optional<std::string> hardware;
    std::optional<std::int64_t> multiple;
    bool json = false;
};

struct RunArguments {
    ModelArguments model;
    std::optional<std::string> prompt;  // this or ids, or neither to see how fast it is
    std::optional<std::vector<std::int64_t>> prompt_ids;
    std::optional<std::int64_t> tokens, top_k, seed, threads;
    std::optional<double> temperature, top_p, min_p;
    std::optional<std::filesystem::path> dump;
    bool ids = false, bench = false, random_weights = false, json = false;
};

struct ClaimsArguments {
    std::string id;  // of a claim or a file of them, or a path; empty for all
    bool json = false;
};

struct ExportArguments {
    ModelArguments model;
    OutputArguments<ExportFormat> output;
};

struct AskedView {
    std::string key{explore_view};
    WhatIfTab what_if = WhatIfTab::sweep;
};

// Theme and size of a picture and of a window alike.
struct LookArguments {
    std::optional<ThemeChoice> theme;
    std::optional<PictureSize> size;
};

enum class Shell { bash, zsh, fish };
struct CompletionArguments {
    std::optional<Shell> shell;  // always there once it is read
};

struct RenderArguments {
    ModelArguments model;
    InputArguments input;
    AskedView view;
    OutputArguments<PictureFormat> output;
    LookArguments look;
    std::optional<std::string> select, at;
    bool tilted = false, log_sides = false;
    std::optional<std::string> tour, with, claim, sheet, answers;
    std::optional<std::int64_t> step, question;
    bool present = false;
};

struct WindowArguments {
    ModelArguments model;
    LookArguments look;
    std::optional<std::string> tour;
    std::optional<std::filesystem::path> screenshot, report_ui;
};

}  // namespace headcount
