// What a question is asked about: an architecture with its input, expanded and counted once.
#include "core/lesson/lesson_model.hpp"

#include "core/arch/validate.hpp"

namespace headcount {

Result<LessonModelPtr> lesson_model(const Architecture& arch, const Input& input) {
    if (const std::vector<Problem> problems = validate(arch); !problems.empty()) return problems.front().error;
    if (const std::vector<Error> errors = validate(arch, input); !errors.empty()) return errors.front();
    auto model = std::make_shared<LessonModel>(LessonModel{
        arch, input, expand(arch, input.cached > 0 ? Cache::filled : Cache::empty), bindings(arch, input), {}});
    Result<Parameters> parameters = count_parameters(model->graph, model->bindings);
    if (!parameters) return parameters.error();
    model->parameters = std::move(*parameters);
    return LessonModelPtr(std::move(model));
}

}  // namespace headcount
