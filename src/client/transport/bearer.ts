import type { Settings } from "../options.ts";
import { createRedactor } from "./redact.ts";

/** What a client shows the service with each request. */
export interface Bearer {
  readonly kind: "key" | "login";
  /** The key, or a token of the login that is good for a while. Throws what getting a new one throws. */
  current(): Promise<string>;
  /** Takes the key, and every token that was in use, out of a text. */
  redact(text: string): string;
}

export function createBearer({ apiKey, accessToken }: Pick<Settings, "apiKey" | "accessToken">): Bearer {
  const redactors = new Map([[apiKey, createRedactor(apiKey)]]);
  return {
    kind: accessToken === undefined ? "key" : "login",
    async current() {
      if (accessToken === undefined) return apiKey;
      const token = await accessToken();
      if (!redactors.has(token)) redactors.set(token, createRedactor(token));
      return token;
    },
    redact: (text) => [...redactors.values()].reduce((redacted, redact) => redact(redacted), text),
  };
}
