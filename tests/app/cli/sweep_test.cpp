// sweep over formats, devices and models, with the columns that are asked for; run as a script would.
#include <gtest/gtest.h>

#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(Sweep, VariesFormatsAndDevicesAsOneCommandAfterTheOtherWould) {
    const json found = run({"sweep", "gpt2", "--vary", "dtype=bf16,int4", "--vary", "kv-dtype=bf16,int8", "--vary",
                            "device=h100,rtx-4090", "--tokens", "64", "--json"})
                           .json();
    EXPECT_EQ(found["vary"], (json{"dtype", "kv_dtype", "device"}));
    ASSERT_EQ(found["points"].size(), 8u);
    EXPECT_EQ(found["points"][5]["values"], (json{"int4", "bf16", "rtx-4090"}));
    for (const json& point : found["points"]) {
        const auto word = [&](std::size_t i) { return point["values"][i].get<std::string>(); };
        const json alone = run({"sweep", "gpt2", "--vary", "tokens=64", "--dtype", word(0), "--kv-dtype", word(1),
                                "--device", word(2), "--json"})
                               .json()["points"][0];
        for (const auto& [figure, value] : alone.items())
            if (figure != "values") {
                EXPECT_EQ(point[figure], value) << figure << " of " << point["values"];
            }
        EXPECT_TRUE(point.contains("seconds") && point.contains("memory"));
    }
}

TEST(Sweep, VariesFormatsByKindAndCachesAsTheyAre) {
    const auto memory = [](const std::vector<std::string>& words) {
        std::vector<std::string> all{"sweep", "mixtral-8x7b", "--memory", "--tokens", "8k", "--json", "--vary"};
        all.insert(all.end(), words.begin(), words.end());
        return run(all).json()["points"][0]["memory"];
    };
    EXPECT_EQ(memory({"dtype=experts=mxfp4,rest=fp8"}), memory({"layers=32", "--dtype", "experts=mxfp4,rest=fp8"}));
    EXPECT_EQ(memory({"kv_dtype=file,int8"}), memory({"layers=32"}));
}

TEST(Sweep, VariesHowManyDevicesThereAreAsOneCommandAfterTheOtherWould) {
    const std::vector<std::string> words{
        "--device", "h100", "--tokens", "1k", "--show", "memory,seconds,time_per_token,users", "--json"};
    const auto swept = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"sweep", "llama-3-8b"});
        more.insert(more.end(), words.begin(), words.end());
        return run(more).json();
    };
    for (const auto& [group, flag] : {std::pair("tensor", "--tensor"),
                                      {"pipeline", "--pipeline"},
                                      {"context_parallel", "--context"},
                                      {"devices", "--devices"}}) {
        const json found = swept({"--vary", std::string(group) + "=1..8:x2"});
        EXPECT_EQ(found["vary"], json{group});
        ASSERT_EQ(found["points"].size(), 4U) << group;
        EXPECT_EQ(found["points"][3]["values"], json{8});
        for (const json& point : found["points"]) {
            const json alone =
                swept({"--vary", "batch=1", flag, std::to_string(point["values"][0].get<int>())})["points"][0];
            for (const char* figure : {"memory", "seconds", "time_per_token", "largest_batch"})
                EXPECT_EQ(point[figure], alone[figure]) << group << ' ' << point["values"];
        }
    }
    const auto experts = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"sweep", "mixtral-8x7b", "--device", "h100", "--tokens", "1k", "--json"});
        return run(more).json()["points"];
    };
    const json groups = experts({"--vary", "expert_parallel=1,4,8", "--tensor", "2"});
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[2]["memory"], experts({"--vary", "layers=32", "--tensor", "2", "--expert", "8"})[0]["memory"]);
    EXPECT_LT(groups[2]["memory"], groups[0]["memory"]) << "16 devices, of two that divide all else";
    const json divided = swept({"--vary", "tensor=1,2", "--vary", "devices=1,2,4"});
    EXPECT_EQ(divided["left_out"], 1) << "two do not divide one";
    const auto text = [](const char* vary) { return run({"sweep", "llama-3-8b", "--vary", vary}).out; };
    EXPECT_TRUE(has(text("tensor=1,2,4"), ", tensor=1,2,4; "));
    EXPECT_TRUE(has(text("devices=1,2"), "vary tensor to divide it"));
    EXPECT_FALSE(has(text("tensor=1,2"), "copies"));
}

