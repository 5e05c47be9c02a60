// headcount render: a picture of a view, which main draws.
#include <array>
#include <cmath>

#include "app/cli/render_arguments.hpp"

namespace headcount {
namespace {

constexpr std::array<FileFormat, 2> picture_formats{{{"png", "the whole view"}, {"svg", "the diagram alone"}}};

void describe_render(CLI::App* command, RenderArguments& arguments, std::span<const std::string_view> views) {
    constexpr std::array words{InputWord::tokens, InputWord::source, InputWord::batch, InputWord::cached,
                               InputWord::dtype};
    describe_seen(command, arguments, views, words);
    add_look(command, arguments.look, "colours (dark)", "pixels (1600x1000)");
    add_whole(command, "--scale", arguments.scale, "PERCENT", "of the interface, 75 to 200 (100)",
              std::lround(100 * least_scale), std::lround(100 * most_scale));
    add_name(command, "--answers", arguments.answers, "FILE", "what a student has answered in it");
    add_name(command, "--against", arguments.against, "FILE", "in the Run view, beside what another program has made");
    command->add_flag("--welcome", arguments.welcome, "with the card that says where to begin");
    add_output(command, arguments.output, picture_formats)->required();
    add_rule(command, [&arguments] {
        Failure failure = settle(arguments.output, picture_formats);
        return failure ? failure : wrong_view(arguments);
    });
}

Failure ask_for_picture(const RenderArguments& arguments, Output& output) {
    Result<RenderOptions> options = render_options(arguments, output.notes);
    if (!options) return options.error();
    output.picture = *std::move(options);
    return std::nullopt;
}

}  // namespace

Command render_command(std::span<const std::string_view> views) {
    const auto describe = [views](CLI::App* command, RenderArguments& arguments) {
        describe_render(command, arguments, views);
    };
    return make_command("render", "write a picture of a view, without a window", describe, ask_for_picture);
}

}  // namespace headcount
