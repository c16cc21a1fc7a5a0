import { ImprintError } from "../../base/error.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";

// Typed words are passed as separate arguments and never run as code. The shell calls the program that was typed, so
// that a project's own version responds.

const BASH = `# Save it as ~/.local/share/bash-completion/completions/imprint, or run: source <(imprint completion bash)
_imprint() {
  local line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _imprint imprint
`;

const ZSH = `#compdef imprint
# Save it as _imprint in a folder of $fpath, or run: source <(imprint completion zsh)
_imprint() {
  local line
  local -a values
  while IFS= read -r line; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then _describe imprint values; else _files; fi
}
if [[ "\${funcstack[1]}" == _imprint ]]; then _imprint "$@"; else compdef _imprint imprint; fi
`;

const FISH = `# Save it as ~/.config/fish/completions/imprint.fish
function __imprint_complete
    set -l words (commandline -opc)
    set -l found (command $words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c imprint -f -a '(__imprint_complete)'
`;

const POWERSHELL = `# Add it to the file that $PROFILE names
Register-ArgumentCompleter -Native -CommandName imprint -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    $rest = @($elements | Select-Object -Skip 1)
    & $elements[0] complete '--' @rest $wordToComplete 2>$null | ForEach-Object {
        $value, $text = $_ -split [char]9, 2
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $(if ($text) { $text } else { $value }))
    }
}
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL };

/** `imprint completion`: the script that a shell runs once, so that it calls imprint on every press of TAB. */
export async function completion({ args: [shell = ""] }: CommandRun<object>): Promise<CommandResult> {
  const document = SCRIPTS[shell];
  if (document === undefined) throw new ImprintError("USAGE", `There is no completion for ${shell}.`);
  return { document };
}
