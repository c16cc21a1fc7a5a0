import { describe, expect, it } from "vitest";
import { openRunningService } from "../open-service.ts";
import { connectV1, connectV2 } from "./connect.ts";

const connections = { "SDK v1 with the handshake of 2025": connectV1, "SDK v2 with 2026-07-28": connectV2 } as const;

describe.each(Object.entries(connections))("a client of %s", (_, connect) => {
  it("lists the tools and publishes a page with one", async () => {
    const service = await openRunningService();
    const client = await connect(service);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("pages_put");

    const html = "<!doctype html><title>Hello</title><p>From a model</p>";
    const answer = await client.callTool({ name: "pages_put", arguments: { slug: "hello", html } });
    expect(answer).toMatchObject({ structuredContent: { slug: "hello", status: "published" } });
    expect(answer.isError ?? false).toBe(false);
    const page = await fetch(`${service.pagesUrl}/p/hello`);
    expect(await page.text()).toBe(html);
  });

  it("completes the slug of a page", async () => {
    const service = await openRunningService();
    const client = await connect(service);
    for (const slug of ["one", "other", "two"]) {
      await client.callTool({ name: "pages_put", arguments: { slug, html: "<p>" } });
    }
    const ref = { type: "ref/resource", uri: "imprint://pages/{slug}" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "slug", value: "o" } });
    expect(completion.values).toEqual(["other", "one"]);
  });

  it("reads a page as a resource", async () => {
    const service = await openRunningService();
    const client = await connect(service);
    await client.callTool({ name: "pages_put", arguments: { slug: "one", html: "<p>one" } });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["imprint://sites", "imprint://pages/one"]);
    const { contents } = await client.readResource({ uri: "imprint://pages/one" });
    expect(contents).toEqual([{ uri: "imprint://pages/one", mimeType: "text/html", text: "<p>one" }]);
  });
});

it("is served in each client's protocol version", async () => {
  const service = await openRunningService();
  expect((await connectV2(service)).getNegotiatedProtocolVersion()).toBe("2026-07-28");
  expect((await connectV1(service)).getServerVersion()).toMatchObject({ name: "astro-imprint" });
});
