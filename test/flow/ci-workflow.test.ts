import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

const file = new URL("../../docs/examples/publish.yml", import.meta.url);

async function commandsOfWorkflow(): Promise<readonly string[]> {
  const workflow: unknown = load(await readFile(file, "utf8"));
  const steps: unknown = Object(Object(Object(workflow).jobs).publish).steps;
  if (!Array.isArray(steps)) throw new Error(`${file} has no steps.`);
  return steps.flatMap((step) => (typeof step.run === "string" ? [step.run] : []));
}

it("the example workflow's commands publish, and write the step summary", async () => {
  const commands = await commandsOfWorkflow();
  expect(commands).toContain("npm ci");
  expect(commands).toContain("npx astro build");
  const ours = commands.filter((command) => command.startsWith("npx imprint "));
  expect(ours).toHaveLength(2);

  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const summary = join(site.root, "summary.md");
  const environment = {
    IMPRINT_API_KEY: host.apiKey,
    IMPRINT_SERVICE: host.baseUrl,
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: summary,
  };
  for (const command of ours) {
    let output = "";
    const write = (text: string) => void (output += text);
    const args = command.split(" ").slice(2);
    const code = await runCli(args, { cwd: site.root, environment, out: { write }, error: { write } });
    expect({ command, code, output }).toMatchObject({ code: 0 });
  }
  expect(await readFile(summary, "utf8")).toMatch(/Plan for .*[\s\S]*Published to .*[\s\S]*\| pages \| 3 \|/);
});
