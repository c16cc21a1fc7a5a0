import { Option, type Command, Argument } from "commander";
import type { CommandSetup } from "./account/define-commands.ts";
import type { LoginFlags } from "./commands/login.ts";
import type { McpFlags } from "./commands/mcp.ts";
import type { CliContext, ExitCode } from "./context.ts";
import { CLIENT_NAMES } from "./mcp/setups.ts";
import type { OnExit } from "./program.ts";
import { withDomainFlags } from "./serve-flags.ts";
import { LOG_LEVELS } from "./service-log.ts";
import { withTargetFlags, type PublishFlags } from "./shared-flags.ts";

/** `imprint serve` */
export function addService(program: Command, { context, onExit }: CommandSetup): void {
  const serve = program
    .command("serve")
    .description("Run the service here: API, published pages and library, with data in .imprint/.")
    .option("--port <number>", "port of the API", "4400")
    .option("--pages-port <number>", "port of published pages and library files", "4401")
    .option("--data <folder>", "folder of the database and the files", ".imprint")
    .option("--database-url <url>", "PostgreSQL in the place of SQLite (default: DATABASE_URL when it is postgres://…)")
    .option("--ephemeral", "keep nothing after the end")
    .option("--host <address>", "network interface to listen on, such as 0.0.0.0 (default: this machine only)")
    .option("--app-url <url>", "address of the API and the dashboard when a proxy stands in front")
    .option("--pages-url <url>", "address of published pages when a proxy stands in front")
    .option("--trust-proxy", "take the address of a visitor from the proxy's X-Forwarded-For")
    .option("--allow-network <network...>", "networks that webhooks and imports may reach, such as 10.0.0.0/8")
    .option("--mcp-origin <origin...>", "origins of web pages that may use MCP, such as http://localhost:6274")
    .option("--strict", "answer only what the specification shows")
    .option("--new-key", "make an API key and show it once")
    .option("--json", "print the addresses as JSON")
    .addOption(new Option("--route-set <set>", "route set at the root address").choices(["a", "b"]).default("a"));
  withOperationFlags(withDomainFlags(serve)).action(async (flags) => {
    const { serveCommand } = await import("./commands/serve.ts");
    onExit(await serveCommand(flags, context));
  });
}

function withOperationFlags(command: Command) {
  return command
    .option("--rate-limit <requests>", "answer at most so many requests a minute with one key (default: no limit)")
    .option("--drain <seconds>", "when ended, go on so long while /readyz says that it ends", "0")
    .option("--grace <seconds>", "then let running requests end for so long", "10")
    .option("--keep <what=days...>", "how long to keep requests, events, submissions and stats, such as events=90")
    .addOption(
      new Option("--log <form>", "form of the log on the error stream").choices(["text", "json"]).default("text"),
    )
    .addOption(new Option("--log-level <level>", "the least that is logged").choices(LOG_LEVELS).default("info"));
}

interface Setup {
  readonly context: CliContext;
  readonly onExit: OnExit;
}

/** `imprint backup` and `imprint restore`. */
export function addArchive(program: Command, { context, onExit }: Setup): void {
  program
    .command("backup")
    .description("Save a service into one file, while it runs. The file holds secrets: keep it safe.")
    .argument("<file>", "the backup to write, such as imprint.tar.gz")
    .option("--data <folder>", "folder of the database and the files", ".imprint")
    .option("--database-url <url>", "PostgreSQL in the place of the database in the folder (default: DATABASE_URL)")
    .option("--json", "print what was saved as JSON")
    .action(async (file, flags) => {
      const { backupCommand } = await import("./commands/archive.ts");
      onExit(await backupCommand(file, flags, context));
    });

  program
    .command("restore")
    .description("Put a service back from a backup, also one of an older version.")
    .argument("<file>", "a backup that `imprint backup` wrote")
    .option("--data <folder>", "folder that the service will keep its data in", ".imprint")
    .option("--database-url <url>", "PostgreSQL in the place of a database in the folder (default: DATABASE_URL)")
    .option("--force", "replace a service that is there, and keep it in a folder beside")
    .option("--json", "print what was put back as JSON")
    .action(async (file, flags) => {
      const { restoreCommand } = await import("./commands/archive.ts");
      onExit(await restoreCommand(file, flags, context));
    });
}

/** `imprint login` and `imprint logout` */
export function addLogin(program: Command, { context, onExit }: CommandSetup): void {
  const login = program
    .command("login")
    .description("Log in at a service in the browser, to publish without an API key.")
    .option("--no-browser", "only show the address to open");
  withTargetFlags(login).action(async (flags: LoginFlags) => {
    const { loginCommand } = await import("./commands/login.ts");
    onExit(await loginCommand(flags, context));
  });
  const logout = program.command("logout").description("End the login at a service, here and there.");
  withTargetFlags(logout).action(async (flags: PublishFlags) => {
    const { logoutCommand } = await import("./commands/login.ts");
    onExit(await logoutCommand(flags, context));
  });
}

interface Setup {
  readonly context: CliContext;
  readonly onExit: (code: ExitCode) => void;
}

export function addMcp(program: Command, { context, onExit }: Setup): void {
  const mcp = program
    .command("mcp")
    .description("Show how to connect an AI client to the service, by MCP. Never shows a key.")
    .addArgument(new Argument("[client]", "only this client").choices(CLIENT_NAMES))
    .option("--with-key", "with an API key instead of a login in the browser");
  withTargetFlags(mcp).action(async (client: string | undefined, flags: McpFlags) => {
    const { mcpCommand } = await import("./commands/mcp.ts");
    onExit(await mcpCommand(client, flags, context));
  });
}
