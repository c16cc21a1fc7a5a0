import { DatabaseSync } from "node:sqlite";
import { SqliteDialect } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, fileForm, openRunningService, openService, type Send } from "../open-service.ts";
import { openSignedIn } from "./look.ts";
import { signIn } from "./signed-in.ts";
import { createDatabase } from "../../../src/service/store/database.ts";
import { migrate } from "../../../src/service/store/migrate.ts";
import { BY_NAME, BY_SIZE, BY_TITLE, CHANGED, NEWEST, type Sort } from "../../../src/service/store/keyset.ts";
import { listSubmissions } from "../../../src/service/store/submissions.ts";
import { adaptSqlite } from "../../../src/service/store/sqlite.ts";
import { listEvents } from "../../../src/service/store/webhooks.ts";
import { listPages } from "../../../src/service/store/pages.ts";
import { listPosts } from "../../../src/service/store/posts.ts";
import { listAssets } from "../../../src/service/store/assets.ts";

async function publish(send: Send, slug: string, fields: object = {}): Promise<string> {
  const { body } = await send("PUT", `/api/pages/${slug}`, { json: { html: `<h1>${slug}</h1>`, ...fields } });
  return String(body["id"]);
}

/** The titles that a page lists, in order. */
async function titlesOf(answer: Promise<Response>): Promise<readonly string[]> {
  const html = await (await answer).text();
  return [...html.matchAll(/<th scope="row"[^>]*><a href="[^"]*">([^<]*)/g)].map(([, title = ""]) => title);
}

test("a list is sorted by its address, and its pages are consecutive", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { get } = await signIn(service);
  for (let number = 0; number < 52; number++) {
    const name = `p${String(number).padStart(2, "0")}`;
    await publish(send, name, { title: number % 2 === 0 ? name.toUpperCase() : name });
  }
  const titles = await titlesOf(get("/pages?sort=title"));
  expect(titles.slice(0, 3)).toEqual(["P00", "p01", "P02"]);
  const next = /href="(\/pages\?sort=title&amp;after=[^"]+)"/.exec(await (await get("/pages?sort=title")).text())?.[1];
  expect(await titlesOf(get(String(next).replaceAll("&amp;", "&")))).toEqual(["P50", "p51"]);
  await publish(send, "p07", { title: "Touched" });
  expect((await titlesOf(get("/pages?sort=changed")))[0]).toBe("Touched");
  expect(await titlesOf(get("/pages?sort=none&after=broken&q=touch"))).toEqual(["Touched"]);
});

test("selected rows change after a confirmation that describes the change, and rejected ones are named", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { post } = await signIn(service);
  const draft = await publish(send, "draft", { status: "draft" });
  const live = await publish(send, "live");
  const sent = { action: "publish", all: "yes", back: "?" };
  const question = await (await post("/pages/bulk", sent)).text();
  expect(question).toContain("Publish 1 page?");
  expect(question).toContain("live (live) is already published");
  expect((await send("GET", "/api/pages/draft")).body["status"]).toBe("draft");
  const done = await (await post("/pages/bulk", { action: "publish", confirmed: "yes", id: draft })).text();
  expect(done).toContain("1 page published.");
  expect((await send("GET", "/api/pages/draft")).body["status"]).toBe("published");

  const refused = await (await post("/pages/bulk", { action: "publish", confirmed: "yes", id: live })).text();
  expect(refused).toContain("0 pages published, 1 refused.");
  expect((await post("/pages/bulk", { action: "delete", back: "?" })).status).toBe(422);
  expect((await post("/pages/bulk", { action: "melt", id: live })).status).toBe(422);
  await post("/pages/bulk", { action: "delete", confirmed: "yes", id: live });
  expect((await send("GET", "/api/pages/live")).status).toBe(404);
});

test("what someone changed while the confirmation was shown isn't deleted in bulk, and is named", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { post } = await signIn(service);
  const ids = [await publish(send, "kept"), await publish(send, "rewritten")];
  const question = await (await post("/pages/bulk", { action: "delete", all: "yes", back: "?" })).text();
  const inputs = question.matchAll(/<input type="hidden" name="(seen-[^"]+)" value="([^"]+)"/g);
  const seen = Object.fromEntries([...inputs].map(([, name = "", value = ""]) => [name, value]));
  expect(Object.keys(seen).toSorted()).toEqual(ids.map((id) => `seen-${id}`).toSorted());
  await publish(send, "rewritten", { html: "<h1>Important</h1>", title: "Important" });
  const done = { ...seen, action: "delete", confirmed: "yes", all: "yes", back: "?" };
  const answer = await (await post("/pages/bulk", done)).text();
  expect(answer).toContain("1 page deleted, 1 refused");
  expect(answer).toContain("Important (rewritten): changed since the confirmation was shown");
  expect((await send("GET", "/api/pages/rewritten")).body["title"]).toBe("Important");
  expect((await send("GET", "/api/pages/kept")).status).toBe(404);
});

