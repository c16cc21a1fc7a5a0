// The whole service, as started by `imprint serve`, in its own process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../../../dist/service.js";

const dataDir = mkdtempSync(join(tmpdir(), "imprint-bench-service-"));
const service = await startService({ dataDir, port: 0, pagesPort: 0 });
// A regular key, as the handle's own key is known in the process and never looked up.
const { apiKey } = await service.createKey({ name: "bench" });
process.send?.({ apiUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey });
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.once("SIGTERM", () => {
  void service.close().then(() => {
    rmSync(dataDir, { recursive: true });
    process.exit(0);
  });
});
