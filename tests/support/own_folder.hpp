// A folder that stands for the user's own data while it lives.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/scratch.hpp"

namespace headcount::testing_data {

class OwnFolder {
  public:
    OwnFolder() {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, scratch_.folder().c_str(), 1);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder() { before_ ? setenv(name, before_->c_str(), 1) : unsetenv(name); }

    // Writes a file of the user's own.
    std::string file(const std::string& own, const std::string& text) const {
        return scratch_.file("headcount/" + own, text);
    }

  private:
    static constexpr const char* name = "XDG_DATA_HOME";
    Scratch scratch_;
    std::optional<std::string> before_;
};

}  // namespace headcount::testing_data
