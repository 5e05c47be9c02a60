# Runs the benchmarks and prints each figure beside the most that it may be. Exit status 1 if one is over.
import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/e2e"))
from display import Display  # noqa: E402
from harness import Program, private_environment  # noqa: E402

import commands  # noqa: E402
import peers as peer_models  # noqa: E402

STARTS = 9
RUNS = 9
FIRST_TOKEN_MILLISECONDS = 50  # with the program that injects the press, and the file that says what is shown
IDLE_SECONDS = 10
CANVAS_MILLISECONDS = 1.5  # of processor time, a frame
CANVAS_CALLS = 60
TRAINING_ROUNDS = 3  # of which the best counts: whoever else runs only makes one slower
PEER_ROUNDS = 10  # two lent processors may share one core for seconds: every program should meet both states
GROWTH = {"layers": "1,000 layers over 1", "heads": "1,024 heads over 1", "words": "vocabulary 1,000,000 over 1,000",
          "tokens": "1,000,000 tokens over 100"}
JSON = {"objects": "objects under keys", "objects_in_a_list": "objects in a list", "vocabulary": "a vocabulary",
        "pairs": "pairs of tokens", "numbers": "numbers", "one_text": "one text",
        "written_again": "fields that are written again"}


class Figures:
    """What was measured, printed as it comes."""

    def __init__(self):
        self.over = 0

    def add(self, what, value, unit, limit=None):
        line = f"{what:<64} {value:9.2f} {unit:<3}"
        if limit is not None:
            over = value > limit
            self.over += over
            line += f"  at most {limit:g} {unit}" + ("  OVER" if over else "")
        print(line, flush=True)


