import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const recorder = fileURLToPath(new URL("../../flow/record-modules.ts", import.meta.url));
const entry = fileURLToPath(new URL("../../../src/service.ts", import.meta.url));

async function loadedBy(request: string): Promise<readonly boolean[]> {
  const program = `
    const { createService } = await import(${JSON.stringify(entry)});
    const service = createService({ ephemeral: true });
    await service.fetch(new Request(service.url + ${request}));
    await service.close();`;
  const args = ["--import", recorder, "--input-type=module", "--eval", program];
  const { stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  return ["/oidc-provider/", "/light-my-request/"].map((name) => stderr.includes(name));
}

it("the authorization server is loaded on the first token request, and on no other", async () => {
  expect(await loadedBy('"/a/api/pages"')).toEqual([false, false]);
  expect(await loadedBy('"/.well-known/oauth-authorization-server"')).toEqual([false, false]);
  expect(await loadedBy('"/oauth/token", { method: "POST" }')).toEqual([true, true]);
});
