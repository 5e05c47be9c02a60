// Every subcommand, run as a script would: its exact numbers, its JSON, its files.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/app/cli/session.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::has;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

TEST(Presets, AreListedWithTheirTotals) {
    Ran text = run({"presets"});
    EXPECT_EQ(text.status(), 0);
    EXPECT_TRUE(has(text.out, "llama-2-7b") && has(text.out, "6,738,415,616")) << text.out;
    json list = run({"presets", "--json"}).json();
    EXPECT_EQ(list.size(), testing_data::all_presets().size());
    for (const json& entry : testing_data::published_facts("totals"))
        EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const json& preset) {
            return preset["id"] == entry["preset"] && preset["total"] == entry["total"];
        })) << entry;
}

TEST(Count, SaysTheTotalExactlyAndInShort) {
    Ran text = run({"count", "llama-2-7b"});
    EXPECT_EQ(text.status(), 0);
    EXPECT_EQ(text.err, "");
    EXPECT_TRUE(text.out.starts_with("Llama 2 7B (LLaMA): 6,738,415,616 parameters (6.74 B)\n")) << text.out;
    for (const char* part : {"Feed-forward", "64.2 %", "L·3·d·d_ff", "202,383,360", "6,738,149,376", "6,607,343,616",
                             "model.layers.{i}.mlp.up_proj.weight", "11008 × 4096", "matrix of its own"})
        EXPECT_TRUE(has(text.out, part)) << part;
    EXPECT_TRUE(has(run({"count", "gpt2"}).out, "counted once"));
}

TEST(Count, SaysOfAHeadThatIsCountedAloneThatItIsThere) {
    Scratch scratch;
    const std::filesystem::path path = scratch.folder() / "config.json";
    std::ofstream(path) << R"({"model_type": "reformer"})";
    EXPECT_TRUE(has(run({"count", path.string()}).out, "The output head is counted, and not computed here."));
}

TEST(Count, IsOneJsonDocumentAndNothingElse) {
    Ran counted = run({"count", "llama-2-70b", "--json"});
    EXPECT_EQ(counted.status(), 0);
    EXPECT_EQ(counted.json()["parameters"]["total"], 68976648192);
    EXPECT_EQ(counted.json()["parameters"]["per_layer"].size(), 80u);
}

TEST(Count, SaysOfSharedLayersWhatTheirOneSetHas) {
    const std::string text = run({"count", "albert-base-v2"}).out;
    EXPECT_TRUE(has(text, "One set for all layers   7,087,872   63.2 %")) << text;
    EXPECT_TRUE(has(text, "All 12 layers            7,087,872   63.2 %")) << text;
    EXPECT_FALSE(has(text, "One layer ")) << text;
    EXPECT_EQ(run({"count", "albert-base-v2", "--json"}).json()["parameters"]["shared_by_layers"], 7087872);
}

TEST(Count, SaysOfAddedRowsThatTheyMultiplyNothing) {
    const std::string gpt2 = run({"count", "gpt2"}).out;
    EXPECT_TRUE(has(gpt2, "Active and multiplied  123,653,376")) << gpt2;
    EXPECT_TRUE(has(gpt2, "positions are added, not multiplied")) << gpt2;
    EXPECT_TRUE(has(run({"compute", "albert-base-v2", "--tokens", "100"}).out, "counts what layers share once"));
}

TEST(Count, SetChangesFieldsInTheirOrder) {
    auto total = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"count", "llama-2-7b", "--json"});
        return run(words).json()["parameters"]["total"].get<std::int64_t>();
    };
    EXPECT_EQ(total({"--set", "kv_heads=8", "--set", "ffn_dim=14336"}), 7241732096);
    EXPECT_EQ(total({"--set=kv_heads=8", "--set=ffn_dim=14336"}), 7241732096);
    EXPECT_EQ(total({"--set", "heads=30", "--set", "heads=32"}), 6738415616) << "only the end must be possible";
    EXPECT_EQ(total({"--set", "ffn_dim=1", "--set", "ffn_multiple_of=256"}), 6738415616);
    EXPECT_EQ(run({"count", "--set", "vocab=50000", "llama-2-7b", "--json"}).json()["parameters"]["total"],
              6738415616 + 2ll * 18000 * 4096);
}

TEST(Count, BlamesTheLayersThatSetHasMadeTooMany) {
    const Ran ran = run({"count", "zamba2-2.7b", "--set", "layers=1000000"});
    EXPECT_NE(ran.status(), 0);
    EXPECT_TRUE(has(ran.err, "layers with a shared one before their mixer")) << ran.err;
    EXPECT_TRUE(has(ran.err, ": layers: ")) << ran.err;
}

