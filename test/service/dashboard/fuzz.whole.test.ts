import { expect, test } from "vitest";
import { openSeeded } from "./seeded.ts";
import { signIn, type SignedIn } from "./signed-in.ts";

// Input that a browser never sends, and attempts to inject a script.
const SCRIPT = `"><script>alert(1)</script>`;
const WRONG = [
  "",
  "\0",
  "-1",
  "1e999",
  "%ff",
  SCRIPT,
  "x".repeat(3000),
  "__proto__",
  "2026-99-99",
  "\u{202E}",
  "[]",
  "{",
];
/** Query parameters of lists, in addition to those in links. */
const PARAMETERS = ["q", "sort", "after", "before", "cursor", "view", "from", "to", "status", "site", "notice", "page"];
const TAKES_AWAY = /\/(?:delete|remove|revoke|disable|sign-out|end)|sign-out/;

interface Form {
  readonly action: string;
  readonly names: readonly string[];
}

const kindOf = (path: string) => path.replaceAll(/\w*\d\w*/g, "*");
const unescape = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

function formsIn(html: string): readonly Form[] {
  return [...html.matchAll(/<form [^>]*method="post"[^>]*>[^]*?<\/form>/gi)].flatMap(([form]) => {
    const action = /action="([^"]*)"/.exec(form)?.[1];
    const names = [...form.matchAll(/ name="([^"]+)"/g)].map(([, name = ""]) => name);
    return action === undefined ? [] : [{ action: unescape(action), names: [...new Set(names)] }];
  });
}

/** One page of each kind: pages that differ only in an id or a number count as the same kind. */
async function crawl({ get }: SignedIn) {
  const kinds = new Map<string, string>();
  const forms = new Map<string, Form>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const kind = kindOf(new URL(path, "http://x").pathname);
    if (kinds.has(kind)) continue;
    kinds.set(kind, path);
    const answer = await get(path);
    if (answer.headers.get("Content-Type")?.startsWith("text/html") !== true) continue;
    const html = await answer.text();
    for (const form of formsIn(html)) forms.set(kindOf(form.action), form);
    for (const [, address = ""] of html.matchAll(/ href="([/?][^"#]*)/g)) {
      const { pathname, search } = new URL(unescape(address), `http://x${path}`);
      waiting.push(`${pathname}${search}`);
    }
  }
  return { paths: [...kinds.values()], forms: [...forms.values()] };
}

test("no input makes the dashboard fail or puts a script into its pages", { timeout: 600_000 }, async () => {
  const { service } = await openSeeded();
  const browser = await signIn(service);
  const { paths, forms } = await crawl(browser);
  const failures: string[] = [];
  let sent = 0;
  const judge = async (what: string, answer: Response) => {
    sent += 1;
    const type = answer.headers.get("Content-Type") ?? "";
    const isOwn =
      type.startsWith("text/html") && answer.headers.get("Content-Security-Policy")?.includes("sandbox") !== true;
    if (answer.status >= 500) failures.push(`${answer.status} ${what}`);
    else if (isOwn && (await answer.text()).includes(SCRIPT)) failures.push(`script ${what}`);
  };
  for (const path of paths) {
    const url = new URL(path, "http://x");
    for (const value of WRONG) {
      for (const names of [PARAMETERS, ...[...url.searchParams.keys()].map((name) => [name])]) {
        const asked = new URL(url);
        for (const name of names) asked.searchParams.set(name, value);
        const what = `GET ${asked.pathname} ${names.join("&")}=${value.slice(0, 20)}`;
        await judge(what, await browser.get(asked.pathname + asked.search));
      }
    }
  }
  // Deletions come last, and signing out is skipped.
  const ordered = forms.toSorted(
    (one, other) => Number(TAKES_AWAY.test(one.action)) - Number(TAKES_AWAY.test(other.action)),
  );
  for (const { action, names } of ordered) {
    if (/sign-out|\/sessions\//.test(action)) continue;
    for (const name of names) {
      for (const value of WRONG) {
        const fields = Object.fromEntries(names.map((other) => [other, other === name ? value : "1"]));
        await judge(`POST ${action} ${name}=${value.slice(0, 20)}`, await browser.post(action, fields));
      }
      await judge(
        `POST ${action} ${name} as a file`,
        await browser.upload(action, [["a.html", SCRIPT]], { [name]: "1" }),
      );
    }
    await judge(`POST ${action} without fields`, await browser.post(action));
    await judge(
      `POST ${action} with a foreign file`,
      await browser.upload(action, [["../x.svg", "<svg onload=alert(1)>"]], {}),
    );
  }
  for (const path of paths) await judge(`GET ${path} afterwards`, await browser.get(path));
  expect(failures).toEqual([]);
  expect([paths.length > 60, forms.length > 40]).toEqual([true, true]);
});
