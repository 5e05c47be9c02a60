// The words of each subcommand as they were typed, before anything is made of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headcount {

struct ModelArguments {
    std::string arch;              // a preset's id or a path; may be empty where a window opens
    std::vector<std::string> set;  // "key=value", in order
};

struct InputArguments {
    std::optional<std::string> tokens, batch, cached, precision;
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
    std::optional<std::string> layer;
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
    std::optional<std::string> cache_precision, train, recompute;
    std::optional<std::string> devices, tensor, pipeline, zero;
    bool scores = false, fused = false, dropout = false, json = false;
};

struct ComputeArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<std::string> hardware, cache_precision, tensor, pipeline;
    bool full = false, json = false;
};

struct SweepArguments {
    ModelArguments model;
    InputArguments input;
    std::vector<std::string> vary;  // "key=FROM..TO:STEP", one or two
    std::optional<std::string> hardware;
    bool memory = false, csv = false, json = false;
};

struct SensitivityArguments {
    ModelArguments model;
    InputArguments input;
    std::optional<std::string> by, hardware;
    bool csv = false, json = false;
};

struct SolveArguments {
    ModelArguments model;
    InputArguments input;
    std::string vary, free;                                                    // one of them: a field; one or two
    std::optional<std::string> total, memory, flops, hardware, size, compute;  // one of them
    std::optional<std::string> multiple;
    bool json = false;
};

struct RunArguments {
    ModelArguments model;
    std::optional<std::string> prompt, prompt_ids;  // one of them
    std::optional<std::string> tokens, temperature, top_k, top_p, min_p, seed, threads, dump;
    bool ids = false, bench = false, random_weights = false, json = false;
};

struct ClaimsArguments {
    std::string id;  // of a claim or a file of them, or a path; empty for all
    bool json = false;
};

struct ExportArguments {
    ModelArguments model;
    std::string output;
};

struct RenderArguments {
    ModelArguments model;
    InputArguments input;
    std::string view = "explore";
    std::string output;
    std::optional<std::string> theme, size, select, at;
    bool tilted = false, log_sides = false;
    std::optional<std::string> tour, step, with, claim;
    std::optional<std::string> sheet, question, answers;
    bool present = false;
};

struct WindowArguments {
    ModelArguments model;
    std::optional<std::string> theme, size, tour, screenshot, report_ui;
};

}  // namespace headcount
