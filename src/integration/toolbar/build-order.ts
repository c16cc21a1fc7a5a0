import type { PublishRequest, Report } from "../../publish.ts";

/** Under this name a build that the dev toolbar starts finds what it is for. */
export const ORDER_VARIABLE = "IMPRINT_DEV_TOOLBAR";

/** What a build is for that the dev toolbar starts. */
export interface BuildOrder {
  readonly kind: "plan" | "publish";
  /** The page on screen. */
  readonly route: string;
  readonly isPageOnly?: boolean;
}

/** What such a build reports to the dev server. */
export interface BuildFindings {
  readonly report: Report;
  /** Slug of the page on screen; absent: the built site has no such page. */
  readonly slug?: string | undefined;
  /** Its HTML file below the built folder. */
  readonly file?: string | undefined;
  readonly diff: string;
}

type Planned = Parameters<NonNullable<PublishRequest["onPlanned"]>>[0];

/** The order of this build; `undefined` for any other build. */
export function readBuildOrder(): BuildOrder | undefined {
  const text = process.env[ORDER_VARIABLE];
  return text === undefined || process.send === undefined ? undefined : JSON.parse(text);
}

/** What to ask of a run for an order, and how to answer it with the report. */
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
