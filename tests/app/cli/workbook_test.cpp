// A spreadsheet of a model, recalculated by LibreOffice where it is there, against count and memory.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include "tests/app/cli/session.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using nlohmann::json;
using testing_data::Ran;
using testing_data::run;
using testing_data::Scratch;

// That a file is worked out anew when it is opened, whatever is written in its cells.
constexpr const char* always = R"(<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>)";

// What stands in a column of a sheet, by the first cell of its row.
std::map<std::string, double> read_sheet(const std::string& path, std::size_t column) {
    std::map<std::string, double> found;
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> cells(1);
        for (const char letter : line)
            if (letter == '\t')
                cells.emplace_back();
            else if (letter != '"')
                cells.back() += letter;
        if (cells.size() > column) found[cells[0]] = std::atof(cells[column].c_str());
    }
    return found;
}

void expect_near(double a, double b, const std::string& what) {
    EXPECT_LE(std::abs(a - b), 1e-5 * std::abs(b)) << what << ": " << a << ", not " << b;
}

bool no_office() { return std::system("soffice --version > /dev/null 2>&1") != 0; }

// Every sheet of the spreadsheets there as "NAME-SHEET.csv" beside them, worked out anew: tabs between cells, and full
// numbers and not as they are shown. All at once, since LibreOffice takes longer to start.
void recalculate(const Scratch& scratch) {
    scratch.file("user/user/registrymodifications.xcu", always);
    const std::string folder = scratch.folder().string();
    const std::string convert = "soffice -env:UserInstallation=file://" + folder +
                                "/user --headless --convert-to "
                                "'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,false,false,false,false,-1' "
                                "--outdir " +
                                folder + " " + folder + "/*.xlsx > /dev/null 2>&1";
    ASSERT_EQ(std::system(convert.c_str()), 0) << convert;
}

TEST(Workbook, SaysRecalculatedWhatCountAndMemorySay) {
    if (no_office()) GTEST_SKIP() << "LibreOffice is not here";
    const Scratch scratch;
    const std::vector<std::vector<std::string>> models{
        {"gpt2", "--tokens", "1024"},
        {"mixtral-8x7b", "--tokens", "4096", "--batch", "3", "--dtype", "q4_k_m"},
        {"gemma-2-2b", "--tokens", "8192", "--phase", "train"},
        {"deepseek-v3", "--tokens", "4096", "--dtype", "fp8"}};
    for (const std::vector<std::string>& words : models) {
        std::vector<std::string> command{"report", "-o", (scratch.folder() / (words.front() + ".xlsx")).string()};
        command.insert(command.end(), words.begin(), words.end());
        const Ran ran = run(command);
        ASSERT_EQ(ran.status(), 0) << ran.err;
    }
    recalculate(scratch);
    for (const std::vector<std::string>& words : models) {
        const std::string& name = words.front();
        std::vector<std::string> command{"memory", "--json"};
        command.insert(command.end(), words.begin(), words.end());
        const json held = run(command).json();
        const std::string sheets = (scratch.folder() / name).string();
        const std::map<std::string, double> memory = read_sheet(sheets + "-Memory.csv", 1);
        expect_near(memory.at("Weights"), held["weights"]["total"].get<double>(), name);
        expect_near(memory.at("Total"), held["total"].get<double>(), name);
        if (held["activations"].contains("peak") && held["activations"]["kept"].empty())
            expect_near(memory.at("Activations at most"), held["activations"]["peak"].get<double>(), name);
        if (held["kv_cache"]["total"] != 0)
            expect_near(memory.at("KV cache"), held["kv_cache"]["total"].get<double>(), name);
        const json counted = run({"count", name, "--json"}).json();
        const std::map<std::string, double> parameters = read_sheet(sheets + "-Parameters.csv", 4);
        expect_near(parameters.at("Total"), counted["parameters"]["total"].get<double>(), name);
        expect_near(parameters.at("Attention"), counted["parameters"]["by_component"]["attention"].get<double>(), name);
    }
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Stored {
    std::string id, format;
    bool says;  // what is asked of its sheets

    // Where they lie, without their names' ends.
    std::string stem(const Scratch& scratch) const { return (scratch.folder() / (id + format)).string(); }
};

// A workbook of each, recalculated at once.
void report_each(const Scratch& scratch, std::span<const Stored> models) {
    for (const Stored& each : models)
        EXPECT_EQ(run({"report", each.id, "--dtype", each.format, "-o", each.stem(scratch) + ".xlsx"}).status(), 0);
    recalculate(scratch);
}

TEST(Workbook, SaysWhichFiguresDoNotFollowTheLayers) {
    if (no_office()) GTEST_SKIP() << "LibreOffice is not here";
    const Scratch scratch;
    const std::array<Stored, 3> models{
        {{"llama-2-7b", "q4_k_m", false}, {"llama-2-7b", "int4", false}, {"deepseek-v2-lite", "q4_k_m", true}}};
    report_each(scratch, models);
    for (const Stored& each : models) {
        const std::string inputs = text_of(each.stem(scratch) + "-Inputs.csv");
        EXPECT_NE(inputs.find("This makes it again: headcount report " + each.id), inputs.npos);
        EXPECT_EQ(inputs.find("has the weights of 27 layers also where this is changed") != inputs.npos, each.says);
        EXPECT_EQ(text_of(each.stem(scratch) + "-Memory.csv").find("of 27 layers") != std::string::npos, each.says);
    }
}

TEST(Workbook, SaysWhereEightyLayersHaveOtherFormats) {
    if (no_office()) GTEST_SKIP() << "LibreOffice is not here";
    const Scratch scratch;
    const std::array<Stored, 3> models{
        {{"llama-3.1-8b", "q4_k_m", true}, {"llama-3.1-8b", "bf16", false}, {"llama-2-70b", "q4_k_m", false}}};
    report_each(scratch, models);
    for (const Stored& each : models) {
        const std::string inputs = text_of(each.stem(scratch) + "-Inputs.csv");
        EXPECT_EQ(inputs.find("takes the model for one of 70 B") != inputs.npos, each.says) << each.id << each.format;
    }
}

TEST(Workbook, HasTheInputsThatItsFormulasReadAndNoOthers) {
    if (no_office()) GTEST_SKIP() << "LibreOffice is not here";
    const Scratch scratch;
    const std::array<Stored, 4> models{{{"gemma-2-2b", "bf16", true},
                                        {"zamba2-7b", "bf16", true},
                                        {"whisper-large-v3", "bf16", false},
                                        {"gpt2", "bf16", false}}};
    report_each(scratch, models);
    for (const Stored& each : models) {
        const std::string file = each.stem(scratch) + "-Inputs.csv", text = text_of(file);
        const std::map<std::string, double> inputs = read_sheet(file, 3);
        EXPECT_EQ(text.find("all sheets are of ") != text.npos, each.says) << each.id;
        EXPECT_EQ(inputs.contains("layers"), !each.says) << each.id;
        EXPECT_FALSE(inputs.contains("cached") || inputs.contains("transform_dim")) << each.id;
        EXPECT_TRUE(inputs.contains("head_dim") && inputs.contains("tokens")) << each.id;
    }
}

// The last row of a sheet, which is that of the last block.
std::vector<double> last_row(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::vector<double> numbers;
    for (std::string line; std::getline(file, line);) {
        std::erase(line, '"');
        std::vector<double> row;
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, '\t') && !cell.empty();)
            row.push_back(std::atof(cell.c_str()));
        if (row.size() > 1) numbers = std::move(row);
    }
    return numbers;
}

