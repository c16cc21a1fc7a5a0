// The scenarios of the conformance suite for authorization servers. The suite is the client; this script plays the
// user, who signs in and approves the request on the service's real page.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { startService, type RunningService } from "../../dist/service.js";

export interface AuthorizationRun {
  /** The revision of the protocol, such as `2026-07-28`. */
  readonly revision: string;
  /** Folder for the suite's output. */
  readonly results: string;
}

export interface AuthorizationOutcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly checksPassed: number;
  readonly exitCode: number;
  readonly output: string;
}

const SUITE = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const SCENARIOS = ["authorization-server-metadata-endpoint", "authorization-code-grant"];

/** Runs every scenario for authorization servers against a new service. */
export async function runAuthorization({ revision, results }: AuthorizationRun): Promise<AuthorizationOutcome> {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
  try {
    const port = await findFreePort();
    const id = await register(service, port);
    const args = ["authorization", "--url", service.url, "--spec-version", revision, "--output-dir", results];
    args.push("--client-id", id, "--resource", `${service.url}/mcp`, "--port", String(port));
    return await runSuite(args, service);
  } finally {
    await service.close();
  }
}

async function runSuite(args: readonly string[], service: RunningService): Promise<AuthorizationOutcome> {
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  let answering: Promise<void> | undefined;
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    output += part;
    const address = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(output)?.[1];
    if (address === undefined || answering !== undefined) return;
    answering = allow(service, address);
    // If the user's part fails, the suite would wait forever.
    answering.catch(() => child.kill());
  });
  const [exitCode]: unknown[] = await once(child, "close");
  await answering;
  const passed = SCENARIOS.filter((name) => new RegExp(`^✓ ${name}: [1-9]\\d* passed, 0 failed`, "mu").test(output));
  return {
    passed,
    failed: SCENARIOS.filter((name) => !passed.includes(name)),
    checksPassed: Number(/^Total: (\d+) passed/mu.exec(output)?.[1] ?? 0),
    exitCode: typeof exitCode === "number" ? exitCode : 1,
    output,
  };
}

async function allow(service: RunningService, address: string): Promise<void> {
  const ownPage = { origin: service.url, "sec-fetch-site": "same-origin" };
  const { searchParams } = new URL((await service.createSignInLink()).url);
  const signedIn = await fetch(`${service.url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ token: searchParams.get("token") ?? "" }),
    redirect: "manual",
    headers: ownPage,
  });
  const cookie = signedIn.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  const page = await (await fetch(address, { headers: { cookie } })).text();
  const body = new URLSearchParams({
    form_token: /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "",
    decision: "allow",
  });
  for (const [, scope = ""] of page.matchAll(/name="approve" value="([^"]+)"/g)) body.append("approve", scope);
  const answer = await fetch(`${service.url}/oauth/authorize`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { cookie, ...ownPage },
  });
  await fetch(answer.headers.get("Location") ?? "");
}

// Without a secret: if a server accepts public clients, the suite never sends one.
async function register(service: RunningService, port: number): Promise<string> {
  const answer = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "MCP conformance suite",
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id: id } = Object(await answer.json());
  if (typeof id === "string") return id;
  throw new Error(`The service did not register the suite (${answer.status}).`);
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
