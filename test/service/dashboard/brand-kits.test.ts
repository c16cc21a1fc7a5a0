import { expect, test } from "vitest";
import { startHost } from "../../client/host.ts";
import { clientOf, openService } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

const SITE: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  "/": {
    type: "text/html",
    text: `<!doctype html><html lang="en"><head><title>Lamps</title><meta property="og:site_name" content="Nordlicht">
<style>body{background:#fdf8f2;color:#22303c;font-family:"Source Sans 3",sans-serif}h1{font-family:Literata,serif}
.button{background:#a63d1f;color:#fff;padding:8px 16px}</style></head><body>
<header><a href="/" aria-label="Nordlicht"><img class="logo" src="/logo.svg" alt="Nordlicht" width="120" height="40"></a></header>
<main><h1>Lamps by the sea</h1><p>We make lamps that last, out of wood and paper.</p><a class="button" href="/">Buy</a></main></body></html>`,
  },
  "/logo.svg": {
    type: "image/svg+xml",
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#a63d1f"/></svg>`,
  },
};

async function startSite(): Promise<string> {
  const { baseUrl } = await startHost(({ path }) => {
    const file = SITE[path];
    return file === undefined ? { status: 404, body: "" } : { headers: { "content-type": file.type }, body: file.text };
  });
  return baseUrl;
}

const KIT = {
  name: "Bakery",
  colors: [{ role: "primary", hex: "#8a3d1e", name: "Crust" }],
  fonts: [{ family: "Fraunces", role: "heading" }],
  sourceUrl: "javascript:alert(1)",
};

test("a kit extracted from a website is shown as a style sheet with its logo from the library", async () => {
  const url = await startSite();
  const service = openService({ allowNetworks: ["127.0.0.0/8"] });
  const { get, post } = await signIn(service);
  const taken = await post("/brand-kits", { url, name: "" });
  const path = String(taken.headers.get("Location")).replace(/\?.*/, "");
  const { items } = await clientOf(service, { routeSet: "a" })("GET", "/api/brand-kits");
  const sheet = await get(`${path}/sheet`);
  const html = await sheet.text();
  const list = await (await get("/brand-kits")).text();
  expect([taken.status, path]).toEqual([303, `/brand-kits/${String(items[0]?.["id"])}`]);
  expect(items[0]).toMatchObject({ name: "Nordlicht" });
  expect(list).toContain('fill="#a63d1f"');
  expect(html).toContain("#a63d1f");
  expect(html).toContain("data:image/svg+xml");
  expect(sheet.headers.get("Content-Security-Policy")).toBe("sandbox; script-src 'none'; frame-ancestors 'self'");
});

test.for([
  ["http://10.0.0.1/", "http://10.0.0.1/"],
  ["not an address", "not an address"],
])("an address that can't be fetched shows an error at its field: %s", async ([url]) => {
  const service = openService({ allowNetworks: [] });
  const { post } = await signIn(service);
  const answer = await post("/brand-kits", { url: String(url), name: "Mine" });
  const html = await answer.text();
  expect(answer.status).toBe(422);
  expect(html).toContain('id="url-error"');
  expect(html).toContain(`value="${String(url)}"`);
  expect(html).toContain('value="Mine"');
});

test("a kit shows its sites, can be renamed and downloaded, and none of its addresses becomes a script", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const id = String((await send("POST", "/api/brand-kits", { json: KIT })).body["id"]);
  await send("POST", "/api/sites", { json: { name: "Crumb", brandKitId: id } });
  const { get, post } = await signIn(service);
  const html = await (await get(`/brand-kits/${id}`)).text();
  const renamed = await post(`/brand-kits/${id}/rename`, { name: "Crust", version: "1" });
  const late = await post(`/brand-kits/${id}/rename`, { name: "Too late", version: "1" });
  const css = await get(`/brand-kits/${id}/export/css`);
  const none = await get(`/brand-kits/${id}/export/constructor`);
  const { body } = await send("GET", `/api/brand-kits/${id}`);
  expect(html).toContain("Crumb");
  expect(html).not.toContain('href="javascript');
  expect([renamed.status, late.status, none.status]).toEqual([303, 412, 404]);
  expect(body).toMatchObject({ name: "Crust", colors: KIT.colors, version: 2 });
  expect(css.headers.get("Content-Disposition")).toBe('attachment; filename="brand-kit.css"');
  expect(await css.text()).toContain("#8a3d1e");
});

test("a kit is deleted after a confirmation that lists the sites that use it", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const id = String((await send("POST", "/api/brand-kits", { json: KIT })).body["id"]);
  await send("POST", "/api/sites", { json: { name: "Crumb", brandKitId: id } });
  const { get, post } = await signIn(service);
  const question = await (await get(`/brand-kits/${id}/delete`)).text();
  const done = await post(`/brand-kits/${id}/delete`);
  const { status } = await send("GET", `/api/brand-kits/${id}`);
  expect(question).toContain("Crumb will have no brand kit");
  expect([done.status, status]).toEqual([303, 404]);
});
