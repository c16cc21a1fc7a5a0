import { describe, expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import type { ImprintOptions } from "../../src/options/schema.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { createStateFiles, type StateFiles } from "../../src/sync/state-store.ts";
import { hostInProcess, type HostOptions } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";
import { sampleOf } from "../whole.ts";

const BY_HAND = '<!doctype html><html lang="en"><head><title>By hand</title></head><body>By hand</body></html>';

async function open(settings: HostOptions) {
  const [site, host] = [await createTemporarySite(), await hostInProcess(settings)];
  const run = (options: ImprintOptions = {}) =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ brandKit: false, maxDeleteShare: 1, ...options }),
      target: { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} },
    });
  return { site, run, api: await connect(host), openFiles: () => createStateFiles(site.root, host.baseUrl) };
}

const worlds = (["a", "b"] as const).flatMap((routeSet) => [true, false].map((strict) => ({ routeSet, strict })));

async function announce(files: StateFiles, name: string): Promise<void> {
  const state = files.readState();
  const store = files.openStore({ state, project: state.project ?? "", dialect: state.dialect });
  await store.announcePage(name, { hash: "0".repeat(64), sent: "0".repeat(64) });
  await store.close();
}

const sample = sampleOf(worlds, ({ routeSet, strict }) => strict === (routeSet === "a"));

describe.each(sample)("a page of route set $routeSet (strict: $strict) that the site no longer has", (settings) => {
  it("is forgotten once someone deleted it, so that another project's page there isn't treated as its own", async () => {
    const { site, run, api, openFiles } = await open(settings);
    await run();
    await api.pages.delete("about");
    await site.remove("dist/about");
    await run();
    expect(Object.keys(openFiles().readState().pages).toSorted()).toEqual(["index", "services-letterpress"]);
    await api.pages.create({ slug: "about", title: "By hand", html: BY_HAND });
    await run({ prune: true });
    expect((await api.pages.list()).items.map(({ slug }) => slug)).toContain("about");
    await api.close();
  });

  it("is forgotten if a killed run announced it and it never arrived", async () => {
    const { run, api, openFiles } = await open(settings);
    await run();
    await announce(openFiles(), "contact");
    await run();
    expect(openFiles().readState().sending).toEqual({});
    await api.pages.create({ slug: "contact", title: "By hand", html: BY_HAND });
    await run({ prune: true });
    expect((await api.pages.list()).items.map(({ slug }) => slug)).toContain("contact");
    await api.close();
  });
});

it("a page that a killed run announced isn't treated as its own if the service shows other content", async () => {
  const { run, api, openFiles } = await open({ routeSet: "a", strict: false });
  await run();
  await announce(openFiles(), "contact");
  await api.pages.create({ slug: "contact", title: "By hand", html: BY_HAND });
  await run({ prune: true });
  expect(await api.pages.readHtml("contact")).toBe(BY_HAND);
  await api.close();
});
