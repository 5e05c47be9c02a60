// Fuzzes the reader of tours: what it takes is worked out for the models that a class may have open.
#include "core/tours/tour.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    static const std::vector<Preset> presets = *shipped_presets();
    const Result<Tour> tour = parse_tour(fuzz::text_of(data, size), "fuzzed", "FILE");
    if (!fuzz::read_or_refused(tour)) return 0;
    // What heads look at takes seconds here, and is the same whatever the tour is about.
    const bool runs =
        std::ranges::any_of(tour->steps, [](const TourStep& step) { return step.run && step.run->looks_at; });
    for (const char* const id : {"llama-2-7b", "gpt2", "deepseek-v3"}) {
        if (runs && id != std::string_view("llama-2-7b")) continue;
        const Result<WorkedTour> made = make_tour(*tour, presets, find_preset(presets, id)->architecture);
        if (!fuzz::read_or_refused(made)) continue;
        fuzz::demand(!made->steps.empty(), "a tour that works out has a step");
        fuzz::demand(made->steps.size() + made->notes.size() <= tour->steps.size(), "a step is shown or noted once");
        for (const WorkedStep& step : made->steps) {
            fuzz::demand(step.index < tour->steps.size() && step.copy >= 0, "a step is one of the file's");
            const auto words = words_for(tour->steps[step.index], step.architecture, step.input, presets);
            fuzz::demand(words && *words == StepWords{step.title, step.caption, step.ask, step.answer},
                         "a step's words are the same again");
        }
    }
    return 0;
}
