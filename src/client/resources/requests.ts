import { requestRecord, type RequestOutcome } from "../../contract/requests.ts";
import { createParser, parsePart } from "../records/account-records.ts";
import type { Session } from "../session.ts";
import type { RecentOptions } from "./account.ts";

const parseRequest = createParser("request", () => requestRecord.full);

/** A request to the API and its response. */
export interface LoggedRequest extends ReturnType<typeof parseRequest> {}

export interface RequestsOptions extends RecentOptions {
  /** Only those with this result. */
  readonly outcome?: RequestOutcome | undefined;
  /** Only those whose path contains this. */
  readonly path?: string | undefined;
}

export type RequestsApi = ReturnType<typeof createRequests>;

export function createRequests(session: Session) {
  return {
    /** Returns the newest requests; each is listed one second after its response. */
    async list({ limit = 50, outcome, path, signal }: RequestsOptions = {}): Promise<readonly LoggedRequest[]> {
      const query = {
        limit: String(limit),
        ...(outcome === undefined ? {} : { outcome }),
        ...(path === undefined ? {} : { path }),
      };
      const { json, context } = await session.call("requests.list", { query, signal });
      return parsePart(json, context, parseRequest);
    },
  };
}
