// What a model's own file says that Headcount does not read: kept, so that an export says it again.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headcount {

// Fields of a configuration by name, each as JSON text, sorted by name. Copies share one list, which never changes.
class Carried {
  public:
    using Field = std::pair<std::string, std::string>;

    Carried() = default;
    explicit Carried(std::vector<Field> fields) {
        if (!fields.empty()) fields_ = std::make_shared<const std::vector<Field>>(std::move(fields));
    }

    const std::vector<Field>& fields() const {
        static const std::vector<Field> nothing;
        return fields_ ? *fields_ : nothing;
    }
    // A field's value as JSON text; null where the file does not have it.
    const std::string* find(std::string_view name) const {
        for (const auto& [key, value] : fields())
            if (key == name) return &value;
        return nullptr;
    }

    bool operator==(const Carried& other) const { return fields_ == other.fields_ || fields() == other.fields(); }

  private:
    std::shared_ptr<const std::vector<Field>> fields_;
};

}  // namespace headcount
