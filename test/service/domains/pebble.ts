import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, get, type RequestOptions } from "node:https";
import { connect, createServer } from "node:net";
import type { IncomingMessage } from "node:http";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { SELF_SIGNED } from "../../client/self-signed.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Path of the program from Debian's package `pebble`; `undefined` if it isn't installed. */
export const PEBBLE = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "pebble"))
  .find((path) => existsSync(path));

export interface Pebble {
  readonly directoryUrl: string;
  /** Its root certificate. */
  readonly root: string;
}

export interface PebbleOptions {
  /** Port for its HTTP challenges. */
  readonly httpPort: number;
  readonly dnsServer: string;
}

/** Starts a certificate authority for tests on the loopback. */
export async function startPebble({ httpPort, dnsServer }: PebbleOptions): Promise<Pebble> {
  const folder = await temporaryFolder();
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: join(folder, "certificate.pem"),
    privateKey: join(folder, "key.pem"),
    httpPort,
    tlsPort: 1,
    ocspResponderURL: "",
    externalAccountBindingRequired: false,
  };
  await writeFile(config.certificate, SELF_SIGNED.cert);
  await writeFile(config.privateKey, SELF_SIGNED.key);
  await writeFile(join(folder, "config.json"), JSON.stringify({ pebble: config }));
  const args = ["-config", join(folder, "config.json"), "-strict", "-dnsserver", dnsServer];
  const child = spawn(PEBBLE ?? "pebble", args, {
    stdio: "ignore",
    env: { ...process.env, PEBBLE_VA_NOSLEEP: "1" },
  });
  onTestFinished(async () => {
    const isOver = once(child, "exit");
    child.kill("SIGKILL");
    await isOver;
  });
  // It reports that it is listening before it actually is.
  for (const listening of [managementPort, port]) {
    await expect.poll(() => isOpen(listening), { timeout: 30_000 }).toBe(true);
  }
  const root = await askSecurely({ port: managementPort, path: "/roots/0", ca: SELF_SIGNED.cert });
  return { directoryUrl: `https://127.0.0.1:${port}/dir`, root: root.text };
}

export interface SecureAnswer {
  readonly status: number | undefined;
  readonly text: string;
  /** Fingerprint of the server's certificate in hexadecimal digits. */
  readonly fingerprint: string;
}

/** Sends a request to a server on the loopback over TLS, under the given name. */
export async function askSecurely({
  servername = "127.0.0.1",
  ...options
}: Pick<RequestOptions, "port" | "path" | "ca"> & { readonly servername?: string }): Promise<SecureAnswer> {
  const agent = new Agent({ servername: servername === "127.0.0.1" ? "" : servername });
  const request = get({ host: "127.0.0.1", headers: { Host: servername }, agent, ...options });
  let fingerprint = "";
  request.on("socket", (socket) => {
    socket.on("secureConnect", () => {
      if ("getPeerCertificate" in socket && typeof socket.getPeerCertificate === "function") {
        fingerprint = String(socket.getPeerCertificate().fingerprint256);
      }
    });
  });
  const [answer]: readonly IncomingMessage[] = await once(request, "response");
  if (answer === undefined) throw new Error("There was no answer.");
  return { status: answer.statusCode, text: await text(answer), fingerprint };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
