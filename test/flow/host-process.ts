// Runs services in a separate process from the publisher's: opens one for each received number, and closes it when the
// number is received again.
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
