// A service in a process of its own that is killed at some point; its first argument is the folder of its data.
import { startService } from "../../../src/service.ts";

const service = await startService({ dataDir: process.argv[2], port: 0, pagesPort: 0 });
process.send?.({ url: service.url, pagesUrl: service.pagesUrl, apiKey: service.apiKey });
