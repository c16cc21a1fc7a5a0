import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { ERRORS } from "../../src/base/error.ts";
import { examplesOf } from "../../src/cli/define-commands.ts";
import { createProgram } from "../../src/cli/program.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

const silent = { write() {} };
const program = createProgram({ cwd: "", environment: {}, out: silent, error: silent }, () => {});

async function run(argv: readonly string[], { cwd = "/", environment = {} as NodeJS.ProcessEnv } = {}) {
  let [out, error] = ["", ""];
  const code = await runCli(argv, {
    ...{ cwd, environment },
    out: { write: (text) => void (out += text) },
    error: { write: (text) => void (error += text) },
  });
  return { code, out, error };
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

describe("imprint --help", () => {
  it("groups the commands by purpose", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    const headings = out.match(/^\S.*:$/gm);
    expect(headings).toEqual([
      "Options:",
      "Start here:",
      "Publish a site:",
      "Write and design:",
      "Manage what is on the service:",
      "Run your own service:",
      "Help:",
      "Examples:",
    ]);
  });

  it.each([
    [["help"], "Usage: imprint [options] [command]"],
    [["help", "posts"], "Usage: imprint posts [options] [command]"],
    [["help", "posts", "list"], "Usage: imprint posts list [options]"],
  ])("is also %j", async (argv, usage) => {
    const { code, out } = await run(argv);
    expect([code, out.split("\n")[0]]).toEqual([0, usage]);
    expect(out).toBe((await run([...argv.slice(1), "--help"])).out);
  });

  it("has an example for every command, with flags that the command has", () => {
    for (const command of leavesOf(program).filter((each) => each.name() !== "help")) {
      const calls = examplesOf(command);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) {
        const flags = (call.match(/ --?[\w-]+/g) ?? []).map((flag) => flag.trim());
        const known = command.options.flatMap(({ long, short }) => [long, short]);
        expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
      }
    }
  });
});

describe("invalid usage", () => {
  it.each([
    [["plubish"], "Did you mean `imprint publish`?"],
    [["pgaes"], "Did you mean `imprint pages`?"],
    [["help", "plubish"], "Did you mean `imprint publish`?"],
    [["help", "pages", "lst"], "Did you mean `imprint pages list`?"],
    [["releases", "rolback"], "Did you mean `imprint releases rollback`?"],
    [["publish", "--pruen"], "Did you mean `--prune`?"],
  ])("%j gets the closest match", async (argv, expected) => {
    const { code, error } = await run(argv);
    expect([code, error]).toEqual([2, expect.stringContaining(expected)]);
  });

  it.each([
    [["deploy"]],
    [["nope"]],
    [["help", "nope"]],
    [["frobnicate"]],
    [["publish", "--everything"]],
    [["posts", "x"]],
  ])("%j, without a close match, gets no suggestion", async (argv) => {
    const { code, error } = await run(argv);
    expect([code, error]).toEqual([2, expect.not.stringContaining("Did you mean")]);
    expect(error).toMatch(/See `imprint(?: \w+)? --help`/);
  });

  it.each([
    [["completion"], "<shell> is missing. Choose from: bash, zsh, fish, powershell."],
    [["completion", "bsh"], "<shell> can't be 'bsh'. Choose from: bash, zsh, fish, powershell."],
    [["diff"], "<slug> is missing."],
    [["publish", "--preview"], "--preview <name> needs a value."],
    [["publish", "--route-set", "c"], "--route-set <set> can't be 'c'. Choose from: auto, a, b."],
  ])("%j lists the allowed values", async (argv, expected) => {
    const { code, error } = await run(argv);
    expect([code, error]).toEqual([2, expect.stringContaining(expected)]);
  });

  it("never prints the value of an unknown flag, which may be the key", async () => {
    const { error } = await run(["publish", "--api-key=imp_live_secret"]);
    expect(error).toContain("Unknown option '--api-key'.");
    expect(error).not.toContain("secret");
  });
});

