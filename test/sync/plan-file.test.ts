import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { hostInProcess, type Host } from "../flow/hosts.ts";
import { createTemporarySite, htmlPage, picture, type TemporarySite } from "../flow/temporary-site.ts";

async function imprint(args: readonly string[], { site, host }: { readonly site: TemporarySite; readonly host: Host }) {
  let [out, error] = ["", ""];
  const code = await runCli(args, {
    cwd: site.root,
    environment: { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl },
    out: { write: (text) => (out += text) },
    error: { write: (text) => (error += text) },
  });
  return { code, out, error };
}

async function open() {
  return { site: await createTemporarySite(), host: await hostInProcess({ routeSet: "a", strict: false }) };
}

describe("a reviewed plan", () => {
  it("is carried out unchanged if nothing has changed", async () => {
    const world = await open();
    await imprint(["publish"], world);
    await world.site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    expect((await imprint(["plan", "--out", "plan.json"], world)).code).toBe(0);
    const plan: { changes: readonly { kind: string; name: string }[] } = JSON.parse(
      await readFile(join(world.site.root, "plan.json"), "utf8"),
    );
    expect(plan.changes).toMatchObject([{ kind: "update", name: "about" }]);
    expect((await imprint(["publish", "--plan", "plan.json"], world)).code).toBe(0);
    expect(await (await fetch(`${world.host.pagesUrl}/p/about`)).text()).toContain("About us");
  });

  it("is rejected if the site has changed since, and nothing is sent", async () => {
    const world = await open();
    await imprint(["publish"], world);
    await world.site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    await imprint(["plan", "--out", "plan.json"], world);
    await world.site.write("dist/about/index.html", htmlPage("About", "<h1>About them</h1>"));
    const run = await imprint(["publish", "--plan", "plan.json"], world);
    expect(run).toMatchObject({ code: 1, error: expect.stringContaining("PLAN_OUTDATED") });
    expect(run.error).toContain("page about");
    expect(await (await fetch(`${world.host.pagesUrl}/p/about`)).text()).not.toContain("About them");
  });

  it("is rejected once it has been carried out", async () => {
    const world = await open();
    await imprint(["publish"], world);
    await world.site.write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    await imprint(["plan", "--out", "plan.json"], world);
    await imprint(["publish"], world);
    expect((await imprint(["publish", "--plan", "plan.json"], world)).error).toContain("PLAN_OUTDATED");
  });

  it.each(["plan --out", "publish --report", "publish --code-quality"])(
    "%s to an invalid path is rejected before anything is sent, also as JSON",
    async (call) => {
      const world = await open();
      const run = await imprint([...call.split(" "), "dist/about/index.html/x.json", "--json"], world);
      expect(JSON.parse(run.out)).toMatchObject({
        error: { code: "USAGE", message: expect.stringContaining("dist/about/index.html/x.json can't be written") },
      });
      expect((await fetch(`${world.host.pagesUrl}/p/about`)).status).toBe(404);
    },
  );

  it("writes reports to a folder that doesn't exist yet", async () => {
    const world = await open();
    expect((await imprint(["publish", "--report", "reports/ci/imprint.json"], world)).code).toBe(0);
    const report = JSON.parse(await readFile(join(world.site.root, "reports/ci/imprint.json"), "utf8"));
    expect(report).toMatchObject({ version: 1, exitCode: 0 });
  });

  it("is distinguished from other JSON", async () => {
    const world = await open();
    await world.site.write("other.json", "{}");
    const { code, error } = await imprint(["publish", "--plan", "other.json"], world);
    expect([code, error]).toEqual([2, expect.stringContaining("is not a plan.\n")]);
  });

  it("never contains the key", async () => {
    const world = await open();
    await imprint(["plan", "--out", "plan.json"], world);
    expect(await readFile(join(world.site.root, "plan.json"), "utf8")).not.toContain(world.host.apiKey);
  });
});

describe("imprint diff", () => {
  it("shows the changed lines, with files by their names, and sends nothing", async () => {
    const world = await open();
    await imprint(["publish"], world);
    await world.site.write(
      "dist/index.html",
      htmlPage("Halden Press", `<h1>Open daily</h1><img src="/logo.png" alt="">`),
    );
    const { code, out } = await imprint(["diff", "index"], world);
    expect(code).toBe(0);
    expect(out).toContain("-<h1>Halden Press</h1>");
    expect(out).toContain("+<h1>Open daily</h1>");
    expect(out).toContain("library/logo.png");
    expect(out).not.toContain("127.0.0.1");
  });

  it("reports that a page is up to date, and that a page doesn't exist", async () => {
    const world = await open();
    await imprint(["publish"], world);
    expect((await imprint(["diff", "index"], world)).out).toContain("index is up to date");
    const { out } = await imprint(["diff", "index", "--json"], world);
    expect(JSON.parse(out)).toEqual({ version: 1, slug: "index", isLive: true, patch: "" });
    expect(await imprint(["diff", "nowhere"], world)).toMatchObject({
      code: 2,
      error: expect.stringContaining("nowhere"),
    });
  });
});

describe("imprint assets prune", () => {
  it("lists unused files, and deletes them only on request", async () => {
    const world = await open();
    await imprint(["publish"], world);
    await world.site.write("dist/index.html", htmlPage("Halden Press", "<h1>No photo</h1>"));
    await imprint(["publish"], world);
    const output = await imprint(["assets", "prune", "--force"], world);
    expect(output.out).toMatch(/photo\.[0-9a-z]{8}\.[0-9a-f]{16}/);
    expect(output.out).not.toContain("logo");
    const [address = ""] = output.out.match(/photo\.[\w.]+/) ?? [];
    expect((await imprint(["assets", "prune", "--force", "--yes"], world)).out).toMatch(/^Deleted: \d+ files?\.$/m);
    expect((await imprint(["assets", "prune", "--force"], world)).out).not.toContain(address);
  });

  it("keeps a file that only a script names, on a page that the site no longer builds", async () => {
    const world = await open();
    const page = htmlPage("Old", "<h1>Old</h1>").replace("/_astro/site.js", "/_astro/old.js");
    await world.site.write("dist/old/index.html", page);
    await world.site.write("dist/_astro/old.js", `document.body.append("/only.png");`);
    await world.site.write("dist/only.png", await picture({ width: 90, height: 60, color: "#2b5f7a" }));
    await imprint(["publish"], world);
    for (const path of ["dist/old", "dist/_astro/old.js", "dist/only.png"]) await world.site.remove(path);
    await world.site.write("dist/index.html", htmlPage("Halden Press", "<h1>No photo</h1>"));
    await imprint(["publish"], world);
    // Like a CI job, which has no state and therefore reads the whole library.
    await world.site.remove(".imprint");
    const { out: output } = await imprint(["publish"], world);
    expect(output).toMatch(/1 file in the library seems unused \(\d+ B\): see `imprint assets prune`\./);
    const { out } = await imprint(["assets", "prune", "--force"], world);
    expect(out).toMatch(/^ {2}photo\./m);
    expect(out).not.toMatch(/only\.|old\./);
  });
});
