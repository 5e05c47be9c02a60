// Which token stands where, and which one is to come of it.
#include "core/train/lines.hpp"

#include <algorithm>

namespace headcount {

LineForm line_form(const Architecture& arch, const Task& task) {
    LineForm form{.vocab = task.vocab()};
    const TaskLine line = task.line(0, 0, false);
    const std::int64_t length = std::ssize(line.ids), answer = static_cast<std::int64_t>(line.answer);
    if (arch.encoder) {
        form.kind = LineForm::Kind::stacks;
        form.source = answer;
        form.tokens = length - answer;
        form.vocab = task.vocab() + 1;
        // The file's own, where the vocabulary has it; else what no task writes.
        const std::int32_t start = decoder_start(arch);
        form.start = start >= 0 && start < form.vocab ? start : task.mask();
    } else if (sees_all(arch)) {
        form.kind = LineForm::Kind::masked;
        form.tokens = length;
        form.vocab = task.vocab() + 1;
    } else {
        form.tokens = length - 1;
    }
    return form;
}

LineBatch LineForm::batch(const Task& task, std::span<const TaskLine> lines, std::int64_t sequences) const {
    LineBatch batch;
    for (std::int64_t i = 0; i < sequences; ++i) {
        const bool counts = i < std::ssize(lines);
        const TaskLine& line = lines[counts ? static_cast<std::size_t>(i) : 0];
        if (kind == Kind::stacks) {
            batch.source.insert(batch.source.end(), line.ids.begin(), line.ids.begin() + source);
            batch.ids.push_back(start);
            batch.ids.insert(batch.ids.end(), line.ids.begin() + source, line.ids.end() - 1);
            batch.targets.insert(batch.targets.end(), line.ids.begin() + source, line.ids.end());
        } else if (kind == Kind::next) {
            batch.ids.insert(batch.ids.end(), line.ids.begin(), line.ids.end() - 1);
            batch.targets.insert(batch.targets.end(), line.ids.begin() + 1, line.ids.end());
        } else {
            const std::size_t first = batch.ids.size();
            batch.ids.insert(batch.ids.end(), line.ids.begin(), line.ids.end());
            batch.targets.resize(batch.ids.size(), -1);
            for (const std::size_t place : line.hidden) {
                batch.ids[first + place] = task.mask();
                batch.targets[first + place] = line.ids[place];
            }
        }
        if (!counts) std::fill(batch.targets.end() - tokens, batch.targets.end(), -1);
    }
    return batch;
}

std::vector<AnsweredToken> LineForm::answer(const MatrixView& logits, const TaskLine& line, std::size_t index) const {
    std::vector<AnsweredToken> found;
    const std::int64_t before = kind == Kind::next ? 1 : kind == Kind::stacks ? source : 0;
    const auto add = [&](std::size_t place) {
        const std::int64_t row = static_cast<std::int64_t>(index) * tokens + static_cast<std::int64_t>(place) - before;
        const float* const scores = logits.data + row * logits.row_step;
        const std::ptrdiff_t likeliest = std::max_element(scores, scores + logits.columns) - scores;
        found.push_back({place, static_cast<std::int32_t>(likeliest), line.ids[place]});
    };
    if (kind == Kind::masked)
        for (const std::size_t place : line.hidden) add(place);
    else
        for (std::size_t place = line.answer; place < line.ids.size(); ++place) add(place);
    return found;
}

std::optional<LineFloor> floor_of(const LineForm& form, const Task& task) {
    if (!task.has_answers()) return std::nullopt;
    if (form.kind == LineForm::Kind::next || task.asks_within()) return LineFloor{*task.floor(), task.floor_words()};
    return LineFloor{};
}

}  // namespace headcount
