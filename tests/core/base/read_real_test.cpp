// Real numbers are read alike with every standard library.
#include "core/base/read_real.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace headcount {
namespace {

#if !defined(_LIBCPP_VERSION) || _LIBCPP_VERSION >= 200000  // else there is nothing to compare with
TEST(ReadReal, IsTheSameByStrtodAsByFromChars) {
    for (const std::string_view text : {"1",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "",
                                        "-",
                                        "--1",
                                        "1e-5",
                                        "1E5",
                                        "1e",
                                        "1e+",
                                        "1.5.2",
                                        ".5",
                                        "5.",
                                        ".",
                                        "-.5",
                                        "0x10",
                                        "-0X1p3",
                                        "0",
                                        "-0",
                                        "007",
                                        "1e999",
                                        "-1e999",
                                        "1e-999",
                                        "4.9e-324",
                                        "inf",
                                        "-Infinity",
                                        "infinite",
                                        "nan",
                                        "NAN",
                                        "-nan",
                                        "none",
                                        "i",
                                        "12abc",
                                        "1,000",
                                        "0.1",
                                        "3.141592653589793",
                                        "1\n",
                                        "e5",
                                        "1e5e5"}) {
        double expected = 7, found = 7;
        const char* const end = text.data() + text.size();
        const auto [as_chars, wanted] = std::from_chars(text.data(), end, expected);
        const auto [after, wrong] = read_real_by_strtod(text.data(), end, found);
        EXPECT_EQ(wrong, wanted) << text;
        EXPECT_EQ(after - text.data(), as_chars - text.data()) << text;
        EXPECT_TRUE(std::isnan(expected) ? std::isnan(found) : std::memcmp(&expected, &found, sizeof found) == 0)
            << text << ": " << found;
    }
}
#endif

}  // namespace
}  // namespace headcount
