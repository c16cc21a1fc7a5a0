import { Argument, type Command } from "commander";
import type { McpFlags } from "./commands/mcp.ts";
import type { CliContext, ExitCode } from "./context.ts";
import { CLIENT_NAMES } from "./mcp/setups.ts";
import { withTargetFlags } from "./shared-flags.ts";

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
