import { describe, expect, it } from "vitest";
import type { Capabilities } from "../../src/client/api.ts";
import type { SiteAsset } from "../../src/site/model.ts";
import { summarizePlan } from "../../src/sync/changes.ts";
import type { Desired, DesiredPage } from "../../src/sync/desired.ts";
import type { KnownPage } from "../../src/sync/known-pages.ts";
import type { Known } from "../../src/sync/known.ts";
import { planChanges, type PlanInput } from "../../src/sync/plan.ts";
import { EMPTY_STATE } from "../../src/sync/state.ts";
import { capabilities, desired, known } from "./plan-inputs.ts";

const asset: SiteAsset = {
  hash: "a".repeat(64),
  name: "hero.png",
  contentType: "image/png",
  kind: "image",
  source: { kind: "file", path: "/dist/hero.png", bytes: 1000 },
  optimize: "never",
  usedIn: "index.html",
};
const pdf: SiteAsset = {
  ...asset,
  hash: "b".repeat(64),
  name: "price.pdf",
  contentType: "application/pdf",
  kind: "file",
};

function page(slug: string, fields: Partial<DesiredPage> = {}): DesiredPage {
  return {
    slug,
    route: `/${slug}/`,
    file: `${slug}/index.html`,
    title: slug,
    description: undefined,
    hash: `hash of ${slug}`,
    assets: [],
    bytes: 100,
    parts: [],
    hasRouteMap: false,
    render: async () => ({ html: "" }),
    ...fields,
  };
}

function knownPage(slug: string, fields: Partial<KnownPage> = {}): KnownPage {
  return {
    slug,
    origin: "ours",
    hash: `hash of ${slug}`,
    edited: false,
    addressesCurrent: true,
    record: { slug },
    ...fields,
  };
}

interface Overrides extends Partial<Omit<PlanInput, "desired" | "known" | "capabilities" | "rules">> {
  readonly desired?: Partial<Desired>;
  readonly known?: Partial<Known>;
  readonly capabilities?: Partial<Capabilities>;
  readonly rules?: Partial<PlanInput["rules"]>;
}

function changesOf(overrides: Overrides) {
  const plan = planChanges({
    desired: { ...desired, ...overrides.desired },
    known: { ...known, ...overrides.known },
    state: overrides.state ?? EMPTY_STATE,
    capabilities: { ...capabilities, ...overrides.capabilities },
    rules: { prune: "report", maxDeleteShare: 0.3, adopt: false, ...overrides.rules },
  });
  return summarizePlan({ ...plan, limits: [] }).filter((change) => change.resource !== "site");
}

function planned(overrides: Overrides) {
  return changesOf(overrides).map(({ resource, kind, name }) => `${kind} ${resource} ${name}`);
}

function reasons(overrides: Overrides) {
  return changesOf(overrides).map(({ reason }) => reason);
}

function pagesOf(...pages: readonly KnownPage[]): ReadonlyMap<string, KnownPage> {
  return new Map(pages.map((known) => [known.slug, known]));
}

