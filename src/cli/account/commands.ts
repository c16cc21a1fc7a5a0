import { Option } from "commander";
import { PAGE_STATUSES } from "../../contract/records.ts";
import { ACCESS_COMMANDS } from "./access-commands.ts";
import { defineCommands, type CommandGroup } from "../define-commands.ts";
import { AUDIT, LOGS, USERS } from "./people-commands.ts";

const SITE = ["<site>", "ID, slug or name of the site"] as const;
const CHANGE_ANYWAY = [
  "--yes",
  "change it even if that removes settings that the service doesn't show (route set B)",
] as const;
const DOMAIN = ["<domain>", "the domain, such as www.example.org"] as const;
const ALT = ["--alt <text>", "alternative text of an image"] as const;
const RELEASE = ["[id]", "ID of the release, as `releases list` shows it (default: the live one)"] as const;
const OF_SITE = ["--site <site>", "ID, slug or name of the site (default: all sites)"] as const;
const OF_PREVIEWS = ["--previews", "pages of previews instead of live ones"] as const;
const YES = ["--yes", "delete without asking"] as const;
const FROM = ["--from <day>", "first day, such as 2026-08-01 (UTC)"] as const;
const TO = ["--to <day>", "last day (UTC)"] as const;

const PREVIEWS = defineCommands({
  section: "publish",
  name: "preview",
  description: "Previews: whole sites beside the live one, made by `imprint publish --preview <name>`.",
  load: () => import("./previews.ts"),
  commands: {
    list: {
      example: "preview list",
      description: "List the previews with their pages, age and address.",
      flags: "pages-url",
    },
    remove: {
      example: "preview remove pr-12",
      description: "Delete the pages of a preview that imprint published. A missing preview is not an error.",
      arguments: [["<name>", "name of the preview, as `preview list` shows it"]],
      options: [YES],
      flags: "pages-url",
    },
  },
});

const PAGES = defineCommands({
  section: "manage",
  name: "pages",
  description: "Show pages and change them without their HTML.",
  load: () => import("./pages.ts"),
  commands: {
    list: { example: "pages list", description: "List the pages, newest first.", options: [OF_SITE, OF_PREVIEWS] },
    update: {
      example: "pages update about --title 'About us'",
      description: "Change the title, description, status or site of a page, but not its HTML.",
      arguments: [["<page>", "slug of the page"]],
      options: [
        ["--title <title>", "title in lists"],
        ["--description <text>", "short description (empty: none)"],
        new Option("--status <status>", "draft hides the page from visitors").choices(PAGE_STATUSES),
        ["--site <site>", "ID, slug or name of the site it belongs to (empty: none)"],
      ],
    },
  },
});

const FORMS = defineCommands({
  section: "manage",
  name: "forms",
  description: "Show and export what visitors sent through forms.",
  load: () => import("./forms.ts"),
  commands: {
    list: {
      example: ["forms list", "forms list contact --from 2026-08-01"],
      description: "List the forms on published pages, or the submissions of one page.",
      arguments: [["[page]", "slug of a page (required with route set B)"]],
      options: [
        ["--form <name>", "only one form of the page"],
        ["--spam", "list spam in place of the other submissions"],
        ["--unread", "only unread submissions"],
        OF_PREVIEWS,
        FROM,
        TO,
      ],
    },
    export: {
      example: "forms export contact --out contact.csv",
      description: "Export submissions that are not spam, as CSV that spreadsheets open safely, or as JSON.",
      arguments: [["[page]", "slug of a page (default: all pages)"]],
      options: [
        new Option("--format <format>", "format of the export").choices(["csv", "json"]).default("csv"),
        ["--leads", "only the first submission of each email address"],
        ["--out <file>", "file to write (default: standard output)"],
        FROM,
        TO,
      ],
    },
  },
});

const ANALYTICS = defineCommands({
  section: "manage",
  load: () => import("./analytics.ts"),
  commands: {
    analytics: {
      example: ["analytics", "analytics about --from 2026-08-01"],
      description: "Show what visitors did: on all pages, or on one in detail.",
      arguments: [["[page]", "slug of a page"]],
      options: [FROM, TO],
    },
  },
});

