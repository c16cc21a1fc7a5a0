import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { findAuthorizationServer } from "../../../src/client/oauth.ts";

/** A service whose documents say what is given, and else what is right. */
async function openService(said: {
  readonly issuer?: string;
  readonly server?: Readonly<Record<string, unknown>>;
}): Promise<string> {
  const listener = createServer(({ url: path = "" }, response) => {
    const document = path.includes("protected-resource")
      ? { resource: address, authorization_servers: [said.issuer ?? address] }
      : {
          issuer: address,
          authorization_endpoint: `${address}/authorize`,
          token_endpoint: `${address}/token`,
          code_challenge_methods_supported: ["S256"],
          ...said.server,
        };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => {
    listener.close();
    listener.closeAllConnections();
  });
  const bound = listener.address();
  const address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  return address;
}

it("finds where a login happens", async () => {
  const address = await openService({ server: { revocation_endpoint: "https://other.example/revoke" } });
  const server = await findAuthorizationServer(address);
  expect(server).toMatchObject({ issuer: address, revocationEndpoint: "https://other.example/revoke" });
});

it.each([
  ["its server", { issuer: "http://other.example" }],
  ["the place of the question", { server: { authorization_endpoint: "http://other.example/authorize" } }],
  ["the place of tokens", { server: { token_endpoint: "http://other.example/token" } }],
  ["the place of registrations", { server: { registration_endpoint: "http://other.example/register" } }],
  ["the place where a login is taken back", { server: { revocation_endpoint: "http://other.example/revoke" } }],
])("sends no secret without encryption to another host that a service names as %s", async (_, said) => {
  const address = await openService(said);
  await expect(findAuthorizationServer(address)).rejects.toMatchObject({
    code: "LOGIN_UNSUPPORTED",
    message: expect.stringContaining("without encryption"),
  });
});
