// devices, run as a script would, with a folder of its own for what is kept.
#include <gtest/gtest.h>

#include "tests/app/cli/session.hpp"
#include "tests/support/own_folder.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::OwnFolder;
using testing_data::Ran;
using testing_data::run;

TEST(DevicesCommand, ListsAllThatShip) {
    const OwnFolder folder;
    const json all = run({"devices", "--json"}).json();
    EXPECT_GE(all["devices"].size(), 60U);
    for (const json& each : all["devices"]) EXPECT_FALSE(each["source"].get<std::string>().empty()) << each;
    const Ran text = run({"devices"});
    EXPECT_TRUE(has(text.out, "h100") && has(text.out, "3350 GB/s")) << text.out;
    EXPECT_TRUE(has(run({"devices", "--csv"}).out, "h100,NVIDIA H100 SXM"));
}

TEST(DevicesCommand, MeasuresThisMachineForEveryCommand) {
    const OwnFolder folder;
    EXPECT_EQ(run({"memory", "gpt2", "--tokens", "8", "--device", "this-machine"}).status(), 1);
    for (int i = 0; i < 2; ++i) {
        const Ran measured = run({"devices", "--measure", "--threads", "1", "--json"});
        ASSERT_EQ(measured.status(), 0) << measured.err;
        const json machine = measured.json()["devices"];
        ASSERT_EQ(machine.size(), 1U);
        EXPECT_GT(machine[0]["bandwidth"], 1e8);
        EXPECT_GT(machine[0]["flops_32"], 1e8);
        EXPECT_GT(machine[0]["memory_mib"], 100);
    }
    const json found = run({"compute", "gpt2", "--tokens", "8", "--device", "this-machine", "--json"}).json();
    EXPECT_EQ(found["input"]["device"], "this-machine");
    EXPECT_GT(found["prefill"]["seconds"], 0);
}

TEST(DevicesCommand, ALinkSaysOfWhichOneItIsAndOfNoOther) {
    const OwnFolder folder;
    std::string link = run({"link", "llama-3-8b", "--tokens", "8k", "--device", "rtx-4090", "--phase", "decode"}).out;
    link.pop_back();
    const json own = run({"compute", link, "--json"}).json();
    EXPECT_EQ(own["input"]["device"], "rtx-4090");
    EXPECT_EQ(
        own["decode"]["seconds"],
        run({"compute", "llama-3-8b", "--tokens", "8k", "--device", "rtx-4090", "--json"}).json()["decode"]["seconds"]);
    const Ran swept = run({"sweep", link, "--vary", "layers=8,16", "--show", "seconds"});
    EXPECT_EQ(swept.status(), 0) << swept.err;
    const json both = run({"compare", link, "llama-2-7b", "--json"}).json();
    EXPECT_EQ(run({"compare", "llama-3-8b", "llama-2-7b", "--tokens", "8k", "--device", "rtx-4090", "--phase", "decode",
                   "--json"})
                  .json()["b"],
              both["b"])
        << "of the link's input too";
    const Ran none = run({"compute", "#v=1&m=llama-3-8b&tokens=8192&device=abacus", "--json"});
    EXPECT_TRUE(has(none.err, "abacus")) << none.err;
    EXPECT_FALSE(none.json()["input"].contains("device"));
    EXPECT_TRUE(has(run({"sweep", "#v=1&m=gpt2", "--vary", "layers=8,16", "--show", "seconds"}).err, "--device"));
}

TEST(DevicesCommand, LeavesOnesOwnOutWhereTheirFileIsDamaged) {
    const OwnFolder folder;
    const testing_data::Scratch scratch;
    folder.file("devices.json", "{");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"memory", "gpt2", "--tokens", "8", "--device", "h100"},
          {"memory", "gpt2", "--tokens", "8"},
          {"sweep", "gpt2", "--vary", "device=h100,a100"},
          {"report", "gpt2", "--device", "h100", "-o", (scratch.folder() / "r.md").string()}}) {
        const Ran ran = run(words);
        EXPECT_EQ(ran.status(), 0) << words.front() << ran.err;
        EXPECT_TRUE(has(ran.err, "note: One's own devices are left out: ") && has(ran.err, "devices.json"))
            << words.front() << ran.err;
    }
    const Ran mine = run({"memory", "gpt2", "--tokens", "8", "--device", "mine"});
    EXPECT_EQ(mine.status(), 1);
    EXPECT_TRUE(has(mine.err, "devices.json")) << "it may be there: " << mine.err;
    EXPECT_EQ(run({"devices"}).status(), 1) << "a list of all needs them";
}

TEST(DevicesCommand, OneThatThereIsNotIsAnErrorAndNoWrongWord) {
    const OwnFolder folder;
    const Ran named = run({"memory", "gpt2", "--tokens", "8", "--device", "abacus"}),
              varied = run({"sweep", "gpt2", "--vary", "device=h100,abacus"});
    EXPECT_EQ(named.status(), 1);
    EXPECT_EQ(varied.status(), 1);
    EXPECT_TRUE(has(named.err, "there is no such device: --device, abacus")) << named.err;
    EXPECT_TRUE(has(varied.err, "there is no such device: --vary, abacus")) << varied.err;
    EXPECT_EQ(run({"sweep", "gpt2", "--vary", "device=mem=80"}).status(), 2) << "no device is written so";
}

TEST(DevicesCommand, SaysWhatIsWrongWithOnesOwn) {
    const OwnFolder folder;
    folder.file("devices.json", R"({"devices": [{"id": "h100", "name": "Mine", "memory_mib": 9,)"
                                R"( "source": "me"}]})");
    const Ran taken = run({"devices"});
    EXPECT_EQ(taken.status(), 1);
    EXPECT_TRUE(has(taken.err, "the id \"h100\" is that of a device that ships") && has(taken.err, "devices.json"))
        << taken.err;
    folder.file("devices.json", "{");
    EXPECT_EQ(run({"devices", "--measure"}).status(), 1);
    EXPECT_EQ(run({"devices", "--threads", "2"}).status(), 2);
}

}  // namespace
}  // namespace headcount
