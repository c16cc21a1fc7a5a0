import type { Scope } from "../../contract/scopes.ts";
import { resourceMetadataUrl, type Audience } from "./addresses.ts";

/** The reason for the `WWW-Authenticate` header (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly audience: Audience;
  /** Absent if the request had no credentials. */
  readonly error?: "invalid_token" | "insufficient_scope" | undefined;
  /** All scopes that the operation needs. */
  readonly scopes?: readonly Scope[];
}

/** Renders the header that shows clients where to get a token. */
export interface Challenges {
  render(challenge: Challenge): string;
}

/** @param appUrl `undefined` omits the metadata URL, since the documents that it leads to are disabled */
export function createChallenges(appUrl: string | undefined): Challenges {
  return {
    render({ audience, error, scopes }) {
      const fields = {
        error,
        scope: scopes?.join(" "),
        resource_metadata: appUrl === undefined ? undefined : resourceMetadataUrl(appUrl, audience),
      };
      const parts = Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : `${name}="${value}"`,
      );
      return ["Bearer", parts.join(", ")].filter((part) => part !== "").join(" ");
    },
  };
}
