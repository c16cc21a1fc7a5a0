import type { ImprintApi } from "../../client/api.ts";
import type { Messages, Numbers } from "./messages.ts";

interface AskedPage {
  readonly api: ImprintApi;
  /** `undefined` if the page isn't published. */
  readonly slug: string | undefined;
}

const DAYS = 30;
const NOTHING: Numbers = { days: DAYS, views: 0, visitors: 0, clicks: [] };

/** Reads a page's statistics of the last 30 days. */
export async function readNumbers({ api, slug }: AskedPage): Promise<Numbers> {
  if (slug === undefined) return NOTHING;
  const found = await api.analytics.details(slug);
  if (found !== undefined) {
    const { totals, heatmap, scrollDepth } = found;
    return {
      days: DAYS,
      views: totals.views,
      visitors: totals.visitors,
      depth: scrollDepth.views > 0 ? scrollDepth.median : undefined,
      clicks: heatmap.elements,
    };
  }
  const page = (await api.analytics.summary()).items.find((each) => each.slug === slug);
  if (page === undefined) return NOTHING;
  return { days: DAYS, views: page.views, visitors: page.visitors };
}

const SHOWN = 5;

/** Reads the submissions of a page's forms. */
export async function readMessages({ api, slug }: AskedPage): Promise<Messages> {
  if (slug === undefined) return { forms: 0, total: 0, newest: [] };
  const hasForms = api.capabilities.operations.has("forms.list");
  const forms = hasForms ? (await api.forms.list({ pageSlug: slug })).items : undefined;
  if (forms?.length === 0) return { forms: 0, total: 0, newest: [] };
  const { items } = await api.submissions.list(slug);
  const newest = items.slice(0, SHOWN).map(({ createdAt, fields }) => ({
    at: createdAt?.toISOString(),
    text: [...fields].map(([name, value]) => `${name}: ${String(value)}`).join(", "),
  }));
  return { forms: forms?.length ?? 1, total: items.length, newest };
}
