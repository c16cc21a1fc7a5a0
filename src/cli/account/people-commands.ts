import { Option } from "commander";
import { AUDIT_ACTIONS } from "../../contract/people.ts";
import { defineCommands } from "../define-commands.ts";

const USER = ["<user>", "email address, ID or name of the user"] as const;

export const USERS = defineCommands({
  section: "manage",
  name: "users",
  description: "Manage the people who use the service.",
  load: () => import("./users.ts"),
  commands: {
    list: { example: "users list", description: "List the users with their roles." },
    invite: {
      example: "users invite ana@example.org --role viewer",
      description: "Add a user, or invite one again, and show the one-time link that signs them in.",
      arguments: [["<email>", "email address of the person"]],
      options: [
        ["--role <role>", "owner, editor or viewer (default: editor)"],
        ["--name <name>", "name of the person (default: taken from the address)"],
      ],
    },
    role: {
      example: "users role ana@example.org owner",
      description: "Change the role of a user, effective immediately.",
      arguments: [USER, ["<role>", "owner, editor or viewer"]],
    },
    remove: {
      example: "users remove ana@example.org",
      description: "Remove a user, sign them out everywhere and revoke their keys.",
      arguments: [USER],
      options: [
        ["--keep-keys", "keep the user's API keys as yours"],
        ["--yes", "remove without asking"],
      ],
    },
  },
});

export const LOGS = defineCommands({
  section: "manage",
  load: () => import("./logs.ts"),
  commands: {
    logs: {
      example: ["logs", "logs --follow", "logs --failed --path /api/pages"],
      description: "Show the newest requests to the service's API and their results.",
      options: [
        ["-f, --follow", "keep printing new requests until Ctrl+C; with --json, one object per line"],
        ["--failed", "only requests that were refused or failed"],
        ["--path <text>", "only requests whose path contains this"],
      ],
    },
  },
});

export const AUDIT = defineCommands({
  section: "manage",
  load: () => import("./audit.ts"),
  commands: {
    audit: {
      example: ["audit", "audit --action sign-in.failed"],
      description: "Show sign-ins, deletions, and changes to users, keys, apps, and settings.",
      options: [new Option("--action <action>", "only entries of this action").choices(AUDIT_ACTIONS)],
    },
  },
});