TEST(Tensors, OfOneLayerAndOfAll) {
    EXPECT_EQ(run({"tensors", "llama-2-7b", "--json"}).json().size(), 3u + 32 * 9);
    EXPECT_EQ(run({"tensors", "llama-2-7b", "--layer", "31", "--json"}).json().size(), 9u);
    Ran text = run({"tensors", "llama-2-7b"});
    EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 2 + 3 + 32 * 9);
    EXPECT_TRUE(has(text.out, "model.layers.31.mlp.down_proj.weight"));
    EXPECT_TRUE(has(text.out, "d × d_ff"));
}

TEST(Tree, IsTransformersOwnToTheLastCharacter) {
    for (const std::string& id : testing_data::files_in("trees"))
        EXPECT_EQ(run({"tree", id}).out,
                  testing_data::read_file(testing_data::golden_folder() / "trees" / (id + ".txt")));
    EXPECT_TRUE(run({"tree", "llama-7b", "--base"}).out.starts_with("LlamaModel(\n"));
    EXPECT_TRUE(has(run({"tree", "llama-7b", "--counts"}).out, "6,738,415,616"));
}

TEST(Shapes, OfOneHeadAreTheWorksheets) {
    json rows = run({"shapes", "llama-7b", "--tokens", "100", "--head", "--json"}).json();
    std::vector<std::pair<int, int>> sizes;
    for (const json& row : rows) sizes.emplace_back(row["rows"], row["columns"]);
    EXPECT_EQ(sizes,
              (std::vector<std::pair<int, int>>{
                  {100, 4096}, {100, 128}, {100, 128}, {100, 128}, {100, 100}, {100, 100}, {100, 128}, {100, 4096}}));
}

TEST(Equations, AreOneNumberedLineAnOperationInEveryFormat) {
    const Ran text = run({"equations", "gemma-2-2b", "--tokens", "8"});
    EXPECT_TRUE(has(text.out, "X^(0) = √d · E[ids]")) << text.out;
    EXPECT_TRUE(has(text.out, "S = 50 · tanh(Q_i · K_i^T / √d_h / 50)")) << text.out;
    EXPECT_TRUE(has(text.out, "p − 4096 < q ≤ p")) << text.out;
    const json list = run({"equations", "gemma-2-2b", "--tokens", "8", "--json"}).json();
    EXPECT_EQ(list.front()["op"], "embed");
    EXPECT_EQ(list.back()["shape"], "8 × 256000");
    EXPECT_EQ(list.back()["number"], list.size());
    const std::string latex = run({"equations", "gemma-2-2b", "--format", "tex"}).out;
    const auto count = [&](std::string_view word) {
        std::size_t found = 0;
        for (std::size_t at = latex.find(word); at != std::string::npos; at = latex.find(word, at + 1)) ++found;
        return found;
    };
    EXPECT_EQ(count(" &= "), list.size());
    EXPECT_EQ(count("\\begin{align}"), count("\\end{align}"));
    EXPECT_GT(count("\\label{line:"), 0U);
    EXPECT_TRUE(has(latex, "\\item (\\ref{line:16}) mask"));
    EXPECT_TRUE(has(run({"equations", "gemma-2-2b", "--format", "md"}).out, "| 1 | X^(0) = √d · E\\[ids] |"));
}

TEST(Equations, AreOfLettersThatLatexHas) {
    const auto latex_of = [](const char* id) { return run({"equations", id, "--format", "tex"}).out; };
    EXPECT_TRUE(has(latex_of("minitron-4b"), "H &= \\operatorname{ReLU}^{2}\\left(U\\right)"));
    EXPECT_TRUE(has(latex_of("t5-small"), "[\\beta(q - p), i]") && has(latex_of("t5-small"), " $\\beta$(q $-$ p) is"));
    const std::string hybrid = latex_of("qwen3-next-80b-a3b");
    EXPECT_TRUE(has(hybrid, "\\alpha_{i}[t] \\, S_{t-1}") && has(hybrid, "\\Delta &= \\operatorname{softplus}"));
    for (const Preset& preset : testing_data::all_presets()) {
        const Ran ran = run({"equations", preset.id, "--format", "tex"});
        const std::string& latex = ran.out;
        // Of a wave, and of scores that know where a patch lies, there are none.
        const Architecture& arch = preset.architecture;
        const bool refused = (reads_numbers(arch) || arch.sound) && !computation_of(arch);
        EXPECT_EQ(ran.status(), refused ? 1 : 0) << preset.id << ran.err;
        const auto other = std::ranges::find_if(latex, [](unsigned char letter) { return letter > 127; });
        EXPECT_EQ(other, latex.end()) << preset.id << ": "
                                      << std::string(other, std::ranges::find(other, latex.end(), '\n'));
    }
}

