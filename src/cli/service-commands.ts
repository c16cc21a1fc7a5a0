import { Option, type Command } from "commander";
import type { CommandSetup } from "./account/define-commands.ts";
import { withDomainFlags } from "./serve-flags.ts";
import { LOG_LEVELS } from "./service-log.ts";

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
