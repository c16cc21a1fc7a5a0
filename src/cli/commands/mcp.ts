import { parseBaseUrl } from "../../client/options.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { renderSetups, type Access } from "../mcp/setups.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { wrapFor } from "../terminal.ts";
import { openProject } from "../with-project.ts";
import { namedService } from "../../target/target.ts";

interface McpFlags extends PublishFlags {
  readonly withKey?: boolean;
}

/** `imprint mcp`: how to connect a client to the MCP server of the service. */
export async function mcp({ args: [client], flags, context, paint }: CommandRun<McpFlags>): Promise<CommandResult> {
  const { options, environment } = await openProject({ flags }, context);
  const url = mcpUrlOf(namedService(options, environment));
  const access: Access = flags.withKey === true ? "key" : "login";
  const setups = renderSetups(url, access).filter((setup) => client === undefined || setup.client === client);
  const blocks = setups.map(({ title, place, text }) => {
    const lines = text.split("\n").map((line) => `  ${line}\n`);
    return `${paint("strong", title)}  ${paint("dim", place)}\n${lines.join("")}\n`;
  });
  const { text: note, example } = NOTES[access];
  const wrapped = wrapFor(context.out, context.environment)(note, "");
  const text = `MCP server  ${paint("strong", url)}\n\n${blocks.join("")}${wrapped}\n${example}`;
  return { json: { url, access, clients: setups }, text };
}

const EMBEDDED_PORT = 4400;

/** The MCP server belongs to the whole service: its path is beside the route sets, not below one of them. */
function mcpUrlOf(service: string | { readonly port: number } | undefined): string {
  const port = typeof service === "object" ? service.port : EMBEDDED_PORT;
  const isRemote = typeof service === "string" && /^https?:\/\//i.test(service);
  const base = isRemote ? parseBaseUrl(service) : `http://localhost:${port}`;
  return `${base.replace(/\/[ab]$/, "")}/mcp`;
}

const NOTES = {
  login: {
    text: "The client opens a browser, where the owner signs in and chooses what it may do. For programs without a browser, add --with-key.",
    example: "",
  },
  key: {
    text: "The key itself is not shown. It comes from the environment variable IMPRINT_API_KEY, from a prompt of the client, or you write it in place of <API key>. Create one with only the scopes that it needs:",
    example: "  imprint keys create assistant --scope pages:read pages:write\n",
  },
} as const;
