import type { Scope } from "../../contract/scopes.ts";
import { resourceMetadataUrl, type Audience } from "./addresses.ts";

/** What a request lacked, for the header `WWW-Authenticate` (RFC 6750, RFC 9728). */
export interface Challenge {
  readonly audience: Audience;
  /** Absent: the request named nobody at all. */
  readonly error?: "invalid_token" | "insufficient_scope" | undefined;
  /** All that the operation needs. */
  readonly scopes?: readonly Scope[];
}

/** The header that says where to get a token. */
export interface Challenges {
  render(challenge: Challenge): string;
}

/** @param appUrl `undefined`: the documents that lead to a token are off, so that no header names them */
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
