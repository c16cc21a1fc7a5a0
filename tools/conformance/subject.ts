import { createServer, request as sendRequest, type Server } from "node:http";

/** A server that the suite can call. */
export interface Subject {
  /** Address of `/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The server behind the proxy: its port and its key. */
export interface Backend {
  readonly port: number;
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * Puts a proxy in front of a server that adds the API key to each request and changes nothing else, as the suite can't
 * send a key. The server gets the address of the proxy, as with any proxy.
 */
export async function openSubject(open: (appUrl: string) => Promise<Backend>): Promise<Subject> {
  const front = createServer();
  await new Promise<void>((resolve) => front.listen({ port: 0, host: "127.0.0.1" }, resolve));
  const address = front.address();
  if (address === null || typeof address === "string") throw new Error("The front has no port.");
  const appUrl = `http://localhost:${address.port}`;
  const backend = await open(appUrl);
  passOn(front, backend);
  return {
    url: `${appUrl}/mcp`,
    async close() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await backend.close();
    },
  };
}

function passOn(front: Server, { port, apiKey }: Backend): void {
  front.on("request", (incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming;
    const headers = [...rawHeaders, "Authorization", `Bearer ${apiKey}`];
    const passed = sendRequest({ host: "127.0.0.1", port, method, path: url, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
}