TEST(Shapes, OfOneHeadAreThereForEachKindOfLayers) {
    json rows = run({"shapes", "gemma-2-2b", "--tokens", "8", "--head", "--json"}).json();
    std::vector<std::string> scores;
    for (const json& row : rows)
        if (row["symbol"] == "S") scores.push_back(row["id"]);
    EXPECT_EQ(scores, (std::vector<std::string>{"layer.attention.head.scores", "layer_full.attention.head.scores"}));
    EXPECT_TRUE(
        has(run({"shapes", "gemma-2-2b", "--tokens", "8", "--head"}).out, "one attention head of each kind of layers"));
    EXPECT_FALSE(has(run({"shapes", "llama-2-7b", "--tokens", "8", "--head"}).out, "each kind"));
}

TEST(Shapes, FollowTokensBatchCacheAndPrecision) {
    json rows =
        run({"shapes", "llama-2-7b", "--tokens", "2", "--batch", "3", "--cached", "8", "--dtype", "fp32", "--json"})
            .json();
    auto row = [&](std::string_view id) {
        for (const json& each : rows)
            if (each["id"] == id) return each;
        return json();
    };
    EXPECT_EQ(row("layer.attention.key_cache")["rows"], 10);
    EXPECT_EQ(row("layer.attention.key_cache")["rows_symbol"], "P + T");
    EXPECT_EQ(row("layer.attention.head.scores")["bytes"], 2 * 10 * 4);
    EXPECT_EQ(row("layer.attention.head.scores")["copies"], 32 * 32 * 3);
    Ran text = run({"shapes", "llama-2-7b", "--tokens", "2", "--cached", "8"});
    EXPECT_TRUE(has(text.out, "P = 8 cached") && has(text.out, "T × (P + T)")) << text.out;
}

TEST(Export, WritesAConfigurationThatReadsBack) {
    Scratch scratch;
    std::string path = (scratch.folder() / "out.json").string();
    Ran written = run({"export", "llama-3.2-1b", "--set", "layers=4", "-o", path});
    EXPECT_EQ(written.status(), 0) << written.err;
    EXPECT_TRUE(has(written.out, path));
    json config = testing_data::read_json_file(path);
    EXPECT_EQ(config["model_type"], "llama");
    EXPECT_EQ(config["num_hidden_layers"], 4);
    EXPECT_EQ(config["architectures"], json::array({"LlamaForCausalLM"}));
    EXPECT_EQ(run({"count", path, "--json"}).json()["parameters"],
              run({"count", "llama-3.2-1b", "--set", "layers=4", "--json"}).json()["parameters"]);
}

TEST(Export, WritesTablesAndDocuments) {
    Scratch scratch;
    auto file = [&](const char* name) { return (scratch.folder() / name).string(); };
    for (const char* name : {"a.csv", "a.md", "a.headcount"})
        ASSERT_EQ(run({"export", "hypothetical-405b", "-o", file(name)}).status(), 0) << name;
    std::string csv = testing_data::read_file(file("a.csv"));
    EXPECT_TRUE(csv.starts_with(
        "# Hypothetical 405B, matrices only\r\ntensor,in symbols,shape,parameters,copies,together,share,component\r\n"))
        << csv;
    std::string markdown = testing_data::read_file(file("a.md"));
    EXPECT_TRUE(markdown.starts_with("# Hypothetical 405B, matrices only\n")) << markdown;
    EXPECT_TRUE(has(markdown, "| Total | 403,350,487,040 |"));
    EXPECT_EQ(run({"count", file("a.headcount"), "--json"}).json(),
              run({"count", "hypothetical-405b", "--json"}).json());
}

TEST(Arch, MayBeAConfigurationOrItsDirectory) {
    Scratch scratch;
    for (const std::string& id : testing_data::files_in("models")) {
        json model = testing_data::golden_model(id);
        scratch.file(id + "/config.json", model["config_sparse"].dump());
        Ran counted = run({"count", (scratch.folder() / id).string(), "--json"});
        ASSERT_EQ(counted.status(), 0) << counted.err;
        EXPECT_EQ(counted.json()["parameters"]["total"], model["total"]) << id;
        EXPECT_EQ(counted.json()["tied"], model["tied"]) << id;
    }
}

