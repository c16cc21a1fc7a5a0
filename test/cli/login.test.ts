import { execFile } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import type { RunningService, StartOptions } from "../../src/service.ts";
import { startHost } from "../client/host.ts";
import { openRunningService } from "../service/open-service.ts";
import { answerForm } from "../service/oauth/program.ts";
import { signIn } from "../service/dashboard/signed-in.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

interface Person {
  readonly service: RunningService;
  readonly config: string;
  readonly loginFile: string;
  /** Runs a command in this process; calls `onAddress` with the address that it shows. */
  imprint(args: readonly string[], more?: More): Promise<Ran>;
  /** Signs in and responds to the consent page as specified. */
  logIn(answer?: { readonly approve?: readonly string[]; readonly decision?: "allow" | "deny" }): Promise<Ran>;
}

interface More {
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly onAddress?: (address: string) => void;
}

async function openPerson(options: StartOptions = {}): Promise<Person> {
  const service = await openRunningService(options);
  const [config, empty] = [await temporaryFolder(), await temporaryFolder()];
  const own = { XDG_CONFIG_HOME: config, IMPRINT_SERVICE: service.baseUrl("a") };

  async function imprint(args: readonly string[], { environment = {}, cwd = empty, onAddress }: More = {}) {
    const texts = { out: "", error: "" };
    const stream = (name: "out" | "error") => ({
      write(text: string) {
        texts[name] += text;
        const address = /^ {2}(http\S+\/oauth\/authorize\?\S+)$/m.exec(text)?.[1];
        if (address !== undefined) onAddress?.(address);
      },
    });
    const streams = { out: stream("out"), error: stream("error") };
    const code = await runCli(args, { cwd, environment: { ...own, ...environment }, ...streams });
    return { code, ...texts };
  }

  return {
    service,
    config,
    loginFile: join(config, "imprint", "logins.json"),
    imprint,
    logIn: (answer = {}) =>
      imprint(["login", "--no-browser"], { onAddress: (address) => void visitAs(service, address, answer) }),
  };
}

/** A person's actions in the browser: opens the page, responds, and follows the redirect. */
async function visitAs(
  service: RunningService,
  address: string,
  answer: { readonly approve?: readonly string[]; readonly decision?: "allow" | "deny" },
): Promise<void> {
  const { pathname, search } = new URL(address);
  const person = await signIn(service);
  const html = await (await person.get(`${pathname}${search}`)).text();
  const sent = await answerForm(service, { html, cookie: person.cookie, ...answer });
  await fetch(sent.headers.get("Location") ?? "");
}

