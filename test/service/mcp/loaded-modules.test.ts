import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const recorder = fileURLToPath(new URL("../../flow/record-modules.ts", import.meta.url));
const entry = fileURLToPath(new URL("../../../src/service.ts", import.meta.url));

async function isLoadedBy(path: string): Promise<boolean> {
  const program = `
    const { createService } = await import(${JSON.stringify(entry)});
    const service = createService({ ephemeral: true });
    await service.fetch(new Request(service.url + ${JSON.stringify(path)}, { method: "POST" }));
    await service.close();`;
  const args = ["--import", recorder, "--input-type=module", "--eval", program];
  const { stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  return stderr.includes("@modelcontextprotocol/server");
}

it("the MCP server is loaded on its first request, and on no other", async () => {
  expect([await isLoadedBy("/a/api/blogs"), await isLoadedBy("/mcp")]).toEqual([false, true]);
});
