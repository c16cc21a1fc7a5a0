import { messageOf, systemCodeOf } from "../../base/error.ts";
import type { Visit } from "../../client/api.ts";
import { visitOf } from "../../client/without-key.ts";
import {
  findRedirect,
  isDownload,
  lengthOf,
  MEASURING,
  refererOf,
  sendPlainly,
  type PlainHead,
  type PlainResponse,
} from "../../client/transport/plain.ts";
import { unframe } from "../../html/framed-page.ts";
import { decodeVisit, nameObstacle } from "../../client/read-visit.ts";

/** What a reader gets at an address. */
export type Shown =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Without parameters, in lowercase; empty if there is none. */
      readonly contentType: string;
      /** Whether browsers save it as a file instead of showing it. */
      readonly isDownload: boolean;
      /** The address after redirects. */
      readonly address: string;
      /** The body of HTML and stylesheets; the body of other files isn't read. */
      readonly text: string | undefined;
      /** What programs get in place of what readers get, if so: `403 with a bot check`. */
      readonly obstacle: string | undefined;
      /** The response to a page that readers can open, before it is read. */
      readonly visit?: Visit | undefined;
      /** Number of bytes; only if it was asked for. */
      readonly length?: number | undefined;
    }
  /** A redirect to a host that must not be visited. */
  | { readonly kind: "away"; readonly address: string }
  | { readonly kind: "silent"; readonly reason: string };

export interface PublicFetch {
  /**
   * Requests an address without the key, and follows redirects if `mayVisit` allows their host. `measures` asks for the
   * length of a file as well.
   */
  read(address: string, options?: { readonly measures?: boolean }): Promise<Shown>;
}

export interface PublicFetchOptions {
  readonly mayVisit: (address: string) => boolean;
  /** A page of the site: some hosts serve files to their own pages only. */
  readonly from: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const MAX_REDIRECTS = 10;
const READ_TYPES = /^(?:text\/html|application\/xhtml\+xml|text\/css)$/;

export function createPublicFetch({ mayVisit, from, timeoutMs, signal }: PublicFetchOptions): PublicFetch {
  function ask(address: string, measures: boolean): Promise<PlainResponse> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const measuring = measures ? MEASURING.headers : {};
    return sendPlainly(address, {
      headers: { accept: "*/*", "user-agent": "astro-imprint (verify)", ...refererOf(from), ...measuring },
      redirect: "manual",
      readsBody: (head) => isRead(head) || (measures && MEASURING.readsBody(head)),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  }

  async function follow(first: string, measures: boolean): Promise<Shown> {
    let address = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await ask(address, measures);
      const location = findRedirect(response, address);
      if (location === undefined) return { ...describe(response), length: measures ? lengthOf(response) : undefined };
      if (!mayVisit(location)) return { kind: "away", address: location };
      address = location;
    }
    return { kind: "silent", reason: `more than ${MAX_REDIRECTS} redirects` };
  }

  return {
    async read(address, { measures = false } = {}) {
      try {
        return await follow(address, measures);
      } catch (error) {
        signal?.throwIfAborted();
        const reason = systemCodeOf(error) ?? messageOf(error);
        return { kind: "silent", reason: `no response (${reason})` };
      }
    },
  };
}

function isRead({ status, headers }: PlainHead): boolean {
  return (status === 200 || status === 403 || status === 503) && READ_TYPES.test(typeOf(headers));
}

function describe(response: PlainResponse): Extract<Shown, { kind: "answer" }> {
  const { status, headers, url, bytes } = response;
  const isPage = status === 200 && isRead(response) && typeOf(headers) !== "text/css";
  const readText = () => (isRead(response) ? decodeVisit({ bytes, contentType: headers.get("content-type") }) : "");
  return {
    ...{ kind: "answer", status, contentType: typeOf(headers), isDownload: isDownload(headers), address: url },
    text: status === 200 && isRead(response) ? unframe(readText()) : undefined,
    obstacle: nameObstacle(status, readText),
    visit: isPage ? visitOf(response) : undefined,
  };
}

function typeOf(headers: PlainHead["headers"]): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase();
}
