import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The cost of a process. */
export interface Cost {
  /** Both in seconds. */
  readonly wall: number;
  readonly processor: number;
  readonly megabytes: number;
}

export interface Place {
  /** Folder of the project. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Measures one process from start to end with GNU `time`. */
export async function measure(command: readonly string[], { root, environment }: Place): Promise<Cost> {
  const child = spawn("/usr/bin/time", ["-f", "%e %U %S %M", ...command], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: root, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${error}`);
  const [wall = 0, user = 0, system = 0, kilobytes = 0] = (error.trim().split("\n").at(-1) ?? "")
    .split(" ")
    .map(Number);
  return { wall, processor: user + system, megabytes: kilobytes / 1024 };
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
