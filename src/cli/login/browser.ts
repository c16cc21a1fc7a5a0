import { spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A port of this machine that a browser is sent back to. */
export interface Callback {
  readonly redirectUri: string;
  /** What the browser brings: the query of the first address that belongs to this login. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/**
 * Waits for a browser on a free port of 127.0.0.1 (RFC 8252). Whoever comes with another `state` is none of this login
 * and changes nothing: any page may send a browser here.
 */
export async function openCallback(state: string): Promise<Callback> {
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  // Whoever imports it by `import` also loads the `fetch` of Node, which takes longer than all of ours.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? "", "http://127.0.0.1");
    if (request.method !== "GET" || url?.pathname !== "/callback" || !isOwnHost(request)) {
      return say(response, 404, "There is nothing here.");
    }
    if (url.searchParams.get("state") !== state) {
      return say(response, 400, "This does not belong to the login that is under way.");
    }
    const isDenied = url.searchParams.has("error");
    say(response, 200, isDenied ? "The login was not allowed." : "Go back to the terminal: it finishes the login.");
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

// A name that somebody else points at 127.0.0.1 is not the address that the browser was sent to.
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
 * Asks the system to open an address in the person's browser. Whether that worked can't be known, so the address has to
 * be shown as well.
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
  // `start` is a word of cmd.exe, which would take & for the end of the command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}
