// A service in its own process, which the test kills.
import { startService } from "../../src/service.ts";

const service = await startService({
  ...JSON.parse(process.argv[2] ?? "{}"),
  ...{ port: 0, pagesPort: 0, dev: true, trustProxy: true, allowNetworks: ["127.0.0.0/8"] },
});
const { apiKey } = await service.createKey({ name: "test" });
process.send?.({ baseUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey });
