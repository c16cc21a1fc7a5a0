import { fork } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { ServiceOptions } from "../../src/service.ts";

const startedSchema = z.object({ baseUrl: z.string(), pagesUrl: z.string(), apiKey: z.string() });

/** A service in a process of its own. */
export interface ServiceProcess extends Readonly<z.infer<typeof startedSchema>> {
  /** Ends it as a power cut would. */
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
