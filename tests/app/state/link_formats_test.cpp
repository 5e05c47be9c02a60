// Claims about the number formats of a model that a link names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/link.hpp"
#include "core/files/documents.hpp"
#include "core/files/stored_formats.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::all_presets;
using testing::HasSubstr;

TEST(LinkedStates, HaveTheFormatsOfThePublishedModelUnlessTheySayOthers) {
    const auto formats = [](const std::string& text) {
        return read_link(text, all_presets())->state.document.input.precision;
    };
    const std::optional<Formats> own = quantized_formats(find_preset(all_presets(), "gpt-oss-20b")->architecture);
    EXPECT_EQ(formats("#v=1&m=gpt-oss-20b"), own);
    EXPECT_EQ(formats("#v=1&m=gpt-oss-20b&dtype=bf16"), Formats(Precision::bf16));
    Linked state;
    state.document = document_of(*find_preset(all_presets(), "gpt-oss-20b"));
    EXPECT_EQ(state.document.input.precision, own);
    state.document.input.precision = Precision::bf16;
    EXPECT_THAT(write_link(state, all_presets())->text, HasSubstr("dtype=bf16"));
}

}  // namespace
}  // namespace headcount
