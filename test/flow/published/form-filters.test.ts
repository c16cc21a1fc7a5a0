import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openBehindProxy } from "./project.ts";

const SUBMISSIONS = [
  { id: "su_1", createdAt: "2026-07-31T23:30:00Z", fields: { email: "july@x.example" }, spam: true, read: true },
  { id: "su_2", createdAt: "2026-08-31T23:30:00Z", fields: { email: "august@x.example" }, spam: false, read: false },
  { id: "su_3", createdAt: "2026-11-01T10:00:00Z", fields: { email: "late@x.example" }, spam: false, read: true },
].map((submission) => ({ ...submission, form: submission.id === "su_3" ? "newsletter" : "contact" }));

const HOSTS = [dialectA("A ignores query parameters"), dialectB("B ignores query parameters")];

describe.each(HOSTS)("at a host that ignores filters ($name)", (dialect) => {
  async function open(submissions: readonly object[]) {
    const { run, proxy } = await openBehindProxy(dialect, { posts: false });
    await run("publish", "--accept");
    proxy.meddle(({ path, answer }) => {
      if (!path.startsWith("/api/forms")) return undefined;
      const forms = [{ pageSlug: "about", name: "Contact", submissions: 3 }];
      answer.writeHead(200, { "content-type": "application/json" });
      answer.end(JSON.stringify(path.split("?")[0] === "/api/forms" ? { forms } : { submissions }));
      return Promise.resolve();
    });
    return async (...argv: readonly string[]) => {
      const { code, said } = await run("forms", ...argv);
      return { code, said, emails: Array.from(said.matchAll(/\w+(?=@x\.example)/g), String).toSorted() };
    };
  }

  it.each([
    { flags: ["list", "about"], emails: ["august", "late"] },
    { flags: ["list", "about", "--from", "2026-08-01", "--to", "2026-08-31"], emails: ["august"] },
    { flags: ["list", "about", "--spam"], emails: ["july"] },
    { flags: ["list", "about", "--unread"], emails: ["august"] },
    { flags: ["list", "about", "--form", "newsletter"], emails: ["late"] },
    { flags: ["export", "about"], emails: ["august", "late"] },
    { flags: ["export", "about", "--from", "2026-08-01", "--to", "2026-08-31"], emails: ["august"] },
    { flags: ["export", "about", "--format", "json", "--from", "2026-11-01"], emails: ["late"] },
  ])("`imprint forms` $flags shows only what was asked for", async ({ flags, emails }) => {
    const forms = await open(SUBMISSIONS);
    expect(await forms(...flags)).toMatchObject({ code: 0, emails });
  });

  it("a filter by a field that submissions don't show is reported, or refused in an export", async () => {
    const forms = await open([{ id: "su_1", fields: { email: "july@x.example" } }]);
    expect(await forms("list", "about", "--spam")).toMatchObject({
      ...{ code: 0, emails: ["july"] },
      said: expect.stringContaining("may have ignored --spam: the submissions don't show what it filters by"),
    });
    expect(await forms("export", "about", "--from", "2026-08-01")).toMatchObject({
      ...{ code: 1, emails: [] },
      said: expect.stringContaining("doesn't show when submissions were received"),
    });
  });
});

it("forms that a host identifies by the slug of their page are listed", async () => {
  const { run, proxy } = await openBehindProxy(dialectA("A"), { posts: false });
  proxy.meddle(({ path, answer }) => {
    if (!path.startsWith("/api/forms")) return undefined;
    const forms = ["about", "index"].map((pageSlug) => ({ pageSlug, name: "Contact", submissions: 3 }));
    answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ forms }));
    return Promise.resolve();
  });
  const { code, said } = await run("forms", "list");
  expect({ code, said }).toMatchObject({
    code: 0,
    said: expect.stringMatching(/about +Contact +3.* index +Contact +3/),
  });
});
