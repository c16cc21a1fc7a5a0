import { spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A local address that the browser is redirected back to. */
export interface Callback {
  readonly redirectUri: string;
  /** The query of the first request that belongs to this login. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/**
 * Waits for a browser on a free port of 127.0.0.1 (RFC 8252). Requests with another `state` don't belong to this login
 * and are rejected: any page may send a browser here.
 */
export async function openCallback(state: string): Promise<Callback> {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  // A static import would also load Node's `fetch`, which takes longer than all of our own code.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", "http://127.0.0.1");
    if (request.method !== "GET" || url?.pathname !== "/callback" || !isOwnHost(request)) {
      return say(response, 404, "Not found.");
    }
    if (url.searchParams.get("state") !== state) {
      return say(response, 400, "This request doesn't belong to the current login.");
    }
    const isDenied = url.searchParams.has("error");
    say(response, 200, isDenied ? "You denied the login." : "Return to the terminal to finish the login.");
    resolve(url.searchParams);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    answer,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

// Another host name may resolve to 127.0.0.1, but the browser was redirected to the address itself.
function isOwnHost({ headers }: IncomingMessage): boolean {
  return /^127\.0\.0\.1(:\d+)?$/.test(headers.host ?? "");
}

function say(response: ServerResponse, status: number, text: string): void {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    Connection: "close",
  };
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>imprint login</title><h1>imprint login</h1><p>${text}</p></html>\n`;
  response.writeHead(status, headers).end(page);
}

/**
 * Asks the system to open an address in a browser. It can't report whether that worked, so the caller shows the address
 * as well.
 */
export function openBrowser(address: string): void {
  const [program, ...args] = commandFor(process.platform, address);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  // A machine without a desktop has no such program.
  child.on("error", () => {});
  child.unref();
}

function commandFor(platform: NodeJS.Platform, address: string): [string, ...string[]] {
  if (platform === "darwin") return ["open", address];
  // `start` is built into cmd.exe, which treats & as the end of the command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}
