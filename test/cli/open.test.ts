import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { commandsFor } from "./run.ts";

it("prints the address of a page that is on the service, and refuses any other", async () => {
  const service = await openRunningService();
  const site = await createTemporarySite();
  const { run } = await commandsFor(service, "a");
  const open = (...page: readonly string[]) => run("open", ...page, "--no-browser", "--root", site.root);
  expect(await run("publish", join(site.root, "dist"), "--root", site.root)).toMatchObject({ code: 0 });
  const json = { title: "By hand", html: "<!doctype html><title>By hand</title>" };
  await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/by-hand", { json });
  expect(await open()).toMatchObject({ code: 0, out: `${service.pagesUrl}/p/index\n` });
  for (const page of ["about", "/about", "by-hand"]) {
    const { code, out } = await open(page);
    expect([page, code, (await fetch(out.trim())).status]).toEqual([page, 0, 200]);
  }
  const { code, error } = await open("abuot");
  expect([code, error]).toEqual([2, expect.stringContaining("The service has no page abuot.")]);
});

async function runWithoutService(cwd: string, argv: readonly string[]) {
  let error = "";
  const code = await runCli(argv, {
    ...{ cwd, environment: {}, out: { write() {} } },
    error: { write: (text) => (error += text.replaceAll(/\s+/g, " ")) },
  });
  return { code, error };
}

it.each(["plan", "posts plan", "open", "assets list", "login"])(
  "imprint %s says that the folder has no project",
  async (command) => {
    const cwd = await temporaryFolder();
    const { code, error } = await runWithoutService(cwd, command.split(" "));
    expect(code).toBe(2);
    expect(error).toContain(`${cwd} has no Astro config, and no service is named.`);
    expect(error).toContain("`npx imprint init`");
  },
);

it.each([
  { folder: ".", argv: ["plan", "packages/web/dist"], project: "packages/web" },
  { folder: "packages/web/src", argv: ["posts", "plan"], project: ".." },
])("names the project that is meant by $argv in $folder", async ({ folder, argv, project }) => {
  const root = await temporaryFolder();
  await mkdir(join(root, "packages/web/src"), { recursive: true });
  await mkdir(join(root, "packages/web/dist"));
  await writeFile(join(root, "packages/web/astro.config.mjs"), "export default {};\n");
  const { code, error } = await runWithoutService(join(root, folder), argv);
  expect([code, error]).toEqual([2, expect.stringContaining(`Run this in ${project}, or add --root ${project}.`)]);
});

it("imprint posts new doesn't begin a post in a folder without a project", async () => {
  const cwd = await temporaryFolder();
  const { code, error } = await runWithoutService(cwd, ["posts", "new", "On ink"]);
  expect([code, error]).toEqual([
    2,
    expect.stringContaining("neither an Astro config nor the folder src/content/blog"),
  ]);
  expect(await readdir(cwd)).toEqual([]);
});

it("suggests to install the project's dependencies if the config imports one that is missing", async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "astro.config.mjs"), 'import "not-installed";\nexport default {};\n');
  const { code, error } = await runWithoutService(cwd, ["plan"]);
  expect([code, error]).toEqual([2, expect.stringContaining("Install the project's dependencies")]);
});
