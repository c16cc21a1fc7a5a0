import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../../src/cli/run-cli.ts";
import { startService } from "../../../src/service.ts";
import { openOriginal } from "../original-site.ts";

/** Plans the publication of a real build with the CLI, as its author would. */
async function planLedger(...argv: readonly string[]): Promise<string> {
  const original = await openOriginal("test/sites/ledger");
  onTestFinished(() => original.close());
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  const root = await mkdtemp(join(tmpdir(), "fidelity-ledger-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(original.dist, join(root, "dist"), { recursive: true });
  let out = "";
  await runCli(["plan", ...argv, "--service", service.baseUrl("a")], {
    cwd: root,
    environment: { IMPRINT_API_KEY: service.apiKey },
    out: { write: (text) => (out += text) },
    error: { write: () => {} },
  });
  return out;
}

it("reports a picture that 60 pages miss in one line, with their number and the first three", async () => {
  const out = await planLedger();
  const lines = out.split("\n").filter((line) => line.includes("/photos/lost.jpg"));
  expect(lines, `${out}`).toHaveLength(1);
  expect(out).toMatch(/\b60 pages\b/);
  const [line = ""] = lines;
  const after = out.slice(out.indexOf(line)).split("\n").slice(0, 5).join("\n");
  expect(after.match(/entries\/\d+\/index\.html/g)).toHaveLength(3);
});

it("reports a dead link on 60 pages in one line, too", async () => {
  const out = await planLedger();
  expect(
    out.split("\n").filter((line) => line.includes("/imprint/")),
    `${out}`,
  ).toHaveLength(1);
});

it("shows a picture that one page misses beside it", async () => {
  const out = await planLedger();
  expect(
    out.split("\n").filter((line) => line.includes("/photos/receipt.jpg")),
    `${out}`,
  ).toHaveLength(1);
  expect(out).toContain("entries/41/index.html");
});

it("lists the pages of a group in --json", async () => {
  const { warnings } = JSON.parse(await planLedger("--json"));
  const lost = warnings.filter(({ message }: Readonly<Record<string, string>>) =>
    message?.includes("/photos/lost.jpg"),
  );
  expect(lost).toHaveLength(1);
});
