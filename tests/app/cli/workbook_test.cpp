// A spreadsheet of a model, recalculated by LibreOffice where it is there, against count and memory.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
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

TEST(Workbook, SaysRecalculatedWhatCountAndMemorySay) {
    if (std::system("soffice --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "LibreOffice is not here";
    const Scratch scratch;
    const std::string user = scratch.file("user/user/registrymodifications.xcu", always);
    const std::string home = (scratch.folder() / "user").string();
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"gpt2", "--tokens", "1024"},
          {"mixtral-8x7b", "--tokens", "4096", "--batch", "3", "--dtype", "q4_k_m"},
          {"gemma-2-2b", "--tokens", "8192", "--phase", "train"},
          {"deepseek-v3", "--tokens", "4096", "--dtype", "fp8"}}) {
        const std::string name = words.front(), file = (scratch.folder() / (name + ".xlsx")).string();
        std::vector<std::string> command{"report"};
        command.insert(command.end(), words.begin(), words.end());
        command.insert(command.end(), {"-o", file});
        const Ran ran = run(command);
        ASSERT_EQ(ran.status(), 0) << ran.err;
        // Tabs between cells, every sheet, full numbers and not as they are shown.
        const std::string convert = "soffice -env:UserInstallation=file://" + home + " --headless --convert-to '" +
                                    "csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,false,false,false,false,-1' "
                                    "--outdir " +
                                    scratch.folder().string() + " " + file + " > /dev/null 2>&1";
        ASSERT_EQ(std::system(convert.c_str()), 0) << convert;
        command[0] = "memory";
        command.resize(command.size() - 2);
        command.emplace_back("--json");
        const json held = run(command).json();
        const std::string sheets = (scratch.folder() / name).string();
        const std::map<std::string, double> memory = read_sheet(sheets + "-Memory.csv", 1);
        expect_near(memory.at("Weights"), held["weights"]["total"].get<double>(), name);
        expect_near(memory.at("Total"), held["total"].get<double>(), name);
        if (held["kv_cache"]["total"] != 0)
            expect_near(memory.at("KV cache"), held["kv_cache"]["total"].get<double>(), name);
        const json counted = run({"count", name, "--json"}).json();
        const std::map<std::string, double> parameters = read_sheet(sheets + "-Parameters.csv", 4);
        expect_near(parameters.at("Total"), counted["parameters"]["total"].get<double>(), name);
        expect_near(parameters.at("Attention"), counted["parameters"]["by_component"]["attention"].get<double>(), name);
    }
}

}  // namespace
}  // namespace headcount
