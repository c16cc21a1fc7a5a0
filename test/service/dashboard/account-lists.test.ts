import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { IS_WHOLE } from "../../whole.ts";
import { clientOf, openRunningService, openService } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { lookAt, openSignedIn } from "./look.ts";
import { signIn } from "./signed-in.ts";

async function open() {
  const service = openService({ allowNetworks: ["127.0.0.0/8"] });
  const send = clientOf(service, { routeSet: "a" });
  const { get, post } = await signIn(service);
  const read = async (path: string) => (await get(path)).text();
  return {
    service,
    send,
    post,
    read,
    /** The texts of a list's rows or cards, in order. */
    async list(path: string): Promise<readonly string[]> {
      return [...(await read(path)).matchAll(/aria-label="Select ([^"]*)"/g)].map(([, name = ""]) => name);
    },
    async bulk(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
      return await (await post(`${path}/bulk`, { all: "yes", back: "?", ...fields })).text();
    },
  };
}

test("sites can be found by name, sorted, and deleted together with or without their pages", async () => {
  const { send, list, bulk, read } = await open();
  expect(await read("/sites")).toContain("Publishing creates one automatically");
  for (const name of ["Bakery", "archive", "Café"]) {
    const { body } = await send("POST", "/api/sites", { json: { name } });
    await send("PUT", `/api/pages/${name.toLowerCase()}-1`.replace("é", "e"), {
      json: { html: "<h1>x</h1>", siteId: body["id"] },
    });
  }
  expect(await list("/sites")).toEqual(["Café", "archive", "Bakery"]);
  expect(await list("/sites?sort=name")).toEqual(["archive", "Bakery", "Café"]);
  expect(await list("/sites?q=ARCH")).toEqual(["archive"]);
  expect(await read("/sites?q=nothing")).toContain("No matching sites.");
  const question = await bulk("/sites", { action: "delete", back: "?q=bakery" });
  expect(question).toContain("Bakery (1 page)");
  expect(question).toContain("Keep them, without a site");
  await bulk("/sites", { action: "delete", back: "?q=bakery", confirmed: "yes", pages: "delete" });
  await bulk("/sites", { action: "delete", confirmed: "yes", pages: "keep" });
  expect(await list("/sites")).toEqual([]);
  expect((await send("GET", "/api/pages")).items.map(({ slug }) => slug)).toEqual(["cafe-1", "archive-1"]);
});

test("people's roles can be changed, and people removed, in bulk, and the last owner stays", async () => {
  const { service, send, list, bulk } = await open();
  for (const name of ["ann", "bob"]) await inviteAs(service, "viewer", `${name}@example.org`);
  expect(await list("/people?q=bob@")).toHaveLength(1);
  expect(await list("/people?who=viewer&sort=name")).toHaveLength(2);
  const asked = await bulk("/people", { action: "role", back: "?who=viewer" });
  expect(asked).toMatch(/<option value="" selected(="")?>Choose a role<\/option>/);
  expect(await bulk("/people", { action: "role", confirmed: "yes", role: "" })).toContain("Role: choose one.");
  expect(await bulk("/people", { action: "role", confirmed: "yes", role: "editor", back: "?who=viewer" })).toContain(
    "2 users changed.",
  );
  const roles = (await send("GET", "/api/users")).items.map(({ role }) => role);
  expect(roles.toSorted()).toEqual(["editor", "editor", "owner"]);
  expect(await bulk("/people", { action: "role", confirmed: "yes", role: "king" })).toContain("refused");
  expect(await bulk("/people", { action: "remove", confirmed: "yes" })).toContain("2 users removed, 1 refused");
  expect((await send("GET", "/api/users")).items).toHaveLength(1);
});

test("lists, questions, and reports about people say who oneself is", async () => {
  const { service, read, bulk } = await open();
  await inviteAs(service, "viewer", "ann@example.org");
  expect((await read("/people")).match(/<\/a> \(you\)/g)).toHaveLength(1);
  const asked = await bulk("/people", { action: "role" });
  expect(asked.match(/<li>[^<]*you\)<\/li>/g)).toHaveLength(1);
  expect(asked).toContain("<li>ann (ann@example.org)</li>");
  expect(await bulk("/people", { action: "role", confirmed: "yes", role: "viewer", back: "?who=owner" })).toMatch(
    /<li>[^<]*you\): /,
  );
});

