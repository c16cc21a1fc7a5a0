import sharp from "sharp";
import type { RunningService } from "../../../src/service.ts";
import { clientOf, fileForm, openRunningService, type Answer, type Fields, type Send } from "../open-service.ts";
import { startDnsServer, type DnsServer } from "../domains/dns-server.ts";
import { zoneFor } from "../domains/open-domains.ts";
import { leave, send as sendBeacon, view } from "../visitors/beacon.ts";
import { submit } from "../visitors/visiting.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import { contactHtml, docsHtml, startHtml } from "./seeded-pages.ts";

/** A service with data for everything that the dashboard shows. */
export interface Seeded {
  readonly service: RunningService;
  readonly send: Send;
  /** By name: the sites `bakery` and `docs`; the pages `start`, `contact`, `menu` (a draft), and so on. */
  readonly ids: SeededIds;
}

export interface SeededIds {
  readonly sites: { readonly bakery: string; readonly docs: string };
  /** `menu` is a draft. */
  readonly pages: { readonly start: string; readonly contact: string; readonly menu: string };
  /** `bread` is used by pages, `unused` and `sheet` (a text file) are not. */
  readonly assets: { readonly bread: string; readonly unused: string; readonly sheet: string };
  readonly brandKit: string;
  readonly key: string;
  /** `broken` gets a 500. */
  readonly webhooks: { readonly working: string; readonly broken: string };
  /** `active` leads to the bakery; `waiting` is not set up. */
  readonly domains: { readonly active: string; readonly waiting: string };
  /** ID of the form on the page `contact`. */
  readonly form: string;
}

/** The slug of the blog; its newest post is a draft. */
export const BLOG = "journal";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 9;
const LONG_TITLE =
  "What we learned about sourdough, patience and the weather in eleven years of baking at four in the morning";

/** Starts a service and simulates nine days. */
export async function openSeeded(): Promise<Seeded> {
  let daysAgo = DAYS;
  const dns = await startDnsServer();
  const service = await openRunningService({
    background: false,
    allowNetworks: ["127.0.0.0/8"],
    domains: { dnsServers: [dns.address] },
    now: () => new Date(Date.now() - daysAgo * DAY_MS),
  });
  const send = clientOf(service, { routeSet: "a" });
  const content = await addContent(send);
  const domains = await addDomains(send, { dns, siteId: content.sites.bakery });
  const ids = { webhooks: await addWebhooks(send), ...content, domains, key: await addKey(send) };
  await addPosts(send);
  while (daysAgo > 0) {
    daysAgo -= 1;
    await visitFor(service, { ids, day: DAYS - daysAgo });
  }
  await service.sendWebhooks();
  const form = idOf((await send("GET", "/api/forms?pageSlug=contact")).items[0]);
  return { service, send, ids: { ...ids, form } };
}

async function addWebhooks(send: Send): Promise<SeededIds["webhooks"]> {
  const working = await startReceiver();
  const broken = await startReceiver(() => ({ status: 500, body: "The database is away." }));
  const one = await add(send, "/api/webhooks", { url: working.url, description: "Rebuilds the search index" });
  const two = await add(send, "/api/webhooks", { url: broken.url, events: ["form.submitted", "lead.captured"] });
  return { working: one, broken: two };
}

async function addContent(send: Send): Promise<Pick<SeededIds, "sites" | "pages" | "assets" | "brandKit">> {
  const assets = {
    bread: await upload(send, "bread.jpg", await picture("#b5793a", "#f3dfc1")),
    unused: await upload(
      send,
      "a-very-long-file-name-that-nobody-has-shortened-2026-08.webp",
      await picture("#35524a", "#a2e8dd"),
    ),
    sheet: await upload(send, "prices.csv", "bread,price\nrye,4.20\n"),
  };
  const library = (await send("GET", "/api/library?q=bread")).items[0];
  const bread = String(library?.["url"]);
  const brandKit = await add(send, "/api/brand-kits", {
    name: "Crumb & Crust",
    colors: [
      { role: "primary", hex: "#8a3d1e", name: "Crust" },
      { role: "background", hex: "#fff8ef", name: "Flour" },
      { role: "text", hex: "#2b1a12", name: null },
      { role: "accent", hex: "#c99a2e", name: "Honey" },
    ],
    fonts: [
      { family: "Fraunces", role: "heading", weights: [600, 700] },
      { family: "Inter", role: "body", weights: [400, 600], source: "google" },
    ],
    logos: [{ kind: "logo", url: bread, contentType: "image/jpeg", width: 800, height: 500 }],
    sourceUrl: "https://bakery.example/",
  });
  const bakery = await add(send, "/api/sites", {
    name: "Crumb & Crust",
    slug: "bakery",
    homeSlug: "start",
    brandKitId: brandKit,
  });
  const docs = await add(send, "/api/sites", { name: "Oven manual", slug: "docs" });
  for (let number = 1; number <= 56; number++) {
    const html = docsHtml(number);
    await publish(send, `docs-${number}`, { html, siteId: docs });
  }
  const pages = {
    start: await publish(send, "start", {
      html: startHtml(bread),
      siteId: bakery,
      description: "Bread from our own oven.",
    }),
    contact: await publish(send, "contact", { html: contactHtml(), siteId: bakery }),
    menu: await publish(send, "menu", { html: startHtml(bread), title: LONG_TITLE, status: "draft" }),
  };
  return { assets, brandKit, pages, sites: { bakery, docs } };
}

