import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";

/** What to wait for on the screen, and what to type then, or a function that returns it. */
export type Turn = readonly [expected: RegExp, answer: string | ((match: RegExpExecArray) => Promise<string>)];

export const KEYS = { enter: "\r", down: "\u001b[B", no: "n", interrupt: "\u0003" } as const;

/**
 * Matches a completely drawn prompt. A key that is pressed while a prompt is partially drawn would go to the previous
 * one; and the text of a prompt may equal that of an option of the previous one.
 */
export function prompt(message: string): RegExp {
  return new RegExp(`◆ {2}${message.replaceAll(/[.?]/g, String.raw`\$&`)}[^└]*└`, "u");
}

/**
 * Runs a command on a terminal of 80 columns and 24 rows and answers its prompts, each turn after its expected output
 * was printed. Returns the output with and without control characters, and the exit code.
 */
export async function atTerminal(
  command: readonly string[],
  { cwd, env, turns }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly turns: readonly Turn[] },
) {
  const line = command.map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qfec", `stty cols 80 rows 24; exec ${line}`, "/dev/null"], {
    cwd,
    env: { ...process.env, TERM: "xterm-256color", SHELL: "/bin/bash", ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [raw, seen, turn] = ["", 0, 0];
  async function answer(): Promise<void> {
    const [expected, reply] = turns[turn] ?? [];
    const match = expected?.exec(stripVTControlCharacters(raw.slice(seen)));
    if (match === null || match === undefined || reply === undefined) return;
    turn += 1;
    seen = raw.length;
    child.stdin.write(typeof reply === "string" ? reply : await reply(match));
  }
  let answering = Promise.resolve();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    answering = answering.then(answer);
  });
  const code = await new Promise<number | null>((resolve) => void child.once("close", resolve));
  await answering;
  return { code, raw, text: stripVTControlCharacters(raw), answered: turn };
}