describe("a plan for pages", () => {
  it("creates a page that the service doesn't have", () => {
    expect(planned({ desired: { pages: [page("about")] } })).toEqual(["create page about"]);
  });

  it("keeps a page with the same content", () => {
    expect(planned({ desired: { pages: [page("about")] }, known: { pages: pagesOf(knownPage("about")) } })).toEqual([
      "keep page about",
    ]);
  });

  it.each([
    ["its content changed", { hash: "older" }],
    ["a file it uses has a new address", { addressesCurrent: false }],
  ])("updates a page if %s", (_, fields) => {
    const pages = pagesOf(knownPage("about", fields));
    expect(planned({ desired: { pages: [page("about")] }, known: { pages } })).toEqual(["update page about"]);
  });

  it.each([
    ["that imprint didn't publish", { origin: "foreign" as const }],
    ["that the service doesn't show", { origin: "unknown" as const }],
    ["that was edited on the service", { edited: true }],
    ["that someone unpublished", { record: { slug: "about", status: "draft" } }],
  ])("blocks a page %s, and takes it over on request", (_, fields) => {
    const input = { desired: { pages: [page("about")] }, known: { pages: pagesOf(knownPage("about", fields)) } };
    expect(planned(input)).toEqual(["blocked page about"]);
    expect(planned({ ...input, rules: { adopt: true } })).toEqual(["update page about"]);
  });

  it("updates pages that use an asset with a new address", () => {
    const about = page("about", { assets: [asset.hash] });
    const changes = planned({
      desired: { pages: [about], assets: new Map([[asset.hash, asset]]) },
      known: { pages: pagesOf(knownPage("about")) },
    });
    expect(changes).toEqual(["create asset hero.png", "update page about"]);
  });

  it("blocks content over the service's limit before anything is sent", () => {
    const big = page("big", { bytes: 11 });
    expect(planned({ desired: { pages: [big] }, capabilities: { limits: { maxPageBytes: 10 } } })).toEqual([
      "blocked page big",
    ]);
  });
});

it("distinguishes the user's own limit from the service's", () => {
  const input = { desired: { pages: [page("big", { bytes: 11 })] }, capabilities: { limits: { maxPageBytes: 10 } } };
  expect(reasons({ ...input, rules: { maxHtmlBytes: 10 } })).toEqual(["it has 11 bytes, but `maxHtmlBytes` allows 10"]);
  expect(reasons(input)).toEqual(["it has 11 bytes, but the service accepts at most 10"]);
});

describe("pages that the site no longer has", () => {
  const gone = pagesOf(knownPage("gone"), knownPage("about"), knownPage("contact"), knownPage("index"));
  const pages = [page("about"), page("contact"), page("index")];

  it("are reported by default", () => {
    expect(planned({ desired: { pages }, known: { pages: gone } })).toContain("orphan page gone");
  });

  it("are deleted with `prune`", () => {
    expect(planned({ desired: { pages }, known: { pages: gone }, rules: { prune: true } })).toContain(
      "delete page gone",
    );
  });

  it("are reported regardless of `prune` if their post is now on hold, with the reason", () => {
    const input = { desired: { pages, heldPages: new Map([["gone", "its post is a draft"]]) }, known: { pages: gone } };
    const reasons = (prune: PlanInput["rules"]["prune"]) =>
      changesOf({ ...input, rules: { prune } })
        .filter(({ name }) => name === "gone")
        .map(({ kind, reason }) => `${kind}: ${reason}`);
    expect(reasons("report")).toEqual(["orphan: its post is a draft; it is kept until you set `prune: true`"]);
    expect(reasons(false)).toEqual(["orphan: its post is a draft; it is kept until you set `prune: true`"]);
    expect(reasons(true)).toEqual(["delete: its post is a draft"]);
    expect(planned({ desired: { pages }, known: { pages: gone }, rules: { prune: false } })).not.toContain(
      "orphan page gone",
    );
  });

  it("are never deleted if imprint didn't publish them", () => {
    const foreign = pagesOf(...[...gone.values()].map((each) => ({ ...each, origin: "foreign" as const })));
    const changes = planned({ desired: { pages: [] }, known: { pages: foreign }, rules: { prune: true } });
    expect(changes).toEqual([]);
  });

  it("aren't deleted if they were edited on the service", () => {
    const edited = pagesOf(...gone.values(), knownPage("gone", { edited: true }));
    expect(planned({ desired: { pages }, known: { pages: edited }, rules: { prune: true } })).toContain(
      "blocked page gone",
    );
  });

  it("stop the run if they exceed the share that may be deleted", () => {
    expect(() => planned({ desired: { pages: [] }, known: { pages: gone }, rules: { prune: true } })).toThrow(
      "3 of 4 published pages would be deleted",
    );
  });
});

