import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
