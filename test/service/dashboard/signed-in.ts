import { expect } from "vitest";
import type { Service } from "../../../src/service.ts";
import { fileForm } from "../open-service.ts";

/** A browser without scripts that is signed in to the dashboard. */
export interface SignedIn {
  readonly cookie: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form like a page of the dashboard. */
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form with files. */
  upload(
    path: string,
    files: readonly (readonly [name: string, content: string | Uint8Array<ArrayBuffer>])[],
    fields: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** Opens a sign-in link and presses the button on its page; returns the page if there is none. */
export async function followLink(service: Pick<Service, "url" | "fetch">, url: string): Promise<Response> {
  const page = await service.fetch(new Request(url));
  const html = await page.clone().text();
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
  const [token, next] = [valueOf("token"), valueOf("next")];
  if (token === undefined || next === undefined) return page;
  const body = new URLSearchParams({ token, next: next.replaceAll("&amp;", "&") });
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  return await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
}

/** Signs the first owner in with a new link. */
export async function signIn(service: Service): Promise<SignedIn> {
  return await signInBy(service, (await service.createSignInLink()).url);
}

/** Signs in with a link. */
export async function signInBy(service: Service, url: string): Promise<SignedIn> {
  const answer = await followLink(service, url);
  expect(answer.status).toBe(303);
  const send = (path: string, body: FormData | URLSearchParams) =>
    service.fetch(
      new Request(`${service.url}${path}`, {
        method: "POST",
        body,
        headers: { Cookie: cookie, Origin: service.url, "Sec-Fetch-Site": "same-origin" },
      }),
    );
  const cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  return {
    cookie,
    get: (path, headers = {}) =>
      service.fetch(new Request(`${service.url}${path}`, { headers: { ...headers, Cookie: cookie } })),
    post: (path, fields = {}) => send(path, new URLSearchParams(fields)),
    upload(path, files, fields) {
      const form = fileForm(...files);
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return send(path, form);
    },
  };
}
