import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AstroConfig, AstroIntegration } from "astro";
import { parseJson } from "../../base/json.ts";
import type { Options } from "../../options/schema.ts";
import type { Desk } from "./desk.ts";
import { ENDPOINT, type Ask } from "./messages.ts";

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="#fff" stroke-width="1.6"><path d="M4 16.5h12M10 12.5V3M6.5 6.5 10 3l3.5 3.5"/></svg>';

/**
 * The hooks of `astro dev`. They load nothing: the panel's code on the server is loaded with its first request.
 */
export function createToolbar(options: Options): AstroIntegration {
  let config: AstroConfig | undefined;
  let desk: Promise<Desk> | undefined;
  const hooks: AstroIntegration["hooks"] = {
    "astro:config:setup": ({ addDevToolbarApp }) => {
      const entrypoint = import.meta.url.endsWith(".ts") ? "./client/app.ts" : "./toolbar.js";
      addDevToolbarApp({
        id: "imprint",
        name: "imprint",
        icon: ICON,
        entrypoint: new URL(entrypoint, import.meta.url),
      });
    },
    "astro:config:done": ({ config: final }) => {
      config = final;
    },
    "astro:server:setup": ({ server }) => {
      const token = randomBytes(24).toString("base64url");
      server.middlewares.use(ENDPOINT, (request, response) => {
        void answer(request, response, { token, open: () => (desk ??= openDeskOf(config, options)) });
      });
    },
    "astro:server:done": async () => {
      await (await desk)?.close();
    },
  };
  return { name: "imprint/toolbar", hooks };
}

async function openDeskOf(config: AstroConfig | undefined, options: Options): Promise<Desk> {
  if (config === undefined) throw new Error("Astro started its server before its configuration was done.");
  const { openDesk } = await import("./desk.ts");
  const { root, base, srcDir, publicDir } = config;
  const folders = [srcDir, publicDir].map((folder) => fileURLToPath(folder)).filter((folder) => existsSync(folder));
  return openDesk({ projectRoot: fileURLToPath(root), base, options, folders });
}

interface Door {
  readonly token: string;
  readonly open: () => Promise<Desk>;
}

async function answer(request: IncomingMessage, response: ServerResponse, { token, open }: Door): Promise<void> {
  const refusal = refuse(request);
  if (refusal !== undefined) return reply(response, 403, { error: refusal });
  const ask = await readAsk(request);
  if (ask === undefined) return reply(response, 400, { error: "Invalid request." });
  if (ask.kind === "hello") return reply(response, 200, { token });
  if (!isSame(ask.token ?? "", token)) return reply(response, 403, { error: "The dev server was restarted. Reload." });
  try {
    reply(response, 200, await (await open()).answer(ask));
  } catch (error) {
    const { problemOf } = await import("./desk.ts");
    reply(response, 500, { problem: problemOf(error) });
  }
}

// Rejects requests from other sites, and from other machines if the dev server listens on the network.
function refuse({ method, headers, socket }: IncomingMessage): string | undefined {
  const isHere = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
  if (!isHere) return "imprint responds only on the machine that runs `astro dev`. Run its commands there.";
  const origin = URL.parse(headers.origin ?? "");
  const isOwn = method === "POST" && origin?.host === headers.host;
  const isSameSite = headers["sec-fetch-site"] === undefined || headers["sec-fetch-site"] === "same-origin";
  return isOwn && isSameSite ? undefined : "Only this site's toolbar can send requests.";
}

const KINDS: readonly string[] = [
  ...["hello", "state", "follow", "plan", "publish-page", "publish-all", "preview", "login", "dashboard"],
];
const MAX_BYTES = 4096;

async function readAsk(request: IncomingMessage): Promise<Ask | undefined> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BYTES) return undefined;
  }
  const asked = parseJson(text);
  return isAsk(asked) ? asked : undefined;
}

function isAsk(value: unknown): value is Ask {
  const { kind, path, token, seen }: Readonly<Record<string, unknown>> = Object(value);
  const isToken = token === undefined || typeof token === "string";
  const isSeen = seen === undefined || typeof seen === "number";
  return typeof kind === "string" && KINDS.includes(kind) && typeof path === "string" && isToken && isSeen;
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function reply(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(JSON.stringify(json));
}
