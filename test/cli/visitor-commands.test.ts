import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { openRunningService, visit } from "../service/open-service.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { CONTACT, publishPage, submit } from "../service/visitors/visiting.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async function open(routeSet: "a" | "b") {
  const service = await openRunningService({ now: () => new Date("2026-08-10T10:30:00Z") });
  const cwd = await temporaryFolder();
  const id = await publishPage(service, "contact", CONTACT);
  await publishPage(service, "about", "<title>About</title><p>x</p>");
  await submit(service, "contact", { fields: { name: "=Anna\u001b[31m", email: "anna@example.org" } });
  await submit(service, "contact", { fields: { message: "Hello", email: "anna@example.org" } });
  async function run(...argv: readonly string[]) {
    const written = { out: "", error: "" };
    const environment = { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl(routeSet) };
    const code = await runCli(argv, {
      ...{ cwd, environment },
      out: { write: (text) => (written.out += text) },
      error: { write: (text) => (written.error += text) },
    });
    return { code, ...written };
  }
  async function send(message: object) {
    const headers = { "User-Agent": FIREFOX };
    await visit(service, "/_b", {
      method: "POST",
      headers,
      body: JSON.stringify({ v: 1, p: id, k: "aaaaaaaaaaaa", w: 1280, ...message }),
    });
  }
  await send({ t: "view", r: "news.example.org" });
  await send({ t: "leave", n: 1, s: 60, e: 75, h: 2000, c: [[500, 100, "#buy"]] });
  return { run, cwd };
}

describe("imprint forms list", () => {
  it("shows the forms in route set A", async () => {
    const { run } = await open("a");
    const { code, out } = await run("forms", "list");
    expect([code, out]).toEqual([
      0,
      `  Page     Name    Submissions  Last submission       Fields
  contact  form-1  2            2026-08-10 10:30 UTC  name, email, message\n`,
    ]);
    expect(JSON.parse((await run("forms", "list", "--json")).out)).toMatchObject([{ pageSlug: "contact" }]);
  });

  it("requires a page in route set B", async () => {
    const { run } = await open("b");
    const { code, error } = await run("forms", "list");
    expect(code).toBe(1);
    expect(error).toContain("NOT_SUPPORTED");
  });

  it.each([["--unread"], ["--spam"], ["--form", "form-1"], ["--from", "2026-08-01"]])(
    "requires a page for %s, which filters its submissions",
    async (...flags) => {
      const { run } = await open("a");
      const { code, error } = await run("forms", "list", ...flags);
      expect([code, error]).toEqual([2, expect.stringContaining(`imprint forms list <page> ${flags[0]}`)]);
    },
  );

  it.each(["a", "b"] as const)(
    "shows a page's submissions in route set %s, without terminal control characters",
    async (routeSet) => {
      const { run } = await open(routeSet);
      const { code, out } = await run("forms", "list", "contact");
      expect(code).toBe(0);
      expect(out).toContain("2026-08-10 10:30 UTC  sb_");
      expect(out).toContain("name   =Anna [31m");
      expect(out).not.toContain("\u001b");
      expect(JSON.parse((await run("forms", "list", "contact", "--json")).out)).toHaveLength(2);
      expect((await run("forms", "list", "contact", "--spam")).out).toBe("There are no submissions.\n");
      expect((await run("forms", "list", "about")).out).toBe("There are no submissions.\n");
    },
  );
});

describe.each(["a", "b"] as const)("imprint forms export in route set %s", (routeSet) => {
  it("writes CSV that is safe in spreadsheets, or JSON as it was submitted", async () => {
    const { run, cwd } = await open(routeSet);
    const { code, out } = await run("forms", "export", "contact");
    expect(code).toBe(0);
    expect(out.startsWith('\uFEFF"submissionId","createdAt","pageSlug","formId","email","lead","')).toBe(true);
    expect(out).toContain('"\'=Anna\u001b[31m"');
    expect(out.trimEnd().split("\r\n")).toHaveLength(3);
    const json = JSON.parse((await run("forms", "export", "--format", "json")).out);
    expect(json.data.map(({ fields }: { readonly fields: unknown }) => fields)).toContainEqual({
      message: "Hello",
      email: "anna@example.org",
    });
    expect((await run("forms", "export", "--leads")).out.trimEnd().split("\r\n")).toHaveLength(2);
    const written = await run("forms", "export", "--out", "leads.csv");
    expect([written.out, written.error]).toEqual(["", "Written to leads.csv.\n"]);
    expect([...(await readFile(join(cwd, "leads.csv"))).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it.each([["export"], ["list"]])("%s names a page that the service doesn't have", async (command) => {
    const { run } = await open(routeSet);
    const { code, error } = await run("forms", command, "nope");
    expect([code, error]).toEqual([2, expect.stringContaining('The service has no page "nope".')]);
    expect((await run("forms", command, "about")).code).toBe(0);
  });

  it("accepts only days and known formats", async () => {
    const { run } = await open(routeSet);
    expect((await run("forms", "export", "--from", "yesterday")).code).toBe(2);
    expect((await run("forms", "export", "--format", "xlsx")).code).toBe(2);
    expect((await run("forms", "export", "--from", "2026-08-11")).out.trimEnd().split("\r\n")).toHaveLength(1);
  });
});

describe("imprint analytics", () => {
  it.each(["a", "b"] as const)("shows all pages in route set %s, most viewed first", async (routeSet) => {
    const { run } = await open(routeSet);
    const { code, out } = await run("analytics");
    expect(code).toBe(0);
    expect(out).toBe(
      `  Page     Views  Visitors  Clicks  Forms  Avg. scroll   Avg. time
  contact      1         1       1      2          60%  1 min 15 s
  about        0         0       0      0            –           –\n`,
    );
    expect(JSON.parse((await run("analytics", "--json")).out)).toMatchObject([
      { slug: "contact", views: 1 },
      { slug: "about" },
    ]);
    expect((await run("analytics", "none")).code).toBe(2);
  });

  it("shows all analytics of a page in route set B", async () => {
    const { run } = await open("b");
    const { out } = await run("analytics", "contact", "--from", "2026-08-08");
    expect(out).toContain("2026-08-08  ▁▁█  2026-08-10");
    expect(out).toContain("Referrers\n  1  news.example.org");
    expect(out).toContain("100%  to 50% of the page\n    0%  to 75% of the page");
    expect(out).toContain("Clicks\n  1  #buy");
  });

  it("shows no percentages for a page without views", async () => {
    const { run } = await open("b");
    const { out } = await run("analytics", "about");
    expect(out).toContain("–");
    expect(out).not.toMatch(/\d %|Scroll depth/);
    expect(out).toMatch(/\n\nNo views in this period\.\n$/);
  });

  it("shows the available analytics of a page in route set A", async () => {
    const { run } = await open("a");
    const { out } = await run("analytics", "contact");
    expect(out).toContain("contact");
    expect(out).toContain("Clicks\n  1  #buy");
  });
});
