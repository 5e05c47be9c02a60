// Files that somebody else wrote: worksheets and answers with every kind of mistake.
#include "core/handout/handout.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::string complaint(const std::string& question, const std::string& top = R"("architecture": "llama-7b")") {
    const std::string text = R"({"title": "t", )" + top + R"(, "questions": [)" + question + "]}";
    const Result<Worksheet> worksheet = parse_worksheet(text, "w", "w.json");
    if (!worksheet) return sentence(worksheet.error());
    const Result<Sheet> sheet = make_sheet(*worksheet, presets());
    return sheet ? "" : sentence(sheet.error());
}

TEST(WorksheetFile, EveryMistakeHasASentenceThatSaysWhere) {
    const auto question = [](const std::string& rest) { return R"({"id": "q", "ask": "?", )" + rest + "}"; };
    const std::vector<std::pair<std::string, std::vector<std::string>>> wrong{
        {question(R"("kind": "count", "answer": "d_q*2")"),
         {"unknown symbol \"d_q\"", "questions[0].answer", "character 1"}},
        {question(R"("kind": "count", "answer": "d * ")"), {"the formula \"d * \" ends too early", "character 5"}},
        {question(R"("kind": "count", "answer": "count of layer.feed_forward.upp.weight")"),
         {"questions[0].answer", "did you mean layer.feed_forward.up.weight"}},
        {question(R"("kind": "cuont", "answer": "d")"), {"no kind \"cuont\"", "did you mean count"}},
        {question(R"("kind": "count")"), {"the answer is missing", "questions[0].answer"}},
        {question(R"("kind": "count", "answr": "d")"), {"answr", "did you mean answer"}},
        {question(R"("kind": "count", "answer": "E")"), {"E has no value here"}},
        {question(R"("kind": "count", "answer": "shape of embedded")"), {"is a shape, not a number"}},
        {question(R"("kind": "shape", "answer": "T*d")"), {"is not a shape"}},
        {question(R"("kind": "count", "answer": "{count of model")"), {"never closed", "character 1"}},
        {question(R"("kind": "count", "answer": "size of model")"), {"size", "questions[0].answer"}},
        {question(R"("kind": "count", "answer": "count of layer.attention.queries")"), {"holds no parameters"}},
        {question(R"("kind": "count", "answer": "count of model in lama-7b")"),
         {"no preset \"lama-7b\"", "did you mean llama-7b"}},
        {question(R"("kind": "choice", "answer": "c", "choices": ["a", "b"])"), {"none of the choices"}},
        {question(R"("kind": "choice", "answer": "a", "choices": ["a"])"), {"too short", "questions[0].choices"}},
        {question(R"("kind": "select", "answer": "layer.attenton")"), {"has no \"layer.attenton\""}},
        {question(R"("kind": "count", "answer": "d", "lines": 3)"), {"has no \"lines\""}},
        {question(R"("kind": "count", "answer": "d", "input": {"tokens": 0})"), {"questions[0].input.tokens"}},
        {R"({"id": "q", "kind": "count", "ask": "{T * }", "answer": "d"})", {"questions[0].ask"}},
        {question(R"("kind": "text")") + "," + question(R"("kind": "text")"),
         {"the id \"q\" is also that of questions[0]"}},
        {"3", {"questions[0]", "not a question"}}};
    for (const auto& [text, parts] : wrong) {
        const std::string said = complaint(text);
        for (const std::string& part : parts) EXPECT_NE(said.find(part), std::string::npos) << text << "\n" << said;
    }
    const std::string fine = question(R"("kind": "text")");
    EXPECT_EQ(complaint(fine), "");
    EXPECT_NE(complaint(fine, R"("architecture": "lama-7b")").find("did you mean llama-7b"), std::string::npos);
    EXPECT_NE(complaint(fine, R"("architecture": {"preset": "llama-7b", "set": {"heads": 30}})").find("30 heads"),
              std::string::npos);
    EXPECT_NE(complaint(fine, R"("architecture": "own", "new_numbers": ["headz"])").find("did you mean heads"),
              std::string::npos);
}

TEST(WorksheetFile, BrokenJsonIsPlacedByLine) {
    const Result<Worksheet> worksheet = parse_worksheet("{\n  \"title\": \"t\",\n  oops\n}", "w", "w.json");
    ASSERT_FALSE(worksheet);
    EXPECT_NE(worksheet.error().where.find("line 3"), std::string::npos) << worksheet.error().where;
    for (const char* text :
         {"", "[]", "{", "{\"title\": 1e999}", "{\"title\":\"t\",\"architecture\":[],\"questions\":[1]}", "\xff"})
        EXPECT_FALSE(parse_worksheet(text, "w", "w.json")) << text;
    EXPECT_FALSE(parse_worksheet(std::string(100'000, '['), "w", "w.json"));
}

TEST(WorksheetFile, AboutTheReadersOwnModelLeavesOutWhatItHasNot) {
    const Result<Worksheet> worksheet = parse_worksheet(
        R"({"title": "{name}", "architecture": "own", "questions": [
            {"id": "gate", "kind": "count", "ask": "?", "answer": "count of layer.feed_forward.gate.weight"},
            {"id": "up", "kind": "count", "ask": "?", "answer": "count of layer.feed_forward.up.weight"}]})",
        "w", "w");
    ASSERT_TRUE(worksheet) << sentence(worksheet.error());
    const Result<Sheet> sheet =
        make_sheet(*worksheet, presets(), std::nullopt, &find_preset(presets(), "gpt2")->architecture);
    ASSERT_TRUE(sheet);
    EXPECT_EQ(sheet->questions.size(), 1u);
    EXPECT_EQ(sheet->notes.size(), 1u);
    EXPECT_EQ(sheet->title, "GPT-2 small");
}

TEST(AnswerFile, ReadsJsonAndBothKindsOfCsv) {
    const auto json = parse_answers(
        R"({"worksheet": "1-one-head", "student": "Ada", "answers": {"head.input": [100, 4096]}})", "x", "f");
    ASSERT_TRUE(json);
    EXPECT_EQ(json->front().given.at("head.input"), "100, 4096");
    const auto rows = parse_answers("question,answer\r\nstudent,Ada\r\nhead.input,\"100 x 4,096\"\r\n", "x", "f");
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->front().student, "Ada");
    EXPECT_EQ(rows->front().given.at("head.input"), "100 x 4,096");
    const auto wide = parse_answers("Name;head.input;head.keys\nAda;100x4096;100x128\nBob;;\n", "x", "f");
    ASSERT_TRUE(wide);
    ASSERT_EQ(wide->size(), 2u);
    const Sheet sheet = shipped("1-one-head");
    EXPECT_EQ(grade_all(sheet, wide->front())->right, 2);
    EXPECT_EQ(grade_all(sheet, wide->back())->right, 0);
    for (const char* text :
         {"", "a,b\n1,2\n", "question,answer\nq,\"x", "{\"answers\": 3}", "question,answer\nq,1\nq,2\n"})
        EXPECT_FALSE(parse_answers(text, "x", "f")) << text;
    EXPECT_FALSE(grade_all(sheet, {"2-why-7b", "Ada", std::nullopt, {}}));
    EXPECT_FALSE(grade_all(sheet, {"", "Ada", std::nullopt, {{"hed.input", "1"}}}));
}

TEST(AnswerFile, WhatIsWrittenIsReadBack) {
    const Sheet sheet = shipped("1-one-head", 3);
    const Answers answers{
        sheet.id, "Ada \"L\", B", 3, {{"head.input", "100 x 4,096"}, {"square", "one\ntwo; \"three\""}}};
    EXPECT_EQ(parse_answers(answers_json(answers).dump(), "x", "f")->front(), answers);
    const Answers read = parse_answers(answers_csv(sheet, answers), "x", "f")->front();
    EXPECT_EQ(read.student, answers.student);
    EXPECT_EQ(read.seed, answers.seed);
    EXPECT_EQ(read.given.at("square"), answers.given.at("square"));
}

TEST(Handout, StudentsSeeNoAnswersAndTextsCannotBreakThePage) {
    const Sheet sheet = shipped("1-one-head");
    const std::string student = handout_html(sheet, {}), key = handout_html(sheet, {true, nullptr});
    EXPECT_EQ(student.find("128"), std::string::npos);
    EXPECT_NE(key.find("100 × 128"), std::string::npos);
    EXPECT_NE(key.find("all 32 heads together"), std::string::npos);
    EXPECT_EQ(handout_markdown(sheet, {}).find("100 × 128"), std::string::npos);
    Sheet hostile = sheet;
    hostile.title = "<script>alert(1)</script>";
    EXPECT_EQ(handout_html(hostile, {}).find("<script"), std::string::npos);
}

}  // namespace
}  // namespace headcount
