import { isWritten, type Outcome } from "../base/outcome.ts";
import type { ImprintApi } from "../client/api.ts";
import type { SiteWarning } from "../site/model.ts";
import type { Desired } from "./desired.ts";

const MOST_READ = 20;

// With an address of its own, a form doesn't depend on the service.
const OWN_FORM = /<form\b(?=[^>]*\bmethod\s*=\s*["']?post)(?![^>]*\baction\s*=\s*["']?https?:)/i;

interface FormsContext {
  readonly api: ImprintApi;
  readonly desired: Pick<Desired, "pages">;
}

/** Says of forms that a run sent to another service that nothing shows whether it takes what readers send. */
export async function warnOfForms(
  outcomes: readonly Outcome[],
  { api, desired }: FormsContext,
): Promise<readonly SiteWarning[]> {
  if (api.capabilities.account !== undefined) return [];
  const sent = new Set(outcomes.filter((each) => each.resource === "page" && isWritten(each)).map(({ name }) => name));
  const pages = desired.pages.filter(({ slug, parts }) => sent.has(slug) && parts.includes("forms"));
  const found: string[] = [];
  for (const { slug, render } of pages.slice(0, MOST_READ)) {
    if (OWN_FORM.test((await render()).html)) found.push(slug);
  }
  if (found.length === 0) return [];
  const message = `The forms on ${found.join(", ")} submit to their own page, and nothing shows whether this service accepts submissions. Submit one yourself, then run \`imprint forms list\`.`;
  return [{ code: "forms-untried", file: "service", message, isNotice: true }];
}