// Of the last token, as a dump has them.
std::vector<float> last_logits(const std::string& path, std::size_t count) {
    std::ifstream file(path, std::ios::binary);
    std::uint64_t length = 0;
    file.read(reinterpret_cast<char*>(&length), sizeof length);
    std::string header(length, ' ');
    file.read(header.data(), static_cast<std::streamsize>(length));
    const std::size_t end = json::parse(header).at("logits").at("data_offsets").at(1);
    std::vector<float> logits(count);
    file.seekg(static_cast<std::streamoff>(sizeof length + length + end - count * sizeof(float)));
    file.read(reinterpret_cast<char*>(logits.data()), static_cast<std::streamsize>(count * sizeof(float)));
    return logits;
}

TEST(ForwardPass, RecalculatedGivesTheRunsLogits) {
    if (no_office()) GTEST_SKIP() << "LibreOffice is not here";
    const Scratch scratch;
    const std::vector<std::vector<std::string>> models{
        {"tiny-stories", "--prompt", "Once upon a time"},
        {"gemma-2-2b", "--random-weights", "--prompt-ids", "1,5,7", "--set", "dim=32", "--set", "heads=4", "--set",
         "kv_heads=2", "--set", "head_dim=8", "--set", "layers=2", "--set", "vocab=60", "--set", "ffn_dim=64"},
        {"bloom-176b", "--random-weights", "--prompt-ids", "1,5,7", "--set", "dim=32", "--set", "heads=4", "--set",
         "layers=2", "--set", "vocab=60", "--set", "ffn_dim=64"}};
    const auto stem_of = [&](const std::vector<std::string>& words) {
        return (scratch.folder() / words.front()).string();
    };
    for (const std::vector<std::string>& words : models) {
        std::vector<std::string> command{"run"};
        command.insert(command.end(), words.begin(), words.end());
        for (const char* ending : {".xlsx", ".safetensors"}) {
            std::vector<std::string> dumps = command;
            dumps.insert(dumps.end(), {"--tokens", "1", "--dump", stem_of(words) + ending});
            ASSERT_EQ(run(dumps).status(), 0) << run(dumps).err;
        }
    }
    recalculate(scratch);
    for (const std::vector<std::string>& words : models) {
        const std::string stem = stem_of(words);
        const std::vector<double> found = last_row(stem + "-model.csv");
        const std::vector<float> logits = last_logits(stem + ".safetensors", found.size());
        ASSERT_GT(found.size(), 1U) << words.front();
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(found[i], logits[i], 1e-4) << words.front() << ' ' << i;
    }
}

TEST(ForwardPass, OfALargeModelIsASentence) {
    const Scratch scratch;
    const Ran ran = run({"run", "gpt2", "--set", "layers=1", "--set", "vocab=5000", "--random-weights", "--prompt-ids",
                         "1,2", "--tokens", "1", "--dump", (scratch.folder() / "large.xlsx").string()});
    EXPECT_EQ(ran.status(), 1);
    if (ran.err.find("this build writes no spreadsheets") != std::string::npos) GTEST_SKIP() << ran.err;
    EXPECT_NE(ran.err.find("numbers is too large"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace headcount