describe("imprint login", () => {
  it("allows publishing without a key until logout", async () => {
    const person = await openPerson();
    const site = await createTemporarySite();
    const login = await person.logIn();
    expect([login.code, login.error.includes("Waiting up to 5 minutes")]).toEqual([0, true]);
    expect(login.out).toContain(`You are logged in to ${person.service.baseUrl("a")}.`);
    const publish = await person.imprint(["publish"], { cwd: site.root });
    expect([publish.code, publish.error]).toEqual([0, ""]);
    const logout = await person.imprint(["logout"]);
    const after = await person.imprint(["publish"], { cwd: site.root });
    expect([logout.out, after.code]).toEqual([`You are logged out of ${person.service.baseUrl("a")}.\n`, 1]);
    expect(after.error).toContain("you are not logged in");
    expect(after.error).toContain("imprint login");
  });

  it("stores its tokens readable only by the user, and prints them nowhere", async () => {
    const person = await openPerson();
    const login = await person.logIn();
    const kept = await readFile(person.loginFile, "utf8");
    const tokens = [...kept.matchAll(/"([ar]t_[^"]+)"/g)].map(([, token = ""]) => token);
    const { mode } = await stat(person.loginFile);
    expect([mode & 0o777, tokens.length]).toEqual([0o600, 2]);
    const status = await person.imprint(["status"]);
    const doctor = await person.imprint(["doctor"]);
    const output = [login, status, doctor].flatMap(({ out, error }) => [out, error]).join("\n");
    expect(tokens.some((token) => output.includes(token))).toBe(false);
    expect(status.out).toContain("the login of `imprint login`");
    expect(doctor.out).toContain("imprint login");
  });

  it("revokes the login on the service on logout", async () => {
    const person = await openPerson();
    await person.logIn();
    const token = /"(at_[^"]+)"/.exec(await readFile(person.loginFile, "utf8"))?.[1] ?? "";
    const headers = { Authorization: `Bearer ${token}` };
    const before = await fetch(`${person.service.baseUrl("a")}/api/pages`, { headers });
    await person.imprint(["logout"]);
    const after = await fetch(`${person.service.baseUrl("a")}/api/pages`, { headers });
    expect([before.status, after.status, (await readFile(person.loginFile, "utf8")).includes("at_")]).toEqual([
      200,
      401,
      false,
    ]);
  });

  it("is used if no key is set, and a key takes precedence", async () => {
    const person = await openPerson();
    await person.logIn();
    const environment = { IMPRINT_API_KEY: person.service.apiKey };
    const byKey = await person.imprint(["status", "--json"], { environment });
    const byLogin = await person.imprint(["status", "--json"]);
    expect([JSON.parse(byKey.out).credential, JSON.parse(byLogin.out).credential]).toEqual(["key", "login"]);
  });

  it("reports that the person declined", async () => {
    const person = await openPerson();
    const { code, error } = await person.logIn({ decision: "deny" });
    expect([code, error.includes("You denied the request"), error.includes("LOGIN_FAILED")]).toEqual([1, true, true]);
  });

  it("grants the selected scopes, and names missing ones", async () => {
    const person = await openPerson();
    await person.logIn({ approve: ["account:read", "pages:read", "library:read", "sites:read", "brand:read"] });
    const site = await createTemporarySite();
    const status = await person.imprint(["status"]);
    const publish = await person.imprint(["publish"], { cwd: site.root });
    expect([status.code, publish.code]).toEqual([0, 1]);
    expect(`${publish.out}${publish.error}`).toContain("The login needs the scope");
  });

  it("accepts only the browser that it opened", async () => {
    const person = await openPerson();
    let answers: readonly number[] = [];
    const login = person.imprint(["login", "--no-browser"], {
      onAddress: (address) =>
        void (async () => {
          const redirect = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
          const wrong = await fetch(`${redirect.href}?code=ac_stolen&state=guessed`);
          const other = await fetch(`${redirect.origin}/other`);
          answers = [wrong.status, other.status];
          await visitAs(person.service, address, {});
        })(),
    });
    expect([(await login).code, answers]).toEqual([0, [400, 404]]);
  });

  it("rejects a response from another server", async () => {
    const person = await openPerson();
    const { code, error } = await person.imprint(["login", "--no-browser"], {
      onAddress(address) {
        const asked = new URL(address).searchParams;
        const state = asked.get("state") ?? "";
        void fetch(`${asked.get("redirect_uri")}?code=ac_x&state=${state}&iss=https://other.example`);
      },
    });
    expect([code, error.includes("came from a service other than")]).toEqual([1, true]);
  });

  it("reports a service without logins", async () => {
    const person = await openPerson();
    const { baseUrl } = await startHost(() => ({ status: 404, body: {} }));
    const { code, error } = await person.imprint(["login", "--service", baseUrl]);
    expect([code, error.includes("LOGIN_UNSUPPORTED"), error.includes("IMPRINT_API_KEY")]).toEqual([1, true, true]);
  });

  it("requires a hosted service", async () => {
    const person = await openPerson();
    const { code, error } = await person.imprint(["login", "--service", "embedded"]);
    expect([code, error.includes("needs no login")]).toEqual([2, true]);
  });
});

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Runs the actual program in its own process. */
function runProcess(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], { env: environment }, (failure, out, error) => {
      resolve({ code: failure === null ? 0 : Number(failure.code), out, error });
    });
    onTestFinished(() => void child.kill());
  });
}

describe("a login that must be renewed", () => {
  it("is renewed once by several programs that start at the same time", async () => {
    const person = await openPerson();
    await person.logIn();
    const text = await readFile(person.loginFile, "utf8");
    await writeFile(person.loginFile, text.replace(/"expiresAt": "[^"]+"/, '"expiresAt": "2026-01-01T00:00:00.000Z"'));
    const environment = {
      PATH: process.env["PATH"],
      XDG_CONFIG_HOME: person.config,
      IMPRINT_SERVICE: person.service.baseUrl("a"),
    };
    const runs = await Promise.all(Array.from({ length: 4 }, () => runProcess(["status"], environment)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const renewals = person.service.requests().filter(({ path }) => path === "/oauth/token");
    expect(renewals.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is reported as expired when the service stops renewing it", async () => {
    let now = new Date();
    const person = await openPerson({ now: () => now });
    await person.logIn();
    now = new Date(now.getTime() + 31 * 24 * 3600 * 1000);
    const { code, error } = await person.imprint(["status"]);
    expect([code, error.includes("LOGIN_EXPIRED"), error.includes("imprint login")]).toEqual([1, true, true]);
  });
});
