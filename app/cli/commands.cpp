// The list of the commands. Each is made in the file of its name.
#include "app/cli/command.hpp"

namespace headcount {

Command presets_command();
Command ask_command(std::span<const AskCommand> actions);
Command count_command();
Command tensors_command();
Command tree_command();
Command match_command();
Command shapes_command();
Command equations_command();
Command compare_command();
Command diff_command();
Command memory_command();
Command compute_command();
Command devices_command();
Command measured_command();
Command sweep_command();
Command sensitivity_command();
Command solve_command();
Command run_command();
Command tokenize_command();
Command diagnose_command();
Command train_command();
Command claims_command();
Command export_command();
Command report_command(const DrawPlace& draw);
Command worksheet_command(const DrawPlace& draw);
Command render_command(std::span<const std::string_view> views);
Command link_command(std::span<const std::string_view> views);
Command poster_command();
Command lessons_command();
Command serve_command(std::span<const std::string_view> views, const DrawPlace& draw, const DrawPicture& picture,
                      std::span<const AskCommand> actions);
Command completion_command();
Command manual_command();

std::vector<Command> all_commands(std::span<const std::string_view> views, const DrawPlace& draw,
                                  const DrawPicture& picture, std::span<const AskCommand> actions) {
    return {presets_command(),       ask_command(actions),  count_command(),
            tensors_command(),       tree_command(),        match_command(),
            shapes_command(),        equations_command(),   compare_command(),
            diff_command(),          memory_command(),      compute_command(),
            devices_command(),       measured_command(),    sweep_command(),
            sensitivity_command(),   solve_command(),       run_command(),
            tokenize_command(),      diagnose_command(),    train_command(),
            claims_command(),        export_command(),      report_command(draw),
            worksheet_command(draw), render_command(views), link_command(views),
            lessons_command(),       poster_command(),      serve_command(views, draw, picture, actions),
            completion_command(),    manual_command()};
}

}  // namespace headcount
