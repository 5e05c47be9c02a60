// The file of devices: what it holds, and what is wrong with one that somebody else wrote.
#include "core/files/devices.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

TEST(Devices, ThatShipHaveMemoryAndASource) {
    const Result<std::vector<Device>> devices = shipped_devices();
    ASSERT_TRUE(devices) << sentence(devices.error());
    std::set<std::string> ids;
    for (const Device& device : *devices) {
        EXPECT_TRUE(ids.insert(device.id).second) << device.id << " is there twice";
        EXPECT_GE(device.memory, std::int64_t{1} << 30) << device.id;
        EXPECT_FALSE(device.source.empty()) << device.id;
        EXPECT_EQ(device.bandwidth.has_value(), device.flops_16.has_value()) << device.id;
    }
    for (const char* id : {"phone", "laptop", "rtx-4090", "a100", "h100", "h200"}) EXPECT_TRUE(ids.contains(id)) << id;
}

TEST(Devices, AnUnknownOneIsAnsweredWithTheNearest) {
    const Result<std::vector<Device>> devices = shipped_devices();
    ASSERT_TRUE(devices);
    EXPECT_EQ(find_device(*devices, "h100")->name, "NVIDIA H100 SXM");
    EXPECT_EQ(sentence(find_device(*devices, "rtx-4080").error()),
              "there is no such device: rtx-4080: did you mean rtx-4090?");
    EXPECT_NE(find_device(*devices, "abacus").error().fix.find("use one of phone"), std::string::npos);
}

TEST(Devices, WhatIsWrongInAFileIsSaidWithItsPlace) {
    const testing_data::Scratch scratch;
    const auto read = [&](const std::string& text) {
        const Result<std::vector<Device>> devices = load_devices(scratch.file("hardware.json", text));
        return devices ? std::string() : sentence(devices.error());
    };
    EXPECT_NE(read(R"({})").find("there is no list \"devices\""), std::string::npos);
    EXPECT_NE(read(R"({"devices": [7]})").find("a device is no object"), std::string::npos);
    EXPECT_NE(read(R"({"devices": [{"id": "a"}]})").find("there is no text \"name\""), std::string::npos);
    const std::string start = R"({"devices": [{"id": "a", "name": "A", "source": "s", )";
    EXPECT_NE(read(start + R"("memory_mib": 0}]})").find("no size"), std::string::npos);
    EXPECT_NE(read(start + R"("memory_mib": 9223372036854775807}]})").find("no size"), std::string::npos);
    EXPECT_NE(read(start + R"("memory_mib": 1, "bandwidth": -1}]})").find("no positive number"), std::string::npos);
    EXPECT_EQ(read(start + R"("memory_mib": 1}]})"), "");
}

}  // namespace
}  // namespace headcount
