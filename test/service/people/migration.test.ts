import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/base/hash.ts";
import { createService } from "../../../src/service.ts";
import { isOnPostgres } from "../backend.ts";
import { clientOf } from "../open-service.ts";
import { makeOldDatabase } from "../store/old-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NOW = new Date(Date.UTC(2026, 2, 5));
const [COOKIE, LINK, TOKEN] = ["c".repeat(22), "l".repeat(22), "at_token"];

// As written by the version before users existed.
const SIGNED_IN = `
  insert into session values ('${sha256(COOKIE)}', 'acc_1', ${NOW.getTime()}, 1, 9000000000000);
  insert into sign_in_link values ('${sha256(LINK)}', 'acc_1', 9000000000000);
  insert into oauth_grant values ('grant_1', 'acc_1', 'client_1', 'App', 'localhost', '["pages:read"]', '[]', '{}', 1, 9000000000000, null);
  insert into oauth_token values ('${sha256(TOKEN)}', 'AccessToken', 'grant_1', '{"aud":"api","scope":"pages:read"}', 1, 9000000000000, null);
`;

it.skipIf(isOnPostgres)(
  "a database from before users keeps its sessions, links, connected apps, and keys, with their permissions",
  async () => {
    const dataDir = await temporaryFolder();
    const path = join(dataDir, "service.sqlite");
    await makeOldDatabase(path, 15);
    const old = new DatabaseSync(path);
    old.exec(SIGNED_IN);
    old.exec(`update api_key set hash = '${sha256("imp_key")}', scopes = null, expires_at = null`);
    old.close();
    const service = createService({ dataDir, now: () => NOW, background: false });
    onTestFinished(() => service.close());
    const send = clientOf(service, { routeSet: "a" });
    expect((await send("GET", "/api/users", { apiKey: "imp_key" })).items).toMatchObject([
      { id: "usr_1", name: "Owner", email: null, role: "owner", lastSignInAt: null },
    ]);
    expect((await send("GET", "/api/pages", { apiKey: TOKEN })).status).toBe(200);
    const session = await service.fetch(
      new Request(`${service.url}/people`, { headers: { Cookie: `imprint_session=${COOKIE}` } }),
    );
    expect(session.status).toBe(200);
    const link = await service.fetch(new Request(`${service.url}/sign-in?token=${LINK}`));
    expect([link.status, await link.text()]).toEqual([200, expect.stringContaining("This link signs")]);
  },
);
