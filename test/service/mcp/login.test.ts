import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { OAuthDiscoveryState as DiscoveryStateV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import * as oauth from "openid-client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { authorizeProgram, registerProgram } from "../oauth/program.ts";
import { openRunningService } from "../open-service.ts";
import { post, toolCall } from "./connect.ts";
import { createLogin, approve } from "./consent.ts";

const HOUR_MS = 60 * 60 * 1000;
const identity = { name: "test", version: "1" };

/** A client that signs in on its own, as far as a client can. */
interface Program {
  connect(): Promise<void>;
  /** Called after the browser returns. */
  finish(fields: URLSearchParams): Promise<void>;
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<unknown>;
  toolNames(): Promise<readonly string[]>;
  readonly address: URL | undefined;
  readonly tokens: { readonly access_token: string; readonly scope?: string | undefined } | undefined;
}

function programOfV1({ url, requests }: RunningService): Program {
  const { kept, provider } = createLogin<OAuthClientInformationMixed, OAuthTokens, DiscoveryStateV1>();
  const newTransport = () => new TransportV1(new URL("/mcp", url), { authProvider: provider });
  let [client, transport] = [new ClientV1(identity), newTransport()];
  onTestFinished(() => client.close());
  return {
    connect: () => client.connect(transport),
    async finish(fields) {
      await transport.finishAuth(fields.get("code") ?? "");
      [client, transport] = [new ClientV1(identity), newTransport()];
      await client.connect(transport);
      // It also requests a stream, and would renew its token a second time for it.
      await vi.waitFor(() =>
        expect(requests()).toContainEqual(expect.objectContaining({ method: "GET", path: "/mcp" })),
      );
    },
    call: (name, given) => client.callTool({ name, arguments: given }),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    get address() {
      return kept.address;
    },
    get tokens() {
      return kept.tokens;
    },
  };
}

function programOfV2({ url }: RunningService): Program {
  const { kept, provider } = createLogin<StoredOAuthClientInformation, StoredOAuthTokens, OAuthDiscoveryState>();
  const newTransport = () => new StreamableHTTPClientTransport(new URL("/mcp", url), { authProvider: provider });
  const newClient = () => new Client(identity, { versionNegotiation: { mode: "auto" } });
  let [client, transport] = [newClient(), newTransport()];
  onTestFinished(() => client.close());
  return {
    connect: () => client.connect(transport),
    async finish(fields) {
      await transport.finishAuth(fields);
      [client, transport] = [newClient(), newTransport()];
      await client.connect(transport);
    },
    call: (name, given) => client.callTool({ name, arguments: given }),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    get address() {
      return kept.address;
    },
    get tokens() {
      return kept.tokens;
    },
  };
}

const programs = { "SDK v1": programOfV1, "SDK v2": programOfV2 } as const;

describe.each(Object.entries(programs))("a program with the client of %s", (_, createProgram) => {
  it("gets from an address to a tool call once a person approves it", async () => {
    const service = await openRunningService();
    const program = createProgram(service);
    await expect(program.connect()).rejects.toThrow();
    expect(program.address?.searchParams.get("resource")).toBe(`${service.url}/mcp`);
    await program.finish(await approve(service, program.address));
    expect(await program.call("pages_list", {})).toMatchObject({ structuredContent: { data: [] } });
    // It can request more scopes later, so it also sees tools that it can't use yet.
    expect(await program.toolNames()).toContain("pages_put");
  });

  it("renews an expired token on its own", async () => {
    let time = Date.now();
    const service = await openRunningService({ now: () => new Date(time) });
    const program = createProgram(service);
    await expect(program.connect()).rejects.toThrow();
    await program.finish(await approve(service, program.address));
    const before = program.tokens?.access_token;
    time += 2 * HOUR_MS;
    expect((await post({ url: service.url, apiKey: before ?? "" }, toolCall("pages_list"))).status).toBe(401);
    expect(await program.call("pages_list", {})).toMatchObject({ structuredContent: { data: [] } });
    expect(program.tokens?.access_token).not.toBe(before);
  });
});

it("asks the person again for a missing scope, and then continues", async () => {
  const service = await openRunningService();
  const program = programOfV2(service);
  await expect(program.connect()).rejects.toThrow();
  expect(program.address?.searchParams.get("scope")).not.toContain("write");
  await program.finish(await approve(service, program.address));
  const page = { slug: "one", html: "<p>one" };
  await expect(program.call("pages_put", page)).rejects.toThrow();
  expect(program.address?.searchParams.get("scope")).toMatch(/pages:read.* pages:write/);
  await program.finish(await approve(service, program.address));
  expect(await program.call("pages_put", page)).toMatchObject({ structuredContent: { slug: "one" } });
});

it("requests all scopes at once if the client can't ask again", async () => {
  const service = await openRunningService();
  const program = programOfV1(service);
  await expect(program.connect()).rejects.toThrow();
  await program.finish(await approve(service, program.address));
  const page = { slug: "one", html: "<p>one" };
  expect(await program.call("pages_put", page)).toMatchObject({ structuredContent: { slug: "one" } });
});

it("allows openid-client to sign in, renew its token, and call a tool", async () => {
  const service = await openRunningService();
  const program = await registerProgram(service);
  const tokens = await authorizeProgram(service, program, { scope: "pages:read", resource: `${service.url}/mcp` });
  const renewed = await oauth.refreshTokenGrant(program.config, tokens.refresh_token ?? "", {
    resource: `${service.url}/mcp`,
  });
  expect(renewed.access_token).not.toBe(tokens.access_token);
  const answer = await post({ url: service.url, apiKey: renewed.access_token }, toolCall("pages_list"));
  expect(answer.status).toBe(200);
});

it("rejects a token for the API, and the API rejects one for MCP", async () => {
  const service = await openRunningService();
  const program = await registerProgram(service);
  const scope = "pages:read";
  const forApi = await authorizeProgram(service, program, { scope, resource: service.url });
  const forMcp = await authorizeProgram(service, program, { scope, resource: `${service.url}/mcp` });
  const statusOf = async (apiKey: string) => (await post({ url: service.url, apiKey }, toolCall("pages_list"))).status;
  expect([await statusOf(forApi.access_token), await statusOf(forMcp.access_token)]).toEqual([401, 200]);
  const headers = { Authorization: `Bearer ${forMcp.access_token}` };
  expect((await fetch(`${service.baseUrl("a")}/api/pages`, { headers })).status).toBe(401);
});
