import { createTools, type Tool } from "../../src/service/mcp/tools.ts";

/** Every operation that is no tool, with the reason. */
export const NOT_TOOLS: Readonly<Record<string, string>> = {
  "pages.create": "`pages_put` creates pages too",
  "pages.raw": "`pages_get` and the resource `imprint://pages/{slug}` give the HTML",
  "pages.analytics": "`analytics_page`, `analytics_heatmap` and `analytics_scroll_depth` give the same, one at a time",
  "sites.get": "`sites_list` gives every field of a site",
  "sites.put": "`sites_patch` changes sites",
  "assets.uploadImages": "`assets_upload` takes one file at a time",
  "forms.export": "`submissions_list` gives the same, in parts",
  "brandKits.get": "`brand_kits_list` gives every field of a brand kit",
  "oauth.authorize": "a client gets in by it before it has tools",
  "oauth.token": "a client gets in by it before it has tools",
  "account.get": "it says to API clients what the service can do; a limit that is met is named in the error",
  "keys.list": "keys are not managed by programs that a person authorized",
  "keys.create": "keys are not managed by programs that a person authorized",
  "keys.delete": "keys are not managed by programs that a person authorized",
  "signInLinks.create": "the dashboard is for the owner",
  "audit.list": "the audit log is for owners",
  "requests.list": "the request log is for owners",
  "users.list": "who uses the account is decided by its owners, not by programs",
  "users.create": "who uses the account is decided by its owners, not by programs",
  "users.get": "who uses the account is decided by its owners, not by programs",
  "users.patch": "who uses the account is decided by its owners, not by programs",
  "users.delete": "who uses the account is decided by its owners, not by programs",
  "users.invite": "who uses the account is decided by its owners, not by programs",
  "webhooks.list": "webhooks send what visitors wrote to other hosts, so only the owner sets them up",
  "webhooks.create": "webhooks send what visitors wrote to other hosts, so only the owner sets them up",
  "webhooks.get": "webhooks send what visitors wrote to other hosts, so only the owner sets them up",
  "webhooks.patch": "webhooks send what visitors wrote to other hosts, so only the owner sets them up",
  "webhooks.delete": "webhooks send what visitors wrote to other hosts, so only the owner sets them up",
  "webhooks.test": "webhooks send what visitors wrote to other hosts, so only the owner sets them up",
  "deliveries.list": "deliveries belong to webhooks",
  "deliveries.retry": "deliveries belong to webhooks",
  "events.list": "events hold what visitors sent",
  "releases.open": "releases are made by the publisher, which has the whole site",
  "releases.get": "`releases_list` gives every field of a release",
  "releases.putPages": "releases are made by the publisher, which has the whole site",
  "releases.putContent": "releases are made by the publisher, which has the whole site",
  "releases.publish": "releases are made by the publisher, which has the whole site",
  "releases.diff": "`imprint releases diff` and the dashboard show it",
  "openapi.get": "it describes the HTTP routes",
};

