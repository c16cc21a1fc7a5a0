import type { OperationName } from "../../contract/operations.ts";
import type { ReleaseOpenBody, ReleasePagesBody, ReleaseSmallBody } from "../../contract/operations/releases.ts";
import type { CallOptions } from "../api.ts";
import type { BundleEncoding, ReleaseContent } from "../releases/bundle.ts";
import { parsePart } from "../records/account-records.ts";
import type { RecordContext } from "../records/read-record.ts";
import {
  parseOpenedRelease,
  parsePublishedSmall,
  parseRelease,
  parseReleaseDiff,
  parseStagedPages,
  parseStoredContent,
  type OpenedRelease,
  type PublishedSmall,
  type Release,
  type ReleaseDifference,
  type StagedPages,
  type StoredContent,
} from "../records/release-records.ts";
import type { Session, SessionCall } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { createCalls } from "./calls.ts";

/** Which releases to return. */
export interface ReleasesQuery extends CallOptions {
  readonly siteId?: string | undefined;
  /** Only the one that readers see. Default: all, newest first. */
  readonly isLive?: boolean;
  /**
   * Maximum number of results.
   *
   * @default 20 (at most 100)
   */
  readonly limit?: number;
}

export interface ReleaseContentOptions extends CallOptions {
  /**
   * Compression of the bundle. Content read from disk is never compressed.
   *
   * @default "identity"
   */
  readonly encoding?: BundleEncoding;
}

export interface ReleasePublishOptions extends CallOptions {
  /** Hash of the complete list of pages, used to identify it later. */
  readonly manifest: string;
  /** The release that must be live until then; `null`: none. If another one is, the call throws `VERSION_MISMATCH`. */
  readonly parent: string | null;
  /** Also replaces pages that were edited by hand. */
  readonly force?: boolean;
}

export interface ReleaseRollbackOptions extends CallOptions {
  /** Also replaces pages that were edited by hand, and rolls back even if files are gone. */
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
     * Opens a release. Readers see nothing of it until it is published. Opening a second one with the same parent is
     * harmless: what was sent for the first is kept.
     */
    open: ({ signal, ...body }: ReleaseOpenBody & CallOptions): Promise<OpenedRelease> =>
      ask("releases.open", parseOpenedRelease, { body: jsonBody(body), repeat: "always", signal }),
    /**
     * Opens, fills and publishes a release without new files in one request. If content is missing or another site has
     * one of the slugs, nothing is published, and the call throws `VERSION_MISMATCH`. Repeating it is harmless.
     */
    publishSmall: ({ signal, ...body }: ReleaseSmallBody & CallOptions): Promise<PublishedSmall> =>
      ask("releases.publishSmall", parsePublishedSmall, { body: jsonBody(body), repeat: "always", signal }),
    /** Lists pages that differ from those of the parent. May be called several times. */
    pages: (id: string, body: ReleasePagesBody, { signal }: CallOptions = {}): Promise<StagedPages> =>
      ask("releases.putPages", parseStagedPages, { parameters: [id], body: jsonBody(body), signal }),
    /** Sends a bundle of pages and files, or a tar with their hashes as names. */
    async content(
      id: string,
      contents: readonly ReleaseContent[] | Uint8Array,
      { encoding = "identity", signal }: ReleaseContentOptions = {},
    ): Promise<StoredContent> {
      const { encodeBundle } = await import("../releases/bundle.ts");
      const bundle = await encodeBundle(contents, encoding);
      return await ask("releases.putContent", parseStoredContent, { parameters: [id], ...bundle, signal });
    },
    /** Publishes all of a release at once. Publishing one that is already live returns it unchanged. */
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
    /** Returns `undefined` if the release doesn't exist. */
    get: calls.get<Release>("releases.get", parseRelease),
    /** Returns what a release changed relative to its parent or another release. */
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
