import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chown, glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";

/** A separate PostgreSQL server on the loopback, with its data in a temporary folder. */
export interface PostgresServer {
  readonly url: string;
  readonly version: string;
  /** Stops the server immediately, including its connections. */
  stop(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Finds the folder of the newest PostgreSQL from Debian packages; `undefined` if there is none. */
export async function findPostgres(): Promise<string | undefined> {
  const found: string[] = [];
  for await (const path of glob("/usr/lib/postgresql/*/bin/initdb")) found.push(path);
  return found.sort().at(-1)?.slice(0, -"/initdb".length);
}

/** @param fsync whether a commit waits for the disk, which most tests don't need */
export async function startPostgres(
  binaries: string,
  { fsync }: { readonly fsync: boolean } = { fsync: false },
): Promise<PostgresServer> {
  const owner = await findOwner();
  const folder = await mkdtemp(join(tmpdir(), "imprint-postgres-"));
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const port = await freePort();
  const url = `postgres://imprint@127.0.0.1:${port}/postgres`;
  const initArguments = ["-D", data, "-U", "imprint", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  const init = spawn(join(binaries, "initdb"), initArguments, { ...owner, cwd: folder, stdio: "ignore" });
  const [code] = await once(init, "exit");
  if (code !== 0) throw new Error(`initdb ended with ${code}.`);
  let server: ChildProcess | undefined;
  // An interrupted run must not leave it running.
  process.once("exit", () => server?.kill("SIGQUIT"));

  async function start(): Promise<void> {
    const settings = [
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "max_connections=300",
      "-c",
      "unix_socket_directories=",
      "-c",
      `fsync=${fsync ? "on" : "off"}`,
    ];
    const started = spawn(join(binaries, "postgres"), ["-D", data, "-p", String(port), ...settings], {
      ...{ ...owner, cwd: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = started;
    await untilReady(started);
  }

  async function stop(): Promise<void> {
    if (server?.exitCode !== null) return;
    // SIGQUIT is an immediate shutdown.
    server.kill("SIGQUIT");
    await once(server, "exit");
  }

  await start();
  return {
    url,
    version: await readVersion(url),
    ...{ start, stop },
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let log = "";
    server.stderr?.on("data", (part: Buffer) => {
      log = `${log}${part.toString()}`.slice(-10_000);
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log}`)));
  });
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Finds another user, as PostgreSQL refuses to run as root. */
async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const user = ["postgres", "nobody"].map((name) => users.find(([known]) => known === name)).find(Boolean);
  if (user === undefined) throw new Error("PostgreSQL can't run as root, and there is neither postgres nor nobody.");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}

async function readVersion(url: string): Promise<string> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query("show server_version");
  await client.end();
  return String(rows[0]?.server_version);
}
