import { execFileSync } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { startService } from "../../src/service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { REPOSITORY } from "../posts/folder.ts";

const file = new URL("../../docs/examples/posts.yml", import.meta.url);

interface Step {
  readonly run: string;
  readonly condition: string;
}

async function stepsOfWorkflow(): Promise<readonly Step[]> {
  const workflow: unknown = load(await readFile(file, "utf8"));
  const steps: unknown = Object(Object(Object(workflow).jobs).posts).steps;
  if (!Array.isArray(steps)) throw new Error(`${file.pathname} has no steps.`);
  return steps.flatMap((step) =>
    typeof step.run === "string" ? [{ run: step.run, condition: String(step.if ?? "") }] : [],
  );
}

/** A repository with a post that is due and one that isn't, pushed to its own origin. */
async function openRepository() {
  const [root, origin] = [await temporaryFolder(), await temporaryFolder()];
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: root,
      encoding: "utf8",
    });
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
  await mkdir(join(root, "src/content/blog"), { recursive: true });
  const write = (name: string, text: string) => writeFile(join(root, name), text);
  await write("package.json", `{ "type": "module" }`);
  await write(".gitignore", "node_modules\n.imprint\n");
  await write("imprint.config.mjs", "export default { posts: { blog: { create: true }, writeId: true } };\n");
  await write("src/content/blog/ink.md", "---\ntitle: On ink\npubDate: 2026-01-05\n---\n\nInk.\n");
  await write("src/content/blog/later.md", "---\ntitle: Later\npubDate: 2099-01-01\n---\n\nLater.\n");
  await symlink(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Write");
  git("remote", "add", "origin", origin);
  git("push", "--quiet", "--set-upstream", "origin", "main");
  return { root, git, write, pushed: (path: string) => git("show", `origin/main:${path}`) };
}

it("the example workflow publishes due posts, commits its state, and publishes the rest when it is due", async () => {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, strict: true });
  onTestFinished(() => service.close());
  const { root, git, write, pushed } = await openRepository();
  const environment = {
    IMPRINT_API_KEY: service.apiKey,
    IMPRINT_SERVICE: service.baseUrl("a"),
    GITHUB_ACTIONS: "true",
  };
  const steps = await stepsOfWorkflow();
  async function runSteps(event: "pull_request" | "schedule"): Promise<string> {
    let output = "";
    for (const { run, condition } of steps) {
      const isForPull = condition.startsWith("github.event_name == 'pull_request'");
      if (run === "npm ci" || isForPull !== (event === "pull_request")) continue;
      if (!run.startsWith("npx imprint ")) {
        execFileSync("bash", ["-e", "-c", run], { cwd: root });
        continue;
      }
      const out = { write: (text: string) => void (output += text) };
      const code = await runCli(run.split(" ").slice(2), { cwd: root, environment, out, error: out });
      expect({ run, code, output }).toMatchObject({ code: 0 });
    }
    return output;
  }
  const postsOf = () => service.requests().filter(({ operation }) => operation === "posts.create").length;

  expect(await runSteps("pull_request")).toContain("1 to create · 1 scheduled (2099-01-01)");
  expect(service.requests().filter(({ method }) => method === "POST")).toEqual([]);
  expect(await runSteps("schedule")).toContain("1 created · 1 scheduled (2099-01-01)");
  expect(pushed("imprint.lock.json")).toContain(`"ink"`);
  expect(pushed("src/content/blog/ink.md")).toMatch(/^imprintId: po_/m);
  const head = git("rev-parse", "HEAD");
  await runSteps("schedule");
  expect(git("rev-parse", "HEAD")).toBe(head);
  expect(postsOf()).toBe(1);

  const due = new Date(Date.now() + 1500);
  await write("src/content/blog/later.md", `---\ntitle: Later\npubDate: ${due.toISOString()}\n---\n\nLater.\n`);
  expect(await runSteps("schedule")).toContain("1 scheduled");
  expect(postsOf()).toBe(1);
  await expect.poll(async () => (await runSteps("schedule"), postsOf()), { timeout: 20_000 }).toBe(2);
  expect(pushed("imprint.lock.json")).toContain(`"later"`);
});
