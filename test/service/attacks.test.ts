import { expect, it } from "vitest";
import { signIn } from "./dashboard/signed-in.ts";
import { sendRaw } from "./http/raw-socket.ts";
import { clientOf, fileForm, openRunningService, openService, visit } from "./open-service.ts";

const EVIL = "evil.example";
const SCRIPT = `</style></title><script>alert(1)</script>`;

// Addresses that some parser reads as those of another host.
const LEADING_AWAY = [
  ...[`//${EVIL}`, `/\\${EVIL}`, `\\\\${EVIL}`, `/\t/${EVIL}`, `/\n/${EVIL}`, `/ /${EVIL}`, `https:${EVIL}`],
  ...[
    `https://${EVIL}`,
    `///${EVIL}`,
    `/.//${EVIL}`,
    `/..//${EVIL}`,
    `/x/..//${EVIL}`,
    `/%2f%2f${EVIL}`,
    `/%5c${EVIL}`,
  ],
  ...[
    `javascript:alert(1)`,
    `data:text/html,x`,
    `@${EVIL}`,
    `.${EVIL}`,
    `/\r\nLocation: https://${EVIL}`,
    `/é//${EVIL}`,
  ],
];

it("neither signing in nor submitting a form redirects to another host", async () => {
  const service = openService();
  const own = new URL(service.url).origin;
  for (const next of LEADING_AWAY) {
    const token = new URL((await service.createSignInLink()).url).searchParams.get("token") ?? "";
    const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
    const body = new URLSearchParams({ token, next });
    const answer = await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
    const location = new URL(answer.headers.get("Location") ?? "", `${service.url}/sign-in`);
    expect([next, answer.status, location.origin]).toEqual([next, 303, own]);
  }
  const html = `<form method="post"><input name="text"></form>`;
  await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/contact", { json: { html } });
  for (const next of LEADING_AWAY.slice(0, 8)) {
    const sent = await visit(service, "/p/contact", {
      method: "POST",
      body: new URLSearchParams({ text: "x", _next: next }),
    });
    const location = new URL(sent.headers.get("Location") ?? "", `${service.pagesUrl}/p/contact`);
    expect([next, sent.status, location.origin]).toEqual([next, 303, new URL(service.pagesUrl).origin]);
  }
});

it("request headers change neither the addresses in responses nor the session's owner", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/one", { json: { html: "<p>1" } });
  const [app, pages] = [new URL(service.url), new URL(service.pagesUrl)];
  const forged =
    `X-Forwarded-Host: ${EVIL}\r\nX-Forwarded-Proto: https\r\nX-Host: ${EVIL}\r\nForwarded: host=${EVIL}\r\n` +
    `X-Original-URL: /keys\r\nX-Rewrite-URL: /keys\r\nX-HTTP-Method-Override: DELETE\r\nReferer: https://${EVIL}/\r\n`;
  for (const [url, path] of [
    ...["/sign-in", "/.well-known/oauth-authorization-server", "/openapi.json", "/a/api/pages"].map((each) => [
      app,
      each,
    ]),
    ...["/p/one", "/p/none", "/robots.txt", "/sitemap.xml"].map((each) => [pages, each]),
  ] as const) {
    const ask = async (extra: string, host = (url as URL).host) =>
      await sendRaw(
        Number((url as URL).port),
        `GET ${String(path)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${service.apiKey}\r\n${extra}\r\n`,
      );
    const plain = (text: string) => text.replaceAll(/^(?:X-Request-Id|Date):.*$/gim, "").split("\r\n")[0];
    const [usual, other] = [await ask(""), await ask(forged)];
    expect([path, plain(other), other.includes(EVIL)]).toEqual([path, plain(usual), false]);
    expect([path, (await ask("", EVIL)).replaceAll(`"${EVIL}"`, "").includes(`//${EVIL}`)]).toEqual([path, false]);
  }
  expect((await send("GET", "/api/pages/one")).status).toBe(200);
});

