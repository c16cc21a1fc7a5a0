// Services in another process than the publisher's: opens one for each number that it is asked with, until it is asked
// with the number again.
import { startService, type RunningService } from "../../src/service.ts";

const services = new Map<number, RunningService>();

process.on("message", async ({ number, strict }: { readonly number: number; readonly strict: boolean }) => {
  const open = services.get(number);
  if (open !== undefined) {
    await open.close();
    return process.send?.({ number });
  }
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict });
  services.set(number, service);
  const { pagesUrl, apiKey } = service;
  return process.send?.({ number, host: { a: service.baseUrl("a"), b: service.baseUrl("b"), pagesUrl, apiKey } });
});