test("files can be tagged in bulk, and files that pages use are kept", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { get, post } = await signIn(service);
  const used = (await send("POST", "/api/library", { form: fileForm(["used.txt", "used"]) })).body;
  await send("POST", "/api/library", { form: fileForm(["spare.txt", "spare"]) });
  await publish(send, "page", { html: `<a href="${String(used["url"])}">File</a>` });

  const all = { all: "yes", back: "?" };
  expect(await (await post("/library/bulk", { ...all, action: "tag", confirmed: "yes" })).text()).toContain(
    "at least one",
  );
  await post("/library/bulk", { ...all, action: "tag", confirmed: "yes", tags: "spring, Menu" });
  expect((await send("GET", "/api/library")).items.map(({ tags }) => tags)).toEqual([
    ["spring", "Menu"],
    ["spring", "Menu"],
  ]);
  expect(await (await get("/library?tag=Menu&use=unused")).text()).not.toContain("used.txt");

  const done = await (await post("/library/bulk", { ...all, action: "delete", confirmed: "yes" })).text();
  expect(done).toContain("1 file deleted, 1 refused");
  expect((await send("GET", "/api/library")).items.map(({ name }) => name)).toEqual(["used.txt"]);
});

test("posts can be found by tag and unpublished in bulk", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { get, post } = await signIn(service);
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  for (const [slug, tags] of [
    ["one", ["bread"]],
    ["two", []],
  ] as const) {
    await send("POST", "/api/blogs/news/posts", { json: { slug, title: slug, markdown: "Text", tags } });
  }
  expect(await titlesOf(get("/blogs/news?tag=bread"))).toEqual(["one"]);
  const fields = { action: "unpublish", all: "yes", back: "?tag=bread", confirmed: "yes" };
  expect(await (await post("/blogs/news/bulk", fields)).text()).toContain("1 post unpublished.");
  expect(await titlesOf(get("/blogs/news?status=draft"))).toEqual(["one"]);
});

test("no sort order of a list scans the whole table", async () => {
  const file = new DatabaseSync(":memory:");
  onTestFinished(() => file.close());
  migrate(file, new Date());
  const sent: string[] = [];
  const connection = adaptSqlite(file);
  const prepare = (sql: string) => {
    sent.push(sql);
    return connection.prepare(sql);
  };
  const database = createDatabase(new SqliteDialect({ database: { ...connection, prepare } }));
  const window = (sort: Sort) => {
    const after = { key: sort.kind === "text" ? "x" : 1, id: "id" };
    return { filter: {}, window: { sort, after, limit: 50 } };
  };
  for (const sort of [NEWEST, CHANGED, BY_TITLE]) {
    await listPages(database, "acc", window(sort));
    await listPosts(database, "bl", window(sort));
  }
  for (const sort of [NEWEST, BY_NAME, BY_SIZE]) await listAssets(database, "acc", window(sort));
  await listEvents(database, "acc", { subject: "pg", window: { limit: 20 } });
  await listSubmissions(database, "acc", {
    filter: { spam: false },
    window: { after: { key: 1, id: "id" }, limit: 5 },
  });
  await listPosts(database, "bl", { ...window(NEWEST), filter: { text: "bread", tag: "rye" } });
  const plans = sent.map((sql) =>
    file
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  expect(plans).toHaveLength(12);
  expect(plans.at(-1)?.filter((step) => step.includes("COVERING INDEX post_by_title"))).toHaveLength(2);
  for (const plan of plans) {
    expect(plan[0]).toMatch(/^SEARCH \w+ USING INDEX \w+ \(\w+=\? AND (?:.*[<>]|subject=)/);
    expect(plan.filter((step) => /^SCAN (?!item)|TEMP B-TREE/.test(step))).toEqual([]);
  }
});

test("a list can be searched, selected, and changed with the keyboard alone", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  for (const slug of ["apple", "banana", "apricot"]) await publish(send, slug, { status: "draft" });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).newPage();
  await page.goto(`${service.url}/pages`);
  await page.getByLabel("Find a page").focus();
  await page.keyboard.type("ap");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=ap/);
  await page.getByLabel("Select all shown").focus();
  await page.keyboard.press("Space");
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Publish", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Publish 2 pages" }).press("Enter");
  await page.getByRole("status").getByText("2 pages published.").waitFor();
  const { items } = await send("GET", "/api/pages?status=published");
  expect(items.map(({ slug }) => slug).toSorted()).toEqual(["apple", "apricot"]);
});
