# What the shells complete, asked of the shells themselves.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from display import HANG_SECONDS
from harness import private_environment, program_path

# In a completion function of zsh what is offered goes through compadd: each time its matches are written down. Keys are
# pressed once the line editor is there to read them: before, the terminal would take some of them for itself.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PROMPT=; autoload -Uz compinit; compinit -u -D; source "$SCRIPT"'
zpty -w shell 'compadd() { local -a hits; builtin compadd -O hits "$@"; print -l -- "HIT:"$^hits; builtin compadd "$@" }
finished() { print -- FINI""SHED }; zle -N finished; bindkey "^I" complete-word; bindkey "^X^D" finished
zle-line-init() { print REA""DY }; zle -N zle-line-init'
zpty -r shell output $'*READY*'
zpty -n -w shell "$LINE"$'\t\x18\x04'
zpty -r shell output $'*FINISHED*'
zpty -d shell
print -r -- "$output" | grep -ao 'HIT:[^[:cntrl:]]*' | cut -c5-
"""
BASH = r"""
source "$SCRIPT"
complete -p headcount >/dev/null || exit
# Readline ends words at = and : too, each of these being a word of its own.
read -ra COMP_WORDS <<<"$(sed 's/[=:]/ & /g' <<<"$LINE")"
[[ $LINE != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_headcount
printf '%s\n' "${COMPREPLY[@]}"
"""
FISH = r"""
source $SCRIPT
complete -C $LINE | string replace -r '\t.*' '' | string replace -r '^--[a-z]*=' ''
"""
SHELLS = {"bash": ("bash", "--norc", "-c", BASH), "zsh": ("zsh", "-f", "-c", ZSH), "fish": ("fish", "-N", "-c", FISH)}


class Completion(unittest.TestCase):
    def offered(self, shell, line, folder):
        script = pathlib.Path(folder) / "script"
        environment = private_environment(os.environ, pathlib.Path(folder))
        script.write_bytes(subprocess.run([program_path(), "completion", shell], env=environment, check=True,
                                          stdout=subprocess.PIPE, timeout=HANG_SECONDS).stdout)
        done = subprocess.run(SHELLS[shell], cwd=folder, env={**environment, "SCRIPT": str(script), "LINE": line},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8",
                              timeout=HANG_SECONDS)
        return sorted(set(done.stdout.split()))

    def check(self, shell):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed: what it completes is not tested")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "weights.gguf").touch()
            for line, words in {
                "headcount cou": ["count"],
                "headcount count lla": None,
                "headcount count we": ["weights.gguf"],
                "headcount worksheet ": ["answer", "export", "list", "show"],
                "headcount worksheet export 1-one-head --form": ["--format"],
                "headcount memory llama-2-7b --kv": ["--kv-dtype"],
                "headcount memory llama-2-7b --dtype b": ["bf16"],
                "headcount memory llama-2-7b --dtype=b": ["bf16"],
                "headcount compute gpt2 --hardware rtx-409": ["rtx-4090"],
                "headcount count --set kv_h": ["kv_heads="],
                "headcount completion f": ["fish"],
            }.items():
                with self.subTest(line):
                    offered = self.offered(shell, line, folder)
                    if words is None:
                        self.assertIn("llama-2-7b", offered)
                        self.assertNotIn("gpt2", offered)
                    else:
                        self.assertEqual(offered, words)

    def test_bash_completes_commands_models_and_options(self):
        self.check("bash")

    def test_zsh_completes_commands_models_and_options(self):
        self.check("zsh")

    def test_fish_completes_commands_models_and_options(self):
        self.check("fish")


if __name__ == "__main__":
    unittest.main()
