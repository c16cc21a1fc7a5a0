// An independent implementation of the specification, without code from src/.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Dialect } from "./dialect.ts";
import { byHand, type ByHand } from "./host/by-hand.ts";
import { createGate, type Gate } from "./host/gate.ts";
import { showToVisitor } from "./host/public-pages.ts";
import { findRoute } from "./host/routes.ts";
import { inEnvelope, refuse, renderError, type Answer } from "./host/wire.ts";
import { createWorld, publicPageUrl, type World } from "./host/world.ts";

export const API_KEY = "sk_live_4f9a2c71d0b34e58";
/** Cookie that gives the harness access to members-only pages. */
export const MEMBER = { cookie: "member=harness" } as const;

export interface Stranger {
  readonly dialect: Dialect;
  readonly baseUrl: string;
  readonly pagesBase: string;
  /** The host's content. Read-only: change it only through `byHand`. */
  readonly world: World;
  readonly byHand: ByHand;
  publicUrl(slug: string): string;
  /** Moves the host with all of its content to another address, and returns that. Nothing responds at the former one. */
  move(): Promise<string>;
  /**
   * Shows pages at `/<slug>` on a domain of their own, to which their former addresses lead. Returns a function that
   * gives up the former domain of pages, if they had one.
   */
  addDomain(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function startStranger(dialect: Dialect): Promise<Stranger> {
  const world = createWorld(dialect);
  const gate = createGate(dialect, world);
  const answer = async (request: Request) => {
    const path = new URL(request.url).pathname;
    const isApi = path.startsWith("/api/") || path.startsWith("/oauth/");
    if (isApi) return await answerApi({ dialect, world, gate, request });
    const own = dialect.pages.shownOn === "own-port" && request.url.startsWith(world.addresses.api);
    return showToVisitor({ dialect, world, request, shows: own ? "files" : "all" });
  };
  const openApi = () => createServer((incoming, outgoing) => void serve(answer, incoming, outgoing));
  let api = openApi();
  const baseUrl = await listen(api);
  const show = async (request: Request) => showToVisitor({ dialect, world, request, shows: "pages" });
  const openPages = () => createServer((incoming, outgoing) => void serve(show, incoming, outgoing));
  let visitors = dialect.pages.shownOn === "own-port" ? openPages() : undefined;
  const pagesBase = visitors === undefined ? baseUrl : await listen(visitors);
  Object.assign(world.addresses, { api: baseUrl, pages: pagesBase });
  const formerly: (typeof visitors)[] = [];
  const hands = byHand(dialect, world);
  hands.fill(dialect.foreign);
  return {
    ...{ dialect, baseUrl, pagesBase, world, byHand: hands },
    publicUrl: (slug) => publicPageUrl(dialect, world, slug),
    async move() {
      await Promise.all([api, visitors].map((server) => server && closeServer(server)));
      api = openApi();
      visitors &&= openPages();
      world.addresses.api = await listen(api);
      world.addresses.pages = visitors === undefined ? world.addresses.api : await listen(visitors);
      return world.addresses.api;
    },
    async addDomain() {
      const former = visitors;
      visitors = openPages();
      world.addresses.pages = await listen(visitors);
      hands.setRules({ formerlyAt: dialect.pages.shownAt, shownAt: "/{slug}" });
      formerly.push(former);
      return async () => {
        if (former !== undefined) await closeServer(former);
      };
    },
    async close() {
      await Promise.all([api, visitors, ...formerly].map((server) => server && closeServer(server)));
    },
  };
}

interface ApiRequest {
  readonly dialect: Dialect;
  readonly world: World;
  readonly gate: Gate;
  readonly request: Request;
}

async function answerApi({ dialect, world, gate, request }: ApiRequest): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url);
  const { method } = request;
  try {
    if (request.headers.get("authorization") !== `Bearer ${API_KEY}`)
      return log(refuseKey(dialect), "Invalid API key.");
    const limited = gate.limit();
    if (limited !== undefined) return log(limited, "Too many requests.");
    const stored = gate.findStored(request);
    if (stored !== undefined) return log(stored, undefined);
    await gate.wait();
    const { route, params, allowed } = findRoute(dialect.routeSet, method, pathname);
    if (route === undefined)
      refuse(allowed.length > 0 ? 405 : 404, allowed.length > 0 ? "Method not allowed" : "Not found");
    const refusal = route.area && dialect.areas[route.area];
    if (refusal !== undefined) refuse(refusal.status, refusal.words);
    const { maxBytes } = dialect.pages;
    const isPage = pathname.startsWith("/api/pages");
    if (isPage && maxBytes !== undefined && Number(request.headers.get("content-length") ?? 0) > maxBytes) {
      refuse(413, `The request is larger than ${maxBytes / 1000} KB.`);
    }
    const [param = ""] = params;
    const answer = inEnvelope(dialect, await route.answer({ dialect, world, request, query: searchParams, param }));
    gate.store(request, answer);
    return log(answer, undefined);
  } catch (error) {
    if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") throw error;
    return log(renderError(dialect, error.status, error.message), error.message);
  }

  function log(answer: Answer, words: string | undefined): Answer {
    const ifMatch = request.headers.get("if-match");
    world.log.push({ method, path: pathname, status: answer.status, ifMatch, words });
    return answer;
  }
}

function refuseKey(dialect: Dialect): Answer {
  const html = { "content-type": "text/html; charset=utf-8" };
  const form = `<!doctype html><title>Acme Pages</title><form><input type="password" name="password"></form>`;
  return {
    "401": renderError(dialect, 401, "Invalid API key."),
    "404": renderError(dialect, 404, "Not found"),
    "with its sign-in page": { status: 200, text: form, headers: html },
    "by a redirect": { status: 302, text: "", headers: { location: "/sign-in?next=%2F" } },
  }[dialect.refusesKeys];
}

async function serve(
  answer: (request: Request) => Promise<Answer>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    // The client has disconnected.
    return;
  }
  const { method = "GET", headers, url = "/" } = incoming;
  const bare = method === "GET" || method === "HEAD";
  const request = new Request(`http://${headers.host}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(bare ? {} : { body: Buffer.concat(chunks) }),
  });
  const {
    status,
    json,
    text,
    bytes,
    headers: own = {},
  } = await answer(request).catch((error: unknown) => ({
    ...{ status: 500, json: undefined, bytes: undefined, headers: {} },
    text: `The stranger itself failed: ${String(error)}`,
  }));
  const type = json === undefined ? {} : { "content-type": "application/json" };
  outgoing.writeHead(status, { ...type, ...own });
  const body = json === undefined ? (bytes ?? text) : JSON.stringify(json);
  outgoing.end(method === "HEAD" ? undefined : body);
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "");
    });
  });
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