describe("a preview", () => {
  const [here, gone, other, live] = ["preview-pr-1--a", "preview-pr-1--gone", "preview-pr-12--gone", "gone"].map(
    (slug) => knownPage(slug),
  );
  const all = [here, gone, other, live].flatMap((each) => each ?? []);
  const rules = { prune: true, maxDeleteShare: 1 };
  const preview = { preview: "pr-1", pages: [page("preview-pr-1--a")] };

  it("deletes its own pages that it no longer has, regardless of `prune`, and no others", () => {
    const known = { pages: pagesOf(...all) };
    for (const prune of [true, false, "report"] as const) {
      const changes = planned({ desired: preview, known, rules: { prune } });
      expect(changes).toEqual(["keep page preview-pr-1--a", "delete page preview-pr-1--gone"]);
    }
  });

  it("isn't part of the live site", () => {
    const changes = planned({ desired: { pages: [page("index")] }, known: { pages: pagesOf(...all) }, rules });
    expect(changes).toEqual(["create page index", "delete page gone"]);
  });

  it("keeps and reports pages that were edited or may not be its own", () => {
    const pages = pagesOf(
      knownPage("preview-pr-1--edited", { edited: true }),
      knownPage("preview-pr-1--unseen", { origin: "unknown" }),
      knownPage("preview-pr-1--foreign", { origin: "foreign" }),
    );
    expect(reasons({ desired: { preview: "pr-1" }, known: { pages }, rules })).toEqual([
      "the preview no longer has it, but it was edited on the service",
      "the preview no longer has it, but the service doesn't show whether imprint published it",
    ]);
  });
});

describe("assets in a plan", () => {
  it("are omitted if the library accepts only images, without blocking a page", () => {
    const prices = page("prices", { assets: [pdf.hash] });
    const changes = planned({
      desired: { pages: [prices, page("about")], assets: new Map([[pdf.hash, pdf]]) },
      capabilities: { assetTypes: "images" },
    });
    expect(changes).toEqual(["blocked asset price.pdf", "create page prices", "create page about"]);
  });
});

describe("the brand kit in a plan", () => {
  const logo = { ...asset, name: "logo.png" };
  const placeholder = `imprint-asset:${logo.hash}`;
  const wanted = {
    hash: "hash of the kit",
    brandHash: "hash of the brand",
    assets: [logo.hash],
    body: {
      name: "Halden",
      colors: [{ role: "primary", hex: "#25c2a0" }],
      logos: [{ kind: "logo", url: placeholder }],
    },
  };
  const at = (host: string) => `https://${host}.example/logo.aaaaaaaaaaaaaaaa.png`;

  function plannedKit({
    hex,
    before,
    after,
  }: {
    readonly hex: string;
    readonly before: string;
    readonly after: string;
  }) {
    const kit = {
      id: "bk_1",
      name: "Halden",
      colors: [{ role: "primary", hex }],
      fonts: [],
      logos: [{ kind: "logo", url: at(before) }],
    };
    return planChanges({
      desired: { ...desired, brandKit: wanted, assets: new Map([[logo.hash, logo]]) },
      known: { ...known, brandKit: kit, assets: new Map([[logo.hash, { id: "as_1", url: at(after) }]]) },
      state: {
        ...EMPTY_STATE,
        brandKit: { id: "bk_1", hash: "hash of the kit" },
        assets: { [logo.hash]: { id: "as_1", url: at(before) } },
      },
      capabilities,
      rules: { prune: "report", maxDeleteShare: 0.3, adopt: false },
    }).brandKit;
  }

  it("stays as someone changed it on the service, as long as the site doesn't change", () => {
    expect(plannedKit({ hex: "#000000", before: "a", after: "a" })?.kind).toBe("keep");
  });

  it("is updated if its files have new addresses", () => {
    expect(plannedKit({ hex: "#25c2a0", before: "a", after: "b" })).toMatchObject({
      kind: "update",
      reason: "its files have new addresses",
      details: ["logo logo.png changed"],
    });
  });
});
