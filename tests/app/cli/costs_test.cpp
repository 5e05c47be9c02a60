// memory, compute and report, run as a script would.
#include <gtest/gtest.h>

#include "app/cli/model.hpp"
#include "core/base/text.hpp"
#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;

TEST(Memory, SaysWhatACardHasOfSomeLayers) {
    const auto asked = [](const char* layers) {
        return run({"memory", "llama-3-8b", "--tokens", "8", "--gpu-layers", layers, "--json"}).json()["per_device"];
    };
    const json some = asked("20"), all = asked("33");
    EXPECT_EQ(all["weights"].get<std::int64_t>() + all["host"].get<std::int64_t>(), 16'060'522'496);
    EXPECT_EQ(all["host"], std::int64_t{2} * 128256 * 4096);
    EXPECT_EQ(32 * some["kv_cache"].get<std::int64_t>(), 19 * all["kv_cache"].get<std::int64_t>());
    EXPECT_TRUE(has(run({"memory", "albert-base-v2", "--tokens", "8", "--gpu-layers", "1"}).err, "share weights"));
}

TEST(Memory, OfOneDeviceOfSeveralHasTheSameNameEverywhere) {
    for (std::vector<std::string> words : {std::vector<std::string>{"memory", "llama-3-8b"},
                                           {"sensitivity", "llama-3-8b"},
                                           {"compare", "llama-3-8b", "llama-2-7b"},
                                           {"diff", "llama-3-8b", "llama-2-7b"},
                                           {"sweep", "llama-3-8b", "--vary", "layers=8,16", "--memory"},
                                           {"solve", "llama-3-8b", "--free", "layers", "--memory", "9GiB"}}) {
        words.insert(words.end(), {"--tokens", "1024"});
        EXPECT_FALSE(has(run(words).out, "on one device")) << words.front();
        words.insert(words.end(), {"--devices", "2", "--tensor", "2"});
        EXPECT_TRUE(has(run(words).out, "on one device, at least")) << words.front();
    }
}

// An image has as many rows as it has, and no other number of them can be asked for.
TEST(Memory, OfWhatReadsAnImageSpeaksOfItsRowsAndNotOfTokens) {
    const std::string heading = "CLIP ViT-L/14, images: T = 257 rows of an image of 224 × 224, B = 2 side by side, ";
    const Ran memory = run({"memory", "clip-vit-l-14-vision", "--tokens", "257", "--batch", "2"});
    const Ran shapes = run({"shapes", "clip-vit-l-14-vision", "--tokens", "257", "--batch", "2"});
    for (const Ran& ran : {memory, shapes}) EXPECT_TRUE(ran.out.starts_with(heading)) << ran.out;
    for (const char* part : {"longest context", "one more token"}) {
        EXPECT_FALSE(has(memory.out, part)) << memory.out;
        EXPECT_TRUE(has(run({"memory", "gpt2", "--tokens", "7"}).out, part)) << part;
    }
    EXPECT_TRUE(has(memory.out, "largest batch")) << memory.out;
}

TEST(Memory, SaysWhatEachPartTakesAndWhatItFits) {
    Ran text = run({"memory", "llama-2-7b", "--tokens", "2048"});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"1,073,741,824", "1.00 GiB", "12.6 GiB", "rtx-4090", "512 KiB"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
    EXPECT_FALSE(has(text.out, " GB ") && has(text.out, "Weights  GB"));
}

TEST(Memory, SaysWhatTheCacheReallyGrowsByBehindAWindow) {
    const Ran text = run({"memory", "gemma-3-4b", "--tokens", "8192"});
    EXPECT_TRUE(has(text.out, "inside the window: 139,264 bytes")) << text.out;
    EXPECT_TRUE(has(text.out, "after 8,192: 20,480 bytes")) << text.out;
    EXPECT_EQ((run({"memory", "gemma-3-4b", "--tokens", "8192", "--json"}).json()["kv_cache"]["next_token"]), 20480);
}

TEST(Memory, IsOneJsonDocumentOfWholeBytes) {
    const json found = run({"memory", "llama-3-8b", "--tokens", "8192", "--json"}).json();
    EXPECT_EQ(found["weights"]["total"], 2 * 8030261248);
    EXPECT_EQ(found["kv_cache"]["per_token"], 131072);
    EXPECT_EQ(found["kv_cache"]["total"], 8192ll * 131072);
    EXPECT_EQ(found["gradients"], 0);
    EXPECT_EQ(found["optimizer"], 0);
    for (const json& device : found["devices"]) {
        if (device["id"] != "rtx-4090") continue;
        EXPECT_EQ(device["fits"], true);
        EXPECT_GT(device["longest_context"], 8192);
    }
    const json trained = run({"memory", "llama-3-8b", "--tokens", "8192", "--train", "adam", "--json"}).json();
    EXPECT_EQ(trained["optimizer"], 12 * 8030261248);
    EXPECT_EQ(trained["kv_cache"]["total"], 0);
}

TEST(Memory, OfManyDevicesSaysWhatOneHolds) {
    const json found =
        run({"memory", "llama-2-7b", "--tokens", "8", "--train", "adam", "--devices", "8", "--zero", "3", "--json"})
            .json();
    EXPECT_EQ(found["per_device"]["optimizer"], 12 * 6738415616 / 8);
    Ran text = run({"memory", "llama-2-7b", "--tokens", "8", "--tensor", "4"});
    EXPECT_TRUE(has(text.out, "4 devices") && has(text.out, "on one device, at least")) << text.out;
}

TEST(Memory, OfAdaptersTrainsThemAlone) {
    const auto trained = [](const std::vector<std::string>& more) {
        std::vector<std::string> words{"memory", "llama-7b", "--tokens", "512", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run(words);
        EXPECT_EQ(ran.status(), 0) << ran.err;
        return ran.json();
    };
    const json lora = trained({"--adapter", "lora"});
    EXPECT_EQ(lora["adapters"]["parameters"], 4'194'304);
    EXPECT_EQ(lora["gradients"], 4 * 4'194'304);
    EXPECT_EQ(lora["weights"]["total"], 2 * 6'738'415'616 + 4 * 4'194'304);
    EXPECT_EQ(lora["input"]["adapters"]["rank"], 8);
    EXPECT_EQ(trained({"--adapter", "lora", "--targets", "q_proj,v_proj"})["adapters"], lora["adapters"]);
    const json quantized = trained({"--adapter", "qlora", "--rank", "16"});
    EXPECT_EQ(quantized["adapters"]["parameters"], 39'976'960) << "PEFT's own count";
    const std::string in_layers = "layers=nf4-double,rest=bf16";
    EXPECT_EQ(quantized["input"]["dtype"], in_layers) << "neither embedding nor head are linear layers in 4 bits";
    EXPECT_EQ(trained({"--adapter", "lora", "--targets", "all", "--rank", "16", "--dtype", in_layers})["total"],
              quantized["total"]);
    EXPECT_EQ(trained({"--adapter", "dora", "--rank", "4"})["adapters"]["parameters"], 2'359'296);
    const json megatron = trained({"--phase", "train", "--recipe", "megatron"});
    EXPECT_EQ(megatron["weights"]["total"].get<std::int64_t>() + megatron["gradients"].get<std::int64_t>() +
                  megatron["optimizer"].get<std::int64_t>(),
              18 * 6'738'415'616);
}

TEST(Memory, WrongTrainingIsASentence) {
    for (const auto& [words, said] : std::vector<std::pair<std::vector<std::string>, const char*>>{
             {{"--rank", "8"}, "there is no adapter: --rank: add --adapter lora"},
             {{"--targets", "all"}, "there is no adapter: --targets"},
             {{"--recipe", "pure"}, "only training has gradients: --recipe: add --train OPTIMIZER"},
             {{"--sequence"}, "only training keeps activations: --sequence"},
             {{"--zero", "1", "--devices", "2"}, "only training has gradients: --zero"},
             {{"--train", "adam", "--zero", "1"}, "no two have: --zero: add --devices N"},
             {{"--zero", "3", "--devices", "2", "--tensor", "2"}, "no two have: --zero"},
             {{"--train", "adam", "--devices", "2", "--sequence"}, "--sequence: add --tensor N"},
             {{"--adapter", "lora", "--recipe", "pure"}, "leave it out"},
             {{"--adapter", "lora", "--phase", "decode", "--recompute", "full"}, "only training keeps activations"},
             {{"--adapter", "lora", "--phase", "decode", "--train", "adam"}, "an optimizer belongs to training"},
             {{"--adapter", "lora", "--targets", "query"},
              "no linear layer is called \"query\": --targets: give of c_attn"},
             {{"--adapter", "lora", "--rank", "0"}, "--rank must be a whole number from 1 up"}}) {
        std::vector<std::string> all{"memory", "gpt2", "--tokens", "8"};
        all.insert(all.end(), words.begin(), words.end());
        const Ran ran = run(all);
        EXPECT_NE(ran.status(), 0) << words.front();
        EXPECT_TRUE(has(ran.err, said)) << ran.err;
    }
}

TEST(Memory, WrongOptionsAreSentences) {
    const auto said = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"memory", "llama-2-7b", "--tokens", "8"});
        Ran ran = run(words);
        EXPECT_EQ(ran.status(), 2);
        EXPECT_EQ(ran.out, "");
        return ran.err;
    };
    EXPECT_EQ(said({"--devices", "0"}), "headcount: --devices must be a whole number from 1 up, not \"0\"\n");
    EXPECT_EQ(said({"--train", "adamw"}),
              "headcount: \"adamw\" is not known: --train: give one of adam, adam8, sgd, muon, adafactor\n");
    EXPECT_EQ(said({"--recompute", "full"}),
              "headcount: only training keeps activations: --recompute: add --train OPTIMIZER\n");
    EXPECT_TRUE(has(said({"--kv-dtype", "fp12"}), "is no number format: --kv-dtype: did you mean fp32"));
    for (const char* tokens : {"4611686018427387904", "99999999999999999999"}) {
        Ran endless = run({"memory", "llama-2-7b", "--tokens", tokens});
        EXPECT_EQ(endless.status(), 1);
        EXPECT_TRUE(has(endless.err, "64 bits") && has(endless.err, "give at most 17,592,186,018,420")) << endless.err;
    }
    EXPECT_TRUE(has(said({"--train", "adam", "--fused", "--scores"}), "fused attention keeps no scores"));
    EXPECT_TRUE(has(said({"--fused"}), "--fused: leave it out"));
}

TEST(Compute, SaysWhatDevicesSendAndWhetherTheModelFits) {
    const std::vector<std::string> words{"compute", "llama-2-70b", "--tokens", "2048",   "--device",
                                         "h100",    "--tensor",    "8",        "--link", "450GB/s"};
    std::vector<std::string> more = words;
    more.emplace_back("--json");
    const json found = run(more).json();
    EXPECT_EQ(found["prefill"]["links"]["tensor"]["bytes"], 2 * 7 * (80LL * 2 * 2048 * 8192) * 2 / 8);
    EXPECT_NEAR(found["prefill"]["link_seconds"].get<double>(), 9.395e9 / 450e9, 1e-5);
    EXPECT_EQ(found["fits"], true);
    const Ran text = run(words);
    EXPECT_TRUE(has(text.out, "Between the devices, in the prefill:") && has(text.out, "20.88 ms")) << text.out;
    EXPECT_FALSE(has(text.out, "The model does not fit")) << "though a training of it does not";
    const Ran alone = run({"compute", "llama-2-70b", "--tokens", "2048", "--device", "h100"});
    EXPECT_TRUE(has(alone.out, "The model does not fit: each device would hold at least 129 GiB")) << alone.out;
    EXPECT_EQ(run({"compute", "llama-2-70b", "--tokens", "2048", "--device", "h100", "--json"}).json()["fits"], false);
    const Ran experts = run({"compute", "deepseek-v3", "--tokens", "4096", "--expert", "64", "--phase", "decode"});
    EXPECT_TRUE(has(experts.out, "expert") && has(experts.out, "each sends")) << experts.out << experts.err;
    EXPECT_TRUE(has(run({"compute", "gpt2", "--tokens", "8", "--expert", "2"}).err, "no experts to divide"));
    EXPECT_TRUE(
        has(run({"compute", "gpt2", "--tokens", "8", "--tensor", "2", "--link", "fast"}).err, "write it as 450GB/s"));
    const Ran single = run({"compute", "gpt2", "--tokens", "8", "--link", "450GB/s"});
    EXPECT_TRUE(has(single.err, "nothing is sent between devices: --link")) << single.err;
}

TEST(Compute, SaysThePassesAndEveryOperation) {
    const json found = run({"compute", "gpt2", "--tokens", "1024", "--json"}).json();
    const std::int64_t d = 768, l = 12, v = 50257, t = 1024;
    EXPECT_EQ(found["train"]["flops_full"], 72 * t * l * d * d + 12 * t * t * l * d + 6 * t * d * v);
    EXPECT_EQ(found["prefill"]["flops_full"], 24 * t * l * d * d + 4 * t * t * l * d + 2 * t * d * v);
    EXPECT_LT(found["prefill"]["flops_causal"], found["prefill"]["flops_full"]);
    EXPECT_EQ(found["prefill"]["flops"], found["prefill"]["flops_causal"]);
    EXPECT_EQ(found["scores"], "causal");
    const json full = run({"compute", "gpt2", "--tokens", "1024", "--full", "--json"}).json();
    EXPECT_EQ(full["prefill"]["flops"], found["prefill"]["flops_full"]);
    EXPECT_EQ(full["scores"], "full");
    std::int64_t flops = 0, bytes = 0;
    for (const json& row : found["operations"]) {
        flops += row["flops"].get<std::int64_t>();
        bytes += row["bytes"].get<std::int64_t>();
    }
    EXPECT_EQ(found["prefill"]["flops"], flops);
    EXPECT_EQ(found["prefill"]["bytes"], bytes);
    EXPECT_FALSE(found.contains("hardware"));
    Ran text = run({"compute", "llama-3-8b", "--tokens", "1024", "--hardware", "rtx-4090"});
    EXPECT_EQ(text.status(), 0) << text.err;
    for (const char* part : {"165 TFLOP/s", "1008 GB/s", "decode", "arithmetic", "memory", "2·N"})
        EXPECT_TRUE(has(text.out, part)) << part << "\n" << text.out;
    EXPECT_GT(run({"compute", "llama-3-8b", "--tokens", "1024", "--hardware", "h100", "--json"})
                  .json()["decode"]["tokens_per_second"],
              100);
}

TEST(Compute, DecodingWithLatentAttentionIsBoundedByTheAbsorbedForm) {
    const std::vector<std::string> words{"compute", "deepseek-v3", "--tokens", "32768", "--hardware", "h200"};
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const json found = run(as_json).json();
    EXPECT_LT(found["decode"]["flops"], 7e11);
    EXPECT_GT(found["decode_anew"]["flops"], 6e13);
    EXPECT_GT(found["decode"]["tokens_per_second"], 60);
    const Ran text = run(words);
    EXPECT_TRUE(has(text.out, "decode, made anew") && has(text.out, "absorbs W_ukv")) << text.out;
}

TEST(Compute, SaysTheOperationsOfAPassInSymbols) {
    const Ran text = run({"compute", "gpt2", "--tokens", "1024"});
    EXPECT_TRUE(has(text.out, "operations in symbols") && has(text.out, "2·B·T·(")) << text.out;
    EXPECT_TRUE(has(text.out, "T = 1,024 ") && has(text.out, "T = 1, P = 1,023 ")) << text.out;
    EXPECT_TRUE(has(run({"compute", "t5-small", "--tokens", "8", "--source", "50"}).out, "T = 1, P = 7, S = 50 "));
}

TEST(Compute, TheLargestThatItNamesIsPossible) {
    const Ran refused = run({"compute", "llama-2-7b", "--tokens", "4181721"});
    const std::string before = "give at most ";
    ASSERT_TRUE(has(refused.err, before)) << refused.err;
    const std::string said = refused.err.substr(refused.err.find(before) + before.size());
    EXPECT_EQ(run({"compute", "llama-2-7b", "--tokens", said.substr(0, said.find(' '))}).status(), 0) << said;
}

TEST(Report, SaysWhatTheOtherCommandsSay) {
    const testing_data::Scratch scratch;
    const std::string page = (scratch.folder() / "report.html").string(),
                      text = (scratch.folder() / "report.md").string();
    for (const std::string& file : {page, text}) {
        const Ran ran = run({"report", "mixtral-8x7b", "--tokens", "4k", "--device", "h100", "-o", file});
        ASSERT_EQ(ran.status(), 0) << ran.err;
        const std::string report = testing_data::read_file(file);
        EXPECT_TRUE(has(report, "46,702,792,704") && has(report, "12,879,925,248")) << "total and active";
        EXPECT_TRUE(has(report,
                        "for Mixtral 8x7B: T = 4,096 tokens, B = 1 side by side, bf16, cache in bf16, on NVIDIA "
                        "H100 SXM"));
        EXPECT_TRUE(has(report, "This makes it again: headcount report mixtral-8x7b --tokens 4k --device h100 -o "));
        const nlohmann::json memory =
            run({"memory", "mixtral-8x7b", "--tokens", "4k", "--device", "h100", "--json"}).json();
        EXPECT_TRUE(has(report, grouped(memory["kv_cache"]["total"].get<std::int64_t>())));
        EXPECT_TRUE(has(report, grouped(memory["total"].get<std::int64_t>())));
    }
    const std::vector<std::string> words{"report", "a b", "--set", "dim=64", "it's"};
    EXPECT_EQ(command_text(words), R"(headcount report 'a b' --set dim=64 'it'\''s')");
    EXPECT_TRUE(testing_data::read_file(page).starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(testing_data::read_file(text).starts_with("# Mixtral"));
    EXPECT_EQ(run({"report", "gpt2", "-o", (scratch.folder() / "report.txt").string()}).status(), 2);
}

TEST(Compute, DevicesItDoesNotKnowAreNamed) {
    Ran unknown = run({"compute", "gpt2", "--tokens", "8", "--hardware", "rtx-409"});
    EXPECT_TRUE(has(unknown.err, "there is no such device: --device, rtx-409: did you mean rtx-4090")) << unknown.err;
    Ran phone = run({"compute", "gpt2", "--tokens", "8", "--hardware", "phone"});
    EXPECT_EQ(phone.err,
              "headcount: note: How fast Google Pixel 8 Pro, 12 GB is, is not published: no times are said.\n");
    EXPECT_FALSE(has(phone.out, "at least"));
    EXPECT_EQ(run({"compute", "gpt2", "--tokens", "1024"}).status(), 0) << "the last position can be decoded";
}

TEST(Costs, ABandwidthAloneBoundsADecodingStep) {
    const std::vector<std::string> input{"--tokens", "4k", "--device", "m4-max", "--json"};
    const auto asked = [&](std::vector<std::string> words) {
        words.insert(words.end(), input.begin(), input.end());
        return run(words).json();
    };
    const json compute = asked({"compute", "llama-3.1-8b"});
    EXPECT_FALSE(compute["prefill"].contains("seconds") || compute["train"].contains("seconds"));
    const double seconds = compute["decode"]["seconds"];
    const json fast = run({"compute", "llama-3.1-8b", "--tokens", "4k", "--device", "h100", "--json"}).json();
    EXPECT_DOUBLE_EQ(seconds * 546e9, fast["decode"]["seconds"].get<double>() * 3350e9) << "of the published GB/s";
    EXPECT_GT(compute["decode"]["likely"]["seconds"].get<double>(), seconds);
    EXPECT_TRUE(has(compute["notes"][0].get<std::string>(), "decoding steps alone"));
    const json point = asked({"sweep", "llama-3.1-8b", "--vary", "batch=1", "--phase", "decode"})["points"][0];
    EXPECT_DOUBLE_EQ(point["seconds"].get<double>(), seconds);
    EXPECT_FALSE(point.contains("time_to_first_token"));
    EXPECT_TRUE(has(run({"sensitivity", "gpt2", "--by", "seconds", "--device", "m4-max"}).err, "not published"));
}

// Llama 3, section 3.3.2: 405 B are trained on 16,384 of these, each sequence by 8 x 16 of them.
TEST(Costs, ATrainingIsHeldAsItIsSaid) {
    std::vector<std::string> words{"compute",   "llama-3.1-405b", "--tokens", "8k", "--phase",    "train",
                                   "--device",  "h100",           "--tensor", "8",  "--pipeline", "16",
                                   "--devices", "16384"};
    const auto with = [&](std::vector<std::string> more, const std::string& command) {
        std::vector<std::string> all = words;
        all[0] = command;
        all.insert(all.end(), more.begin(), more.end());
        all.emplace_back("--json");
        return run(all).json();
    };
    EXPECT_EQ(with({}, "compute")["fits"], false);
    const std::vector<std::string> how{"--zero", "1", "--recompute", "full", "--sequence"};
    const json computed = with(how, "compute");
    EXPECT_EQ(computed["fits"], true);
    EXPECT_EQ(computed["train"]["on_device"], with(how, "memory")["per_device"]["total"]);
    std::vector<std::string> swept = how;
    swept.insert(swept.end(), {"--vary", "batch=1", "--show", "memory"});
    EXPECT_EQ(with(swept, "sweep")["points"][0]["memory"], computed["train"]["on_device"]);
    EXPECT_TRUE(has(run({"compute", "gpt2", "--tokens", "8", "--recompute", "full"}).err, "only training keeps"));
    const json formats = run({"sweep", "gpt2", "--phase", "train", "--vary", "dtype=bf16,int8", "--json"}).json();
    EXPECT_EQ(formats["left_out"], 1) << "nothing is trained in 8 bits";
}

TEST(Costs, FiguresOfAModelThatDoesNotFitSaySo) {
    const Ran both = run({"sweep", "llama-3.1-70b", "--tokens", "4k", "--vary", "device=rtx-4090,mi300x"});
    EXPECT_TRUE(has(both.out, "fits") && has(both.out, "no\n") && has(both.out, "yes\n")) << both.out;
    EXPECT_FALSE(has(run({"sweep", "gpt2", "--vary", "device=rtx-4090,h200"}).out, "fits")) << "nothing is to be said";
    const Ran models = run({"sweep", "gpt2", "llama-3.1-70b", "--vary", "device=rtx-4090", "--csv"});
    EXPECT_TRUE(has(models.out, ",yes") && has(models.out, ",no")) << models.out;
    const json points = run({"sweep", "llama-3.1-70b", "--vary", "device=rtx-4090,mi300x", "--json"}).json()["points"];
    EXPECT_TRUE(points[0]["fits"] == false && points[1]["fits"] == true);
    const Ran compared = run({"compare", "llama-3.1-70b", "gpt2", "--device", "rtx-4090"});
    EXPECT_TRUE(has(compared.err, "A: It does not fit: it takes ")) << compared.err;
    EXPECT_FALSE(has(compared.err, "B: It does not fit"));
}

TEST(Compute, PositionsThatFollowARuleAreInNoRecipe) {
    const Ran ran = run({"compute", "ctrl", "--tokens", "7", "--dtype", "q4_k_m"});
    EXPECT_EQ(ran.status(), 0) << ran.err;
}

TEST(Costs, OfSeveralDevicesAreTheSameEverywhere) {
    const std::vector<std::string> input{"--tokens", "4k", "--device", "h100", "--dtype", "fp8"};
    const auto seconds = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
        words.insert(words.end(), input.begin(), input.end());
        words.insert(words.end(), more.begin(), more.end());
        words.emplace_back("--json");
        const json found = run(words).json();
        return words[0] == "compute" ? found["prefill"]["seconds"].get<double>()
                                     : found["points"][0]["seconds"].get<double>();
    };
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"compute", "llama-3.1-70b"}, {"sweep", "llama-3.1-70b", "--vary", "batch=1"}}) {
        const double alone = seconds(words, {});
        EXPECT_EQ(seconds(words, {"--devices", "8"}), alone) << "copies make no pass faster";
        EXPECT_DOUBLE_EQ(seconds(words, {"--gpus", "8", "--tensor", "8"}), alone / 8);
    }
    const Ran copies = run({"compute", "llama-3.1-70b", "--tokens", "4k", "--device", "h100", "--devices", "8"});
    EXPECT_TRUE(has(copies.err, "8 devices hold 8 copies of the model") && has(copies.err, "--tensor 8 divides it"));
    const Ran eight = run({"compute", "llama-3.1-70b", "--tokens", "4k", "--device", "h100", "--tensor", "8"});
    EXPECT_TRUE(has(eight.out, "the roof of 8 × NVIDIA H100 SXM: 7.92 PFLOP/s, 26.8 TB/s")) << eight.out;
    EXPECT_EQ(eight.err, "");
}

