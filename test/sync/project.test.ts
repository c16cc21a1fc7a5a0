import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { findMarker, renderMarker, sealMarker } from "../../src/html/marker.ts";
import type { DesiredPage } from "../../src/sync/desired.ts";
import type { SeenPage } from "../../src/sync/known-pages.ts";
import { claimProject } from "../../src/sync/project.ts";
import { EMPTY_STATE } from "../../src/sync/state.ts";

const OURS = "k3v9x2ab";
const FRESH = "freshone";
const hashOf = (text: string) => Buffer.from(text.padEnd(32, ".")).toString("hex");

function page(route: string, { title = "Halden", hash = hashOf(route) } = {}): DesiredPage {
  return {
    slug: route === "/" ? "index" : route.replaceAll("/", ""),
    route,
    file: `${route}index.html`,
    title,
    description: undefined,
    hash,
    assets: [],
    bytes: 1,
    parts: [],
    hasRouteMap: false,
    render: async () => ({ html: "" }),
  };
}

function shown(
  slug: string,
  { title = "Halden", project = OURS, hash = hashOf(slug === "index" ? "/" : `/${slug}/`) },
) {
  const head = `<head>${renderMarker(hash)}<title>${title}</title></head>`;
  const { html } = sealMarker({ html: head }, { project, slug });
  return {
    kind: "read",
    record: { slug },
    marker: findMarker(html),
    title,
    sent: sha256(html),
    readHtml: async () => html,
  } as const satisfies SeenPage;
}

const wanted = new Map([page("/"), page("/about/"), page("/prices/")].map((each) => [each.slug, each]));
const nobody = { state: EMPTY_STATE, locked: undefined, freshProject: FRESH, wanted, adopts: false };

describe("a project without any memory", () => {
  it("is recognized by pages that it would publish identically", () => {
    const seen = [shown("index", {}), shown("about", {}), shown("prices", { hash: hashOf("older") })];
    expect(claimProject(seen, nobody)).toMatchObject({ project: OURS, isRecovered: true, isFirst: false });
  });

  it.each([
    [
      "most pages are different",
      [shown("index", {}), shown("about", { hash: "0".repeat(64) }), shown("prices", { hash: "1".repeat(64) })],
    ],
    [
      "the home page has another title",
      [shown("index", { title: "Other client", hash: "0".repeat(64) }), shown("about", {}), shown("prices", {})],
    ],
    ["there is no page", []],
  ])("is a new one if %s", (_, seen) => {
    expect(claimProject(seen, nobody)).toMatchObject({ project: FRESH, isRecovered: false, isFirst: true });
  });

  it("is uncertain if the service hides the content of its slugs, until it is adopted", () => {
    const seen: readonly SeenPage[] = [{ kind: "hidden", record: { slug: "about" } }];
    expect(claimProject(seen, nobody)).toMatchObject({ isUncertain: true, isRecovered: false });
    expect(claimProject(seen, { ...nobody, adopts: true })).toMatchObject({ isUncertain: false, isRecovered: true });
  });

  it("isn't looked up at the previous slugs of renamed pages", () => {
    const left = {
      ...page("/prices/"),
      redirect: { to: "/shop-prices/", kind: "renamed", slug: "shop-prices", href: "/p/shop-prices" },
    } as const;
    const seen: readonly SeenPage[] = [{ kind: "hidden", record: { slug: "prices" } }];
    const claim = claimProject(seen, { ...nobody, wanted: new Map([["prices", left]]) });
    expect(claim).toMatchObject({ isUncertain: false, isFirst: true });
  });
});

it("a project in the lock file stays the same, whatever the service has at its slugs", () => {
  const seen = [shown("index", { project: "otherone" }), shown("about", { project: "otherone" })];
  const state = { ...EMPTY_STATE, project: OURS };
  expect(claimProject(seen, { ...nobody, state })).toMatchObject({ project: OURS, isRecovered: false });
});
