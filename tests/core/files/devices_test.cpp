// The file of devices: what it holds, and what is wrong with one that somebody else wrote.
#include "core/files/devices.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/base/text.hpp"
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
        EXPECT_TRUE(device.bandwidth || !device.flops_16) << device.id;
    }
    EXPECT_GE(ids.size(), 40U);
    for (const char* id : {"phone", "laptop", "rtx-4090", "rtx-5090", "a100", "h100", "h200", "b200", "gb200", "mi300x",
                           "mi355x", "gaudi3", "tpu-v5e", "tpu-v7", "m1", "m5"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

// As nvidia-smi and hl-smi print it, or in the GiB of the maker's documentation: a "GB" there may be 2^30 bytes.
TEST(Devices, HaveTheMemoryThatTheirDriversReport) {
    const Result<std::vector<Device>> devices = shipped_devices();
    ASSERT_TRUE(devices);
    for (const auto& [id, mib] : {std::pair("h100", 81'559),
                                  {"h200", 143'771},
                                  {"b200", 183'359},
                                  {"gb200", 189'471},
                                  {"gb300", 284'208},
                                  {"gaudi2", 98'304},
                                  {"gaudi3", 131'072},
                                  {"tpu-v5e", 16'384},
                                  {"tpu-v5p", 97'280},
                                  {"tpu-v6e", 32'768},
                                  {"tpu-v7", 196'608},
                                  {"trainium2", 98'304}})
        EXPECT_EQ(find_device(*devices, id)->memory >> 20, mib) << id;
    for (const Device& device : *devices) {
        const std::size_t unit = device.source.find(" GiB");
        if (unit == std::string::npos) continue;
        const std::size_t start = device.source.find_last_not_of("0123456789", unit - 1) + 1;
        EXPECT_EQ(device.memory >> 30, std::stoll(device.source.substr(start, unit - start))) << device.id;
    }
}

TEST(Devices, AnUnknownOneIsAnsweredWithTheNearest) {
    const Result<std::vector<Device>> devices = shipped_devices();
    ASSERT_TRUE(devices);
    EXPECT_EQ(find_device(*devices, "h100")->name, "NVIDIA H100 SXM");
    EXPECT_EQ(sentence(find_device(*devices, "rtx-4091").error()),
              "there is no such device: rtx-4091: did you mean rtx-4090, rtx-3090, rtx-4080?");
    EXPECT_NE(find_device(*devices, "abacus").error().fix.find("such as phone"), std::string::npos);
}

TEST(Devices, AreFoundHoweverTheirNamesAreWritten) {
    const Result<std::vector<Device>> devices = shipped_devices();
    ASSERT_TRUE(devices);
    for (const Device& device : *devices) {
        EXPECT_EQ(find_device(*devices, device.id)->id, device.id);
        if (const Result<Device> named = find_device(*devices, device.name)) {
            EXPECT_EQ(named->id, device.id) << device.name;
        }
    }
    for (const auto& [text, id] : {std::pair("RTX 4090", "rtx-4090"),
                                   {"rtx4090", "rtx-4090"},
                                   {"H100", "h100"},
                                   {"NVIDIA H100", "h100"},
                                   {"GeForce RTX 4090", "rtx-4090"},
                                   {"4090", "rtx-4090"},
                                   {"A100 40GB", "a100-40gb"}})
        EXPECT_EQ(find_device(*devices, text)->id, id) << text;
    EXPECT_FALSE(find_device(*devices, ""));
    for (const char* several : {"NVIDIA", "80gb", "40gb", "16gb", "100"})
        EXPECT_FALSE(find_device(*devices, several)) << several;
}

TEST(Devices, NoneIsFasterInMoreBits) {
    const Result<std::vector<Device>> devices = shipped_devices();
    ASSERT_TRUE(devices);
    for (const Device& device : *devices) {
        const std::optional<double> peaks[] = {device.flops_32, device.flops_tf32, device.flops_16, device.flops_fp8,
                                               device.flops_fp4};
        double before = 0;
        for (const std::optional<double>& peak : peaks) {
            if (!peak) continue;
            EXPECT_GE(*peak, before) << device.id;
            before = *peak;
        }
    }
}

TEST(Devices, OneMadeByHandIsReadFromItsNumbers) {
    const Result<Device> made = parse_device("mem=80GB,bw=3.35TB/s,fp16=989T,fp8=1979TFLOP/s");
    ASSERT_TRUE(made) << sentence(made.error());
    EXPECT_EQ(made->memory, 80'000'000'000);
    EXPECT_DOUBLE_EQ(*made->bandwidth, 3.35e12);
    EXPECT_DOUBLE_EQ(*made->flops_16, 989e12);
    EXPECT_DOUBLE_EQ(*made->flops_fp8, 1979e12);
    EXPECT_FALSE(made->flops_32);
    EXPECT_EQ(sentence(parse_device("bw=1TB/s").error()), "the device has no memory: bw=1TB/s: add mem=80GB");
    EXPECT_NE(sentence(parse_device("mem=80GB,fp15=1T").error()).find("a device has no \"fp15\""), std::string::npos);
    EXPECT_FALSE(parse_device("mem=80GB,bw=fast"));
    EXPECT_EQ(parse_device("MEM=80GB,FP16=989T")->flops_16, made->flops_16);
    for (const char* twice : {"fp16=10T", "bf16=10T"})
        EXPECT_NE(sentence(parse_device("mem=80GB,fp16=9T," + std::string(twice)).error()).find("was said before: "),
                  std::string::npos);
}

TEST(Devices, WhatIsWrongInAFileIsSaidWithItsPlace) {
    const testing_data::Scratch scratch;
    // What is said behind the file's name.
    const auto read = [&](const std::string& devices) {
        const std::string path = scratch.file("hardware.json", devices);
        const Result<std::vector<Device>> loaded = load_devices(path);
        if (loaded) return std::string("nothing");
        EXPECT_TRUE(loaded.error().where.starts_with(path)) << sentence(loaded.error());
        const std::string said = sentence(loaded.error());
        return said.substr(0, said.find(": " + path)) + said.substr(said.find(path) + path.size());
    };
    const auto second = [&](const std::string& fields) {
        return read(R"({"devices": [{"id": "a", "name": "A", "source": "s", "memory_mib": 1}, {)" + fields + "}]}");
    };
    const std::string device = R"("id": "b", "name": "B", "source": "s", "memory_mib": )";
    EXPECT_EQ(second(device + "1"), "nothing");
    EXPECT_EQ(read("{}"), "there is no \"devices\", devices: give a list");
    EXPECT_EQ(read(R"({"devices": []})"), "a list of 0 is too short, devices: give at least 1");
    EXPECT_EQ(read(R"({"devices": [7]})"), "this is not a device, devices[0]: put each in { }");
    EXPECT_EQ(read(R"({"device": []})"), "there is no \"device\" here, device: did you mean devices?");
    EXPECT_EQ(second(R"("id": "b")"), "there is no \"name\", devices[1].name: give a text in quotes");
    EXPECT_EQ(second(device + R"(1, "bandwith": 1)"),
              "there is no \"bandwith\" here, devices[1].bandwith: did you mean bandwidth?");
    EXPECT_EQ(second(R"("id": "a", "name": "B", "source": "s", "memory_mib": 1)"),
              "the id \"a\" is also that of devices[0], devices[1].id: change one");
    EXPECT_EQ(second(R"("id": "b", "name": "B", "source": "s")"),
              "there is no \"memory_mib\", devices[1].memory_mib: give its memory in MiB");
    for (const char* const memory : {"0", "-1", "1.5", "\"1\"", "9223372036854775807", "18446744073709551615"})
        EXPECT_EQ(
            second(device + memory),
            "this is not a whole number from 1 to 8,796,093,022,207, devices[1].memory_mib: give one, without quotes")
            << memory;
    for (const char* const key : {"bandwidth", "flops_16", "flops_32"})
        for (const char* const speed : {"0", "-1", "\"fast\"", "null"})
            EXPECT_EQ(second(device + "1, \"" + key + "\": " + speed), "this is no positive number, devices[1]." +
                                                                           std::string(key) +
                                                                           ": say how much a second, or leave it out");
}

TEST(Devices, MadeByHandHaveUnits) {
    EXPECT_EQ(sentence(parse_device("mem=80,bw=3TB/s").error()),
              "that is too little for any device: mem=80: write its unit, such as mem=80GB");
    EXPECT_EQ(sentence(parse_device("mem=80GB,bw=3").error()),
              "\"3\" is too little for any device: bw=3: write its unit, such as 3TB/s");
    EXPECT_EQ(parse_device("mem=80GB,bw=3350GB/s")->bandwidth, parse_device("mem=80GB,bw=26.8Tb/s")->bandwidth);
    EXPECT_EQ(sentence(parse_device("mem=80Gb").error()),
              "a small b is a bit: mem=80Gb: write bytes, such as mem=80GB");
    EXPECT_EQ(sentence(parse_device("mem=80GB,fp16=989").error()),
              "that is too little for any device: fp16=989: write its unit, such as fp16=989T");
    EXPECT_TRUE(parse_device("mem=80e9,bw=3e12"));
}

}  // namespace
}  // namespace headcount
