// The program's data is found from any working directory, and a wrong place is named.
#include "core/files/assets.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace headcount {
namespace {

// HEADCOUNT_ASSETS as it was, at the end of the test.
class AssetsDirectory : public testing::Test {
  protected:
    void SetUp() override {
        if (const char* named = std::getenv("HEADCOUNT_ASSETS")) before_ = named;
        working_directory_ = std::filesystem::current_path();
    }
    void TearDown() override {
        std::filesystem::current_path(working_directory_);
        if (before_)
            setenv("HEADCOUNT_ASSETS", before_->c_str(), 1);
        else
            unsetenv("HEADCOUNT_ASSETS");
    }

  private:
    std::optional<std::string> before_;
    std::filesystem::path working_directory_;
};

TEST_F(AssetsDirectory, HoldsThePresetsWhateverTheWorkingDirectory) {
    unsetenv("HEADCOUNT_ASSETS");
    std::filesystem::current_path("/");
    const auto found = assets_directory();
    ASSERT_TRUE(found) << sentence(found.error());
    EXPECT_TRUE(std::filesystem::exists(*found / "presets" / "llama-2-7b.json"));
}

TEST_F(AssetsDirectory, IsTheOneThatTheEnvironmentNames) {
    setenv("HEADCOUNT_ASSETS", testing::TempDir().c_str(), 1);
    const auto found = assets_directory();
    ASSERT_TRUE(found) << sentence(found.error());
    EXPECT_EQ(*found, std::filesystem::path(testing::TempDir()));
}

TEST_F(AssetsDirectory, IsAnErrorThatNamesThePlaceWhenTheEnvironmentIsWrong) {
    setenv("HEADCOUNT_ASSETS", "/nonexistent/assets", 1);
    const auto found = assets_directory();
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().where, "/nonexistent/assets");
    EXPECT_NE(found.error().fix.find("HEADCOUNT_ASSETS"), std::string::npos);
}

}  // namespace
}  // namespace headcount
