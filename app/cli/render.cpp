// headcount render: a picture of a view, which main draws.
#include <array>
#include <cmath>

#include "app/cli/render_arguments.hpp"

namespace headcount {
namespace {

constexpr std::array<FileFormat, 2> picture_formats{{{"png", "the whole view"}, {"svg", "the diagram alone"}}};

// A file, or a folder of frames.
Failure wrong_output(RenderArguments& arguments) {
    if (arguments.frames && !arguments.output.file.empty())
        return Error{"frames are no single picture", "-o " + arguments.output.file, "leave -o or --frames out"};
    if (arguments.frames) return std::nullopt;
    if (arguments.output.file.empty())
        return Error{"-o FILE (--output) is required", "headcount render",
                     "\"headcount render --help\" says how it is used"};
    return settle(arguments.output, picture_formats);
}

// The Explore view shows no pass: a link may say one for the views beside it.
Failure wrong_phase(const RenderArguments& arguments) {
    const bool explore = arguments.view ? arguments.view->key == explore_view : !arguments.tour && !arguments.claim;
    if (!arguments.input.phase || !explore || is_link(arguments.model.arch)) return std::nullopt;
    return Error{"the Explore view shows no single pass", "--phase", "give --view costs, or leave it out"};
}

void describe_render(CLI::App* command, RenderArguments& arguments, std::span<const std::string_view> views) {
    arguments.model.arch = first_preset;  // as the window opens; a tour and a worksheet name their own
    describe_seen(command, arguments, views)->required(false);
    add_look(command, arguments.look, "colours (dark)", "pixels (1600x1000)");
    add_whole(command, "--scale", arguments.scale, "PERCENT", "of the interface, 75 to 200 (100)",
              std::lround(100 * least_scale), std::lround(100 * most_scale));
    add_name(command, "--answers", arguments.answers, "FILE", "what a student has answered in it");
    add_name(command, "--against", arguments.against, "FILE", "in the Run view, beside what another program has made");
    command->add_flag("--welcome", arguments.welcome, "with the card that says where to begin");
    add_whole(command, "--pixels", arguments.pixels, "N",
              "so many pixels of the PNG file for each of the size, along a side: 1 to 4 (1)", 1, 4);
    command->add_flag("--crop", arguments.crop, "the diagram alone, cut to the place of --at");
    command->add_flag("--no-ground", arguments.no_ground,
                      "the diagram alone, with nothing behind it, and in dark ink unless --theme dark is given");
    const std::string frames =
        "the way to --at, the --tour or the words of --view run as numbered pictures in this new folder";
    add_name(command, "--frames", arguments.frames, "DIR",
             frames + (writes_gif() ? ", or as a GIF where it is called FILE.gif" : ""));
    add_output(command, arguments.output, picture_formats);
    add_rule(command, [&arguments] {
        Failure failure = wrong_output(arguments);
        if (!failure) failure = wrong_phase(arguments);
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
