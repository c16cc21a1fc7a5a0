import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import * as z from "zod";

export interface SuiteRun {
  readonly url: string;
  /** The revision of the protocol, such as `2026-07-28`. */
  readonly revision: string;
  readonly baseline: string | undefined;
  /** Folder for the suite's output. */
  readonly results: string;
}

export interface SuiteOutcome {
  /** Scenarios that the revision requires. */
  readonly passed: readonly string[];
  readonly expectedFailures: readonly string[];
  readonly unexpected: readonly string[];
  /** Scenarios that aren't required, with their verdicts. */
  readonly other: readonly string[];
  readonly checksPassed: number;
  readonly exitCode: number;
  readonly output: string;
}

const PACKAGE = new URL("../../node_modules/@modelcontextprotocol/conformance/", import.meta.url);

const requirementsSchema = z.object({ server: z.array(z.string()) });

/** Runs exactly what a revision requires of a server, and returns the suite's results. */
export async function runSuite({ url, revision, baseline, results }: SuiteRun): Promise<SuiteOutcome> {
  const args = ["server", "--url", url, "--requirements", revision, "--output-dir", results];
  if (baseline !== undefined) args.push("--expected-failures", baseline);
  const child = spawn(process.execPath, [fileURLToPath(new URL("dist/index.js", PACKAGE)), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (output += part));
  const [exitCode]: unknown[] = await once(child, "close");
  return {
    ...readOutput(output, await readRequired(revision)),
    exitCode: typeof exitCode === "number" ? exitCode : 1,
    output,
  };
}

async function readRequired(revision: string): Promise<ReadonlySet<string>> {
  const text = await readFile(new URL(`requirements/${revision}.yaml`, PACKAGE), "utf8");
  return new Set(requirementsSchema.parse(load(text)).server);
}

function readOutput(output: string, required: ReadonlySet<string>): Omit<SuiteOutcome, "exitCode" | "output"> {
  const summary = output.slice(output.indexOf("=== SUMMARY ==="));
  const ran = namesOf(summary, /^[✓✗] ([\w-]+): \d+ passed, \d+ failed$/gmu);
  const passing = namesOf(summary, /^✓ ([\w-]+): \d+ passed, \d+ failed$/gmu);
  const expectedFailures = namesOf(summary, /^ {2}~ ([\w-]+)/gmu);
  const reported = namesOf(summary, /^ {2}✗ ([\w:-]+)$/gmu);
  const isPassed = (name: string) => passing.includes(name) && !expectedFailures.includes(name);
  const isExplained = (name: string) => isPassed(name) || expectedFailures.includes(name);
  return {
    passed: [...required].filter(isPassed),
    expectedFailures,
    // A required scenario that didn't run at all is unexpected too.
    unexpected: [...new Set([...[...required].filter((name) => !isExplained(name)), ...reported])],
    other: ran.filter((name) => !required.has(name)).map((name) => `${name} ${isPassed(name) ? "✓" : "✗"}`),
    checksPassed: Number(/^Total: (\d+) passed/mu.exec(summary)?.[1] ?? 0),
  };
}

function namesOf(text: string, pattern: RegExp): readonly string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, name = ""]) => name))];
}
