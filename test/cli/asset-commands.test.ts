import { createServer } from "node:http";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { commandsFor } from "./run.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

async function open(routeSet: RouteSetName) {
  const service = await openRunningService({ allowNetworks: ["127.0.0.0/8"] });
  const send = clientOf(service, { routeSet: "a" });
  const commands = await commandsFor(service, routeSet);
  await writeFile(join(commands.cwd, "logo.svg"), SVG);
  await writeFile(join(commands.cwd, "paper.pdf"), "%PDF-1.7\n%âãÏÓ\n1 0 obj\nendobj\ntrailer\n%%EOF\n");
  return { service, send, ...commands };
}

async function startFileHost(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(SVG));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/far.svg`;
}

describe.each(["a", "b"] as const)("imprint assets, route set %s", (routeSet) => {
  it("reports that the library is empty", async () => {
    const { run } = await open(routeSet);
    expect((await run("assets", "list")).out).toBe("The library is empty.\n");
  });

  it("uploads files, prints their addresses, and lists them", async () => {
    const { run } = await open(routeSet);
    const uploaded = await run("assets", "upload", "logo.svg", "--alt", "Our logo");
    expect([uploaded.code, uploaded.out]).toEqual([0, expect.stringMatching(/^ {2}logo\.svg\n {4}http:\/\/127.+\n$/)]);
    const [, address = ""] = uploaded.out.split("\n");
    expect((await fetch(address.trim())).status).toBe(200);
    const listed = await run("assets", "list");
    expect(listed.out).toMatch(/^ {2}Name +Size +Used by +ID\n {2}logo\.svg +\d+ B +0 +as_\w+\n {2}1 file\n$/);
    expect(Object((await run("assets", "list", "--json")).json())[0].alt).toBe("Our logo");
    expect((await run("assets", "list", "nothing")).out).toBe("No file in the library matches.\n");
  });

  it("uploads nothing if one of the files can't be read", async () => {
    const { run } = await open(routeSet);
    const { code, error } = await run("assets", "upload", "logo.svg", "missing.svg");
    expect([code, error]).toEqual([2, expect.stringContaining("missing.svg can't be read")]);
    expect((await run("assets", "list", "--json")).json()).toEqual([]);
  });
});

describe("imprint assets in route set A", () => {
  it("accepts any file within the size limit", async () => {
    const { run, cwd } = await open("a");
    expect((await run("assets", "upload", "logo.svg", "paper.pdf")).code).toBe(0);
    await writeFile(join(cwd, "large.bin"), new Uint8Array(26 * 1024 * 1024));
    const refused = await run("assets", "upload", "large.bin");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("large.bin is 27.3 MB")]);
  });

  it("deletes files after a confirmation, and reports files that imprint didn't upload", async () => {
    const { run } = await open("a");
    await run("assets", "upload", "logo.svg");
    const unconfirmed = await run("assets", "remove", "logo.svg");
    expect([unconfirmed.code, unconfirmed.error]).toEqual([2, expect.stringContaining("imprint didn't upload it.")]);
    expect((await run("assets", "remove", "logo.svg", "--yes")).out).toBe("Deleted: 1 file.\n");
    expect((await run("assets", "remove", "logo.svg", "--yes")).code).toBe(2);
  });

  it("keeps a file that pages use unless forced", async () => {
    const { run, send } = await open("a");
    const [asset] = Object((await run("assets", "upload", "logo.svg", "--json")).json());
    await send("PUT", "/api/pages/home", { json: { html: `<img src="${asset.url}">` } });
    const kept = await run("assets", "remove", asset.id, "--yes");
    expect([kept.code, kept.error]).toEqual([1, expect.stringContaining("logo.svg was kept")]);
    expect((await run("assets", "remove", asset.id, "--yes", "--force")).code).toBe(0);
  });

  it("can't have the service fetch a file, and suggests an alternative", async () => {
    const { run } = await open("a");
    const refused = await run("assets", "import", "https://example.org/logo.svg");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("imprint assets upload <file>")]);
    expect(refused.error.replaceAll(/\s+/g, " ")).toContain("At the embedded service, add `--route-set b`.");
  });
});

describe("imprint assets in route set B", () => {
  it("has the service fetch a file", async () => {
    const { run } = await open("b");
    const imported = await run("assets", "import", await startFileHost(), "--name", "far.svg");
    expect([imported.code, imported.out]).toEqual([0, expect.stringContaining("far.svg\n    http://127.0.0.1")]);
  });

  it("can't delete files, which is reported before any request", async () => {
    const { run } = await open("b");
    await run("assets", "upload", "logo.svg");
    const refused = await run("assets", "remove", "logo.svg", "--yes");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("can't delete a file of the library")]);
  });
});

describe("imprint assets upload", () => {
  it("accepts a description only for a single picture", async () => {
    const { run } = await open("a");
    expect((await run("assets", "upload", "logo.svg", "paper.pdf", "--alt", "x")).code).toBe(2);
  });
});
