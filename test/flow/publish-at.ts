import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parseOptions, publish, type ImprintOptions, type PublishRequest } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { startProxy } from "../faults/proxy.ts";
import { createClock, passing } from "../passing-clock.ts";
import { API_KEY } from "../strangers/host.ts";
import { createTemporarySite } from "./temporary-site.ts";

interface Place {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly routeSet?: "a" | "b";
  readonly pagesUrl?: string | undefined;
  readonly accept?: boolean;
  readonly verify?: boolean;
  /** Default: a site without a brand kit. */
  readonly options?: ImprintOptions;
  readonly connection?: PublishRequest["connection"];
}

/** Publishes a site without a brand kit, with `pagesUrl` as option and target have it in a real run. */
export function publishAt(
  root: string,
  { baseUrl, apiKey = API_KEY, routeSet = "a", pagesUrl, accept = false, verify = false, options, connection }: Place,
) {
  return publish({
    ...{
      projectRoot: root,
      dist: join(root, "dist"),
      accept,
      verify,
      connection: connection ?? (verify ? { sleep: async () => {} } : undefined),
    },
    options: parseOptions({ brandKit: false, pagesUrl, ...options }),
    target: { ...{ baseUrl, apiKey, pagesUrl, routeSet, identity: baseUrl }, close: async () => {} },
  });
}

/** A host that doesn't report the address of pages, and shows them beside its API. */
export async function openHost() {
  // Pauses of runs set the clock of both forward, since what is hidden stays hidden.
  const clock = createClock();
  const connection = passing(clock);
  const service = await startService({
    ...{ ephemeral: true, port: 0, pagesPort: 0, strict: true, routeSet: "a" },
    now: clock.now,
  });
  onTestFinished(() => service.close());
  const proxy = await startProxy(service.baseUrl("a"), service);
  onTestFinished(() => proxy.close());
  const site = await createTemporarySite();
  const run = (accept: boolean) =>
    publishAt(site.root, { baseUrl: proxy.url, apiKey: service.apiKey, accept, connection });
  const linksOf = async (slug: string) => [
    ...(await (await fetch(`${proxy.url}/p/${slug}`)).text()).matchAll(/<a href="([^"]*)"/g),
  ];
  return { proxy, service, run, connection, linksOf, root: site.root };
}
