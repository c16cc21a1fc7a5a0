import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Logger } from "../../../src/base/log.ts";
import type { Service, ServiceOptions } from "../../../src/service.ts";
import { followLink, signIn } from "../dashboard/signed-in.ts";
import { openBrandedSite } from "../look/branding.ts";
import { isOnPostgres } from "../backend.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { clientOf, fileForm, openService, visit } from "../open-service.ts";
import { findFreePort, startMailServer, urlOf } from "./mail-server.ts";

const FROM = "Imprint <imprint@example.org>";

const BRAND = {
  name: "Tern & Quire",
  colors: [
    { role: "background", hex: "#f2f3ef" },
    { role: "text", hex: "#13232b" },
    { role: "primary", hex: "#0d4658" },
  ],
  fonts: [{ role: "heading", family: 'Playfair Display" onload="x' }],
};

interface World {
  readonly service: Service;
  readonly log: readonly string[];
  /** Advances the service's clock. */
  advance(ms: number): void;
}

function open(smtpUrl: string, options: ServiceOptions = {}): World {
  const log: string[] = [];
  const note = (message: string) => void log.push(message);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  let time = Date.UTC(2026, 2, 1);
  const mail = { smtpUrl, from: FROM };
  const service = openService({ mail, logger, background: false, now: () => new Date(time), ...options });
  return {
    service,
    log,
    advance(ms) {
      time += ms;
    },
  };
}

function linkIn(text: string | undefined): string {
  return /https?:\S+\/sign-in\?token=\S+/.exec(text ?? "")?.[0] ?? "";
}

async function askForLink(service: Service, email: string): Promise<string> {
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  const body = new URLSearchParams({ email, next: "/pages" });
  return await (await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }))).text();
}

