// A service in its own process, which is killed at some point; its first argument is the data folder.
import { flushCompileCache } from "node:module";
import { startService } from "../../../src/service.ts";

const service = await startService({ dataDir: process.argv[2], port: 0, pagesPort: 0 });
// A killed process writes nothing, and the next one would strip all types again.
flushCompileCache();
process.send?.({ url: service.url, pagesUrl: service.pagesUrl, apiKey: service.apiKey });
