import { Argument, Option } from "commander";
import { defineCommands, type CommandGroup } from "./define-commands.ts";
import { CLIENT_NAMES } from "./mcp/setups.ts";
import { LOG_LEVELS } from "./service-log.ts";

const DIST = ["[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)"] as const;

const PUBLISHING = defineCommands({
  section: "publish",
  load: () => import("./commands/publish.ts"),
  commands: {
    publish: {
      example: ["publish", "publish --page about", "publish --preview pr-12", "publish --verify"],
      description: "Publish a built site.",
      arguments: [DIST],
      options: [
        ["--dry-run", "show what would be sent, without sending anything"],
        ["--accept", "record in imprint.lock.json what this host can't do, so that it no longer fails a run"],
        ["--plan <file>", "carry out this reviewed plan; fail if the site or the service has changed"],
      ],
      flags: "publish",
    },
    plan: {
      example: ["plan", "plan --out plan.json"],
      description: "Show what publishing would change and why, without sending anything.",
      arguments: [DIST],
      options: [["--out <file>", "write the plan to a file for `imprint publish --plan`"]],
      flags: "run",
    },
  },
});

const DIFF = defineCommands({
  section: "publish",
  load: () => import("./commands/diff.ts"),
  commands: {
    diff: {
      example: "diff about",
      description: "Show what publishing would change in one page: a diff of the live and the built page.",
      arguments: [["<slug>", "slug of the page"], DIST],
      flags: "diff",
    },
  },
});

const ADOPT = defineCommands({
  section: "publish",
  load: () => import("./commands/adopt.ts"),
  commands: {
    adopt: {
      example: "adopt",
      description:
        "List pages at the site's slugs that can't be recognized as this project's, and take them over. Use it if you lost imprint.lock.json.",
      arguments: [DIST],
      options: [["-y, --yes", "take them over without asking"]],
      flags: "pages-url",
    },
  },
});

export const SITE_COMMANDS: readonly CommandGroup[] = [PUBLISHING, DIFF, ADOPT];

const PLACE = ["[place]", "built folder or address of a site (default: the project's built folder)"] as const;
const FORMATS = ["css", "dtcg", "dtcg-resolver", "style-dictionary", "tailwind", "shadcn", "brand-yml", "json"];

const BRAND = defineCommands({
  section: "write",
  name: "brand",
  description: "Extract colors, fonts, and logos from a site.",
  load: () => import("./commands/brand.ts"),
  commands: {
    extract: {
      example: ["brand extract", "brand extract https://example.org"],
      description: "Show the brand kit of a site, with how certain each value is.",
      arguments: [PLACE],
      options: [["--json", "print all findings with their evidence, as JSON"]],
      flags: "none",
    },
    explain: {
      example: "brand explain primary",
      description: "Explain where a value comes from.",
      arguments: [
        ["<role>", "background, text, heading, link, primary, accent, surface, border, body, mono or logo"],
        PLACE,
      ],
      flags: "none",
    },
    export: {
      example: "brand export --format tailwind --out theme.css",
      description: "Write the brand kit as code.",
      arguments: [PLACE],
      options: [
        new Option("--format <format>", "format").choices(FORMATS).default("css"),
        ["--out <file>", "file to write (default: standard output)"],
      ],
      flags: "none",
    },
    sheet: {
      example: "brand sheet --out brand.html",
      description:
        "Write a page that shows the brand: colors with their contrast, type specimens, and logos, light and dark.",
      arguments: [PLACE],
      options: [
        ["--svg", "write an SVG image instead of a page"],
        ["--out <file>", "file to write", "brand-sheet.html"],
      ],
      flags: "none",
    },
  },
});

export const PROJECT_COMMANDS: readonly CommandGroup[] = [BRAND];

const MCP = defineCommands({
  section: "manage",
  load: () => import("./commands/mcp.ts"),
  commands: {
    mcp: {
      example: "mcp",
      description: "Show how to connect an AI client to the service over MCP. Never shows a key.",
      arguments: [new Argument("[client]", "only this client").choices(CLIENT_NAMES)],
      options: [["--with-key", "use an API key instead of a login in the browser"]],
    },
  },
});

const DATA = "folder of the database and the files (default: `service.dataDir` of the project, else .imprint)";

