// Which token stands where, and which one is to come of it.
#include "core/train/lines.hpp"

#include <algorithm>

namespace headcount {
namespace {

// Of a text that an encoder reads every seventh token is hidden, from another one on in each line.
bool is_hidden(const TaskLine& line, std::size_t place, bool text) {
    if (!text) return place >= line.answer;
    return (place + static_cast<std::size_t>(line.ids.front())) % 7 == 3;
}

}  // namespace

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
        form.scattered = !task.has_answers();
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
            for (std::size_t place = 0; place < line.ids.size(); ++place) {
                const bool hidden = is_hidden(line, place, scattered);
                batch.ids.push_back(hidden ? task.mask() : line.ids[place]);
                batch.targets.push_back(hidden ? line.ids[place] : -1);
            }
        }
        if (!counts) std::fill(batch.targets.end() - tokens, batch.targets.end(), -1);
    }
    return batch;
}

std::vector<AnsweredToken> LineForm::answer(const MatrixView& logits, const TaskLine& line, std::size_t index) const {
    std::vector<AnsweredToken> found;
    const auto first = static_cast<std::int64_t>(line.answer) - (kind == Kind::next     ? 1
                                                                 : kind == Kind::stacks ? source
                                                                                        : 0);
    for (std::size_t place = line.answer; place < line.ids.size(); ++place) {
        if (kind == Kind::masked && !is_hidden(line, place, scattered)) continue;
        const std::int64_t row =
            static_cast<std::int64_t>(index) * tokens + first + static_cast<std::int64_t>(place - line.answer);
        const float* const scores = logits.data + row * logits.row_step;
        found.push_back(
            {static_cast<std::int32_t>(std::max_element(scores, scores + logits.columns) - scores), line.ids[place]});
    }
    return found;
}

}  // namespace headcount
