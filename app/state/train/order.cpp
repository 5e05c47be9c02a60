// Two trainings, setting by setting.
#include <vector>

#include "app/state/train/snapshot.hpp"
#include "core/arch/fields.hpp"
#include "core/base/text.hpp"

namespace headcount {

bool TrainOrder::goes_on_as(const TrainOrder& other) const {
    TrainOrder same = *this;
    same.settings.learning_rate = other.settings.learning_rate;
    return same == other;
}

std::string difference_words(const TrainOrder& of, const TrainOrder& than) {
    constexpr std::size_t most_fields = 3;  // else it is another model
    const TrainSettings &one = of.settings, &other = than.settings;
    std::vector<std::string> words;
    if (one.task != other.task) words.push_back(task_title(one.task));
    const std::vector<Field> fields = changed_fields(than.architecture, of.architecture);
    // What no field says, such as a second stack, is another model, too.
    const bool another = fields.size() > most_fields || (fields.empty() && of.architecture != than.architecture);
    if (another) words.push_back(of.architecture.name);
    for (const Field field : fields)
        if (fields.size() <= most_fields)
            words.push_back(std::string(info(field).label) + " " + field_words(of.architecture, field));
    const auto say = [&](bool differs, std::string_view what, const std::string& value) {
        if (differs) words.push_back(std::string(what) + " " + value);
    };
    say(one.optimizer.kind != other.optimizer.kind, "optimizer",
        std::string(word_of(optimizer_kind_words, one.optimizer.kind)));
    say(one.learning_rate != other.learning_rate, "learning rate", factor_text(one.learning_rate));
    say(one.clip != other.clip, "longest gradient", factor_text(one.clip));
    say(one.batch != other.batch, "batch", grouped(one.batch));
    say(one.steps != other.steps || one.warm_up != other.warm_up, "schedule of", grouped(one.steps) + " steps");
    say(one.seed != other.seed, "seed", std::to_string(one.seed));
    if (words.empty()) return "the same";
    return listed(words);
}

}  // namespace headcount
