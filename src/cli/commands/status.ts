import { resolve } from "node:path";
import { connect } from "../../client/connect.ts";
import { readEnvironment } from "../../flow/environment.ts";
import { openTarget, parseOptions } from "../../publish.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { readProject } from "../project.ts";
import { optionsFromFlags } from "../shared-flags.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { paintFor } from "../terminal.ts";

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
  const project = await readProject(resolve(context.cwd, flags.root ?? "."));
  const options = parseOptions({ ...project.options, ...optionsFromFlags(flags) });
  const environment = await readEnvironment(project.root, context.environment);
  const target = await openTarget(options, { projectRoot: project.root, environment });
  try {
    const status = await readStatus(target, context.signal);
    context.out.write(
      flags.json === true ? `${JSON.stringify(status, undefined, 2)}\n` : renderStatus(status, context),
    );
    return 0;
  } finally {
    await target.close();
  }
}

async function readStatus(target: Awaited<ReturnType<typeof openTarget>>, signal?: AbortSignal): Promise<Status> {
  const api = await connect({ ...target, signal });
  try {
    const [pages, assets, sites, kits] = await Promise.all([
      api.pages.list({}, { signal }),
      api.assets.list({}, { signal }),
      api.sites.list({ signal }),
      api.brandKits.list({ signal }),
    ]);
    const { routeSet, account, pagesUrl } = api.capabilities;
    return {
      service: target.baseUrl,
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
  } finally {
    await api.close();
  }
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
