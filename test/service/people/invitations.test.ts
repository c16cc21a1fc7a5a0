import { describe, expect, it } from "vitest";
import type { Service } from "../../../src/service.ts";
import { followLink, signIn } from "../dashboard/signed-in.ts";
import { clientOf, openService } from "../open-service.ts";
import { startMailServer, urlOf } from "../mail/mail-server.ts";

const ADA = { email: "ada@example.org", role: "editor" };

/** Invites Ada, with the link of that invitation. */
async function inviteAda(service: Service) {
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/users", { json: ADA });
  const again = async () => String((await send("POST", `/api/users/${body.id}/invitations`)).body.url);
  return { id: String(body.id), first: String(body.url), again };
}

const tryLink = async (service: Service, url: string) => (await followLink(service, url)).status;

describe("an unused invitation ends", () => {
  it("with another invitation of the same user from the API, but not of another one", async () => {
    const service = openService();
    const { first, again } = await inviteAda(service);
    const send = clientOf(service, { routeSet: "a" });
    const other = await send("POST", "/api/users", { json: { ...ADA, email: "bob@example.org" } });
    const second = await again();
    expect(await tryLink(service, first)).toBe(410);
    expect(await tryLink(service, second)).toBe(303);
    expect(await tryLink(service, String(other.body.url))).toBe(303);
  });

  it("with another invitation from the dashboard", async () => {
    const service = openService();
    const { id, first } = await inviteAda(service);
    const owner = await signIn(service);
    const html = await (await owner.post(`/people/${id}/link`, {})).text();
    expect(await tryLink(service, first)).toBe(410);
    expect(await tryLink(service, /value="(http[^"]+)"/.exec(html)?.[1] ?? "")).toBe(303);
  });

  it("with a sign-in by a link that the user requested", async () => {
    const log: string[] = [];
    const note = (message: string) => void log.push(message);
    const service = openService({ logger: { debug: note, info: note, warn: note, error: note } });
    const { first } = await inviteAda(service);
    const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
    const body = new URLSearchParams({ email: ADA.email });
    await service.fetch(new Request(`${service.url}/sign-in`, { method: "POST", body, headers }));
    const requested = /https?:\S+\/sign-in\?token=\w+/.exec(log.join("\n"))?.[0] ?? "";
    expect(await tryLink(service, requested)).toBe(303);
    expect(await tryLink(service, first)).toBe(410);
  });

  it("at once if the next one is sent by mail, also the one that was queued before", async () => {
    const server = await startMailServer();
    const mail = { smtpUrl: urlOf(server.port), from: "imprint@example.org" };
    const service = openService({ mail, background: false });
    const links = () => server.mails.map(({ text }) => /https?:\S+\/sign-in\?token=\w+/.exec(text)?.[0] ?? "");
    const { again } = await inviteAda(service);
    await service.sendMails();
    await again();
    expect(await tryLink(service, links()[0] ?? "")).toBe(410);
    await again();
    await service.sendMails();
    const [, second = "", third = ""] = links();
    expect([await tryLink(service, second), await tryLink(service, third)]).toEqual([410, 303]);
  });
});
