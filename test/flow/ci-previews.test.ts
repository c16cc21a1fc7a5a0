import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { load } from "js-yaml";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "./temporary-site.ts";

async function readExample(name: string): Promise<unknown> {
  return load(await readFile(new URL(`../../docs/examples/${name}`, import.meta.url), "utf8"));
}

interface Machine {
  readonly site: TemporarySite;
  readonly host: Host;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs a script's `imprint` commands on a machine without earlier runs. */
async function runScript(script: readonly string[], { site, host, environment }: Machine): Promise<readonly string[]> {
  await rm(join(site.root, ".imprint"), { recursive: true, force: true });
  const ours = script.filter((command) => command.startsWith("npx imprint "));
  for (const command of ours) {
    let output = "";
    const write = (text: string) => void (output += text);
    const code = await runCli(command.split(" ").slice(2), {
      cwd: site.root,
      environment: { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl, ...environment },
      out: { write },
      error: { write },
    });
    expect({ command, code, output }).toMatchObject({ code: 0 });
  }
  return ours;
}

async function slugsOf({ baseUrl, apiKey }: Host): Promise<readonly string[]> {
  const answer = await fetch(`${baseUrl}/api/pages`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { data }: { readonly data: readonly { readonly slug: string }[] } = JSON.parse(await answer.text());
  return data.map(({ slug }) => slug).toSorted();
}

const LIVE = ["about", "index", "services-letterpress"];

it("the GitHub example's steps create, update, and remove a pull request's preview", async () => {
  const workflow = Object(await readExample("preview.yml"));
  const { env, steps } = Object(workflow.jobs.preview);
  expect(workflow.on.pull_request.types).toEqual(["opened", "reopened", "synchronize", "closed"]);
  expect(env.IMPRINT_PREVIEW).toBe("pr-${{ github.event.number }}");
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const output = join(site.root, "output");
  const environment = { GITHUB_ACTIONS: "true", GITHUB_REF: "refs/pull/12/merge", GITHUB_OUTPUT: output };

  async function pullRequestIs(action: string): Promise<void> {
    const script = steps.flatMap((step: { readonly if?: string; readonly run?: string }) =>
      step.run !== undefined && isMet(step.if, action) ? [step.run.replace("${{ github.event.number }}", "12")] : [],
    );
    const ours = await runScript(script, { site, host, environment: { ...environment, IMPRINT_PREVIEW: "pr-12" } });
    expect(ours).toHaveLength(1);
  }

  await runScript(["npx imprint publish"], { site, host, environment });
  await pullRequestIs("opened");
  expect(await slugsOf(host)).toEqual([...LIVE, ...LIVE.map((slug) => `preview-pr-12--${slug}`)].toSorted());
  expect((await readFile(output, "utf8")).split("\n").at(-2)).toBe(`url=${host.pagesUrl}/p/preview-pr-12--index`);
  await site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
  await pullRequestIs("synchronize");
  expect(await (await fetch(`${host.pagesUrl}/p/preview-pr-12--about`)).text()).toContain("About us");
  expect(await (await fetch(`${host.pagesUrl}/p/about`)).text()).not.toContain("About us");
  await pullRequestIs("closed");
  await pullRequestIs("closed");
  expect(await slugsOf(host)).toEqual(LIVE);
});

/** The conditions of the example, which uses only these two. */
function isMet(condition: string | undefined, action: string): boolean {
  const [, sign, value] = /^github\.event\.action (==|!=) '(\w+)'$/.exec(condition ?? "") ?? [];
  if (condition !== undefined && value === undefined) throw new Error(`The test does not know "${condition}".`);
  return condition === undefined || (sign === "==") === (action === value);
}

it("the GitLab example's jobs publish, preview, and clean up", async () => {
  const jobs = Object(await readExample("gitlab-ci.yml"));
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await site.write("dist/about/index.html", htmlPage("About", `<h1>About</h1>\n<a href="/nowhere/">Nowhere</a>`));
  const inGitlab = (script: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
    const commands = script.map((command) => command.replaceAll("$CI_MERGE_REQUEST_IID", "7"));
    return runScript(commands, { site, host, environment: { GITLAB_CI: "true", CI: "true", ...environment } });
  };

  for (const name of ["publish", "preview"]) expect(jobs[name].extends).toBe(".publish");
  const { script, artifacts } = jobs[".publish"];
  await inGitlab(script);
  const preview = jobs.preview.variables.IMPRINT_PREVIEW.replace("$CI_MERGE_REQUEST_IID", "7");
  await inGitlab(script, { IMPRINT_PREVIEW: preview });
  expect(await slugsOf(host)).toEqual([...LIVE, ...LIVE.map((slug) => `preview-mr-7--${slug}`)].toSorted());
  const address = jobs.preview.environment.url
    .replace("$PAGES_URL", host.pagesUrl)
    .replace("$CI_MERGE_REQUEST_IID", "7");
  expect((await fetch(address)).status).toBe(200);

  const report: unknown = JSON.parse(await readFile(join(site.root, artifacts.paths[0]), "utf8"));
  expect(report).toMatchObject({ version: 1, preview: "mr-7", counts: { page: { create: 3 } } });
  const findings: unknown = JSON.parse(await readFile(join(site.root, artifacts.reports.codequality), "utf8"));
  expect(findings).toEqual([
    {
      description: "Broken link: the built site has no /nowhere/.",
      check_name: "dangling-link",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: "minor",
      location: { path: "about/index.html", lines: { begin: 14 } },
    },
  ]);

  expect(jobs["remove-preview"].environment.action).toBe("stop");
  await inGitlab(jobs["remove-preview"].script);
  expect(await slugsOf(host)).toEqual(LIVE);
});