test("keys can be found by name or by their last characters, and revoked in bulk", async () => {
  const { post, list, bulk, read } = await open();
  for (const name of ["CI of the bakery", "CI of the café", "laptop"]) await post("/keys", { name, reach: "all" });
  const [last = ""] = await list("/keys?sort=name&q=laptop");
  const four = /…(\w{4})/.exec(last)?.[1] ?? "none";
  expect(await list(`/keys?q=${four}`)).toEqual([last]);
  const question = await bulk("/keys", { action: "revoke", back: "?q=ci+of" });
  expect(question).toContain("Revoke 2 keys?");
  expect(question).toContain("CI of the café");
  expect(await bulk("/keys", { action: "revoke", back: "?q=ci+of", confirmed: "yes" })).toContain("2 keys revoked.");
  expect(await read("/keys?q=ci+of")).toContain("No matching keys.");
  expect(await list("/keys?q=laptop")).toEqual([last]);
});

test("webhooks can be disabled and enabled in bulk, and deleted after a confirmation", async () => {
  const { send, list, bulk, post, read } = await open();
  for (const path of ["b", "a"]) {
    const url = `http://127.0.0.1:9/${path}`;
    await send("POST", "/api/webhooks", { json: { url, events: ["page.published"], description: `Hook ${path}` } });
  }
  expect(await list("/webhooks?sort=url")).toEqual(["http://127.0.0.1:9/a", "http://127.0.0.1:9/b"]);
  expect(await list("/webhooks?q=hook+A")).toEqual(["http://127.0.0.1:9/a"]);
  const off = await post("/webhooks/bulk", { action: "disable", all: "yes", back: "?q=hook" });
  expect([off.status, off.headers.get("Location")]).toEqual([303, "/webhooks?q=hook&notice=saved"]);
  expect(await read("/webhooks")).not.toContain(">on<");
  await bulk("/webhooks", { action: "enable", back: "?q=hook+a" });
  expect((await send("GET", "/api/webhooks")).items.map(({ enabled }) => enabled)).toEqual([true, false]);
  expect(await bulk("/webhooks", { action: "delete" })).toContain("Delete 2 webhooks?");
  await bulk("/webhooks", { action: "delete", confirmed: "yes" });
  expect(await read("/webhooks")).toContain('<a href="/webhooks/new">add one</a>');
});

test("domains can be found by their Unicode name and by state, and removed in bulk", async () => {
  const { post, list, bulk, read } = await open();
  for (const domain of ["www.bakery.example", "münchen.example"]) await post("/domains", { domain, siteId: "" });
  expect(await list("/domains?sort=name")).toEqual(["www.bakery.example", "münchen.example"]);
  expect(await list("/domains?q=münchen.example")).toEqual(["münchen.example"]);
  expect(await list("/domains?status=active")).toEqual([]);
  expect(await bulk("/domains", { action: "remove", confirmed: "yes" })).toContain("2 domains removed.");
  expect(await read("/domains")).toContain("Add it here");
});

test("the audit log can be searched by person and action, filtered by action, and reversed", async () => {
  const { send, read } = await open();
  for (const name of ["Bakery", "Café"]) await send("POST", "/api/keys", { json: { name } });
  const subjects = async (query: string) =>
    [...(await read(`/audit${query}`)).matchAll(/<td class="words"[^>]*>(Bakery|Café)</g)].map(([, name]) => name);
  expect(await subjects("?action=key.created")).toEqual(["Café", "Bakery"]);
  expect(await subjects("?action=key.created&sort=oldest")).toEqual(["Bakery", "Café"]);
  expect(await subjects("?q=BAKE")).toEqual(["Bakery"]);
  expect(await read("/audit?q=nothing-like-it")).toContain("No matching records.");
  expect(await read("/audit")).not.toContain('aria-label="Select');
});

