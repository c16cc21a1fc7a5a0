import type { Service } from "../../../src/service.ts";
import { clientOf, visit, type Send } from "../open-service.ts";

export const COMBINATIONS = [
  { routeSet: "a", mode: "strict" },
  { routeSet: "a", mode: "full" },
  { routeSet: "b", mode: "strict" },
  { routeSet: "b", mode: "full" },
] as const;

export const CONTACT = `<!doctype html><title>Contact</title><form method="post" data-honeypot="website">
<input name="name" required><input type="email" name="email"><textarea name="message"></textarea><input name="website">
</form>`;

export interface Typed {
  readonly [name: string]: string;
}

/** Sends a form like a browser on the page. */
export async function submit(
  service: Service,
  slug: string,
  { fields, headers = {} }: { readonly fields: Typed | URLSearchParams | FormData; readonly headers?: Typed },
): Promise<Response> {
  const body = fields instanceof FormData || fields instanceof URLSearchParams ? fields : new URLSearchParams(fields);
  const own = { Origin: new URL(service.pagesUrl).origin, Accept: "text/html", ...headers };
  return await visit(service, `/p/${slug}`, { method: "POST", body, headers: own });
}

/** Publishes a page under a slug, with the request that both route sets have. */
export async function publishPage(service: Service, slug: string, html: string): Promise<string> {
  const { body } = await clientOf(service, { routeSet: "a" })("PUT", `/api/pages/${slug}`, { json: { html } });
  return String(body.id);
}

/** Returns the path of a page's submissions in a route set. */
export function submissionsPath(routeSet: "a" | "b", page: string): string {
  return routeSet === "a" ? `/api/forms/${page}` : `/api/forms/${page}/submissions`;
}

export async function listSent(send: Send, routeSet: "a" | "b", page: string): Promise<readonly unknown[]> {
  return (await send("GET", submissionsPath(routeSet, page))).items.map(({ fields }) => fields);
}
