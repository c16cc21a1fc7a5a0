import { expect, it } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { mapPool } from "../../src/base/pool.ts";
import { fileForm } from "../service/open-service.ts";
import { FIREFOX, view } from "../service/visitors/beacon.ts";
import { startReceiver, verify } from "../service/webhooks/receiver.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { freshBucket, freshSchemaUrl } from "./servers.ts";
import { startProcess, type ServiceProcess } from "./service-process.ts";

const PAGES = Number(process.env["IMPRINT_LOAD_PAGES"] ?? 240);
const ROUNDS = 12;
const CLIENTS = 8;
// Until then, no other process sends what the killed one had claimed.
const LEASE_MS = 60_000;
const FORM = '<form method="post"><input name="email" type="email"><input name="text"></form>';

interface Asked {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request to a process; `undefined` if the process was killed meanwhile. */
async function ask(
  { baseUrl, apiKey }: ServiceProcess,
  route: string,
  { json, form, headers = {} }: { json?: object; form?: FormData; headers?: Readonly<Record<string, string>> } = {},
): Promise<Asked | undefined> {
  const [method = "", path = ""] = route.split(" ");
  const typed = json === undefined ? {} : { "Content-Type": "application/json" };
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, ...typed, ...headers },
      body: form ?? (json === undefined ? null : JSON.stringify(json)),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A visitor's request to a published page or the beacon; returns the status, or `undefined` as above. */
async function sendAsVisitor(
  { pagesUrl }: ServiceProcess,
  path: string,
  { body, number }: { readonly body: string | URLSearchParams; readonly number: number },
): Promise<number | undefined> {
  const headers = { "User-Agent": FIREFOX, "X-Forwarded-For": `10.${number >> 8}.${number & 255}.1` };
  return await fetch(`${pagesUrl}${path}`, { method: "POST", body, headers, redirect: "manual" }).then(
    ({ status }) => status,
    () => undefined,
  );
}

async function readAll(service: ServiceProcess, path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const items: Readonly<Record<string, unknown>>[] = [];
  let cursor = "";
  do {
    const { body = {} } = (await ask(service, `GET ${path}${path.includes("?") ? "&" : "?"}limit=100${cursor}`)) ?? {};
    if (Array.isArray(body["data"])) items.push(...body["data"]);
    cursor = typeof body["nextCursor"] === "string" ? `&cursor=${encodeURIComponent(body["nextCursor"])}` : "";
  } while (cursor !== "");
  return items;
}

it("two processes on one database lose nothing and duplicate nothing, even if one is killed under load", async () => {
  const places = { dataDir: await temporaryFolder(), databaseUrl: freshSchemaUrl(), blobs: { s3: freshBucket() } };
  const processes = await Promise.all([startProcess(places), startProcess(places)]);
  const [first, second] = processes;
  let isKilled = false;
  const oneOf = (number: number) => (isKilled || number % 2 === 1 ? second : first);

  const receiver = await startReceiver();
  const { body: hook = {} } = (await ask(first, "POST /api/webhooks", { json: { url: receiver.url } })) ?? {};
  const { body: page = {} } = (await ask(first, "PUT /api/pages/visited", { json: { html: FORM } })) ?? {};
  const pageId = String(page["id"]);

  const answered = {
    pages: new Set<string>(),
    forms: new Set<string>(),
    views: new Set<string>(),
    files: new Set<string>(),
  };
  let sentViews = 0;
  const conflicts = { won: 0, refused: 0, other: 0 };

  async function publish(number: number): Promise<void> {
    const slug = `page-${number}`;
    // A client retries until there is a response, like the publisher.
    for (let attempt = 0; attempt < 20; attempt++) {
      const put = await ask(oneOf(number + attempt), `PUT /api/pages/${slug}`, { json: { html: `<p>${slug}</p>` } });
      if (put?.status === 200 || put?.status === 201) return void answered.pages.add(slug);
    }
    throw new Error(`${slug} was never answered.`);
  }

  async function visit(number: number): Promise<void> {
    const key = `view${String(number).padStart(8, "0")}`;
    sentViews++;
    const counted = await sendAsVisitor(oneOf(number), "/_b", {
      body: JSON.stringify(view(pageId, { k: key })),
      number,
    });
    if (counted === 204) answered.views.add(key);
    const body = new URLSearchParams({ email: `visitor-${number % 20}@example.org`, text: `text-${number}` });
    const sent = await sendAsVisitor(oneOf(number), "/p/visited", { body, number });
    if (sent === 303) answered.forms.add(`text-${number}`);
  }

  async function upload(number: number): Promise<void> {
    // Every file is uploaded twice, by different clients.
    const text = `file ${Math.floor(number / 2)}`;
    const uploaded = await ask(oneOf(number), "POST /api/library", { form: fileForm([`file-${number}.txt`, text]) });
    if (uploaded?.status === 200 || uploaded?.status === 201) answered.files.add(sha256(text));
  }

  const numbers = Array.from({ length: PAGES }, (_, number) => number);
  let killed: Promise<void> | undefined;
  await mapPool(numbers, CLIENTS, async (number) => {
    await publish(number);
    await visit(number);
    if (number % 4 < 2) await upload(number);
    if (answered.pages.size >= PAGES / 2 && !isKilled) {
      isKilled = true;
      killed = first.kill();
    }
  });
  await killed;

  // A third process replaces the first, and both are asked to change the same version of one page.
  const third = await startProcess(places);
  for (let round = 0; round < ROUNDS; round++) {
    const { body = {} } = (await ask(second, "GET /api/pages/visited")) ?? {};
    const headers = { "If-Match": `"v${String(body["version"])}"` };
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, client) =>
        ask(client % 2 === 0 ? second : third, "PUT /api/pages/visited", {
          json: { html: `${FORM}<p>${round} ${client}</p>` },
          headers,
        }),
      ),
    );
    conflicts.won += answers.filter((answer) => answer?.status === 200).length;
    conflicts.refused += answers.filter((answer) => answer?.status === 412).length;
    conflicts.other += answers.filter((answer) => answer?.status !== 200 && answer?.status !== 412).length;
  }

  const pages = await readAll(third, "/api/pages?fields=slug,contentHash,version");
  const submissions = await readAll(third, "/api/forms/visited");
  const texts = submissions.map(({ fields }) => String(Object(fields).text));
  const assets = await readAll(third, "/api/library");
  const events = await readAll(third, "/api/events");
  const { body: analytics = {} } = (await ask(third, "GET /api/analytics/pages")) ?? {};
  const views = Number(Object(analytics["totals"]).views);

  for (const service of [second, third])
    await ask(service, "POST /api/_clock", { json: { advanceMs: LEASE_MS + 1000 } });
  await expect
    .poll(() => new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size, { timeout: 30_000 })
    .toBe(events.length);
  const received = receiver.requests.map((request) => verify(request, String(hook["secret"])));
  const idsByEvent = new Map<string, Set<string>>();
  for (const { id, type, data } of received) {
    const event = `${type} ${String(data["requestId"])}`;
    idsByEvent.set(event, (idsByEvent.get(event) ?? new Set()).add(id));
  }
  const leads = events.filter(({ type }) => type === "lead.captured");
  const repeated = received.length - idsByEvent.size;
  console.log(
    [
      `two processes, one killed: ${answered.pages.size} pages answered, ${pages.length - 1} stored`,
      `${answered.forms.size} forms answered, ${texts.length} stored, ${leads.length} leads`,
      `${answered.views.size} views answered, ${views} counted`,
      `${answered.files.size} files answered, ${assets.length} stored`,
      `${events.length} events, ${idsByEvent.size} delivered, ${repeated} of them again under the same id`,
      `${ROUNDS} conflicts of ${CLIENTS}: ${conflicts.won} won, ${conflicts.refused} refused`,
    ].join("; "),
  );

  expect(pages).toHaveLength(PAGES + 1);
  const stored = new Map(pages.map(({ slug, contentHash }) => [String(slug), contentHash]));
  expect([...answered.pages].filter((slug) => stored.get(slug) !== sha256(`<p>${slug}</p>`))).toEqual([]);
  expect(new Set(texts).size).toBe(texts.length);
  expect([...answered.forms].filter((text) => !texts.includes(text))).toEqual([]);
  expect(leads.length).toBe(new Set(submissions.map(({ email }) => email)).size);
  expect(views).toBeGreaterThanOrEqual(answered.views.size);
  expect(views).toBeLessThanOrEqual(sentViews);
  const hashes = assets.map(({ hash }) => String(hash));
  expect(new Set(hashes).size).toBe(hashes.length);
  expect([...answered.files].filter((hash) => !hashes.includes(hash))).toEqual([]);
  expect(conflicts).toEqual({ won: ROUNDS, refused: ROUNDS * (CLIENTS - 1), other: 0 });
  expect(idsByEvent.size).toBe(events.length);
  expect([...idsByEvent.values()].every((ids) => ids.size === 1)).toBe(true);
}, 300_000);
