import { createTools, type Tool } from "../../src/service/mcp/tools.ts";

/** Every operation without a tool, with the reason. */
export const NOT_TOOLS: Readonly<Record<string, string>> = {
  "pages.create": "`pages_put` creates pages too",
  "pages.raw": "`pages_get` and the resource `imprint://pages/{slug}` return the HTML",
  "pages.analytics":
    "`analytics_page`, `analytics_heatmap` and `analytics_scroll_depth` return the same data, one at a time",
  "sites.get": "`sites_list` returns every field of a site",
  "sites.put": "`sites_patch` changes sites",
  "assets.uploadImages": "`assets_upload` accepts one file at a time",
  "previewLinks.delete": "people revoke the links that they sent, in the dashboard",
  "forms.export": "`submissions_list` returns the same data, in parts",
  "brandKits.get": "`brand_kits_list` returns every field of a brand kit",
  "oauth.authorize": "clients use it to sign in, before they have tools",
  "oauth.token": "clients use it to sign in, before they have tools",
  "account.get": "it describes the service to API clients; errors name the limits that a tool exceeds",
  "keys.list": "programs can't manage keys",
  "keys.create": "programs can't manage keys",
  "keys.delete": "programs can't manage keys",
  "signInLinks.create": "sign-in links open the dashboard, which programs don't use",
  "audit.list": "the audit log is for owners",
  "requests.list": "the request log is for owners",
  "users.list": "only owners manage the account's users",
  "users.create": "only owners manage the account's users",
  "users.get": "only owners manage the account's users",
  "users.patch": "only owners manage the account's users",
  "users.delete": "only owners manage the account's users",
  "users.invite": "only owners manage the account's users",
  "webhooks.list": "webhooks send visitors' data to other hosts, so only owners set them up",
  "webhooks.create": "webhooks send visitors' data to other hosts, so only owners set them up",
  "webhooks.get": "webhooks send visitors' data to other hosts, so only owners set them up",
  "webhooks.patch": "webhooks send visitors' data to other hosts, so only owners set them up",
  "webhooks.delete": "webhooks send visitors' data to other hosts, so only owners set them up",
  "webhooks.test": "webhooks send visitors' data to other hosts, so only owners set them up",
  "deliveries.list": "deliveries belong to webhooks",
  "deliveries.retry": "deliveries belong to webhooks",
  "events.list": "events contain visitors' data",
  "releases.open": "the publisher creates releases, because it has the whole site",
  "releases.get": "`releases_list` returns every field of a release",
  "releases.publishSmall": "the publisher creates releases, because it has the whole site",
  "releases.putPages": "the publisher creates releases, because it has the whole site",
  "releases.putContent": "the publisher creates releases, because it has the whole site",
  "releases.publish": "the publisher creates releases, because it has the whole site",
  "releases.diff": "`imprint releases diff` and the dashboard show it",
  "openapi.get": "it describes the HTTP routes",
};