describe("an error with --json", () => {
  it.each([
    [["frobnicate", "--json"], { code: "USAGE", exitCode: 2 }],
    [["status", "--json"], { code: "USAGE", exitCode: 2 }],
    [["status", "--json", "--service", "https://pages.invalid"], { code: "KEY_MISSING", exitCode: 1 }],
    [["publish", "--json", "--service", "embedded"], { code: "DIST_MISSING", exitCode: 1 }],
  ])("%j is JSON with its code", async (argv, { code, exitCode }) => {
    const cwd = await temporaryFolder();
    const ran = await run(argv, { cwd });
    expect(ran).toMatchObject({ code: exitCode, error: "" });
    expect(JSON.parse(ran.out)).toMatchObject({
      version: 1,
      error: { code, title: ERRORS[code as keyof typeof ERRORS].title, hint: expect.any(String) },
      exitCode,
    });
  });
});

describe("imprint explain", () => {
  it.each(Object.entries(ERRORS))("explains %s offline", async (code, { title, fix }) => {
    const { out } = await run(["explain", code.toLowerCase()]);
    expect(out.replaceAll(/\s+/g, " ")).toContain(title);
    expect(out.replaceAll(/\s+/g, " ")).toContain(fix);
  });

  it("explains options and topics, and suggests only close matches", async () => {
    expect((await run(["explain", "maxHtmlBytes"])).out).toContain("Maximum size of a page in bytes");
    expect((await run(["explain", "settle"])).out).toContain("posts.settle");
    expect((await run(["explain"])).out).toMatch(/^Pages\n\nbrand, .*\n\nOptions\n\nservice, .*\n\nErrors\n\n/s);
    expect((await run(["explain", "hosts"])).code).toBe(0);
    expect((await run(["explain", "SLUG_TAKN"])).error).toContain("Did you mean `imprint explain SLUG_TAKEN`?");
    expect((await run(["explain", "weather"])).error).not.toContain("Did you mean");
  });
});

describe("imprint without a command", () => {
  it("explains how to start in a folder without a project", async () => {
    const { code, out } = await run([], { cwd: await temporaryFolder() });
    expect([code, out]).toEqual([0, expect.stringContaining("npx imprint init")]);
  });

  it("suggests the next step, according to the project's files", async () => {
    const cwd = await temporaryFolder();
    const environment = { HOME: cwd };
    const next = async () => {
      const { next: advice } = JSON.parse((await run(["overview", "--json"], { cwd, environment })).out);
      return advice.map(({ run: command }: { readonly run: string }) => command);
    };
    await writeFile(join(cwd, "imprint.config.mjs"), `export default { service: "https://pages.invalid" };\n`);
    expect(await next()).toEqual(["npx imprint login", "npx astro build"]);
    await writeFile(join(cwd, ".env"), "IMPRINT_API_KEY=key\n");
    expect(await next()).toEqual(["npx astro build"]);
    const lock = { version: 2, slugs: { "/": "index" } };
    const publishedTo = async (service: string) => {
      const pages = { index: { hash: "0", sent: "0" } };
      const targets = { [service]: { service, pages } };
      await writeFile(join(cwd, "imprint.lock.json"), JSON.stringify({ ...lock, targets }));
    };
    await mkdir(join(cwd, "dist"));
    // Slugs are recorded before a run sends anything, which may have failed.
    await writeFile(join(cwd, "imprint.lock.json"), JSON.stringify(lock));
    expect(await next()).toEqual(["npx astro build"]);
    await publishedTo("https://elsewhere.invalid");
    expect(await next()).toEqual(["npx astro build"]);
    await publishedTo("https://pages.invalid");
    expect(await next()).toEqual(["npx imprint plan", "npx astro build", "npx imprint open"]);
  });

  it("accepts the flags of the overview, as `imprint --json`", async () => {
    const cwd = await temporaryFolder();
    for (const argv of [["--json"], ["--root", cwd, "--json"], [`--root=${cwd}`, "--json"]]) {
      const { code, out } = await run(argv, { cwd });
      expect([code, JSON.parse(out)]).toMatchObject([0, { version: 1, next: [{ run: "npx imprint init" }] }]);
    }
  });

  it("names the embedded service if no service is set", async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "imprint.config.mjs"), "export default {};\n");
    const { out } = await run([], { cwd });
    expect(out).toContain("embedded, on this machine");
    expect(out).toContain("nothing yet");
  });
});
