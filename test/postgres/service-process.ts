import { fork } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { ServiceOptions } from "../../src/service.ts";

const startedSchema = z.object({ baseUrl: z.string(), pagesUrl: z.string(), apiKey: z.string() });

/** A service in its own process. */
export interface ServiceProcess extends Readonly<z.infer<typeof startedSchema>> {
  /** Kills it, like a power cut. */
  kill(): Promise<void>;
}

export async function startProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const child = fork(new URL("./service-child.ts", import.meta.url), [JSON.stringify(options)], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  return {
    ...startedSchema.parse(message),
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
