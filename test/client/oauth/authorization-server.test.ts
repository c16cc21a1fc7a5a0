import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { findAuthorizationServer } from "../../../src/client/oauth.ts";

/** A service with the given values in its metadata documents, and valid ones otherwise. */
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

it("finds the authorization server's endpoints", async () => {
  const address = await openService({ server: { revocation_endpoint: "https://other.example/revoke" } });
  const server = await findAuthorizationServer(address);
  expect(server).toMatchObject({ issuer: address, revocationEndpoint: "https://other.example/revoke" });
});

it.each([
  ["its server", { issuer: "http://other.example" }],
  ["the authorization endpoint", { server: { authorization_endpoint: "http://other.example/authorize" } }],
  ["the token endpoint", { server: { token_endpoint: "http://other.example/token" } }],
  ["the registration endpoint", { server: { registration_endpoint: "http://other.example/register" } }],
  ["the revocation endpoint", { server: { revocation_endpoint: "http://other.example/revoke" } }],
])("doesn't send a secret without encryption to another host that a service names as %s", async (_, said) => {
  const address = await openService(said);
  await expect(findAuthorizationServer(address)).rejects.toMatchObject({
    code: "LOGIN_UNSUPPORTED",
    message: expect.stringContaining("without encryption"),
  });
});

it("names the other address of a service whose logins are for that one", async () => {
  const address = (await openService({})).replace("127.0.0.1", "localhost");
  await expect(findAuthorizationServer(address)).rejects.toMatchObject({
    code: "SERVICE_WRONG_ADDRESS",
    hint: expect.stringContaining(`set the address of the service to ${address.replace("localhost", "127.0.0.1")}`),
  });
});
