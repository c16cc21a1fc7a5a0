import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { CLIENT_NAMES, renderSetups } from "../../src/cli/mcp/setups.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

const KEY = "imp_dev_0123456789abcdefghijkl_abcdef";

async function run(argv: readonly string[], environment: NodeJS.ProcessEnv = {}, folder?: string) {
  const written = { out: "", error: "" };
  const code = await runCli(["mcp", ...argv], {
    ...{ cwd: folder ?? (await temporaryFolder()), environment },
    out: { write: (text) => (written.out += text) },
    error: { write: (text) => (written.error += text) },
  });
  return { code, ...written };
}

describe("imprint mcp", () => {
  it.each([
    [{}, "http://localhost:4400/mcp"],
    [{ IMPRINT_SERVICE: "embedded" }, "http://localhost:4400/mcp"],
    [{ IMPRINT_SERVICE: "https://pages.example.org/b/" }, "https://pages.example.org/mcp"],
    [{ IMPRINT_SERVICE: "https://example.org/imprint" }, "https://example.org/imprint/mcp"],
  ])("shows the server's address for %j, beside its route sets", async (environment, url) => {
    const { code, out } = await run([], environment);
    expect(code).toBe(0);
    expect(out).toContain(`MCP server  ${url}\n`);
    expect(out).toContain(`claude mcp add --transport http imprint ${url}\n`);
  });

  it.each([
    ["embedded", [], "https://pages.example.org/mcp"],
    ["embedded", ["--service", "embedded"], "http://localhost:4400/mcp"],
    ["https://other.example.org", [], "https://other.example.org/mcp"],
  ])("with %j in the options, %j and IMPRINT_SERVICE set, shows %s", async (service, flags, url) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "imprint.config.mjs"), `export default { service: ${JSON.stringify(service)} };\n`);
    const environment = { IMPRINT_SERVICE: "https://pages.example.org" };
    expect((await run(flags, environment, cwd)).out).toContain(`MCP server  ${url}\n`);
  });

  it.each([["--with-key"], ["--json"], ["--with-key", "--json"], []])(
    "never prints the key, with %j",
    async (...argv) => {
      const { out, error } = await run(argv, { IMPRINT_API_KEY: KEY });
      expect(out + error).not.toContain(KEY);
    },
  );

  it("rejects an address with a password without printing it", async () => {
    const { code, out, error } = await run([], { IMPRINT_SERVICE: "https://me:secret-word@pages.example.org" });
    expect(code).not.toBe(0);
    expect(error).toContain("must not contain a password");
    expect(out + error).not.toContain("secret-word");
  });

  it.each(CLIENT_NAMES)("prints only %s, with a login and with a key", async (client) => {
    const login = JSON.parse((await run([client, "--json"])).out);
    expect(login).toMatchObject({ access: "login", clients: [{ client }] });
    expect(login.clients).toHaveLength(1);
    expect(login.clients[0].text).not.toMatch(/Bearer|Authorization/);
    const withKey = JSON.parse((await run([client, "--with-key", "--json"])).out);
    expect(withKey.clients[0].text).toMatch(/Authorization.*(?:IMPRINT_API_KEY|input:imprint-key|AUTHORIZATION)/s);
  });

  it("writes valid JSON configuration files", () => {
    for (const access of ["login", "key"] as const) {
      const files = renderSetups("http://localhost:4400/mcp", access).filter(({ text }) => text.startsWith("{"));
      expect(files.map(({ text }) => Object.keys(JSON.parse(text))[0])).toEqual([
        "mcpServers",
        "mcpServers",
        "servers",
        "mcpServers",
      ]);
    }
  });

  it("rejects an unknown client as invalid usage", async () => {
    const { code, error } = await run(["emacs"]);
    expect(code).toBe(2);
    expect(error).toContain("claude-code");
  });
});