describe("mail", () => {
  it("delivers an invitation whose link signs in for 7 days after sending, and isn't shown anywhere else", async () => {
    const server = await startMailServer();
    const { service, log, advance } = open(server.url);
    const send = clientOf(service, { routeSet: "a" });
    const invited = await send("POST", "/api/users", { json: { email: "ada@example.org", role: "editor" } });
    expect([invited.status, "url" in invited.body]).toEqual([201, false]);
    advance(24 * 60 * 60 * 1000);
    expect(await service.sendMails()).toBe(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ to: ["ada@example.org"], user: "imprint" });
    expect(mail?.text).toContain("as editor");
    expect(log.join("\n")).not.toContain("token=");
    advance(7 * 24 * 60 * 60 * 1000 - 1000);
    expect((await followLink(service, linkIn(mail?.text))).status).toBe(303);
    expect(await service.sendMails()).toBe(0);
  });

  it("delivers the link requested on the sign-in page, which leads back to the previous page", async () => {
    const server = await startMailServer();
    const { service, log } = open(server.url);
    await clientOf(service, { routeSet: "b" })("POST", "/api/users", {
      json: { email: "ada@example.org", role: "viewer" },
    });
    await service.sendMails();
    expect(await askForLink(service, "ada@example.org")).toContain("the link was sent there.");
    expect(await askForLink(service, "eve@example.org")).toContain("the link was sent there.");
    expect(await service.sendMails()).toBe(1);
    const answer = await followLink(service, linkIn(server.mails[1]?.text));
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/pages"]);
    expect(log.join("\n")).not.toContain("token=");
  });

  it("reports submissions, but not spam, to users who subscribe to them", async () => {
    const server = await startMailServer();
    const { service } = open(server.url);
    const send = clientOf(service, { routeSet: "a" });
    const html =
      '<form method="post"><input name="email"><textarea name="text"></textarea><input name="_gotcha"></form>';
    await send("PUT", "/api/pages/contact", { json: { html } });
    const { body } = await send("POST", "/api/users", { json: { email: "ada@example.org", role: "viewer" } });
    await service.sendMails();
    const submit = async (fields: Readonly<Record<string, string>>) => {
      const sent = await visit(service, "/p/contact", { method: "POST", body: new URLSearchParams(fields) });
      expect(sent.status).toBeLessThan(400);
    };
    await submit({ email: "x@example.org", text: "before" });
    await send("PATCH", `/api/users/${body.id}`, { json: { formMails: true } });
    await submit({ email: "visitor@example.org", text: "Hello\r\nBcc: evil@example.org" });
    await submit({ text: "buy", _gotcha: "1" });
    expect(await service.sendMails()).toBe(1);
    const { to, text } = server.mails[1] ?? {};
    expect(to).toEqual(["ada@example.org"]);
    expect(text).toContain("email: visitor@example.org");
    expect(text?.split("\r\n\r\n", 1)[0]).not.toContain("evil");
  });

  it("has the brand kit of its site, and the same content as text", async () => {
    const server = await startMailServer();
    const { service } = open(server.url);
    const { send, wear } = await openBrandedSite(service, { name: "Tern & Quire" });
    const png = await sharp({ create: { width: 240, height: 40, channels: 3, background: "#6a1b4d" } })
      .png()
      .toBuffer();
    const logo = await send("POST", "/api/library", { form: fileForm(["logo.png", new Uint8Array(png)]) });
    const shown = { url: String(logo.body["url"]), contentType: "image/png", background: "#14213d" };
    await wear({ ...BRAND, logos: [{ kind: "logo", ...shown }] });
    const html = `<form method="post"><input name="text"></form>`;
    await send("PUT", "/api/pages/contact", { json: { html } });
    const { body } = await send("POST", "/api/users", { json: { email: "ada@example.org", role: "viewer" } });
    await send("PATCH", `/api/users/${body.id}`, { json: { formMails: true } });
    await visit(service, "/p/contact", { method: "POST", body: new URLSearchParams({ text: "<b>Hello</b> & you" }) });
    expect(await service.sendMails()).toBe(2);
    const [invitation = "", submission = ""] = server.mails.map(({ text }) => text);
    for (const mail of [invitation, submission]) {
      expect(mail).toContain("Content-Type: multipart/alternative");
      expect(mail).toContain("background:#0d4658");
      expect(mail).toContain(`href="${service.pagesUrl}/p/index"`);
      expect(mail).toContain(`<img src="${String(logo.body["url"])}" alt="Tern &#38; Quire"`);
      // A logo for dark backgrounds gets one.
      expect(mail).toContain("max-width:240px;background:#14213d;padding");
      expect(mail).not.toMatch(/<script|<link|<style/);
    }
    const links = [...invitation.matchAll(/https?:[^\s"<]+\/sign-in\?token=[^\s"<]+/g)].map(([link]) => link);
    expect([links.length, new Set(links).size]).toEqual([4, 1]);
    expect((await followLink(service, links[0] ?? "")).status).toBe(303);
    expect(submission).toContain("text: <b>Hello</b> & you");
    expect(submission).toContain("&#60;b&#62;Hello&#60;/b&#62; &#38; you</td>");
  });

  it("waits for an unreachable mail server, which is reported, and loses nothing", async () => {
    const port = await findFreePort();
    const { service, log, advance } = open(urlOf(port));
    const send = clientOf(service, { routeSet: "a" });
    const owner = await signIn(service);
    for (const name of ["ada", "bob"]) {
      await owner.post("/people", { email: `${name}@example.org`, name, role: "editor" });
    }
    expect(await (await service.fetch(new Request(`${service.url}/readyz`))).json()).toMatchObject({
      checks: { mail: "ok" },
    });
    await service.sendMails();
    const ready = await service.fetch(new Request(`${service.url}/readyz`));
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready", checks: { mail: "delayed" } }]);
    await send("PUT", "/api/pages/one", { json: { html: "<p>" } });
    expect(await (await owner.get("/")).text()).toContain("Mail has been waiting since");
    const settings = await (await owner.get("/settings")).text();
    expect(settings).toMatch(/Waiting<\/dt><dd><span class="number">2</);
    expect(settings).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}[^]*Last failure[^]*ECONNREFUSED`));
    expect(settings).not.toContain("s3cret");
    expect(log.join("\n")).toContain("ECONNREFUSED");
    const server = await startMailServer(port);
    expect(await service.sendMails()).toBe(0);
    advance(6000);
    expect(await service.sendMails()).toBe(2);
    expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(["ada@example.org", "bob@example.org"]);
    expect(await (await owner.get("/")).text()).not.toContain("Mail has been waiting since");
  });

  it.skipIf(isOnPostgres)("deletes the link of a mail that couldn't be sent", async () => {
    const dataDir = await temporaryFolder();
    const { service, advance } = open(urlOf(await findFreePort()), { ephemeral: false, dataDir });
    const { body } = await clientOf(service, { routeSet: "a" })("POST", "/api/users", {
      json: { email: "ada@example.org", role: "editor" },
    });
    expect(body.email).toBe("ada@example.org");
    const database = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
    onTestFinished(() => database.close());
    const count = () => database.prepare("select count(*) as links from sign_in_link").get()?.["links"];
    for (let attempt = 0; attempt < 3; attempt++) {
      expect([await service.sendMails(), count()]).toEqual([1, 0]);
      advance(24 * 60 * 60 * 1000);
    }
  });

  it("never reveals the password, even if the server rejects it", async () => {
    const server = await startMailServer();
    const { service, log } = open(urlOf(server.port, "wr0ng/&word"));
    const send = clientOf(service, { routeSet: "a" });
    await send("POST", "/api/users", { json: { email: "ada@example.org", role: "editor" } });
    await service.sendMails();
    expect(log.join("\n")).toContain("was not sent");
    expect(log.join("\n")).not.toContain("wr0ng");
    for (const smtpUrl of ["https://u:hush@x", "hush", "smtp://"]) {
      expect(() => openService({ mail: { smtpUrl, from: FROM } })).toThrow(/^The URL of the mail server is invalid\.$/);
    }
    expect(() => openService({ mail: { smtpUrl: server.url, from: "x\r\nBcc: y@z" } })).toThrow("not an email address");
  });

  it("sends no password over a network without TLS", async () => {
    const server = await startMailServer(0, "127.0.0.2");
    const { service, log } = open(server.url);
    await clientOf(service, { routeSet: "a" })("POST", "/api/users", {
      json: { email: "a@example.org", role: "viewer" },
    });
    await service.sendMails();
    expect([server.mails, log.join("\n")]).toEqual([[], expect.stringContaining("was not sent")]);
  });

  it("stops after the mail server rejects an address, and drops mail for removed users", async () => {
    const server = await startMailServer();
    const { service } = open(server.url);
    const send = clientOf(service, { routeSet: "a" });
    await send("POST", "/api/users", { json: { email: "nobody@example.org", role: "editor" } });
    const { body } = await send("POST", "/api/users", { json: { email: "ada@example.org", role: "editor" } });
    await send("DELETE", `/api/users/${body.id}`);
    await service.sendMails();
    expect(server.mails).toEqual([]);
    expect(await (await service.fetch(new Request(`${service.url}/readyz`))).json()).toMatchObject({
      checks: { mail: "ok" },
    });
  });

  it("is off until it is configured", async () => {
    const service = openService();
    const ready = await service.fetch(new Request(`${service.url}/readyz`));
    expect(await ready.json()).toEqual({ status: "ready", checks: { database: "ok", files: "ok" } });
    expect(await service.sendMails()).toBe(0);
  });
});