TEST(Sweep, DividesSoManyDevicesInGroupsOfEachSize) {
    const auto swept = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"sweep", "mixtral-8x7b", "--device", "h100", "--devices", "8", "--batch", "64"});
        return run(more);
    };
    const std::vector<std::string> shown{"--show", "memory,time_per_token", "--json"};
    const auto points = [&](std::vector<std::string> more) {
        more.insert(more.end(), shown.begin(), shown.end());
        return swept(more).json()["points"];
    };
    const json groups = points({"--vary", "expert_parallel=1,2,3,8"});
    ASSERT_EQ(groups.size(), 3U) << "three do not divide eight";
    for (const json& point : groups) {
        const std::string size = std::to_string(point["values"][0].get<int>());
        const json alone = points({"--vary", "layers=32", "--expert", size})[0];
        for (const char* figure : {"memory", "time_per_token"}) EXPECT_EQ(point[figure], alone[figure]) << size;
    }
    const Ran text = swept({"--vary", "tensor=2,4", "--pipeline", "2"});
    EXPECT_TRUE(has(text.out, ", devices=8, tensor=2,4, pipeline=2; ")) << text.out;
    EXPECT_FALSE(has(text.err, "copies")) << text.err;
    const Ran just_enough = swept({"--vary", "tensor=1,2", "--pipeline", "8"});
    EXPECT_TRUE(has(just_enough.out, ", devices=8, tensor=1,2, pipeline=8; ")) << just_enough.out;
}

TEST(Sweep, VariesWhatEachDeviceSends) {
    const auto swept = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"sweep", "llama-3-8b", "--device", "h100", "--tokens", "8k", "--show", "seconds"});
        return run(more);
    };
    const json found = swept({"--vary", "link=10GB/s,400Gb/s", "--vary", "tensor=2,8", "--json"}).json();
    EXPECT_EQ(found["vary"], (json{"link", "tensor"}));
    ASSERT_EQ(found["points"].size(), 4U);
    for (const json& point : found["points"])
        EXPECT_EQ(point["seconds"], swept({"--vary", "layers=32", "--link", point["values"][0], "--tensor",
                                           std::to_string(point["values"][1].get<int>()), "--json"})
                                        .json()["points"][0]["seconds"])
            << point["values"];
    EXPECT_GT(found["points"][1]["seconds"], found["points"][3]["seconds"]) << "a slow link";
    EXPECT_TRUE(has(swept({"--vary", "link=10GB/s", "--tensor", "2"}).out, ", each sends 10GB/s; "));
    EXPECT_TRUE(has(swept({"--vary", "link=10GB/s"}).err, "nothing is sent between devices: --vary link: "));
    EXPECT_TRUE(has(swept({"--vary", "link=10", "--tensor", "2"}).err, "write its unit"));
    EXPECT_TRUE(has(swept({"--vary", "link=1GB/s", "--link", "2GB/s", "--tensor", "2"}).err, "leave it out"));
}

TEST(Sweep, TakesAFormatAsItIsStored) {
    const testing_data::Scratch scratch;
    const std::string file = scratch.file("config.json", R"({"model_type": "llama", "hidden_size": 64,)"
                                                         R"( "intermediate_size": 128, "num_hidden_layers": 2,)"
                                                         R"( "num_attention_heads": 4, "vocab_size": 100,)"
                                                         R"( "quantization_config": {"quant_method": "fbgemm_fp8"}})");
    const json found = run({"sweep", file, "--vary", "dtype=bf16,file", "--json"}).json();
    EXPECT_EQ(found["points"][1]["values"], json{"file"});
    EXPECT_EQ(found["points"][1]["weights"],
              run({"count", file, "--json", "--dtype", "file"}).json()["weights"]["total"]);
    EXPECT_LT(found["points"][1]["weights"], found["points"][0]["weights"]);
    EXPECT_TRUE(has(run({"sweep", "gpt2", "--vary", "dtype=bf16,file"}).err, "nothing says how this model is stored"));
}