export function renderMcpPage(): string {
  const reasons = Object.entries(NOT_TOOLS).map(([operation, reason]) => `| \`${operation}\` | ${sentence(reason)} |`);
  return `# MCP: the service as tools of a model

Written from the contract and \`src/service/mcp/tool-words.ts\` by \`npm run docs\`.

The service answers at \`/mcp\`, beside its route sets, in the Model Context Protocol: revision 2026-07-28, and the
handshake of 2025. \`imprint mcp\` prints what Claude Code, Claude Desktop, Cursor, VS Code, the MCP Inspector and others
take to connect. \`strict\` mode has no \`/mcp\`.

## Getting in

- **By a login.** A client that comes without a token is sent to the browser, where the owner signs in and chooses what
  it may do ([OAuth 2.1](service-api.md#domains-brand-kits-oauth)). The token is good for \`/mcp\` only, not for the API.
- **By an API key** in the header \`Authorization: Bearer …\`. Make one for each program that may do no more than it has
  to: \`imprint keys create assistant --scope pages:read pages:write\`.

A client that speaks 2026-07-28 first asks for the scopes that read. When it calls a tool that needs another
one, the answer is 403 with a challenge that names it, and the client asks the person again. A client of 2025 can't do
that (while it holds a refresh token it renews its token with the scopes it has), so it should ask for everything at
once; on the consent page each scope can be unticked.

A program that a person authorized is shown every tool, since it may ask for more. A key is shown the tools that it may use.

## Tools

Each tool is one operation of the API, with the same rules, limits, events and idempotency. Changes take \`ifVersion\`,
which keeps a change that somebody else made meanwhile; calls that add something take \`idempotencyKey\`.

| Tool | Scope | Does | Arguments |
| --- | --- | --- | --- |
${createTools().map(renderTool).join("\n")}

*reads* changes nothing, *adds* makes something new, *changes* may overwrite or delete, *fetches* reaches other hosts.
\`?\` marks an argument that can be left out.

The list of all tools is smaller than 20 KB (about 5,000 tokens): it has names, types, choices and a sentence for each
argument, and no schemas of answers. Lengths and patterns are checked by the service, which names what is wrong.

A part of a page is changed by two small calls, whatever its size: \`pages_get\` with \`find\` returns each place of a text
with what stands around it, and \`pages_edit\` replaces texts, all of them or none. A text that isn't in the page
(\`text_not_found\`) or is there more than once (\`text_not_unique\`, unless \`all\`) is refused. \`pages_patch\` retitles,
hides or moves a page. \`assets_upload\` takes the bytes of a file in base64 (up to about 4.5 MB; \`assets_import\` fetches
larger ones).

An error of a rule is an answer with \`isError\` and a JSON text: \`code\` (as in [the API](service-api.md)), \`title\`,
\`detail\`, \`errors\` with a pointer to each argument that has to be changed, and \`requestId\`.

An answer has at most 100,000 characters of data. A longer list comes with fewer entries, and its cursor goes on where
it ends; HTML comes in parts of 50,000 characters. What is too large for that is refused with \`answer_too_large\`. The
text of a page or post that was just sent does not come back.

\`posts_create\` and \`posts_patch\` take \`markdown\` or \`html\`. Markdown (CommonMark and GFM) is rendered and sanitized for
readers, and \`posts_list\` answers it as it was sent; HTML is published as it is. [The API](service-api.md#assets-and-blogs)
lists what sanitizing removes.

## Resources

| Address | What it is |
| --- | --- |
| \`imprint://pages/{slug}\` | The HTML of a page, whole. The list has every page, newest first, with a cursor; the slug can be completed. |
| \`imprint://sites\` | All sites, as JSON. |

## Prompts

| Prompt | Asks the model to |
| --- | --- |
| \`publish\` | make a page of \`content\` (default: what was talked about last) and publish it, under \`slug\` if given. |
| \`report\` | say how the pages did in the last \`days\` (default: 30), compared with the days before. |

## Web pages as clients

A request with an \`Origin\` is refused with 403 unless the origin is the service's own or one of the setting
\`mcpOrigins\` (\`imprint serve --mcp-origin http://localhost:6274\`). Pages that the service publishes are never allowed.
A request that names another host than that of the service or of this machine is refused with 421, so behind a proxy
pass the \`Host\` header on. Both stop a page of a stranger that was made to lead here (DNS rebinding).

## Limits

The rate limit is that of the API. A message may be as large as the largest body of the API, nested 64 levels deep, and
is never a batch. Nothing is kept between two requests, so several processes may answer them; hence there are no
sessions, no subscriptions and no messages from the service on its own. The request log names the tool
(\`mcp:pages_put\`), never what was sent.

## Conformance

\`npm run conformance\` runs the protocol's own suite against two servers that share the listener, the authentication and
the endpoint: the product with its own tools, and a fixture that has the tools, resources and prompts the suite expects
(\`tools/conformance/fixture-server.ts\`). The fixture passes all that 2026-07-28 requires. What the product can't pass,
because it has no use for it, is listed with its reason in \`tools/conformance/product.yml\`.

## Operations that are no tools

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