export function renderMcpPage(): string {
  const reasons = Object.entries(NOT_TOOLS).map(([operation, reason]) => `| \`${operation}\` | ${sentence(reason)} |`);
  return `# MCP server

AI clients can use the service through its Model Context Protocol server at \`/mcp\`. It supports revision 2026-07-28 and
the handshake of 2025. \`imprint mcp\` prints the settings for Claude Code, Claude Desktop, Cursor, VS Code, the MCP
Inspector, and other clients. \`strict\` mode has no \`/mcp\`. \`npm run docs\` writes this page from the contract and
\`src/service/mcp/tool-words.ts\`.

## Connecting

- **By signing in.** A client without a token opens the browser, where you sign in and choose its permissions
  ([OAuth](oauth.md)). The token is valid only for \`/mcp\`, not for the API.
- **With an API key** in the header \`Authorization: Bearer …\`. Create a key for each program, with only the scopes that
  it needs: \`imprint keys create assistant --scope pages:read pages:write\`.

A client that supports 2026-07-28 first asks only for read scopes. If it calls a tool that needs another one, it gets a
403 with a challenge that contains the scope, and asks the person again. A client of 2025 can't do that: while it has a
refresh token, it keeps the scopes that it has. It should ask for all scopes at once; the person can clear any of them
on the consent page.

A program that a person authorized sees every tool, because it can ask for more scopes. A key sees only the tools that
it may use.

## Tools

Each tool is one operation of the API, with the same rules, limits, events, and idempotency. Tools that change something
take \`ifVersion\`, which refuses to overwrite somebody else's change; tools that add something take \`idempotencyKey\`.

| Tool | Scope | Does | Arguments |
| --- | --- | --- | --- |
${createTools().map(renderTool).join("\n")}

*reads* changes nothing, *adds* creates something, *changes* may overwrite or delete, *fetches* contacts other hosts.
\`?\` marks an optional argument.

The list of tools is smaller than 20 KB (about 5,000 tokens): it has names, types, choices, and a sentence for each
argument, but no response schemas. The service checks lengths and patterns, and its errors say what is wrong.

Two small calls change part of a page of any size: \`pages_get\` with \`find\` returns each occurrence of a text with its
surroundings, and \`pages_edit\` replaces texts, all or none. It refuses a text that isn't in the page (\`text_not_found\`)
or is there more than once (\`text_not_unique\`, unless \`all\` is set). \`pages_patch\` renames, hides, or moves a page.
\`assets_upload\` accepts a file in base64 (up to about 4.5 MB); \`assets_import\` fetches larger ones.

An error is a result with \`isError\` and JSON text: \`code\` (as in [the API](service-api.md)), \`title\`, \`detail\`, \`errors\`
with a pointer to each argument to correct, and \`requestId\`.

A result has at most 100,000 characters of data. A longer list has fewer entries and a cursor for the rest; HTML comes
in parts of 50,000 characters. Anything that is still too large is refused with \`answer_too_large\`. Results don't repeat
the text of a page or post that was just sent.

\`posts_create\` and \`posts_patch\` accept \`markdown\` or \`html\`. The service renders Markdown (CommonMark and GFM) and
sanitizes it for readers; \`posts_list\` returns it as it was sent. HTML is published as it is. [The
API](service-api.md#assets-and-blogs) lists what sanitizing removes.

## Resources

| Address | What it is |
| --- | --- |
| \`imprint://pages/{slug}\` | The complete HTML of a page. The list has every page, newest first, with a cursor; slugs support completion. |
| \`imprint://sites\` | All sites, as JSON. |

## Prompts

| Prompt | Asks the model to |
| --- | --- |
| \`publish\` | create a page from \`content\` (default: the latest topic of the conversation) and publish it, at \`slug\` if given. |
| \`report\` | summarize the pages' analytics of the last \`days\` (default: 30), compared with the period before. |

## Web pages as clients

A request with an \`Origin\` gets 403 unless the origin is the service's own or listed in \`mcpOrigins\`
(\`imprint serve --mcp-origin http://localhost:6274\`). Pages that the service publishes are never allowed. A request that
specifies a host other than the service's or this machine's gets 421, so a proxy has to pass on the \`Host\` header. Both
checks protect against DNS rebinding.

## Limits

The API's rate limit applies. A message can be as large as the API's largest body, nested 64 levels deep, and is never a
batch. The server is stateless, so any process can handle any request; it has no sessions, no subscriptions, and no
messages of its own. The request log records the tool (\`mcp:pages_put\`), but never contains what was sent.

## Conformance

\`npm run conformance\` runs the protocol's conformance suite against two servers that share the listener, the
authentication, and the endpoint: the product with its own tools, and a fixture with the tools, resources, and prompts
that the suite expects (\`tools/conformance/fixture-server.ts\`). The fixture passes every requirement of 2026-07-28.
\`tools/conformance/product.yml\` lists what the product doesn't pass, with the reason.

## Operations without a tool

| Operation | Why |
| --- | --- |
${reasons.join("\n")}
`;
}

function renderTool({ name, scope, title, annotations, inputSchema }: Tool): string {
  const required = new Set(Array.isArray(inputSchema["required"]) ? inputSchema["required"] : []);
  const names = Object.keys(Object(inputSchema["properties"])).map(
    (each) => `\`${each}\`${required.has(each) ? "" : "?"}`,
  );
  return `| \`${name}\` | \`${scope}\` | ${title}; ${kindOf(annotations)} | ${names.join(" ")} |`;
}

function kindOf({ readOnlyHint, destructiveHint, openWorldHint }: Tool["annotations"]): string {
  const kind = readOnlyHint ? "reads" : destructiveHint ? "changes" : "adds";
  return `*${kind}${openWorldHint ? ", fetches" : ""}*`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
