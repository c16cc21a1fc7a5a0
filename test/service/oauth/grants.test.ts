import * as oauth from "openid-client";
import { expect, it, onTestFinished } from "vitest";
import { isOnPostgres } from "../backend.ts";
import { HANDLERS } from "../../../src/service/api/handlers/all.ts";
import { openCore, type Core } from "../../../src/service/host/core.ts";
import { resolveSettings } from "../../../src/service/host/options.ts";
import { listGrants, revokeGrant } from "../../../src/service/resources/grants.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { slicesOf } from "../store/slices-of.ts";
import { deleteExpiredOAuth } from "../../../src/service/store/oauth.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { beginAt, authorizeProgram, registerProgram } from "./program.ts";

const NEWEST = { window: { limit: 50 } };

/** Another process on the same data, such as the dashboard on a second machine. */
async function openBeside(dataDir: string, url: string): Promise<Core> {
  const addresses = { appUrl: url, pagesUrl: "http://127.0.0.1:1" };
  const core = await openCore(resolveSettings({ dataDir, background: false }), {
    addresses,
    handlers: HANDLERS,
    handleKeyHash: "none",
  });
  onTestFinished(() => core.close());
  return core;
}

it.skipIf(isOnPostgres)("the owner sees each authorized program with its scopes, and revokes it at once", async () => {
  const dataDir = await temporaryFolder();
  const service = await openRunningService({ ephemeral: false, dataDir });
  const program = await registerProgram(service, { client_name: "  Pen\u0000 and  paper " });
  const tokens = await authorizeProgram(service, program, { resource: service.url, approve: ["pages:read"] });
  const core = await openBeside(dataDir, service.url);
  const context = core.contextOf(core.account.id);
  const { items } = await listGrants(context, NEWEST);
  expect(items).toMatchObject([
    {
      clientName: "Pen and paper",
      redirectHost: "127.0.0.1:8123",
      scopes: ["pages:read"],
      resources: [service.url],
    },
  ]);
  await revokeGrant(context, items[0]?.id ?? "");
  const { status } = await clientOf(service, { routeSet: "a" })("GET", "/api/pages", { apiKey: tokens.access_token });
  const left = await listGrants(context, NEWEST);
  expect([status, left.items]).toEqual([401, []]);
  await expect(revokeGrant(context, "grant_none")).rejects.toMatchObject({ code: "grant_not_found" });
});

it.skipIf(isOnPostgres)("a grant of another account can't be revoked", async () => {
  const dataDir = await temporaryFolder();
  const service = await openRunningService({ ephemeral: false, dataDir });
  await authorizeProgram(service, await registerProgram(service));
  const core = await openBeside(dataDir, service.url);
  const { items } = await listGrants(core.contextOf(core.account.id), NEWEST);
  const stranger = core.contextOf("acc_other");
  expect((await listGrants(stranger, NEWEST)).items).toEqual([]);
  await expect(revokeGrant(stranger, items[0]?.id ?? "")).rejects.toMatchObject({ code: "grant_not_found" });
});

it.skipIf(isOnPostgres)(
  "a registration that nobody authorizes is deleted after a day, and an authorized one stays",
  async () => {
    const dataDir = await temporaryFolder();
    const service = await openRunningService({ ephemeral: false, dataDir });
    const [used, unused] = [await registerProgram(service), await registerProgram(service)];
    const tokens = await authorizeProgram(service, used, { resource: service.url });
    const { store } = await openBeside(dataDir, service.url);
    await deleteExpiredOAuth(slicesOf(store.database), new Date(Date.now() + 25 * 3600 * 1000));
    const person = await signIn(service);
    const seen = await Promise.all(
      [used, unused].map(async (program) => {
        const { address } = await beginAt(program, {});
        return (await person.get(`${address.pathname}${address.search}`)).status;
      }),
    );
    const next = await oauth.refreshTokenGrant(used.config, tokens.refresh_token ?? "");
    expect([seen, next.access_token.startsWith("at_")]).toEqual([[200, 400], true]);
  },
);