const SITES = defineCommands({
  section: "manage",
  name: "sites",
  description: "Manage sites, which group pages.",
  load: () => import("./sites.ts"),
  commands: {
    list: { example: "sites list", description: "List the sites." },
    show: { example: "sites show docs", description: "Show the details of a site.", arguments: [SITE] },
    rename: {
      example: "sites rename docs Handbook",
      description: "Rename a site.",
      arguments: [SITE, ["<name>", "the new name"]],
      options: [CHANGE_ANYWAY],
    },
    home: {
      example: "sites home docs index",
      description: "Set the home page of a site.",
      arguments: [SITE, ["[page]", "slug of the page"]],
      options: [["--none", "remove the home page"], CHANGE_ANYWAY],
    },
    remove: {
      example: "sites remove docs",
      description: "Delete a site (route set A). Its pages are kept.",
      arguments: [SITE],
      options: [["--with-pages", "also delete its pages, whoever published them"], YES],
    },
  },
});

const ASSETS = defineCommands({
  section: "manage",
  name: "assets",
  description: "Manage the files in the library.",
  load: () => import("./assets.ts"),
  commands: {
    list: {
      example: ["assets list", "assets list logo"],
      description: "List the files of the library.",
      arguments: [["[text]", "only files with this in their name"]],
    },
    upload: {
      example: "assets upload photo.jpg --alt 'A lamp on a desk'",
      description: "Upload files and show their addresses.",
      arguments: [["<files...>", "files to upload (route set B accepts only images)"]],
      options: [ALT],
    },
    import: {
      example: "assets import https://example.org/photo.jpg --route-set b",
      description: "Have the service fetch a file into the library (route set B).",
      arguments: [["<url>", "address of the file"]],
      options: [["--name <name>", "name of the file in the library"], ALT],
    },
    remove: {
      example: "assets remove photo.jpg",
      description: "Delete files of the library (route set A).",
      arguments: [["<files...>", "ID, name or address of each file"]],
      options: [["--force", "even if they are in use"], YES],
    },
    prune: {
      example: ["assets prune", "assets prune --yes"],
      description: "List files that this project uploaded and nothing uses anymore; delete them with --yes.",
      arguments: [["[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)"]],
      options: [
        ["--yes", "delete them"],
        [
          "--force",
          "include files uploaded in the last 24 hours, or at an unknown time, which an unfinished run may still use",
        ],
      ],
      flags: "plan",
    },
  },
});

const DOMAINS = defineCommands({
  section: "manage",
  name: "domains",
  description: "Serve sites on your own domains.",
  load: () => import("./domains.ts"),
  commands: {
    list: { example: "domains list", description: "List the domains with their status." },
    add: {
      example: "domains add www.example.org --site docs",
      description: "Add a domain and show the DNS records to set.",
      arguments: [DOMAIN],
      options: [
        ["--site <site>", "ID, slug or name of the site to show (default: the only one)"],
        ["--redirect <domain>", "redirect its visitors to another domain (route set A)"],
      ],
    },
    check: {
      example: "domains check www.example.org --wait",
      description: "Check a domain's DNS records now and report what is missing.",
      arguments: [DOMAIN],
      options: [["--wait [minutes]", "check again until it is active (default: 30 minutes)"]],
    },
    remove: {
      example: "domains remove www.example.org",
      description: "Remove a domain with its certificate.",
      arguments: [DOMAIN],
      options: [YES],
    },
  },
});

const RELEASES = defineCommands({
  section: "publish",
  name: "releases",
  description: "List earlier versions of a site, and restore one.",
  load: () => import("./releases.ts"),
  commands: {
    list: { example: "releases list", description: "List the releases, newest first.", options: [OF_SITE] },
    show: {
      example: "releases show",
      description: "Show a release and the pages that it changed.",
      arguments: [RELEASE],
      options: [OF_SITE],
    },
    diff: {
      example: "releases diff",
      description: "List the pages in which a release differs from its parent, or from another release.",
      arguments: [RELEASE, ["[against]", "ID of the other release (default: its parent)"]],
      options: [OF_SITE],
    },
    rollback: {
      example: "releases rollback",
      description: "Restore the pages of an earlier release, all at once. Posts don't change.",
      arguments: [
        ["[id]", "ID of the release, as `releases list` shows it (default: the one whose pages were live before)"],
      ],
      options: [
        OF_SITE,
        ["--force", "also replace pages that were edited by hand"],
        ["--yes", "roll back without asking"],
      ],
    },
  },
});

export const ACCOUNT_COMMANDS: readonly CommandGroup[] = [
  PREVIEWS,
  PAGES,
  FORMS,
  ANALYTICS,
  SITES,
  ASSETS,
  DOMAINS,
  RELEASES,
  USERS,
  AUDIT,
  LOGS,
  ...ACCESS_COMMANDS,
];
