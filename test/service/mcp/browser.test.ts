import { describe, expect, it, onTestFinished } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { startHost } from "../../client/host.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { toolCall } from "./connect.ts";

interface Sent {
  readonly url: string;
  readonly apiKey: string;
  readonly body: string;
}

/** What a script on a page of this origin gets when it calls a tool, with and without a key. */
async function callFrom(address: string, sent: Sent) {
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await browser.newPage();
  await page.goto(address);
  return await page.evaluate(async ({ url, apiKey, body }) => {
    const accept = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const send = async (headers: Record<string, string>) => {
      const answer = await fetch(url, { method: "POST", headers: { ...accept, ...headers }, body });
      return { status: answer.status, text: await answer.text(), challenge: answer.headers.get("WWW-Authenticate") };
    };
    const orRefused = (error: unknown) => `refused: ${error instanceof TypeError}`;
    return {
      withKey: await send({ Authorization: `Bearer ${apiKey}` }).catch(orRefused),
      without: await send({}).catch(orRefused),
    };
  }, sent);
}

describe("a script in a real browser", () => {
  it("calls a tool from an allowed origin, and can read the address of the OAuth metadata", async () => {
    const { baseUrl } = await startHost(() => ({ headers: { "content-type": "text/html" }, body: "<p>Client" }));
    const { url, apiKey } = await openRunningService({ mcpOrigins: [new URL(baseUrl).origin] });
    const body = JSON.stringify(toolCall("pages_list"));
    const { withKey, without } = await callFrom(baseUrl, { url: `${url}/mcp`, apiKey, body });
    expect(withKey).toMatchObject({ status: 200, text: expect.stringContaining("nextCursor") });
    expect(without).toMatchObject({ status: 401, challenge: expect.stringContaining("resource_metadata=") });
  });

  it("gets nothing on a page published by the service, even with a key", async () => {
    const service = await openRunningService();
    const { url, apiKey, pagesUrl } = service;
    const send = clientOf(service, { routeSet: "a" });
    await send("PUT", "/api/pages/evil", { json: { html: "<title>Evil</title>" } });
    const body = JSON.stringify(toolCall("pages_delete", { slug: "evil" }));
    const got = await callFrom(`${pagesUrl}/p/evil`, { url: `${url}/mcp`, apiKey, body });
    expect(got).toEqual({ withKey: "refused: true", without: "refused: true" });
    expect((await send("GET", "/api/pages/evil")).status).toBe(200);
  });
});