TEST(Sweep, SaysWhatIsVariedInItsHeading) {
    const std::string said = run({"sweep", "gpt2", "--vary", "dtype=bf16,int4", "--vary", "kv-dtype=int8"}).out;
    EXPECT_TRUE(has(said, ", bf16,int4, cache in int8; sizes in bytes")) << said;
    const std::string tokens = run({"sweep", "t5-small", "--vary", "tokens=1k,8k"}).out;
    EXPECT_TRUE(has(tokens, ": T = 1,024, 8,192 tokens, S = ")) << tokens;
}

TEST(Sweep, OfThreeNumbersTheLastGoesFastest) {
    const json found =
        run({"sweep", "gpt2", "--vary", "layers=6,12", "--vary", "batch=1,2,4", "--vary", "tokens=8,16", "--json"})
            .json();
    ASSERT_EQ(found["points"].size(), 12u);
    EXPECT_EQ(found["points"][0]["values"], (json{6, 1, 8}));
    EXPECT_EQ(found["points"][1]["values"], (json{6, 1, 16}));
    EXPECT_EQ(found["points"][7]["values"], (json{12, 1, 16}));
    EXPECT_TRUE(has(run({"sweep", "gpt2", "--vary", "layers=6", "--vary", "layers=7"}).err, "varied twice"));
    EXPECT_TRUE(has(
        run({"sweep", "gpt2", "--vary", "layers=6", "--vary", "batch=1", "--vary", "tokens=8", "--vary", "cached=1"})
            .err,
        "4 ranges"));
}

TEST(Sweep, SetsModelsBelowEachOther) {
    const Ran text = run({"sweep", "gpt2", "llama-3-8b", "mixtral-8x7b", "--vary", "dtype=bf16,int8", "--show",
                          "active,flops_per_token,kv_cache_per_token,tokens_per_second", "--device", "h100", "--csv"});
    EXPECT_EQ(text.status(), 0) << text.err;
    EXPECT_TRUE(
        text.out.starts_with("# GPT-2 small: T = 100 tokens, B = 1 side by side, bf16,int8, cache in bf16, on "
                             "NVIDIA H100 SXM; Llama 3 8B: "))
        << text.out;
    EXPECT_TRUE(has(text.out, "\r\nmodel,dtype,active,flops_per_token,kv_cache_per_token,tokens_per_second"))
        << text.out;
    EXPECT_TRUE(has(text.out, "\nMixtral 8x7B,int8,12879925248,")) << text.out;
    const json found = run({"sweep", "gpt2", "llama-3-8b", "--vary", "layers=12", "--json"}).json();
    ASSERT_EQ(found["models"].size(), 2u);
    EXPECT_EQ(found["models"][1]["points"][0]["values"], json{12});
    EXPECT_EQ(found["models"][0]["points"][0]["total"], 124439808);
}

// Whoever says a figure, it is the same number.
TEST(Sweep, ShowsWhatADeviceHasRoomForAndWhatUsersWaitFor) {
    const json point = run({"sweep", "llama-3-8b", "--vary", "batch=8", "--device", "h100", "--tokens", "4k", "--show",
                            "users,longest_context,likely_seconds,time_to_first_token,tokens_per_second_for_one,"
                            "likely_time_to_first_token,likely_time_per_token",
                            "--json"})
                           .json()["points"][0];
    const std::vector<std::string> asked{"llama-3-8b", "--batch", "8", "--device", "h100", "--tokens", "4k", "--json"};
    const auto of = [&](const char* command) {
        std::vector<std::string> words{command};
        words.insert(words.end(), asked.begin(), asked.end());
        return run(words).json();
    };
    const json memory = of("memory")["devices"][0], compute = of("compute");
    EXPECT_EQ(point["largest_batch"], memory["largest_batch"]);
    EXPECT_EQ(point["longest_context"], memory["longest_context"]);
    EXPECT_EQ(point["likely_seconds"], compute["prefill"]["likely"]["seconds"]);
    EXPECT_EQ(point["time_to_first_token"], compute["served"]["time_to_first_token"]);
    EXPECT_EQ(point["tokens_per_second_for_one"], compute["served"]["tokens_per_second_for_one"]);
    for (const char* key : {"time_to_first_token", "time_per_token"})
        EXPECT_EQ(point[std::string("likely_") + key], compute["served"]["likely"][key]) << key;
    EXPECT_EQ(point.size(), 9U) << "the values, whether it fits, and what was asked for: " << point;
    EXPECT_FALSE(run({"sweep", "llama-3-8b", "--vary", "batch=8", "--device", "h100", "--pipeline", "4", "--phase",
                      "decode", "--show", "likely_seconds", "--json"})
                     .json()["points"][0]
                     .contains("likely_seconds"));
}

