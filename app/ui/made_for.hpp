// What the figures that are drawn now were made for: it stands in whatever is saved or copied of them.
#pragma once

#include <functional>
#include <string>

#include "app/ui/ui.hpp"

namespace headcount {

// While it lives, what is drawn is of what this says in a line; it is worked out where that is asked for.
class MadeFor {
  public:
    MadeFor(const Ui& ui, std::function<std::string()> says);
    ~MadeFor();
    MadeFor(const MadeFor&) = delete;
    MadeFor& operator=(const MadeFor&) = delete;

  private:
    std::function<std::string()>& says_;
};

// Empty where nothing is to be said.
std::string made_for_here(const Ui& ui);

}  // namespace headcount
