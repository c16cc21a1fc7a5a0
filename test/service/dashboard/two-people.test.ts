import { decodeHTML } from "entities";
import { describe, expect, test } from "vitest";
import { clientOf, fileForm, openService } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { signIn, type SignedIn } from "./signed-in.ts";

type Values = Readonly<Record<string, string>>;

/** Opens a form, and returns a function that saves it with some fields changed. */
async function openForm({ get, post }: SignedIn, [shown, to]: readonly [string, string], values: Values) {
  const html = await (await get(shown)).text();
  const before = decodeHTML(/name="before" value="([^"]*)"/.exec(html)?.[1] ?? "");
  expect(JSON.parse(before)).toMatchObject(values);
  return (changed: Values) => post(to, { ...values, before, ...changed });
}

async function open() {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  return { service, send, owner: await signIn(service), colleague: await inviteAs(service, "owner", "o2@example.org") };
}

const SITE = { name: "Shop", slug: "shop" };
const HOOK = { url: "https://hooks.example/a", events: ["page.published"], description: "" };

describe("two people who change different fields keep both changes", () => {
  test("of a library file", async () => {
    const { send, owner, service } = await open();
    const editor = await inviteAs(service, "editor");
    const { id } = (await send("POST", "/api/library", { form: fileForm(["dot.txt", "a dot"]) })).body;
    const path = `/library/${id}`;
    const values = { name: "dot.txt", alt: "", tags: "" };
    const save = await openForm(owner, [path, path], values);
    const saveFirst = await openForm(editor, [path, path], values);
    expect((await saveFirst({ alt: "A dot" })).status).toBe(303);
    expect((await save({ tags: "round" })).status).toBe(303);
    expect((await send("GET", "/api/library")).items).toMatchObject([{ alt: "A dot", tags: ["round"] }]);
  });

  test("of a user", async () => {
    const { send, owner, colleague, service } = await open();
    const { id, email } = await inviteAs(service, "editor");
    const path = `/people/${id}`;
    const values = { email, name: "editor", role: "editor", formMails: "false" };
    const save = await openForm(owner, [path, path], values);
    const saveFirst = await openForm(colleague, [path, path], values);
    expect((await saveFirst({ role: "viewer" })).status).toBe(303);
    expect((await save({ name: "Kay" })).status).toBe(303);
    expect((await send("GET", `/api/users`)).items).toContainEqual(
      expect.objectContaining({ id, name: "Kay", role: "viewer" }),
    );
  });

  test("of a webhook", async () => {
    const { send, owner, colleague } = await open();
    const { id } = (await send("POST", "/api/webhooks", { json: HOOK })).body;
    const form = [`/webhooks/${id}/change`, `/webhooks/${id}`] as const;
    const values = { url: HOOK.url, description: "", "on:page.published": "on" };
    const save = await openForm(owner, form, values);
    const saveFirst = await openForm(colleague, form, values);
    expect((await saveFirst({ url: "https://hooks.example/b", "on:page.deleted": "on" })).status).toBe(303);
    expect((await save({ description: "For the cache" })).status).toBe(303);
    expect((await send("GET", "/api/webhooks")).items).toMatchObject([
      { url: "https://hooks.example/b", events: ["page.published", "page.deleted"], description: "For the cache" },
    ]);
  });

  test("of a domain", async () => {
    const { send, owner, colleague } = await open();
    const { id: siteId } = (await send("POST", "/api/sites", { json: SITE })).body;
    const added = await owner.post("/domains", { domain: "www.shop.example", siteId: "" });
    const path = added.headers.get("Location")?.split("?")[0] ?? "";
    const save = await openForm(owner, [path, path], { siteId: "" });
    const saveFirst = await openForm(colleague, [path, path], { siteId: "" });
    expect((await saveFirst({ siteId: String(siteId) })).status).toBe(303);
    expect((await save({})).status).toBe(303);
    expect((await send("GET", "/api/custom-domains")).items).toMatchObject([{ siteId }]);
  });
});

test("two people who change the same field see both texts before one is replaced", async () => {
  const { send, owner, colleague } = await open();
  const { id } = (await send("POST", "/api/library", { form: fileForm(["dot.txt", "a dot"]) })).body;
  const path = `/library/${id}`;
  const values = { name: "dot.txt", alt: "", tags: "" };
  const save = await openForm(owner, [path, path], values);
  const saveFirst = await openForm(colleague, [path, path], values);
  await saveFirst({ alt: "A dot", tags: "round" });
  const late = await save({ alt: "A point" });
  const html = await late.text();
  expect(late.status).toBe(412);
  expect(html).toContain("Someone else changed this in the meantime");
  expect(html).toContain("Saved meanwhile: <strong>A dot</strong>");
  expect(html).toContain("A point</textarea>");
  expect((await send("GET", "/api/library")).items).toMatchObject([{ alt: "A dot", tags: ["round"] }]);
  const again = decodeHTML(/name="before" value="([^"]*)"/.exec(html)?.[1] ?? "");
  expect((await owner.post(path, { ...values, tags: "round", alt: "A point", before: again })).status).toBe(303);
  expect((await send("GET", "/api/library")).items).toMatchObject([{ alt: "A point", tags: ["round"] }]);
});

test("two people who save in the same moment don't replace what the other one changed", async () => {
  const { send, owner, colleague } = await open();
  for (const [first, second] of [
    [{ alt: "A dot" }, { tags: "round" }],
    [{ alt: "A dot" }, { alt: "A point" }],
  ]) {
    const { id } = (await send("POST", "/api/library", { form: fileForm(["dot.txt", `a dot ${second?.alt}`]) })).body;
    const path = `/library/${id}`;
    const values = { name: "dot.txt", alt: "", tags: "" };
    const saves = [
      { save: await openForm(owner, [path, path], values), changed: first ?? {} },
      { save: await openForm(colleague, [path, path], values), changed: second ?? {} },
    ];
    const saved = await Promise.all(
      saves.map(async ({ save, changed }) => ({ ...changed, status: (await save(changed)).status })),
    );
    const { items } = await send("GET", "/api/library");
    const { alt, tags } = Object(items.find((asset) => Object(asset).id === id));
    const kept = saved.filter(({ status }) => status === 303);
    expect(kept.length).toBeGreaterThan(0);
    for (const { status: _, ...changed } of kept) expect({ alt, tags: String(tags) }).toMatchObject(changed);
  }
});
