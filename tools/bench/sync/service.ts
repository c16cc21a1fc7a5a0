// The service of `tools/bench/sync.ts`, in its own process so that its work doesn't count as the publisher's.
import { startService } from "../../../dist/service.js";

interface Wish {
  readonly latencyMs: number;
  readonly maxConcurrent?: number;
  readonly perSecond?: number;
}

const { latencyMs, maxConcurrent, perSecond }: Wish = JSON.parse(process.argv[2] ?? "{}");
const service = await startService({
  ephemeral: true,
  dev: true,
  port: 0,
  pagesPort: 0,
  ...(perSecond === undefined ? {} : { rateLimit: { perKey: perSecond, windowSeconds: 1 } }),
});
service.setFaults({ latencyMs, maxConcurrent });
process.send?.({ baseUrl: service.baseUrl("a"), pagesUrl: service.pagesUrl, apiKey: service.apiKey });
process.once("SIGTERM", () => void service.close().then(() => process.exit(0)));
