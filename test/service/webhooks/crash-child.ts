// A service in its own process, which the test kills.
import { flushCompileCache } from "node:module";
import { startService } from "../../../src/service.ts";

const service = await startService({
  dataDir: process.argv[2] ?? "",
  port: 0,
  pagesPort: 0,
  dev: true,
  allowNetworks: ["127.0.0.0/8"],
});
// A killed process writes nothing, and the next one would strip all types again.
flushCompileCache();
process.send?.({ baseUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey: service.apiKey });