it("never accepts a session id chosen by someone else, whatever the cookie's name", async () => {
  const service = openService();
  const chosen = "a".repeat(22);
  const token = new URL((await service.createSignInLink()).url).searchParams.get("token") ?? "";
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin", Cookie: `imprint_session=${chosen}` };
  const body = new URLSearchParams({ token, next: "/" });
  const answer = await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
  const given = /imprint_session=(\w+)/.exec(answer.headers.get("Set-Cookie") ?? "")?.[1] ?? chosen;
  expect(given).not.toBe(chosen);
  const statusOf = async (cookie: string) =>
    (await service.fetch(new Request(`${service.url}/pages`, { headers: { Cookie: cookie } }))).status;
  expect(await statusOf(`imprint_session=${chosen}`)).toBe(401);
  expect(await statusOf(`imprint_session=${given}`)).toBe(200);
  for (const cookie of [`IMPRINT_SESSION=${given}`, `imprint_session="${given}"`, `x=imprint_session=${given}`]) {
    expect([cookie, await statusOf(cookie)]).toEqual([cookie, 401]);
  }
});

it("rejects cross-origin requests with a user's cookie in every encoding", async () => {
  const service = openService();
  const { cookie } = await signIn(service);
  const send = clientOf(service, { routeSet: "a" });
  const { id } = (await send("PUT", "/api/pages/one", { json: { html: "<p>1" } })).body;
  const origins = [
    { Origin: `https://${EVIL}`, "Sec-Fetch-Site": "cross-site" },
    { Origin: "null", "Sec-Fetch-Site": "same-site" },
    { Origin: service.pagesUrl },
    { Origin: `${service.url}.${EVIL}` },
    { "Sec-Fetch-Site": "none" },
    {},
  ];
  for (const headers of origins) {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      const given = { ...headers, Cookie: cookie, ...(type !== "" && { "Content-Type": type }) };
      const post = async (path: string, body: string) =>
        (await service.fetch(new Request(`${service.url}${path}`, { method: "POST", body, headers: given }))).status;
      expect([headers, type, await post(`/pages/${id}/delete`, "a=b")]).toEqual([headers, type, 403]);
      expect([headers, type, await post("/people", "email=x@example.org&role=owner")]).toEqual([headers, type, 403]);
      // The API ignores cookies.
      expect([headers, type, await post("/a/api/keys", '{"name":"x"}')]).toEqual([headers, type, 401]);
    }
  }
  expect((await send("GET", "/api/users")).items).toHaveLength(1);
  expect((await send("GET", "/api/pages/one")).status).toBe(200);
});

it("ignores fields that only the service can set", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const given = {
    ...{
      id: "x_1",
      accountId: "acc_other",
      account_id: "acc_other",
      userId: "usr_other",
      version: 99,
      createdAt: "2001-01-01",
    },
    ...{ url: "https://evil.example", hash: "0", contentHash: "0", pageCount: 9, lastSignInAt: "2001-01-01T00:00:00Z" },
    ...{
      secret: "whsec_mine",
      key: "imp_mine",
      state: "published",
      sequence: 9,
      live: true,
      heldAt: 1,
      size: 1,
      bytes: 1,
    },
    ...{
      publishedAt: "2001-01-01T00:00:00Z",
      disabledReason: "x",
      plan: "pro",
      token: "mine",
      ["__proto__"]: { role: "owner" },
    },
  };
  for (const [method, path, json] of [
    ["PUT", "/api/pages/one", { html: "<p>1" }],
    ["POST", "/api/sites", { name: "S", slug: "s" }],
    ["POST", "/api/blogs", { name: "B", slug: "b" }],
    ["POST", "/api/blogs/b/posts", { slug: "p", title: "P", markdown: "x", publishedAt: "2026-01-01T00:00:00Z" }],
    ["POST", "/api/users", { email: "ed@example.org", role: "viewer" }],
    ["POST", "/api/keys", { name: "k" }],
    ["POST", "/api/custom-domains", { domain: "www.example.org" }],
    ["POST", "/api/webhooks", { url: "https://hooks.example/x" }],
    ["POST", "/api/brand-kits", { name: "K" }],
    ["POST", "/api/releases", { parent: null, siteId: null, preview: null, assets: [], id: undefined }],
  ] as const) {
    const { status, text, body } = await send(method, path, { json: { ...given, ...json } });
    expect([path, status]).toEqual([path, 201]);
    expect([path, /x_1|acc_other|usr_other|2001-01|whsec_mine|imp_mine|"mine"/.test(text)]).toEqual([path, false]);
    if (path !== "/api/webhooks") expect(text).not.toContain("https://evil.example");
    expect([path, body.version ?? 1, body.state ?? "open"]).toEqual([path, 1, "open"]);
  }
  expect((await send("GET", "/api/users")).items).toMatchObject([{ role: "viewer", lastSignInAt: null }, {}]);
  expect((await send("GET", "/api/pages")).items).toHaveLength(1);
});

