import type { ImprintApi } from "../../client/api.ts";
import type { CliContext, ExitCode } from "../context.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { paintFor } from "../terminal.ts";
import { withApi } from "../with-api.ts";

/** What a service holds, as far as its lists tell. */
interface Status {
  readonly service: string;
  readonly routeSet: "a" | "b";
  readonly plan: string | undefined;
  readonly pagesUrl: string | undefined;
  readonly counts: Readonly<Record<string, number>>;
}

/** `imprint status`: whether the service answers, accepts the key, and what it holds. */
export async function statusCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const status = await withApi(flags, context, (api) => readStatus(api, context.signal));
  context.out.write(flags.json === true ? `${JSON.stringify(status, undefined, 2)}\n` : renderStatus(status, context));
  return 0;
}

async function readStatus(api: ImprintApi, signal?: AbortSignal): Promise<Status> {
  const [pages, assets, sites, kits] = await Promise.all([
    api.pages.list({}, { signal }),
    api.assets.list({}, { signal }),
    api.sites.list({ signal }),
    api.brandKits.list({ signal }),
  ]);
  const { routeSet, account, pagesUrl } = api.capabilities;
  return {
    service: api.baseUrl,
    routeSet,
    plan: account?.plan,
    pagesUrl,
    counts: {
      pages: pages.items.length,
      assets: assets.items.length,
      sites: sites.items.length,
      "brand kits": kits.items.length,
    },
  };
}

function renderStatus(status: Status, { out, environment }: CliContext): string {
  const paint = paintFor(out, environment);
  const rows = [
    ["Service", status.service],
    ["Route set", status.routeSet.toUpperCase()],
    ["Plan", status.plan ?? "not told by the service"],
    ["Pages at", status.pagesUrl === undefined ? "not told by the service" : `${status.pagesUrl}/p/…`],
    ...Object.entries(status.counts).map(([name, count]) => [name, String(count)]),
  ];
  const lines = rows.map(([name = "", value = ""]) => `  ${name.padEnd(11)} ${paint("strong", value)}`);
  return `${paint("good", "The service answers and accepts the key.")}\n\n${lines.join("\n")}\n`;
}
