// Fuzzes a text of one's own that a model is to learn.
#include "core/train/task.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace headcount;
    const Result<Task> task =
        Task::make({.kind = TaskKind::text, .tokens = 8, .text = std::string(fuzz::text_of(data, size))});
    if (!fuzz::read_or_refused(task)) return 0;
    for (std::uint64_t number = 0; number < 16; ++number) {
        const TaskLine line = task->line(1, number, number % 2 == 1);
        fuzz::demand(static_cast<std::int64_t>(line.ids.size()) == task->line_length(), "lines are as long as is said");
        for (const std::int32_t id : line.ids)
            fuzz::demand(id >= 0 && id < task->vocab(), "a line has tokens of the vocabulary");
        const std::string text = task->text(line.ids.data(), line.ids.size());
        fuzz::demand(fuzz::text_of(data, size).find(text) != std::string_view::npos, "a line is a part of the text");
    }
    return 0;
}
