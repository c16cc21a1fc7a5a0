import { createServer, request as sendRequest, type Server } from "node:http";

/** A server that the suite may call. */
export interface Subject {
  /** Address of `/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

/** What stands behind the front: its port, and the key that it takes. */
export interface Backend {
  readonly port: number;
  readonly apiKey: string;
  close(): Promise<void>;
}

/**
 * Puts a front before a server that adds the API key to each request and changes nothing else: the suite itself can't
 * send one. The server is told the address of the front, as it is told that of any proxy.
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
