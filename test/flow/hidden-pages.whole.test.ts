import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish.ts";
import { passOn } from "../faults/proxy.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";
import { openHost, publishAt } from "./publish-at.ts";

describe("a host that acknowledges pages but hides them from readers", () => {
  const reasonOf = ({ entries }: Awaited<ReturnType<typeof publish>>) =>
    entries.find(({ resource, name }) => resource === "host" && name === "pagesUrl")?.reason;

  it("fails the run that changed a page, and later runs, until readers see it", async () => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    const old = await (await fetch(`${proxy.url}/p/about`)).text();
    let isApproved = false;
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/about") && !isApproved
        ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html" }).end(old))
        : undefined,
    );
    const changed = await run(false);
    expect([changed.exitCode, reasonOf(changed)]).toEqual([
      1,
      `readers don't see the pages that were sent: ${proxy.url}/p/about shows an older version or another page`,
    ]);
    const unchanged = await run(false);
    expect([unchanged.exitCode, unchanged.requests.writes, reasonOf(unchanged)]).toEqual([1, 0, reasonOf(changed)]);
    isApproved = true;
    expect([(await run(false)).exitCode, (await run(false)).exitCode]).toEqual([0, 0]);
  });

  it("fails a run whose new page awaits approval, even if an earlier page was visible", async () => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await mkdir(join(root, "dist/new"));
    await writeFile(join(root, "dist/new/index.html"), htmlPage("New", "<h1>New</h1>"));
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/new") ? Promise.resolve(void answer.writeHead(404).end()) : undefined,
    );
    const report = await run(false);
    expect([report.exitCode, reasonOf(report)]).toEqual([
      1,
      `readers don't see the pages that were sent: ${proxy.url}/p/new returns 404`,
    ]);
    expect((await run(true)).exitCode).toBe(0);
    expect((await run(false)).exitCode).toBe(0);
  });

  it.each([3, 40])("checks the last of %i new pages, and the hidden ones, until readers see them", async (count) => {
    const { proxy, run, root } = await openHost();
    const names = Array.from({ length: count }, (_, number) => `news${number + 1}`);
    for (const name of names) {
      await mkdir(join(root, "dist", name));
      await writeFile(join(root, "dist", name, "index.html"), htmlPage(name, `<h1>${name}</h1>`));
    }
    const accepted: string[] = [];
    let mostShown = 5;
    // A plan that shows only the first pages.
    proxy.meddle(({ method, path, answer }) => {
      if (method === "PUT") accepted.push(path.split("/").at(-1) ?? "");
      const isHidden = path.startsWith("/p/") && accepted.indexOf(path.split("/").at(-1) ?? "") >= mostShown;
      return isHidden ? Promise.resolve(void answer.writeHead(404).end()) : undefined;
    });
    const first = await run(false);
    expect([first.exitCode, reasonOf(first)]).toEqual([
      1,
      expect.stringMatching(/^readers don't see the pages that were sent: \S+ returns 404$/),
    ]);
    expect(first.entries.find(({ name }) => name === "pagesUrl")?.hint).toContain("exceed a limit of your plan");
    const again = await run(false);
    expect(again.entries.find(({ name }) => name === "pagesUrl")?.hint).toContain("exceed a limit of your plan");
    expect([again.exitCode, (await run(false)).exitCode]).toEqual([1, 1]);
    mostShown = Infinity;
    expect([(await run(false)).exitCode, (await run(false)).exitCode]).toEqual([0, 0]);
  });

  it("fails the runs after a verification that found a hidden page, even without .imprint/", async () => {
    const { proxy, service, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    let isHidden = true;
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/about") && isHidden ? Promise.resolve(void answer.writeHead(404).end()) : undefined,
    );
    expect((await run(false)).exitCode).toBe(0);
    const verified = await publishAt(root, { baseUrl: proxy.url, apiKey: service.apiKey, verify: true });
    expect(verified.exitCode).toBe(1);
    expect(verified.verified?.problems[0]?.hint).toContain("Readers see other pages");
    expect([(await run(false)).exitCode, (await run(false)).exitCode]).toEqual([1, 1]);
    await rm(join(root, ".imprint"), { recursive: true });
    expect((await run(false)).exitCode).toBe(1);
    isHidden = false;
    expect([(await run(false)).exitCode, (await run(false)).exitCode]).toEqual([0, 0]);
  });

  it("doesn't fail a run if a cache shows the previous version for a while", async () => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    const old = await (await fetch(`${proxy.url}/p/about`)).text();
    proxy.meddle(({ path, answer }) =>
      path === "/p/about"
        ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html" }).end(old))
        : undefined,
    );
    expect((await run(false)).exitCode).toBe(0);
  });

  it("doesn't fail a run if a cache that can't be bypassed shows the previous content, and checks later", async () => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    const old = await (await fetch(`${proxy.url}/p/about`)).text();
    let age = "20";
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/about")
        ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html", age }).end(old))
        : undefined,
    );
    const changed = await run(false);
    expect([changed.exitCode, reasonOf(changed)]).toEqual([
      0,
      `a cache still returns the earlier response of ${proxy.url}/p/about, so imprint couldn't check whether readers will see what it sent`,
    ]);
    expect((await run(false)).exitCode).toBe(0);
    // Now, the cache has a newer response, but the host shows the old version.
    age = "0";
    expect((await run(false)).exitCode).toBe(1);
    proxy.meddle(() => undefined);
    expect((await run(false)).exitCode).toBe(0);
  });

  it("is only a notice if readers are redirected to a sign-in form", async () => {
    const { proxy, service, run, root } = await openHost();
    const form = '<!doctype html><title>Acme</title><form><input type="password" name="password"></form>';
    proxy.meddle(({ path, answer }) => {
      if (path.startsWith("/p/")) answer.writeHead(302, { location: `/members?next=${path}` }).end();
      else if (path.startsWith("/members")) answer.writeHead(200, { "content-type": "text/html" }).end(form);
      else return undefined;
      return Promise.resolve();
    });
    const first = await publishAt(root, { baseUrl: proxy.url, pagesUrl: proxy.url, apiKey: service.apiKey });
    expect([first.exitCode, reasonOf(first)]).toEqual([0, expect.stringContaining("only signed-in users can see it")]);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    const changed = await run(false);
    expect([changed.exitCode, reasonOf(changed)]).toEqual([
      0,
      `${proxy.url}/p/about shows a sign-in form: only signed-in users can see it`,
    ]);
  });

  it("fails again after `--accept` once readers have seen the pages", async () => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    const change = (text: string) =>
      writeFile(join(root, "dist/about/index.html"), htmlPage("About", `<h1>${text}</h1>`));
    const hide = () =>
      proxy.meddle(({ path, answer }) =>
        path.startsWith("/p/about") ? Promise.resolve(void answer.writeHead(404).end()) : undefined,
      );
    hide();
    await change("One");
    expect([(await run(false)).exitCode, (await run(true)).exitCode, (await run(false)).exitCode]).toEqual([1, 0, 0]);
    proxy.meddle(() => undefined);
    expect((await run(false)).exitCode).toBe(0);
    hide();
    await change("Two");
    expect((await run(false)).exitCode).toBe(1);
  });

  it("reports what a verification sees in the end, not that readers don't see it yet", async () => {
    const { proxy, service, run, connection, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    const old = await (await fetch(`${proxy.url}/p/about`)).text();
    const shownAt = connection.now() + 9000;
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/about") && connection.now() < shownAt
        ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html" }).end(old))
        : undefined,
    );
    const { baseUrl, apiKey } = { baseUrl: proxy.url, apiKey: service.apiKey };
    const report = await publishAt(root, { baseUrl, apiKey, verify: true, connection });
    expect(report.verified?.problems).toEqual([]);
    expect([report.exitCode, reasonOf(report)]).toEqual([0, undefined]);
  });

  it("reports that another job published at the same time, not that the page is hidden", async () => {
    const { proxy, service, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    const other = await createTemporarySite();
    await cp(join(root, "imprint.lock.json"), join(other.root, "imprint.lock.json"));
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>Ours</h1>"));
    await other.write("dist/about/index.html", htmlPage("About", "<h1>Theirs</h1>"));
    let isOver = false;
    proxy.meddle(({ method, path, answer, forward }) => {
      if (method !== "PUT" || path !== "/api/pages/about" || isOver) return undefined;
      isOver = true;
      return forward().then(async (response) => {
        await publishAt(other.root, { baseUrl: proxy.url, apiKey: service.apiKey });
        passOn(answer, response);
      });
    });
    const report = await run(false);
    const [entry] = report.entries.filter(({ resource, name }) => resource === "host" && name === "about");
    expect([report.exitCode, entry?.reason, entry?.hint]).toEqual([
      1,
      "another checkout or job published about at the same time, and readers see its version",
      "If this build is newer, publish again.",
    ]);
    expect(reasonOf(await run(false))).toBeUndefined();
  });

  it.each([
    [429, "", "returns 429 (too many requests)"],
    [403, "<title>Just a moment...</title>", "returns 403 with a bot check"],
  ])("is only a notice if programs get %d instead of the page", async (status, body, what) => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/")
        ? Promise.resolve(void answer.writeHead(status, { "content-type": "text/html" }).end(body))
        : undefined,
    );
    const report = await run(false);
    const where = `${proxy.url}/p/about ${what}`;
    expect([report.exitCode, reasonOf(report)]).toEqual([
      0,
      `${where}, so imprint couldn't check whether readers see what it sent`,
    ]);
  });

  it("is named if the first run can't find where pages are shown", async () => {
    const { proxy, run } = await openHost();
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/")
        ? Promise.resolve(
            void answer.writeHead(403, { "content-type": "text/html" }).end("<title>Just a moment...</title>"),
          )
        : undefined,
    );
    expect(reasonOf(await run(false))).toContain(
      `(${proxy.url}/p/services-letterpress returns 403 with a bot check, ${proxy.url}/services-letterpress doesn't show it)`,
    );
  });

  it("is only a notice if readers have to sign in", async () => {
    const { proxy, run, root } = await openHost();
    expect((await run(false)).exitCode).toBe(0);
    await writeFile(join(root, "dist/about/index.html"), htmlPage("About", "<h1>About us</h1>"));
    proxy.meddle(({ path, answer }) =>
      path.startsWith("/p/") ? Promise.resolve(void answer.writeHead(401).end()) : undefined,
    );
    const report = await run(false);
    expect([report.exitCode, reasonOf(report)]).toEqual([
      0,
      `${proxy.url}/p/about returns 401: only signed-in users can see it`,
    ]);
  });
});
