import { Argument, Option } from "commander";
import { defineCommands, type CommandGroup } from "./define-commands.ts";
import { CLIENT_NAMES } from "./mcp/setups.ts";
import { SERVE_PORTS } from "./serve-flags.ts";
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
        ["--dry-run", "show what would be sent and send nothing"],
        ["--accept", "record in imprint.lock.json what this host can't do, so that it no longer fails a run"],
        ["--plan <file>", "carry out this reviewed plan, or refuse when the site or the service has changed"],
      ],
      flags: "publish",
    },
    plan: {
      example: ["plan", "plan --out plan.json"],
      description: "Show what publishing would change, with reasons, and send nothing.",
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
      description: "Show what publishing would change in one page: the live page against the built one.",
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
        "List pages at the site's slugs that can't be shown to be this project's, and take them over. For a lost imprint.lock.json.",
      arguments: [DIST],
      options: [["-y, --yes", "take them over without asking"]],
      flags: "pages-url",
    },
  },
});

/** What the command line does with the built site of a project. */
export const SITE_COMMANDS: readonly CommandGroup[] = [PUBLISHING, DIFF, ADOPT];

const PLACE = ["[place]", "built folder or address of a site (default: the project's built folder)"] as const;
const FORMATS = ["css", "dtcg", "tailwind", "shadcn", "json"];

const BRAND = defineCommands({
  section: "write",
  name: "brand",
  description: "Take colors, fonts and logos out of a site, and look at them.",
  load: () => import("./commands/brand.ts"),
  commands: {
    extract: {
      example: ["brand extract", "brand extract https://example.org"],
      description: "Show the brand kit of a site, with how certain each value is.",
      arguments: [PLACE],
      options: [["--json", "print all findings with their evidence as JSON"]],
      flags: "none",
    },
    explain: {
      example: "brand explain primary",
      description: "Show why a value is what it is.",
      arguments: [
        ["<role>", "background, text, link, primary, accent, surface, border, heading, body, mono or logo"],
        PLACE,
      ],
      flags: "none",
    },
    export: {
      example: "brand export --format tailwind --out theme.css",
      description: "Write the brand kit as code.",
      arguments: [PLACE],
      options: [
        new Option("--format <format>", "form of the kit").choices(FORMATS).default("css"),
        ["--out <file>", "file to write (default: the standard output)"],
      ],
      flags: "none",
    },
    sheet: {
      example: "brand sheet --out brand.html",
      description: "Write a page to look at: colors with their contrast, type specimens and logos, light and dark.",
      arguments: [PLACE],
      options: [
        ["--svg", "write a picture instead of a page"],
        ["--out <file>", "file to write", "brand-sheet.html"],
      ],
      flags: "none",
    },
  },
});

/** What the command line does with a project beside its site. */
export const PROJECT_COMMANDS: readonly CommandGroup[] = [BRAND];

const MCP = defineCommands({
  section: "manage",
  load: () => import("./commands/mcp.ts"),
  commands: {
    mcp: {
      example: "mcp",
      description: "Show how to connect an AI client to the service, by MCP. Never shows a key.",
      arguments: [new Argument("[client]", "only this client").choices(CLIENT_NAMES)],
      options: [["--with-key", "with an API key instead of a login in the browser"]],
    },
  },
});