it("the sign-in page gives the same response for known and unknown email addresses", async () => {
  const service = openService();
  await clientOf(service, { routeSet: "a" })("POST", "/api/users", {
    json: { email: "ada@example.org", role: "viewer" },
  });
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  const ask = async (email: string) => {
    const body = new URLSearchParams({ email, next: "/" });
    const answer = await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
    answer.headers.delete("X-Request-Id");
    return [answer.status, [...answer.headers], (await answer.text()).replaceAll(email, "…")];
  };
  expect(await ask("ada@example.org")).toEqual(await ask("eve@example.org"));
});

it("rejects slugs with look-alike characters, other scripts, or paths instead of normalizing them", async () => {
  const send = clientOf(openService(), { routeSet: "a" });
  const slugs = [
    "\u212Aelvin",
    "ｏne",
    "ſite",
    "one\u200B",
    "one\u0000",
    "öne",
    "ONE",
    "..",
    "%2e%2e",
    "one%2f..",
    "-one",
    "a".repeat(97),
  ];
  for (const slug of slugs) {
    const { status } = await send("PUT", `/api/pages/${encodeURIComponent(slug)}`, { json: { html: "<p>" } });
    expect([slug, status === 422 || status === 404]).toEqual([slug, true]);
  }
  expect((await send("GET", "/api/pages")).items).toEqual([]);
});

it("brand kit values can't run scripts or break out of a style, a title, or an attribute", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { id: logo } = (
    await send("POST", "/api/library", { form: fileForm(["a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"]) })
  ).body;
  const kit = await send("POST", "/api/brand-kits", {
    json: {
      name: `Kit${SCRIPT}`,
      colors: [{ role: `primary${SCRIPT}`, hex: "#a63d1f", name: SCRIPT }],
      fonts: [
        { family: `x";}${SCRIPT}`, role: "body", url: `x") ; } ${SCRIPT}`, source: SCRIPT },
        { family: `url(//${EVIL})`, role: "heading", url: "javascript:alert(1)" },
      ],
      logos: [
        { kind: "logo", url: `x" onerror="alert(1)`, contentType: "image/png" },
        { kind: "icon", url: "javascript:alert(1)" },
        { kind: SCRIPT, url: `/library/${logo}` },
      ],
      sourceUrl: "javascript:alert(1)",
    },
  });
  expect(kit.status).toBe(201);
  const kitId = String(kit.body.id);
  await send("POST", "/api/sites", { json: { name: `Site${SCRIPT}`, slug: "s", brandKitId: kitId } });
  const owner = await signIn(service);
  const shown = await Promise.all([
    owner.get("/brand-kits"),
    owner.get(`/brand-kits/${kitId}`),
    owner.get(`/brand-kits/${kitId}/sheet`),
    service.fetch(new Request(`${service.url}/sign-in`)),
    visit(service, "/p/none"),
    visit(service, "/"),
  ]);
  for (const answer of shown) {
    const html = await answer.text();
    const found = /<script>alert|href="javascript:|src="javascript:|url\("?javascript:|<[^>]* onerror=|x"\) ; \}/i.exec(
      html,
    );
    expect([answer.url, found?.[0]]).toEqual([answer.url, undefined]);
  }
});

it("CSV exports contain no formulas, and file and page names can't inject headers", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/one", { json: { html: "<p>1", title: '=HYPERLINK("//evil.example")' } });
  const table = await (await (await signIn(service)).get("/analytics/pages.csv")).text();
  expect(table).toContain(`"'=HYPERLINK(`);
  for (const name of [
    'a"; filename="b.html.txt',
    "a\r\nSet-Cookie: x=1.txt",
    "\u202Etxt.exe.txt",
    "../../etc/passwd.txt",
  ]) {
    const { body } = await send("POST", "/api/library", { form: fileForm([name, `text of ${name}`]) });
    const { pathname } = new URL(String(body.url));
    const file = await visit(service, pathname);
    expect([pathname, file.status, file.headers.get("Set-Cookie")]).toEqual([pathname, 200, null]);
    expect(String(body.name)).toMatch(/^[\w.-]+$/);
    expect(file.headers.get("Content-Disposition") ?? "").not.toMatch(/b\.html|[\r\n]/);
  }
});