const SERVE = defineCommands({
  section: "service",
  load: () => import("./commands/serve.ts"),
  commands: {
    serve: {
      example: ["serve --open", "serve --host 0.0.0.0 --app-url https://pages.example.org"],
      description: "Run the service on this machine: API, published pages, and library, with data in .imprint/.",
      options: [
        ["--port <number>", "port of the API (default: `service.port` of the project, else 4400)"],
        [
          "--pages-port <number>",
          "port of published pages and library files (default: `service.pagesPort` of the project, else 4401)",
        ],
        ["--data <folder>", DATA],
        ["--database-url <url>", "PostgreSQL instead of SQLite (default: DATABASE_URL if it is postgres://…)"],
        ["--open", "open the site in a browser"],
        ["--ephemeral", "discard all data when it stops"],
        ["--new", "start with an empty database if the data folder has files but no database"],
        new Option(
          "--durability <level>",
          "full: a power cut loses no confirmed write; normal: it loses no form submission",
        )
          .choices(["normal", "full"])
          .default("normal"),
        ["--host <address>", "network interface to listen on, such as 0.0.0.0 (default: this machine only)"],
        ["--app-url <url>", "address of the API and the dashboard behind a proxy"],
        ["--pages-url <url>", "address of published pages behind a proxy"],
        ["--trust-proxy", "use the proxy's X-Forwarded-For header as the visitor's address"],
        ["--smtp-url <url>", "mail server for sign-in links, invitations and submissions (default: IMPRINT_SMTP_URL)"],
        ["--mail-from <address>", "sender of mail (default: IMPRINT_MAIL_FROM)"],
        ["--allow-network <network...>", "networks that webhooks and imports may reach, such as 10.0.0.0/8"],
        ["--mcp-origin <origin...>", "origins of web pages that may use MCP, such as http://localhost:6274"],
        ["--strict", "offer only what the specification defines"],
        ["--new-key", "create an API key and show it once"],
        ["--json", "print the addresses as JSON"],
        new Option("--route-set <set>", "route set at the root address").choices(["a", "b"]).default("a"),
        ["--public-address <ip...>", "IP addresses for domains that can't have a CNAME"],
        ["--dns-server <address...>", "DNS servers for looking up custom domains (default: the system's)"],
        ["--acme <email>", "get certificates for custom domains; needs the package acme-client"],
        ["--agree-terms", "accept the terms of the certificate authority"],
        ["--acme-directory <url>", "certificate authority (default: Let's Encrypt)"],
        ["--https-port <number>", "port of custom domains over HTTPS, with --acme (default: 4402)"],
        ["--https-public-port <number>", "port that visitors use, with --acme (default: 443)"],
        ["--rate-limit <requests>", "maximum requests per minute with one key (default: no limit)"],
        ["--drain <seconds>", "on shutdown, keep serving for this long while /readyz reports it", "0"],
        ["--grace <seconds>", "then wait this long for requests in progress", "10"],
        [
          "--keep <what=days...>",
          "how long to keep requests, events, submissions, stats, and the audit log, such as audit=90",
        ],
        [
          "--limit <what=number...>",
          "maximum numbers of pages (default: 10000), sites, domains, keys, and webhooks, such as sites=500",
        ],
        new Option("--log <form>", "format of the log on the error stream").choices(["text", "json"]).default("text"),
        new Option("--log-level <level>", "lowest level to log").choices(LOG_LEVELS).default("info"),
      ],
      flags: "none",
    },
  },
});

const ARCHIVE = defineCommands({
  section: "service",
  load: () => import("./commands/archive.ts"),
  commands: {
    backup: {
      example: "backup imprint.tar.gz",
      description: "Back up a running service to one file. The file contains secrets: keep it safe.",
      arguments: [["<file>", "the backup to write, such as imprint.tar.gz"]],
      options: [
        ["--data <folder>", DATA],
        ["--database-url <url>", "PostgreSQL instead of the database in the folder (default: DATABASE_URL)"],
        ["--json", "print what was saved as JSON"],
      ],
      flags: "none",
    },
    restore: {
      example: "restore imprint.tar.gz",
      description: "Restore a service from a backup, including one from an older version.",
      arguments: [["<file>", "a backup that `imprint backup` wrote"]],
      options: [
        ["--data <folder>", DATA],
        ["--database-url <url>", "PostgreSQL instead of a database in the folder (default: DATABASE_URL)"],
        ["--force", "replace an existing service; its data moves to a folder beside it"],
        ["--json", "print what was restored as JSON"],
      ],
      flags: "none",
    },
  },
});

export const SERVICE_COMMANDS: readonly CommandGroup[] = [MCP, SERVE, ARCHIVE];
