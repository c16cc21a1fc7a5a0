import { once } from "node:events";
import { createServer } from "node:net";
import { relative, resolve } from "node:path";
import { ImprintError } from "../../base/error.ts";
import type { StartOptions } from "../../service.ts";
import { loadService } from "../../target/service-package.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import {
  parseLimits,
  parseRetention,
  domainOptions,
  parsePort,
  type DomainFlags,
  describeData,
  readHosting,
  readMail,
  type MailFlags,
  type HostingFlags,
} from "../serve-flags.ts";
import { findProjectFiles } from "../project-files.ts";
import { embeddedOf, readServedProject, type ServedProject } from "../served-project.ts";
import { createServiceLogger, type LogLevel } from "../service-log.ts";
import { openBrowser } from "../login/browser.ts";

/** Flags as they come from the command line. */
interface ServeFlags extends HostingFlags, DomainFlags, MailFlags {
  readonly port?: string;
  readonly pagesPort?: string;
  readonly data?: string;
  readonly allowNetwork?: readonly string[];
  readonly mcpOrigin?: readonly string[];
  readonly strict?: boolean;
  readonly newKey?: boolean;
  readonly new?: boolean;
  readonly durability: "full" | "normal";
  readonly open?: boolean;
  readonly json?: boolean;
  readonly keep?: readonly string[];
  readonly limit?: readonly string[];
  readonly rateLimit?: string;
  readonly drain: string;
  readonly grace: string;
  readonly log: "json" | "text";
  readonly logLevel: LogLevel;
  readonly routeSet: "a" | "b";
}

/** `imprint serve`: runs the service until it is interrupted. */
export async function serve({ flags, context, paint }: CommandRun<ServeFlags>): Promise<CommandResult> {
  const { startService } = await loadService(context.cwd);
  const hosting = readHosting(flags, context.environment);
  const logger = createServiceLogger(context, { format: flags.log, level: flags.logLevel, now: () => new Date() });
  const project = await readServedProject(context.cwd, logger);
  const { port, pagesPort, data, setIn } = placeService(flags, project);
  const options: StartOptions = {
    dataDir: resolve(context.cwd, data),
    ephemeral: flags.ephemeral,
    startsEmpty: flags.new === true,
    durability: flags.durability,
    announce: true,
    ...hosting,
    strict: flags.strict,
    allowNetworks: flags.allowNetwork,
    mcpOrigins: flags.mcpOrigin,
    routeSet: flags.routeSet,
    ...domainOptions(flags),
    mail: readMail(flags, context.environment),
    ...(flags.rateLimit !== undefined && { rateLimit: { perKey: parseRateLimit(flags.rateLimit) } }),
    drainSeconds: parseSeconds("--drain", flags.drain),
    graceSeconds: parseSeconds("--grace", flags.grace),
    retention: parseRetention(flags.keep ?? []),
    limits: parseLimits(flags.limit ?? []),
    projectFiles: project && (await findProjectFiles(project, flags, { ...context, logger })),
    logger,
  };
  const service = await startService({ ...options, port, pagesPort }).catch(async (error: unknown) => {
    if (!(error instanceof ImprintError) || error.code !== "PORT_TAKEN") throw error;
    if (mayMove(flags)) return startService({ ...options, port: 0, pagesPort: 0 });
    const free = await findFreePorts(hosting.hostname);
    const hint = `Stop it, or run \`imprint serve --port ${free} --pages-port ${free + 1}\`.`;
    throw new ImprintError("PORT_TAKEN", error.message, { cause: error, hint });
  });
  logger.info("Service started.", { event: "start", api: service.url, pages: service.pagesUrl });
  try {
    const wantsKey = flags.newKey === true || flags.ephemeral === true;
    const key = wantsKey ? (await service.createKey({ name: "imprint serve" })).apiKey : undefined;
    const { url: signIn } = await service.createSignInLink();
    const addresses = {
      api: service.url,
      signIn,
      routeSetA: service.baseUrl("a"),
      routeSetB: service.baseUrl("b"),
      ...(flags.strict !== true && { mcp: `${service.url}/mcp` }),
      pages: service.pagesUrl,
      https: service.httpsPort,
      data: describeData(hosting, { ...flags, data }),
      config: setIn && relative(context.cwd, setIn),
    };
    context.out.write(
      flags.json === true
        ? `${JSON.stringify({ ...addresses, apiKey: key })}\n`
        : renderAddresses({ ...addresses, key }, paint),
    );
    if (flags.open === true) openBrowser(service.pagesUrl);
    await untilInterrupted(context.signal);
    return 0;
  } finally {
    logger.info("Shutting down.", { event: "shutdown" });
    await service.close();
    logger.info("Service stopped.", { event: "end" });
  }
}

