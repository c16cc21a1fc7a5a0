import { expect } from "vitest";
import type { Service } from "../../../src/service.ts";

/** A browser without scripts that is signed in to the dashboard. */
export interface SignedIn {
  readonly cookie: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form as a page of the dashboard does. */
  post(path: string, fields?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Signs in with a fresh link. */
export async function signIn(service: Service): Promise<SignedIn> {
  const { url } = await service.createSignInLink();
  const answer = await service.fetch(new Request(url));
  expect(answer.status).toBe(200);
  const cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  return {
    cookie,
    get: (path, headers = {}) =>
      service.fetch(new Request(`${service.url}${path}`, { headers: { ...headers, Cookie: cookie } })),
    post: (path, fields = {}) =>
      service.fetch(
        new Request(`${service.url}${path}`, {
          method: "POST",
          body: new URLSearchParams(fields),
          headers: { Cookie: cookie, Origin: service.url, "Sec-Fetch-Site": "same-origin" },
        }),
      ),
  };
}
