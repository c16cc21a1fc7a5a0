import type { OperationName } from "../../contract/operations.ts";
import type { ReleaseOpenBody, ReleasePagesBody } from "../../contract/operations/releases.ts";
import type { CallOptions } from "../api.ts";
import type { BundleEncoding, ReleaseContent } from "../releases/bundle.ts";
import { parsePart } from "../records/account-records.ts";
import type { RecordContext } from "../records/read-record.ts";
import {
  parseOpenedRelease,
  parseRelease,
  parseReleaseDiff,
  parseStagedPages,
  parseStoredContent,
  type OpenedRelease,
  type Release,
  type ReleaseDifference,
  type StagedPages,
  type StoredContent,
} from "../records/release-records.ts";
import type { Session, SessionCall } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { createCalls } from "./calls.ts";

/** Which releases are given. */
export interface ReleasesQuery extends CallOptions {
  readonly siteId?: string | undefined;
  /** Only the one that readers see. Default: all of them, newest first. */
  readonly isLive?: boolean;
  /**
   * How many are given.
   *
   * @default 20 (at most 100)
   */
  readonly limit?: number;
}

export interface ReleaseContentOptions extends CallOptions {
  /**
   * How the bundle is compressed. What is read from disk is never compressed.
   *
   * @default "identity"
   */
  readonly encoding?: BundleEncoding;
}

export interface ReleasePublishOptions extends CallOptions {
  /** Hash of the whole list of pages, by which it is recognized later. */
  readonly manifest: string;
  /** The release that has to be live until then; `null`: none. Another one makes the call throw `VERSION_MISMATCH`. */
  readonly parent: string | null;
  /** Replaces pages that were edited by hand too. */
  readonly force?: boolean;
}

export interface ReleaseRollbackOptions extends CallOptions {
  /** Replaces pages that were edited by hand, and goes back even if files are gone. */
  readonly force?: boolean;
}

export type ReleasesApi = ReturnType<typeof createReleases>;

export function createReleases(session: Session) {
  const calls = createCalls(session);

  async function ask<Result>(
    operation: OperationName,
    parse: (json: unknown, context: RecordContext) => Result,
    call: SessionCall,
  ): Promise<Result> {
    const { json, context } = await session.call(operation, call);
    return parse(json, context);
  }

  return {
    /**
     * Begins a release. Readers see nothing of it until it is published. Opening a second one on the same parent does
     * no harm: what was sent for the first is still there.
     */
    open: ({ signal, ...body }: ReleaseOpenBody & CallOptions): Promise<OpenedRelease> =>
      ask("releases.open", parseOpenedRelease, { body: jsonBody(body), repeat: "always", signal }),
    /** Names pages that differ from those of the parent. May be called several times. */
    pages: (id: string, body: ReleasePagesBody, { signal }: CallOptions = {}): Promise<StagedPages> =>
      ask("releases.putPages", parseStagedPages, { parameters: [id], body: jsonBody(body), signal }),
    /** Sends a bundle of pages and files, or a tar of them that has their hashes as names. */
    async content(
      id: string,
      contents: readonly ReleaseContent[] | Uint8Array,
      { encoding = "identity", signal }: ReleaseContentOptions = {},
    ): Promise<StoredContent> {
      const { encodeBundle } = await import("../releases/bundle.ts");
      const bundle = await encodeBundle(contents, encoding);
      return await ask("releases.putContent", parseStoredContent, { parameters: [id], ...bundle, signal });
    },
    /** Shows a release to readers, all of it at once. Publishing one that is live already gives it as it is. */
    publish: (id: string, { parent, signal, ...body }: ReleasePublishOptions): Promise<Release> =>
      ask("releases.publish", parseRelease, {
        parameters: [id],
        headers: parent === null ? {} : { "if-match": `"${parent}"` },
        body: jsonBody(body),
        signal,
      }),
    async list({ siteId, isLive, limit = 20, signal }: ReleasesQuery = {}): Promise<readonly Release[]> {
      const query = {
        limit: String(limit),
        ...(siteId === undefined ? {} : { siteId }),
        ...(isLive === true ? { live: "true" } : {}),
      };
      const { json, context } = await session.call("releases.list", { query, signal });
      return parsePart(json, context, parseRelease);
    },
    /** Gives `undefined` when there is no such release. */
    get: calls.get<Release>("releases.get", parseRelease),
    /** What a release changed in its parent, or how it differs from another one. */
    diff: (id: string, { against, signal }: CallOptions & { readonly against?: string } = {}) =>
      readDifference(session, id, { against, signal }),
    /** Publishes the content of an earlier release again, as a new one. */
    rollback: (id: string, { signal, ...body }: ReleaseRollbackOptions = {}): Promise<Release> =>
      ask("releases.rollback", parseRelease, { parameters: [id], body: jsonBody(body), signal }),
  };
}

async function readDifference(
  session: Session,
  id: string,
  { against, signal }: CallOptions & { readonly against?: string | undefined },
): Promise<Pick<ReleaseDifference, "id" | "against" | "data">> {
  const data: ReleaseDifference["data"][number][] = [];
  for (let cursor: string | undefined; ;) {
    const query = {
      limit: "100",
      ...(against === undefined ? {} : { against }),
      ...(cursor === undefined ? {} : { cursor }),
    };
    const { json, context } = await session.call("releases.diff", { parameters: [id], query, signal });
    const part = parseReleaseDiff(json, context);
    data.push(...part.data);
    if (part.nextCursor === null) return { id: part.id, against: part.against, data };
    cursor = part.nextCursor;
  }
}
