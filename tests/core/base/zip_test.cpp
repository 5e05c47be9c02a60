// Archives, as others read them.
#include "core/base/zip.hpp"

#include <gtest/gtest.h>

#include <array>

namespace headcount {
namespace {

TEST(ZipArchives, HaveTheirFilesAndAChecksum) {
    const std::array<ZipEntry, 2> files{{{"a.txt", "123456789"}, {"b/c", ""}}};
    const std::string zip = zip_archive(files);
    // Of "123456789" the checksum is published: 0xCBF43926.
    EXPECT_EQ(zip.substr(14, 4), "\x26\x39\xF4\xCB");
    EXPECT_EQ(zip.substr(30, 14), "a.txt123456789");
    const std::size_t directory = zip.find("PK\x01\x02"), end = zip.find("PK\x05\x06");
    ASSERT_NE(directory, std::string::npos);
    ASSERT_EQ(zip.size(), end + 22);
    EXPECT_EQ(zip[end + 10], 2);
    EXPECT_EQ(static_cast<unsigned char>(zip[end + 12]), end - directory);
    EXPECT_EQ(static_cast<unsigned char>(zip[end + 16]), directory);
    EXPECT_EQ(zip, zip_archive(files));
}

}  // namespace
}  // namespace headcount
