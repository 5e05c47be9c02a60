// Shaders: what is wrong with one is said with the file and the line, and uniforms are what the program declares.
#include "app/gl/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/gl/offscreen.hpp"

namespace headcount {
namespace {

constexpr ShaderFile head{"head.glsl", "float twice(float x) { return x + x; }\n"};
constexpr ShaderFile corner{"corner.vert",
                            "uniform vec2 place;\nvoid main() {\n  gl_Position = vec4(place, 0.0, 1.0);\n}\n"};
constexpr ShaderFile plain{"plain.frag", "out vec4 colour;\nvoid main() {\n  colour = vec4(twice(0.5));\n}\n"};
constexpr Uniform place{"place", UniformType::vec2};

class ProgramTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!offscreen) GTEST_SKIP() << sentence(offscreen.error());
    }
    static Result<Program> link(const ShaderFile& vertex, const ShaderFile& fragment,
                                const std::vector<Uniform>& uniforms) {
        return Program::link(std::array{head, vertex}, std::array{head, fragment}, uniforms);
    }
    Result<Offscreen> offscreen = Offscreen::create(4, 4);
};

TEST_F(ProgramTest, LinksWhatFitsTogether) {
    const Result<Program> program = link(corner, plain, {place});
    ASSERT_TRUE(program) << sentence(program.error());
    EXPECT_GE(program->location(0), 0);
}

TEST_F(ProgramTest, NamesFileAndLineOfABrokenShader) {
    const ShaderFile broken{"broken.frag", "out vec4 colour;\nvoid main() {\n  colour = vec4(no_such_thing);\n}\n"};
    const Result<Program> program = link(corner, broken, {place});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().where, "shaders/broken.frag:3");
    EXPECT_THAT(program.error().what, testing::HasSubstr("no_such_thing"));
}

TEST_F(ProgramTest, NamesTheCommonFileWhereThatIsBroken) {
    const ShaderFile broken{"head.glsl", "\n\nfloat twice(float x) { return y; }\n"};
    const Result<Program> program =
        Program::link(std::array{broken, corner}, std::array{head, plain}, std::array{place});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().where, "shaders/head.glsl:3");
}

TEST_F(ProgramTest, SaysWhatDoesNotLink) {
    const ShaderFile wants{"wants.frag",
                           "in vec3 hue;\nout vec4 colour;\nvoid main() {\n  colour = vec4(hue, 1.0);\n}\n"};
    const ShaderFile gives{"gives.vert",
                           "out vec2 hue;\nvoid main() {\n  gl_Position = vec4(hue = vec2(1.0), 0.0, 1.0);\n}\n"};
    const Result<Program> program = link(gives, wants, {});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().where, "shaders/gives.vert, shaders/wants.frag");
    EXPECT_THAT(program.error().what, testing::HasSubstr("hue"));
}

TEST_F(ProgramTest, RefusesUniformsThatAreNotDeclared) {
    const Result<Program> program = link(corner, plain, {});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().what, "the shader uses a uniform that is not declared: place");
}

TEST_F(ProgramTest, RefusesDeclaredUniformsThatAreNotThere) {
    const Result<Program> program = link(corner, plain, {place, {"colour_of_rain", UniformType::vec4}});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().what, "the shader does not use the declared uniform colour_of_rain");
}

TEST_F(ProgramTest, RefusesUniformsOfAnotherType) {
    const Result<Program> program = link(corner, plain, {{"place", UniformType::mat4}});
    ASSERT_FALSE(program);
    EXPECT_EQ(program.error().what, "the uniform place is no mat4");
}

TEST(ShaderComplaints, AreReadFromWhatEachDriverWrites) {
    struct Case {
        const char* log;
        int line;
        const char* sentence;
    };
    for (const Case& wrong : {
             Case{"0:12(5): error: `x' undeclared\n0:13(1): error: more\n", 12, "error: `x' undeclared"},
             Case{"1(7) : error C1008: undefined variable \"x\"\n", 7, "error C1008: undefined variable \"x\""},
             Case{"ERROR: 1:30: 'x' : undeclared identifier \r\n", 30, "'x' : undeclared identifier"},
             Case{"Fragment shader failed.\n0:3(1): warning: odd\n0:4(2): error: bad", 4, "error: bad"},
         }) {
        const std::optional<ShaderComplaint> complaint = first_complaint(wrong.log);
        ASSERT_TRUE(complaint) << wrong.log;
        EXPECT_EQ(complaint->line, wrong.line);
        EXPECT_EQ(complaint->sentence, wrong.sentence);
    }
    EXPECT_FALSE(first_complaint("something went wrong"));
    EXPECT_FALSE(first_complaint(""));
}

TEST(EmbeddedShaders, AreFoundByTheNameOfTheirFile) {
    const Result<ShaderFile> file = embedded_shader("common.glsl");
    ASSERT_TRUE(file);
    EXPECT_THAT(std::string(file->text), testing::HasSubstr("unpack_colour"));
    EXPECT_FALSE(embedded_shader("no_such.vert"));
}

}  // namespace
}  // namespace headcount