TEST(Arch, MayHaveFewerPositionsThanTheUsualTokens) {
    Scratch scratch;
    const std::string path = scratch.file(
        "config.json", R"({"model_type": "gpt2", "n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 64})");
    for (const char* command : {"count", "tensors", "tree"}) {
        const Ran ran = run({command, path});
        EXPECT_EQ(ran.status(), 0) << command << ": " << ran.err;
    }
    const Ran rendered = run({"render", path, "-o", "out.png"});
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(rendered.result)) << rendered.err;
    EXPECT_EQ(std::get<RenderOptions>(rendered.result).document.input.tokens, 64);
    EXPECT_EQ(run({"shapes", path, "--tokens", "65"}).status(), 1);
}

// A dense feed-forward beside experts is drawn in the picture of both.
TEST(Render, GoesToTheSubBlockOfAPartThatHasNoPictureOfItsOwn) {
    const auto goes_to = [](const char* place) {
        const Ran ran = run({"render", "gemma-4-26b-a4b", "--at", place, "-o", "out.png"});
        const auto* const options = std::get_if<RenderOptions>(&ran.result);
        return options ? options->at.id : ran.err;
    };
    EXPECT_EQ(goes_to("layer.feed_forward.dense"), "layer.feed_forward");
    EXPECT_EQ(goes_to("layer.feed_forward.expert"), "layer.feed_forward.expert") << "which is there many times";
    EXPECT_EQ(goes_to("layer.attention.head:3"), "layer.attention.head");
}

TEST(Render, LeavesTheViewToTheTourOfALink) {
    const std::string link = "#v=1&m=llama-2-7b&tour=4-from-llama-2-to-llama-3&step=3";
    const Ran step = run({"render", link, "-o", "out.png"});
    ASSERT_TRUE(std::holds_alternative<RenderOptions>(step.result)) << step.err;
    EXPECT_EQ(std::get<RenderOptions>(step.result).view, "");
    const Ran asked = run({"render", link, "--view", "costs", "-o", "out.png"});
    EXPECT_EQ(std::get<RenderOptions>(asked.result).view, "costs");
}

TEST(Render, AsksForAPicture) {
    Ran plain = run({"render", "gpt2", "-o", "out.png"});
    const auto* options = std::get_if<RenderOptions>(&plain.result);
    ASSERT_NE(options, nullptr) << plain.err;
    EXPECT_EQ(options->document.preset, "gpt2");
    EXPECT_EQ(options->size, (PictureSize{1600, 1000}));
    EXPECT_EQ(options->theme, ThemeChoice::dark);
    EXPECT_EQ(options->output, "out.png");
    Ran full = run({"render", "llama-2-7b", "--view", "explore", "--theme", "light", "--size", "800x600", "--tokens",
                    "7", "--select", "layer.feed_forward.up.weight", "--set", "layers=2", "-o", "b.png"});
    options = std::get_if<RenderOptions>(&full.result);
    ASSERT_NE(options, nullptr) << full.err;
    EXPECT_EQ(options->theme, ThemeChoice::light);
    EXPECT_EQ(options->size, (PictureSize{800, 600}));
    EXPECT_EQ(options->document.input.tokens, 7);
    EXPECT_EQ(options->document.architecture.layers, 2);
    EXPECT_EQ(options->document.base.layers, 32) << "effects are measured against the preset";
    EXPECT_EQ(options->selection, Subject(TensorSubject{"layer.feed_forward.up.weight"}));
}

TEST(Render, AsksForTheDiagramAloneByTheEndingOfTheFile) {
    Ran ran = run({"render", "gpt2", "-o", "b.svg", "--at", "layer.attention.head:3", "--log", "--size", "640x480",
                   "--scale", "150"});
    const auto* options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->output, "b.svg");
    EXPECT_EQ(options->at, (Place{"layer.attention.head", 3, {}}));
    EXPECT_TRUE(options->log_sides);
    EXPECT_EQ(options->scale, 1.5F);
    EXPECT_FALSE(options->tilted);
}

TEST(Render, MayBeFinerAndTheDiagramAlone) {
    Ran ran = run({"render", "gpt2", "-o", "b.png", "--pixels", "4"});
    const auto* options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->slide, (Slide{.of = Slide::Of::window, .pixels = 4}));
    ran = run({"render", "gpt2", "-o", "b.png", "--at", "layer.attention", "--crop"});
    options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->slide, (Slide{.of = Slide::Of::diagram, .crop = true}));
    ran = run({"render", "gpt2", "-o", "b.svg", "--no-ground"});
    options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->slide, (Slide{.of = Slide::Of::diagram, .ground = false}));
    EXPECT_EQ(options->theme, ThemeChoice::light);
    ran = run({"render", "gpt2", "-o", "b.svg", "--no-ground", "--theme", "dark"});
    options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->theme, ThemeChoice::dark);
}