async function addDomains(
  send: Send,
  { dns, siteId }: { readonly dns: DnsServer; readonly siteId: string },
): Promise<SeededIds["domains"]> {
  const domain = { domain: "www.crumb-and-crust.example", siteId };
  const { body } = checked(await send("POST", "/api/custom-domains", { json: domain }), domain.domain);
  dns.set(zoneFor(body));
  checked(await send("PATCH", `/api/custom-domains/${domain.domain}`, { json: { verify: true } }), domain.domain);
  return { active: idOf(body), waiting: await add(send, "/api/custom-domains", { domain: "bäckerei.example" }) };
}

async function addKey(send: Send): Promise<string> {
  await add(send, "/api/keys", { name: "Old laptop", expiresAt: new Date(Date.now() - DAY_MS).toISOString() });
  return await add(send, "/api/keys", {
    name: "GitHub Actions",
    scopes: ["pages:read", "pages:write", "library:write"],
  });
}

async function addPosts(send: Send): Promise<void> {
  await add(send, "/api/blogs", { name: "From the oven", slug: BLOG, description: "What we bake and why." });
  const path = `/api/blogs/${BLOG}/posts`;
  const markdown = "# Rye\n\nOur **rye** takes two days.\n\n- flour\n- water\n- time\n";
  await add(send, path, {
    slug: "rye",
    title: "Two days for one loaf",
    markdown,
    tags: ["bread", "rye"],
    author: "Ida",
  });
  await add(send, path, {
    slug: "holiday",
    title: "We are closed in August",
    html: "<p>Back on <em>the first</em>.</p>",
  });
  await add(send, path, { slug: "long", title: LONG_TITLE, markdown, status: "draft", excerpt: "An excerpt." });
}

const AGENTS = [
  { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
  {
    "User-Agent":
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
  },
  { "User-Agent": "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1" },
];

async function visitFor(
  service: RunningService,
  { ids, day }: { readonly ids: Pick<SeededIds, "pages">; readonly day: number },
): Promise<void> {
  for (let number = 0; number < 3 + 2 * day; number++) {
    const agent = AGENTS[number % AGENTS.length] ?? {};
    const page = number % 4 === 3 ? ids.pages.contact : ids.pages.start;
    const k = `view${String(day).padStart(4, "0")}${String(number).padStart(4, "0")}`;
    const w = number % AGENTS.length === 1 ? 390 : 1280;
    await sendBeacon(service, view(page, { k, w, r: ["", "news.example", "search.example"][number % 3] }), agent);
    const clicks = [
      [480 + 9 * (number % 5), 210 + 4 * day, "a.button"],
      [130 + 40 * (number % 7), 640 + 16 * (number % 9), "li"],
    ];
    await sendBeacon(service, leave(page, { k, w, s: 20 + ((number * 17) % 80), e: 5 + number, c: clicks }), agent);
  }
  const message = `Do you bake on day ${day}?`;
  const fields = { name: "Mara Lindqvist", email: `mara+${day % 4}@mail.example`, message };
  await submit(service, "contact", { fields });
  if (day % 3 === 0) await submit(service, "contact", { fields: { ...fields, website: "https://spam.example" } });
}

async function add(send: Send, path: string, json: Fields): Promise<string> {
  return idOf(checked(await send("POST", path, { json }), path).body);
}

async function publish(send: Send, slug: string, json: Fields): Promise<string> {
  return idOf(checked(await send("PUT", `/api/pages/${slug}`, { json }), slug).body);
}

async function upload(send: Send, name: string, content: Uint8Array<ArrayBuffer> | string): Promise<string> {
  return idOf(checked(await send("POST", "/api/library", { form: fileForm([name, content]) }), name).body);
}

function checked(answer: Answer, what: string): Answer {
  if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${answer.text}`);
  return answer;
}

function idOf(fields: Fields | undefined): string {
  return String(fields?.["id"]);
}

async function picture(first: string, second: string): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="500"><rect width="800" height="500" fill="${second}"/><ellipse cx="400" cy="280" rx="280" ry="150" fill="${first}"/></svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg().toBuffer());
}
