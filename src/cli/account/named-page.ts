import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import { failureOf } from "../../client/transport/outcome.ts";

type Signal = AbortSignal | undefined;

/** Whether the service has a page with this slug or ID. */
export async function hasPage(api: ImprintApi, page: string, signal: Signal): Promise<boolean> {
  const { items } = await api.pages.list({}, { signal });
  return items.some(({ slug, id }) => slug === page || id === page);
}

export function noSuchPage(page: string): ImprintError {
  return new ImprintError("USAGE", `The service has no page "${page}".`, { hint: "Name a page by its slug." });
}

/** Throws `USAGE` if the work fails because the service doesn't have the page that the user named, if any. */
export async function withNamedPage<Result>(
  page: string | undefined,
  { api, signal }: { readonly api: ImprintApi; readonly signal: Signal },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isNamed = page !== undefined && failureOf(error)?.status === 404;
    throw isNamed && !(await hasPage(api, page, signal)) ? noSuchPage(page) : error;
  }
}
