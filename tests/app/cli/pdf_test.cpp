// Reports and the poster as PDF files, with a program of our own in the place of the one that makes them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/json_file.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

// Nothing is found but what lies in this folder.
class OnlyPath {
  public:
    explicit OnlyPath(const std::filesystem::path& folder) { setenv("PATH", folder.c_str(), 1); }
    ~OnlyPath() { setenv("PATH", before_.c_str(), 1); }
    OnlyPath(const OnlyPath&) = delete;
    OnlyPath& operator=(const OnlyPath&) = delete;

  private:
    std::string before_ = std::getenv("PATH");
};

struct PdfFiles : testing::Test {
    void make_with(const std::string& script) {
        std::filesystem::permissions(scratch.file("bin/weasyprint", "#!/bin/sh\n" + script),
                                     std::filesystem::perms::owner_all);
    }
    Ran report() { return run({"report", "gpt2", "-o", file}); }

    Scratch scratch;
    const OnlyPath only{scratch.folder() / "bin"};
    const std::string file = (scratch.folder() / "out.pdf").string();
};

TEST_F(PdfFiles, AreWhatIsMadeOfThePage) {
    make_with("{ printf '%%PDF '; /bin/cat \"$1\"; } > \"$2\"\n");
    ASSERT_EQ(report().status(), 0);
    const std::string page = *read_text(file);
    EXPECT_TRUE(page.starts_with("%PDF <!DOCTYPE html>") && has(page, "124,439,808")) << page;
    const Ran poster = run({"poster", "gpt2", "llama-7b", "-o", file});
    ASSERT_EQ(poster.status(), 0) << poster.err;
    EXPECT_TRUE(has(*read_text(file), "size: 594mm 420mm") && has(*read_text(file), "GPT-2"));
}

TEST_F(PdfFiles, ThatAreNotMadeAreAnErrorThatSaysByWhom) {
    make_with("exit 3\n");
    const Ran failed = report();
    EXPECT_EQ(failed.status(), 1);
    EXPECT_TRUE(has(failed.err, "weasyprint could not make the PDF file")) << failed.err;
    make_with("echo no PDF > \"$2\"\n");
    EXPECT_EQ(report().status(), 1);
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(PdfFiles, NeedAProgramThatMakesThem) {
    const Ran none = report();
    EXPECT_EQ(none.status(), 1);
    EXPECT_TRUE(has(none.err, "install weasyprint or chromium, or write .html")) << none.err;
}

}  // namespace
}  // namespace headcount
