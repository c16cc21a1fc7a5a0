import { expect, it } from "vitest";
import { describeVisits, writtenText, type ScriptedVisit } from "./describe-visits.ts";

function says(name: string, start: string, texts: Readonly<Record<string, string>>): ScriptedVisit {
  return {
    name,
    start,
    act: async (page) => {
      const seen: string[] = [];
      for (const id of Object.keys(texts)) seen.push(await writtenText(page, id));
      return seen;
    },
    sees: Object.values(texts),
  };
}

const WORKERS: readonly ScriptedVisit[] = [
  says("starts new Worker(new URL(), { type: module })", "/module-worker/", { module: "module: iron with walnut" }),
  says("starts new Worker(new URL())", "/classic-worker/", { classic: "classic: iron with oak gall" }),
  says("starts ?worker", "/queried-worker/", { queried: "queried: iron with sepia" }),
  says("starts ?worker&inline", "/inline-worker/", { inlined: "inlined: iron with indigo" }),
  says("starts one SharedWorker for two ports", "/shared-worker/", {
    shared: "shared: tab 1",
    "shared-again": "shared: tab 2",
  }),
  says("starts a worker that fetches an endpoint and a file", "/fetching-worker/", {
    fetching: "fetching: 2 inks, 3 notes, iron keeps for ages",
  }),
  says("starts a worker that imports dynamically", "/lazy-worker/", { lazy: "lazy: iron with lampblack" }),
];

describeVisits({
  title: "workers as separate scripts",
  folder: "test/sites/ink-lab",
  visits: [
    ...WORKERS,
    says("starts a worker in public/ that loads others with importScripts()", "/legacy-worker/", {
      legacy: "legacy: iron with soot and gum",
    }),
    says("requests its service worker without an error", "/service-worker/", { service: "asked" }),
  ],
  also(published) {
    it("reports that the service worker isn't registered", () => {
      const warnings = published().report.warnings.filter(({ message }) => message.includes("sw.js"));
      expect(warnings).toHaveLength(1);
    });
  },
});

describeVisits({
  title: "workers as modules that share chunks",
  folder: "test/sites/ink-lab",
  settings: { INK_WORKERS: "es" },
  visits: WORKERS,
});

// Built modules find no worker beside them then, published or not; an address that the page resolves works.
describeVisits({
  title: "workers of a site with relative asset addresses",
  folder: "test/sites/ink-lab",
  settings: { INK_RELATIVE: "yes" },
  visits: [
    says("starts ?worker", "/queried-worker", { queried: "queried: iron with sepia" }),
    says("starts ?worker&inline", "/inline-worker", { inlined: "inlined: iron with indigo" }),
  ],
});
