/** How a client authenticates: a person authorizes it in a browser, or it sends an API key from the environment. */
export type Access = "login" | "key";

export interface Setup {
  readonly client: string;
  readonly title: string;
  /** Where to put the text. */
  readonly place: string;
  readonly text: string;
}

const NAME = "imprint";
const VARIABLE = "IMPRINT_API_KEY";
const IN_SHELL = `--header "Authorization: Bearer $${VARIABLE}"`;

interface Client {
  readonly title: string;
  readonly place: string;
  render(url: string, access: Access): string;
}

const CLIENTS = {
  "claude-code": {
    title: "Claude Code",
    place: "run in a terminal",
    render: (url, access) =>
      [`claude mcp add --transport http ${NAME} ${url}`, ...(access === "key" ? [IN_SHELL] : [])].join(" "),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    place: "claude_desktop_config.json",
    render: (url, access) =>
      json({
        mcpServers: {
          [NAME]: {
            command: "npx",
            args: [
              "-y",
              "mcp-remote",
              url,
              ...(access === "key" ? ["--header", "Authorization:${AUTHORIZATION}"] : []),
            ],
            ...(access === "key" && { env: { AUTHORIZATION: "Bearer <API key>" } }),
          },
        },
      }),
  },
  cursor: {
    title: "Cursor",
    place: ".cursor/mcp.json, or ~/.cursor/mcp.json for every project",
    render: (url, access) => json({ mcpServers: { [NAME]: { url, ...headers(access, `\${env:${VARIABLE}}`) } } }),
  },
  vscode: {
    title: "VS Code",
    place: ".vscode/mcp.json",
    render: (url, access) =>
      json({
        servers: { [NAME]: { type: "http", url, ...headers(access, "${input:imprint-key}") } },
        ...(access === "key" && {
          inputs: [{ type: "promptString", id: "imprint-key", description: "API key of Imprint", password: true }],
        }),
      }),
  },
  inspector: {
    title: "MCP Inspector",
    place: "run in a terminal",
    render: (url, access) =>
      [
        `npx @modelcontextprotocol/inspector --cli ${url} --transport http`,
        ...(access === "key" ? [IN_SHELL] : []),
        "--method tools/list",
      ].join(" "),
  },
  json: {
    title: "Other clients",
    place: "their list of servers, such as .mcp.json",
    render: (url, access) =>
      json({ mcpServers: { [NAME]: { type: "http", url, ...headers(access, `\${${VARIABLE}}`) } } }),
  },
} as const satisfies Readonly<Record<string, Client>>;

type ClientName = keyof typeof CLIENTS;

export const CLIENT_NAMES = Object.keys(CLIENTS).filter(isClientName);

/** Renders how to connect each client to an MCP server. Never contains a key: clients read it where it is stored. */
export function renderSetups(url: string, access: Access): readonly Setup[] {
  return CLIENT_NAMES.map((client) => {
    const { title, place, render } = CLIENTS[client];
    return { client, title, place, text: render(url, access) };
  });
}

function isClientName(name: string): name is ClientName {
  return Object.hasOwn(CLIENTS, name);
}

function headers(access: Access, key: string): object {
  return access === "key" ? { headers: { Authorization: `Bearer ${key}` } } : {};
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
