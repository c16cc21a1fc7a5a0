import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { SELF_SIGNED, SELF_SIGNED_FILE } from "../client/self-signed.ts";
import { startProxy, type Proxy } from "./proxy.ts";
import { sumUp, tryRun, type PlacedVerdict, type Verdict } from "./verdict.ts";
import { copyProject, createVirtualTime, describeService, openSetting, type Setting } from "./world.ts";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const PAGES = 3;

let setting: Setting;
let proxy: Proxy;
beforeAll(async () => {
  setting = await openSetting(inject("world"), PAGES);
  const { service, world } = setting;
  proxy = await startProxy(service.baseUrl(world.routeSet), { pagesUrl: service.pagesUrl, tls: SELF_SIGNED });
});
afterAll(async () => {
  trust("nobody");
  await proxy.close();
  await setting.close();
});

it("an invalid certificate at any point of a run does no harm", async ({ task }) => {
  const verdicts: PlacedVerdict[] = [];
  for (let at = 1; at <= setting.requests.length; at++) {
    verdicts.push({ ...(await tryCertificate(at)), place: `request ${at}` });
  }
  const row = sumUp("certificate error", verdicts);
  task.meta.faultRows = [row];
  expect(row.wrong).toEqual([]);
  // Requests after the last write only update the state, so a run may fail them.
  const lastWrite = setting.requests.findLastIndex((request) => !request.startsWith("GET "));
  const needed = verdicts.slice(0, lastWrite + 1);
  expect(needed.filter(({ kind }) => kind !== "reported")).toEqual([]);
});

function tryCertificate(at: number): Promise<Verdict> {
  return tryRun(setting, {
    proxy,
    connection: createVirtualTime(),
    begin() {
      trust(at === 1 ? "nobody" : "the service");
      proxy.meddle(({ number, disconnect }) => {
        if (at === 1 || number !== at) return undefined;
        trust("nobody");
        disconnect();
        return Promise.resolve();
      });
    },
    end: () => trust("the service"),
  });
}

const TRUSTED = getCACertificates("default");

function trust(whom: "the service" | "nobody"): void {
  setDefaultCACertificates(whom === "nobody" ? TRUSTED : [...TRUSTED, SELF_SIGNED.cert]);
}

it("a custom certificate is accepted with NODE_EXTRA_CA_CERTS, as the error suggests", async ({ task }) => {
  const { service, template, undisturbed } = setting;
  await setting.restore();
  const { root, remove } = await copyProject(template);
  const refused = await publishInChild(root, {});
  const trusted = await publishInChild(root, { NODE_EXTRA_CA_CERTS: SELF_SIGNED_FILE });
  const isSame = (await describeService(service)) === undisturbed;
  await remove();
  task.meta.faultRows = [{ name: "NODE_EXTRA_CA_CERTS", cell: isSame ? "1 + 0" : "0 + 0", wrong: [] }];
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("NODE_EXTRA_CA_CERTS");
  expect(trusted).toMatchObject({ code: 0 });
  expect(isSame).toBe(true);
});

async function publishInChild(root: string, environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [cli, "publish", "--root", root], {
    env: { ...process.env, IMPRINT_API_KEY: setting.service.apiKey, IMPRINT_SERVICE: proxy.url, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const output = text(child.stderr);
  const [code]: readonly unknown[] = await once(child, "exit");
  return { code, output: await output };
}