def benchmark_runs(build, which="."):
    done = subprocess.run([build / "bench", "--benchmark_format=json", f"--benchmark_filter={which}"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["benchmarks"]


def benchmarks(build):
    """Median processor time of each benchmark of the program `bench`, and the runs of those that measure themselves."""
    runs = benchmark_runs(build)
    wrong = [run for run in runs if run.get("error_occurred")]
    for run in wrong:
        if not run["name"].startswith("canvas_calls"):  # a machine without OpenGL makes no calls
            raise RuntimeError(run["error_message"])
        print(f"OpenGL calls of a frame: not measured, {run['error_message']}", flush=True)
    runs = [run for run in runs if run not in wrong]
    # "count_everything/llama_405b/min_time:0.100/repeats:15": what is not a setting is the name.
    name = lambda run: "/".join(part for part in run["run_name"].split("/") if ":" not in part)  # noqa: E731
    medians = {name(run): run["cpu_time"] for run in runs if run.get("aggregate_name") == "median"}
    return medians, {run["name"].split("/")[0]: run for run in runs if run["run_type"] == "iteration"}


def add_canvas(figures, runs):
    for kind in ("zooming", "dragging"):
        run = runs[f"canvas_{kind}"]
        figures.add(f"canvas, {kind}: {run['label']}", run["worst_us"] / 1000, "ms", CANVAS_MILLISECONDS)
    for what, words in GROWTH.items():
        run = runs[f"canvas_more_{what}"]
        for kind, where in zip(("zooming", "dragging", "bytes"), run["label"].split(" / ")):
            figures.add(f"canvas, {words}, {kind}: {where}", run[kind], "", 1.2)
    if "canvas_calls" in runs:
        run = runs["canvas_calls"]
        figures.add(f"OpenGL calls of a frame: {run['label']}", run["most"], "", CANVAS_CALLS)


def add_blocks(figures, runs):
    for kind, limit in (("Q4_K", 0.6), ("Q6_K", 0.8), ("Q8_0", 0.7), ("F16", 1), ("BF16", 1)):
        run = runs[f"blocks_{kind}"]
        for threads in (1, 2):
            figures.add(f"a row by a matrix kept in {kind}, {threads} of threads: time over float32's",
                        run[f"over_float32_{threads}"], "", limit)
            figures.add("  bytes a second over those of reading", run[f"of_reading_{threads}"], "")


def beside_peers(build, peers, name, run):
    """Tokens a second, {("decode", threads): {"Headcount": .., "memory": .., "llama.cpp": ..}, ..}: the best of
    several rounds in which all take turns, so that what else the machine does falls on all."""
    best = collections.defaultdict(lambda: collections.defaultdict(float))
    with tempfile.TemporaryDirectory() as folder:
        if peers and name in peer_models.SIZES:
            peer_models.write_models(folder, name)
        for turn in range(PEER_ROUNDS if peers else 1):
            ours = run if turn == 0 else benchmark_runs(build, f"runtime_{name}")[0]
            for threads in (1, 2):
                speeds = peer_models.peer_speeds(peers, pathlib.Path(folder), name, threads) if peers else {}
                speeds["Headcount"] = {what: ours[f"{what}_{threads}"] for what in ("prefill", "decode")
                                       if f"{what}_{threads}" in ours}
                if f"read_{threads}" in ours:
                    speeds["memory"] = {"decode": ours[f"read_{threads}"]}
                for program, speed in speeds.items():
                    for what, value in speed.items():
                        best[what, threads][program] = max(best[what, threads][program], value)
    return best


def add_runtime(figures, build, runs, peers):
    for name in peer_models.SIZES:
        run = runs[f"runtime_{name}"]
        best = beside_peers(build, peers, name, run)
        for threads in (1, 2):
            many = f"{threads} thread" + ("s" if threads > 1 else "")
            for what, words in (("prefill", "prompt of 128"), ("decode", "then")):
                others = best[what, threads]
                ours, memory = others.pop("Headcount"), others.pop("memory", None)
                figures.add(f"{run['label']}, {many}: {words}", ours, "tokens/s")
                for peer, speed in others.items():
                    figures.add(f"  {peer} over that", speed / ours, "", 1 / 1.2)
                figures.add("  with everything kept, over nothing", run[f"keeping_{what}_{threads}"], "", 1.25)
                if memory:
                    figures.add("  memory's speed over that of reading weights", memory / ours, "",
                                1 / 0.9 if name == "large" else None)


def add_training(figures, build, peers):
    for name in peer_models.TRAININGS:
        for threads in (1, 2):
            ours, theirs = [], []
            for _ in range(TRAINING_ROUNDS):
                ours.append(peer_models.training_speed(build / "headcount", name, threads))
                if peers and (peers / "python").exists():
                    theirs.append(peer_models.torch_speed(peers / "python", name, threads, "torch_train.py")["train"])
            what = f"training, {name}, {threads} thread" + ("s" if threads > 1 else "")
            figures.add(what, 1000 / max(ours), "ms")
            if theirs:
                figures.add("  PyTorch over that", max(theirs) / max(ours), "", 1)


def add_other_models(figures, build, runs, peers):
    for name, timed in peer_models.OTHERS.items():
        run = runs[f"runtime_{name}"]
        best = beside_peers(build, peers, name, run)
        for threads in (1, 2):
            for what, words in timed:
                speeds = best[what, threads]
                many = f"{threads} thread" + ("s" if threads > 1 else "")
                figures.add(f"{run['label']}, {many}: {words}", speeds["Headcount"], "tokens/s")
                if "PyTorch" in speeds:
                    figures.add("  PyTorch over that", speeds["PyTorch"] / speeds["Headcount"], "", 1)


def add_gguf(figures, median):
    ours = median["read_gguf_header"]
    figures.add("GGUF header, 128,000 vocabulary entries, 300 tensors", ours / 1000, "ms", 60)
    if "read_gguf_header_ggml" in median:
        figures.add("  over ggml's own reader", ours / median["read_gguf_header_ggml"], "", 1)
    else:
        print("  over ggml's own reader: not measured, HEADCOUNT_GGML names no libggml-base.so", flush=True)


def add_json(figures, runs):
    for shape, words in JSON.items():
        run = runs[f"json_{shape}"]
        figures.add(f"JSON of 0.4 MB, {words}", run["once_us"] / 1000, "ms")
        # What is written again is copied several times, which the processor's caches do not hold.
        figures.add("  of 0.8 MB, over that", run["twice_us"] / run["once_us"], "", 2.6 if shape == "written_again" else 2.3)


def add_commands(figures, build):
    for command, preset, milliseconds in commands.slowest(build / "headcount"):
        figures.add(f"headcount {command}{preset and ', slowest: ' + preset}", milliseconds, "ms",
                    commands.LONGER.get(command, commands.MILLISECONDS))


def start(display, home, command, report):
    """Starts a program and waits until it has written the file that says that its first frame is there."""
    report.unlink(missing_ok=True)
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=private_environment(display.environment(), home), cwd=home,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not report.exists():
        if process.poll() is not None or time.perf_counter() - begin > 60:
            raise RuntimeError(f"{command[0]} did not show a frame")
        time.sleep(0.0005)
    return process, time.perf_counter() - begin


def stop(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def start_milliseconds(display, home, command, report):
    process, seconds = start(display, home, command, report)
    stop(process)
    return seconds * 1000


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle_percent(display, home, command, report):
    process, _ = start(display, home, command, report)
    time.sleep(2)
    before, begin = processor_seconds(process), time.perf_counter()
    time.sleep(IDLE_SECONDS)
    used, seconds = processor_seconds(process) - before, time.perf_counter() - begin
    stop(process)
    return 100 * used / seconds


def first_token_milliseconds(program, *act, held=False):
    """From the press of Run until the first token behind the prompt is on the screen; then all is as it was before."""
    program.hover("run.play")
    if held:
        program.press()
    time.sleep(0.3)  # what lights up under the pointer has settled
    seconds = program.seconds_until(lambda report: report["run"]["generated"] > 0, "the first token is shown", *act)
    program.click("run.play")
    program.wait_until(lambda report: not report["run"]["playing"], "it has stopped")
    program.click("run.restart")
    program.wait_until(lambda report: report["run"]["generated"] == 0, "only the prompt is there")
    return 1000 * seconds


def add_first_token(display, home, build, figures):
    os.environ["HEADCOUNT"] = str(build / "headcount")
    program = Program(display, home)
    program.click("topbar.view.4")
    program.wait_until(lambda report: report["run"] and report["run"].get("next") is not None, "the prompt is read")
    # A button acts when it is let go: how long it was held is the person's.
    for how, act, held in (("by Space", ("key", "space"), False), ("by the button, let go", ("mouseup", "1"), True)):
        times = [first_token_milliseconds(program, *act, held=held) for _ in range(RUNS + 1)][1:]
        figures.add(f"first token after Run, {how}", statistics.median(times), "ms", FIRST_TOKEN_MILLISECONDS)
    program.stop()


def measure_program(build, figures):
    display = Display()
    try:
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder)
            report = home / "report.json"
            ours = [build / "headcount", "--size", "1600x1000", "--report-ui", report]
            bare = [build / "bench_bare", report]
            # Alternately, so that whatever else the machine does falls on both.
            times = [(start_milliseconds(display, home, bare, report), start_milliseconds(display, home, ours, report))
                     for _ in range(STARTS + 1)][1:]
            bare_start, our_start = (statistics.median(column) for column in zip(*times))
            figures.add("start to first frame, bare GLFW and Dear ImGui", bare_start, "ms")
            figures.add("start to first frame, Headcount", our_start, "ms")
            figures.add("  the one over the other", our_start / bare_start, "", 1.5)
            add_first_token(display, home, build, figures)
            figures.add(f"idle for {IDLE_SECONDS} s, of one core", idle_percent(display, home, ours, report), "%", 1)
    finally:
        display.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--peers", type=pathlib.Path, help="a folder with llama2.c's run, llama.cpp's llama-bench, PyTorch's python")
    arguments = parser.parse_args()
    build, peers = arguments.build.resolve(), arguments.peers and arguments.peers.resolve()
    figures = Figures()
    median, runs = benchmarks(build)
    model = median["count_everything/llama_405b"]
    figures.add("Llama 3.1 405B: graph, parameters, activations", model, "us", 50)
    figures.add("  with 1,000 layers, over that", median["count_everything/thousand_layers"] / model, "", 1.2)
    figures.add("  with 1,024 heads, over that", median["count_everything/thousand_heads"] / model, "", 1.2)
    figures.add("Kimi K2, 384 experts in 61 layers: graph, parameters", median["expand_mixture"], "us", 100)
    figures.add("comparison of the two largest mixtures", median["compare_largest"], "us", 300)
    figures.add("sweep of 10,000 architectures", median["sweep_10000"] / 1000, "ms", 250)
    figures.add("  of a hybrid's, all figures", median["sweep_10000_of_a_hybrid"] / 1000, "ms", 1000)
    figures.add("solve for the width of a dense model", median["solve_width"] / 1000, "ms", 50)
    figures.add("solve for the layers of a mixture", median["solve_layers"] / 1000, "ms", 50)
    figures.add("solve for two widths", median["solve_two_widths"] / 1000, "ms", 50)
    figures.add("solve for two numbers of a mixture", median["solve_two_of_a_mixture"] / 1000, "ms", 50)
    figures.add("solve for two numbers in a memory", median["solve_two_for_memory"] / 1000, "ms", 50)
    figures.add("one step of every number", median["sensitivity_of_a_mixture"] / 1000, "ms", 50)
    switch = runs["switch_head"]
    figures.add(f"a head's switch in the Run view, {switch['label']}", switch["median_ms"], "ms", 50)
    figures.add("another size of a shape", median["same_shape_of_a_family"] / 1000, "ms", 50)
    figures.add("longest context and largest batch on every device", median["fit_devices"] / 1000, "ms")
    demo = median["build_demo"]
    figures.add("one frame of Dear ImGui's demo and style editor", demo, "us")
    # The demo's frame is one in which nothing is edited, and so is the one that the limit is for: what the pointer
    # passes is drawn anew, the rest is what it was. Every panel is drawn anew when the theme, the scale or the window's
    # size changes.
    for frame, what, limit in [("build_explore", "still", 1.5), ("build_explore_pointing", "the pointer moves", 1.5),
                               ("build_explore_dragging", "the document changes", None),
                               ("build_explore_anew", "every panel drawn anew", None)]:
        figures.add(f"one frame of the Explore view, {what}", median[frame], "us")
        figures.add("  over Dear ImGui's", median[frame] / demo, "", limit)
    for frame, what in [("build_compare_zooming", "one side is zoomed"), ("build_compare_dragging", "one side changes")]:
        figures.add(f"one frame of the Compare view, {what}", median[frame], "us")
    figures.add("one frame of the Run view, its values, the computation moves", median["build_run_playing"], "us", 2000)
    add_commands(figures, build)
    add_canvas(figures, runs)
    add_gguf(figures, median)
    add_json(figures, runs)
    add_blocks(figures, runs)
    add_runtime(figures, build, runs, peers)
    add_other_models(figures, build, runs, peers)
    add_training(figures, build, peers)
    figures.add("safetensors index of 1,000 shards, 9,000 tensors", median["read_thousand_shards"] / 1000, "ms", 30)
    measure_program(build, figures)
    return 1 if figures.over else 0


if __name__ == "__main__":
    sys.exit(main())