test("brand kits can be found by name or website, sorted, and deleted in bulk", async () => {
  const { send, list, bulk, read } = await open();
  for (const name of ["Bakery", "archive"]) {
    const sourceUrl = `https://${name.toLowerCase()}.example/`;
    await send("POST", "/api/brand-kits", { json: { name, colors: [], fonts: [], logos: [], sourceUrl } });
  }
  expect(await list("/brand-kits?sort=name")).toEqual(["archive", "Bakery"]);
  expect(await list("/brand-kits?q=bakery.example")).toEqual(["Bakery"]);
  expect(await bulk("/brand-kits", { action: "delete" })).toContain("Delete 2 brand kits?");
  expect(await bulk("/brand-kits", { action: "delete", confirmed: "yes" })).toContain("2 brand kits deleted.");
  expect(await read("/brand-kits")).toContain("A brand kit holds the colors, fonts and logos of a site.");
});

test("each role sees the lists of its sections, can select only what it may change, and changes nothing else", async () => {
  const { service, send } = await open();
  await send("POST", "/api/sites", { json: { name: "Bakery" } });
  await send("POST", "/api/blogs", { json: { name: "News" } });
  const editor = await inviteAs(service, "editor");
  const viewer = await inviteAs(service, "viewer");
  expect(await (await editor.get("/sites")).text()).toContain('aria-label="Select Bakery"');
  expect(await (await viewer.get("/sites?sort=name&q=bak")).text()).toMatch(/Bakery<\/a>(?![^]*aria-label="Select)/);
  expect(await (await viewer.get("/blogs?sort=name&q=new")).text()).toContain("News</a>");
  const sent = { action: "delete", all: "yes", back: "?", confirmed: "yes" };
  expect((await viewer.post("/sites/bulk", sent)).status).toBe(403);
  for (const path of ["/people", "/keys", "/webhooks"]) {
    expect((await editor.get(path)).status).toBe(403);
    expect((await editor.post(`${path}/bulk`, { ...sent, action: "remove" })).status).toBe(403);
  }
  expect((await send("GET", "/api/sites")).items).toHaveLength(1);
});

test("keys can be searched, selected, and revoked with the keyboard alone, and every list is accessible", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  for (const name of ["CI", "CI of a friend", "laptop"]) await send("POST", "/api/keys", { json: { name } });
  await send("POST", "/api/sites", { json: { name: "Bakery" } });
  await send("POST", "/api/blogs", { json: { name: "News" } });
  await send("POST", "/api/domains", { json: { domain: "www.bakery.example" } });
  await send("POST", "/api/webhooks", { json: { url: "https://hooks.example/a", events: ["page.published"] } });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).newPage();
  await page.goto(`${service.url}/keys`);
  await page.getByLabel("Find a key").focus();
  await page.keyboard.type("ci");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=ci/);
  await page.getByLabel("Select all shown").focus();
  await page.keyboard.press("Space");
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Revoke", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Revoke 2 keys" }).press("Enter");
  await page.getByRole("status").getByText("2 keys revoked.").waitFor();
  const looks = (["light", "dark"] as const).flatMap((scheme) =>
    ([1280, 390] as const).map((width) => ({ scheme, width })),
  );
  const complaints: string[] = [];
  const lists = [
    "sites",
    "blogs",
    "people",
    "keys",
    "webhooks",
    "domains",
    "clients",
    "requests",
    "audit",
    "releases",
    "forms",
    "brand-kits",
  ];
  for (const [index, name] of lists.entries()) {
    const judged = looks.filter((_, look) => IS_WHOLE || look === index % looks.length);
    const shown = { name: `list-${name}`, path: `/${name}` };
    complaints.push(...(await lookAt(page, service, { shown, looks, judged })));
    const ids = await page.locator("[id]").evaluateAll((elements) => elements.map((each) => String(Object(each).id)));
    expect(ids).toEqual([...new Set(ids)]);
  }
  expect(complaints).toEqual([]);
});
