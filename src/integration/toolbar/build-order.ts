import type { PublishRequest, Report } from "../../publish.ts";

/** Environment variable that passes the order to a build started by the dev toolbar. */
export const ORDER_VARIABLE = "IMPRINT_DEV_TOOLBAR";

/** The purpose of a build started by the dev toolbar. */
export interface BuildOrder {
  readonly kind: "plan" | "publish";
  /** The page on screen. */
  readonly route: string;
  readonly isPageOnly?: boolean;
}

/** What such a build reports to the dev server. */
export interface BuildFindings {
  readonly report: Report;
  /** Slug of the page on screen; absent if the built site has no such page. */
  readonly slug?: string | undefined;
  /** Its HTML file, relative to the built folder. */
  readonly file?: string | undefined;
  readonly diff: string;
}

type Planned = Parameters<NonNullable<PublishRequest["onPlanned"]>>[0];

/** The order of this build; `undefined` for any other build. */
export function readBuildOrder(): BuildOrder | undefined {
  const text = process.env[ORDER_VARIABLE];
  return text === undefined || process.send === undefined ? undefined : JSON.parse(text);
}

/** Returns the request that carries out an order, and a function that sends back the report. */
export function carryOut({ kind, route, isPageOnly }: BuildOrder) {
  let found: Omit<BuildFindings, "report"> = { diff: "" };
  return {
    request: {
      dryRun: kind === "plan",
      page: isPageOnly === true ? route : undefined,
      async onPlanned(planned: Planned): Promise<void> {
        const slug = planned.slugs[route];
        const change = planned.plan.pages.find(({ name }) => name === slug);
        const file = change !== undefined && "desired" in change ? change.desired.file : undefined;
        found = { slug, file, diff: "" };
        if (slug === undefined || change?.kind !== "update") return;
        const { diffPage } = await import("../../sync/page-diff.ts");
        found = { ...found, diff: await diffPage(slug, planned) };
      },
    },
    answer: (report: Report) => void process.send?.({ report, ...found } satisfies BuildFindings),
  };
}