// 1e6 tokens at so many a second, by the hour: 2.5 / 3600 / rate.
TEST(Sweep, PricesAMillionTokens) {
    const json point = run({"sweep", "llama-3-8b", "--vary", "batch=8", "--device", "h100", "--show",
                            "tokens_per_second,seconds,price", "--price", "$2.5", "--phase", "decode", "--json"})
                           .json()["points"][0];
    const double rate = point["tokens_per_second"].get<double>();
    EXPECT_DOUBLE_EQ(rate, 8 / point["seconds"].get<double>());
    EXPECT_NEAR(point["price"].get<double>(), 2.5 / 3600 / rate * 1e6, 1e-9);
    EXPECT_FALSE(point.contains("total")) << "that was not asked for";
}

TEST(Sweep, HasTheColumnsInTheirOrder) {
    const auto head = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"sweep", "gpt2", "--vary", "layers=2", "--csv"});
        std::string out = run(words).out;
        out.erase(0, out.find('\n') + 1);  // what it is of
        return out.substr(0, out.find('\r'));
    };
    EXPECT_EQ(head({"--device", "h100", "--price", "2", "--show", "price,total"}), "layers,price,total");
    EXPECT_EQ(head({"--memory", "--show", "total"}), "layers,total,memory");
    EXPECT_EQ(head({"--memory", "--show", "memory,total"}), "layers,memory,total");
}

TEST(Sweep, SaysWhatIsWrong) {
    const auto said = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"sweep", "gpt2"});
        return run(words).err;
    };
    EXPECT_TRUE(has(said({"--vary", "dtype=bf17"}), "bf17"));
    EXPECT_TRUE(has(said({"--vary", "dtpye=bf16"}), "dtype"));
    EXPECT_TRUE(has(said({"--vary", "layers=1", "--csv", "--json"}), "cannot be both"));
    EXPECT_TRUE(has(said({"--vary", "kv-dtype=q4_k_m"}), "q4_k_m"));
    EXPECT_TRUE(has(said({"--vary", "device=h1000"}), "no such device"));
    EXPECT_TRUE(has(said({"--vary", "layers=1", "--show", "money"}), "money"));
    EXPECT_TRUE(has(said({"--vary", "layers=1", "--show", "seconds"}), "time is a device's"));
    EXPECT_TRUE(has(said({"--vary", "layers=1", "--show", "users"}), "room is a device's"));
    EXPECT_TRUE(has(said({"--vary", "layers=1", "--show", "price", "--device", "h100"}), "add --price"));
    EXPECT_TRUE(
        has(said({"--vary", "layers=1", "--price", "2", "--device", "h100", "--show", "total"}), "no price is shown"));
    EXPECT_TRUE(has(said({"--vary", "device=h100", "--device", "a100"}), "the device is varied"));
    EXPECT_TRUE(has(said({"--vary", "dtype=int8", "--dtype", "bf16"}), "the format is varied: --dtype"));
    EXPECT_TRUE(has(said({"--vary", "devices=1,2", "--devices", "4"}), "the number of devices is varied: --devices"));
    EXPECT_TRUE(has(said({"--vary", "tensor=0,2"}), "--vary"));
}

TEST(Sweep, GroupsOfAnotherSizeAreOtherDevices) {
    const std::vector<std::string> words{"sweep", "llama-3-8b", "--vary", "tensor=1,2,3", "--device", "h100"};
    for (const std::vector<std::string>& eight :
         {std::vector<std::string>{"--devices", "8"}, {"--vary", "devices=8"}}) {
        std::vector<std::string> all = words;
        all.insert(all.end(), eight.begin(), eight.end());
        all.emplace_back("--csv");
        const Ran ran = run(all);
        EXPECT_TRUE(has(ran.err, "1 of the values is not possible and left out.")) << ran.err;
    }
}

}  // namespace
}  // namespace headcount
