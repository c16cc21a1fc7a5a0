// The service on the PostgreSQL database of the first argument, in its own process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../../../dist/service.js";

const dataDir = mkdtempSync(join(tmpdir(), "imprint-bench-service-"));
const service = await startService({ dataDir, databaseUrl: process.argv[2], port: 0, pagesPort: 0 });
process.send?.({ apiUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey: service.apiKey });
process.once("SIGTERM", () => {
  void service.close().then(() => {
    rmSync(dataDir, { recursive: true });
    process.exit();
  });
});