const SERVE = defineCommands({
  section: "service",
  load: () => import("./commands/serve.ts"),
  commands: {
    serve: {
      example: ["serve --open", "serve --host 0.0.0.0 --app-url https://pages.example.org"],
      description: "Run the service here: API, published pages and library, with data in .imprint/.",
      options: [
        ["--port <number>", "port of the API", SERVE_PORTS.port],
        ["--pages-port <number>", "port of published pages and library files", SERVE_PORTS.pagesPort],
        ["--data <folder>", "folder of the database and the files", ".imprint"],
        ["--database-url <url>", "PostgreSQL in the place of SQLite (default: DATABASE_URL when it is postgres://…)"],
        ["--open", "open the site in a browser"],
        ["--ephemeral", "keep nothing after the end"],
        ["--new", "start with an empty database where the files of a service have lost theirs"],
        new Option("--durability <level>", "full: a power cut takes back nothing that was answered, not only no form")
          .choices(["normal", "full"])
          .default("normal"),
        ["--host <address>", "network interface to listen on, such as 0.0.0.0 (default: this machine only)"],
        ["--app-url <url>", "address of the API and the dashboard when a proxy stands in front"],
        ["--pages-url <url>", "address of published pages when a proxy stands in front"],
        ["--trust-proxy", "take the address of a visitor from the proxy's X-Forwarded-For"],
        ["--smtp-url <url>", "mail server for sign-in links, invitations and submissions (default: IMPRINT_SMTP_URL)"],
        ["--mail-from <address>", "sender of mail (default: IMPRINT_MAIL_FROM)"],
        ["--allow-network <network...>", "networks that webhooks and imports may reach, such as 10.0.0.0/8"],
        ["--mcp-origin <origin...>", "origins of web pages that may use MCP, such as http://localhost:6274"],
        ["--strict", "answer only what the specification shows"],
        ["--new-key", "make an API key and show it once"],
        ["--json", "print the addresses as JSON"],
        new Option("--route-set <set>", "route set at the root address").choices(["a", "b"]).default("a"),
        ["--public-address <ip...>", "IP addresses for domains that can't have a CNAME"],
        ["--dns-server <address...>", "DNS servers that custom domains are looked up at (default: the system's)"],
        ["--acme <email>", "get certificates for custom domains; needs the package acme-client"],
        ["--agree-terms", "you accept the terms of the certificate authority"],
        ["--acme-directory <url>", "another certificate authority than Let's Encrypt"],
        ["--https-port <number>", "port of custom domains over HTTPS, with --acme", "4402"],
        ["--https-public-port <number>", "port under which visitors reach it", "443"],
        ["--rate-limit <requests>", "answer at most so many requests a minute with one key (default: no limit)"],
        ["--drain <seconds>", "when ended, go on so long while /readyz says that it ends", "0"],
        ["--grace <seconds>", "then let running requests end for so long", "10"],
        ["--keep <what=days...>", "how long to keep requests, events, submissions and stats, such as events=90"],
        [
          "--limit <what=number...>",
          "most pages (default: 10000), sites, domains, keys and webhooks, such as sites=500",
        ],
        new Option("--log <form>", "form of the log on the error stream").choices(["text", "json"]).default("text"),
        new Option("--log-level <level>", "the least that is logged").choices(LOG_LEVELS).default("info"),
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
      description: "Save a service into one file, while it runs. The file holds secrets: keep it safe.",
      arguments: [["<file>", "the backup to write, such as imprint.tar.gz"]],
      options: [
        ["--data <folder>", "folder of the database and the files", ".imprint"],
        ["--database-url <url>", "PostgreSQL in the place of the database in the folder (default: DATABASE_URL)"],
        ["--json", "print what was saved as JSON"],
      ],
      flags: "none",
    },
    restore: {
      example: "restore imprint.tar.gz",
      description: "Put a service back from a backup, also one of an older version.",
      arguments: [["<file>", "a backup that `imprint backup` wrote"]],
      options: [
        ["--data <folder>", "folder that the service will keep its data in", ".imprint"],
        ["--database-url <url>", "PostgreSQL in the place of a database in the folder (default: DATABASE_URL)"],
        ["--force", "replace a service that is there, and keep it in a folder beside"],
        ["--json", "print what was put back as JSON"],
      ],
      flags: "none",
    },
  },
});

/** What the command line does with a service of your own. */
export const SERVICE_COMMANDS: readonly CommandGroup[] = [MCP, SERVE, ARCHIVE];