TEST(Costs, OfADividedModelAreReportedForEachDevice) {
    const testing_data::Scratch scratch;
    const std::string file = (scratch.folder() / "report.md").string();
    ASSERT_EQ(run({"report", "llama-3.1-70b", "--device", "h100", "--tensor", "8", "-o", file}).status(), 0);
    const std::string page = testing_data::read_file(file);
    EXPECT_TRUE(has(page, "8 × NVIDIA H100 SXM") && has(page, "8 devices: 1 data × 8 tensor × 1 pipeline") &&
                has(page, "on one device, at least"));
}

TEST(Costs, OfMoreThanTheContextSaySo) {
    EXPECT_TRUE(has(run({"memory", "llama-3.1-70b", "--tokens", "200k"}).out, "says a context of 131,072 tokens"));
    EXPECT_FALSE(has(run({"memory", "llama-3.1-70b", "--tokens", "2k", "--device", "rtx-4090"}).out, "says a context"));
}

TEST(Costs, OfWordsThatPeopleUse) {
    EXPECT_EQ(run({"memory", "gpt2", "--tokens", "8", "--users", "3"}).out,
              run({"memory", "gpt2", "--tokens", "8", "--batch", "3"}).out);
    EXPECT_TRUE(
        has(run({"memory", "gpt2", "--tokens", "8", "--device", "4xH100"}).err, "write --device h100 --devices 4"));
    for (const char* key : {"batch", "users"})
        EXPECT_TRUE(has(run({"solve", "gpt2", "--vary", key, "--memory", "8GiB"}).err, "says the largest batch"))
            << key;
    const Ran varied = run({"sweep", "gpt2", "--vary", "batch=1..50:x2", "--tokens", "8"});
    EXPECT_TRUE(has(varied.out, "batch ends at 32: the next would be beyond 50.")) << varied.out;
    EXPECT_TRUE(has(varied.out, "B = 1, 2, 4, 8, 16, 32 side by side")) << varied.out;
}

}  // namespace
}  // namespace headcount