TEST(Render, ShowsAnotherModelBesideIt) {
    Ran ran = run({"render", "llama-2-7b", "--view", "compare", "--with", "llama-3-8b", "-o", "a.png"});
    const auto* options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->view, compare_view);
    ASSERT_TRUE(options->document.with);
    EXPECT_EQ(options->document.with->preset, "llama-3-8b");
}

TEST(Render, TheWholeModelIsAPlaceToo) {
    Ran ran = run({"render", "gpt2", "-o", "a.png", "--at", "model"});
    const auto* options = std::get_if<RenderOptions>(&ran.result);
    ASSERT_NE(options, nullptr) << ran.err;
    EXPECT_EQ(options->at, Place{});
}

TEST(Window, OpensWithNoCommand) {
    EXPECT_EQ(std::get<WindowOptions>(run({}).result), WindowOptions{});
    Ran asked = run({"llama-2-7b", "--set", "kv_heads=8", "--theme", "light", "--size", "1280x720", "--screenshot",
                     "a.png", "--report-ui", "ui.json"});
    const auto* options = std::get_if<WindowOptions>(&asked.result);
    ASSERT_NE(options, nullptr) << asked.err;
    EXPECT_EQ(options->document->preset, "llama-2-7b");
    EXPECT_EQ(kv_heads(options->document->architecture), 8);
    EXPECT_EQ(options->theme, ThemeChoice::light);
    EXPECT_EQ(options->size, (PictureSize{1280, 720}));
    EXPECT_EQ(options->screenshot, "a.png");
    EXPECT_EQ(options->report_ui, "ui.json");
}

TEST(Window, OpensAtAViewAndWithWhatIsNoModel) {
    const auto opened = [](std::vector<std::string> words) { return std::get<WindowOptions>(run(words).result); };
    EXPECT_EQ(opened({"gpt2", "--view", "what-if:solve"}).view, what_if_view);
    EXPECT_EQ(opened({"gpt2", "--view", "what-if:solve"}).what_if, WhatIfTab::solve);
    const testing_data::Scratch scratch;
    const std::string sheet = scratch.file("sheet.json", R"({"questions": []})");
    scratch.file("class/ada.json", R"({"worksheet": "1-one-head", "answers": {"q": "1"}})");
    for (const std::string& path : {sheet, (scratch.folder() / "class").string()}) {
        EXPECT_EQ(opened({path}).opens, path);
        EXPECT_FALSE(opened({path}).document);
        EXPECT_EQ(run({path, "--set", "heads=8"}).status(), 2);
    }
}

TEST(Window, HasTheOtherModelOfALink) {
    const Ran asked = run({"#v=1&m=gpt2&view=compare&with=llama-2-7b&with.layers=6", "--set", "layers=3"});
    const auto* options = std::get_if<WindowOptions>(&asked.result);
    ASSERT_NE(options, nullptr) << asked.err;
    ASSERT_TRUE(options->link);
    const Document& document = options->link->state.document;
    EXPECT_EQ(document.architecture.layers, 3) << "--set goes before it";
    ASSERT_TRUE(document.with);
    EXPECT_EQ(document.with->preset, "llama-2-7b");
    EXPECT_EQ(document.with->architecture.layers, 6);
    EXPECT_EQ(options->document, document);
}

TEST(Help, IsThereForTheProgramAndForEveryCommand) {
    EXPECT_TRUE(has(run({"--help"}).out, "presets"));
    EXPECT_TRUE(run({"--version"}).out.starts_with("headcount "));
    for (const char* command : {"presets", "count", "tensors", "tree", "shapes", "export", "render"}) {
        Ran help = run({command, "--help"});
        EXPECT_EQ(help.status(), 0);
        EXPECT_TRUE(has(help.out, command)) << help.out;
        EXPECT_EQ(help.err, "");
    }
    EXPECT_EQ(has(run({"render", "--help"}).out, "FILE.gif"), writes_gif()) << "what this build cannot is not offered";
    EXPECT_EQ(run({"help", "worksheet", "show"}).out, run({"worksheet", "show", "--help"}).out);
    EXPECT_TRUE(run({"help", "foo"}).err.starts_with("headcount: this is no command: foo: "));
    EXPECT_EQ(run({"help", "memory", "compute"}).err,
              "headcount: unexpected \"compute\": headcount help: ask for one command at a time\n");
}

}  // namespace
}  // namespace headcount