/** Where the service listens and stores its data: as the flags say, else as the project's options say. */
function placeService({ port, pagesPort, data }: ServeFlags, project: ServedProject | undefined) {
  const embedded = embeddedOf(project);
  return {
    port: port === undefined ? embedded.port : parsePort("--port", port),
    pagesPort: pagesPort === undefined ? embedded.pagesPort : parsePort("--pages-port", pagesPort),
    data: data ?? embedded.dataDir,
    setIn: embedded.setIn,
  };
}

// With --open, nobody needs a known address; another project's service may use the same ports.
function mayMove({ open = false, port, pagesPort }: ServeFlags): boolean {
  return open && port === undefined && pagesPort === undefined;
}

/** Returns the first of two free ports in a row. */
async function findFreePorts(hostname: string | undefined): Promise<number> {
  let { port } = embeddedOf(undefined);
  do port += 10;
  while (port < 60_000 && !((await isFree(port, hostname)) && (await isFree(port + 1, hostname))));
  return port;
}

async function isFree(port: number, hostname = "127.0.0.1"): Promise<boolean> {
  const server = createServer().listen(port, hostname);
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

function parseRateLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new ImprintError("USAGE", `--rate-limit accepts a number of requests per minute, not "${text}".`);
}

function parseSeconds(flag: string, text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new ImprintError("USAGE", `${flag} accepts a number of seconds, not "${text}".`);
}

interface Addresses {
  readonly api: string;
  readonly signIn: string;
  readonly routeSetA: string;
  readonly routeSetB: string;
  /** `undefined` in strict mode, which has no MCP. */
  readonly mcp?: string;
  readonly pages: string;
  readonly https: number | undefined;
  /** Where the service keeps its data. */
  readonly data: string;
  /** The config file that sets the ports and the folder, unless flags do. */
  readonly config: string | undefined;
  readonly key: string | undefined;
}

function renderAddresses(addresses: Addresses, paint: Paint): string {
  const { api, signIn, routeSetA, routeSetB, mcp, pages, https, data, config, key } = addresses;
  return [
    paint("good", "The service is running. Stop it with Ctrl+C."),
    "",
    `  Pages        ${paint("strong", pages)}`,
    ...(https === undefined ? [] : [`  HTTPS        port ${https}, for custom domains`]),
    `  Dashboard    ${paint("strong", api)}`,
    `  Sign in      ${signIn}`,
    paint("dim", "               valid once, for 10 minutes; `imprint dashboard` creates another"),
    `  API          ${api}`,
    // Only the user's own programs need them, and those need a key.
    ...(key === undefined ? [] : [`  Route set A  ${routeSetA}`, `  Route set B  ${routeSetB}`]),
    ...(mcp === undefined ? [] : [`  MCP          ${mcp}  ${paint("dim", "`imprint mcp` shows how to connect")}`]),
    `  Data         ${data}`,
    ...(config === undefined ? [] : [`  Options      ${config}  ${paint("dim", "unless a flag says otherwise")}`]),
    "",
    key === undefined
      ? paint("dim", "  To create an API key for other programs, run with --new-key.")
      : `  API key, shown only once: ${paint("strong", key)}`,
    "",
  ].join("\n");
}

async function untilInterrupted(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return new Promise(() => {});
  if (!signal.aborted) await once(signal, "abort");
}
