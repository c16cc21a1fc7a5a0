import { defineCommands } from "../define-commands.ts";

const USER = ["<user>", "email address, ID or name of the user"] as const;

/** Who uses the service. */
export const USERS = defineCommands({
  name: "users",
  description: "Manage the people who use the service.",
  load: () => import("./users.ts"),
  commands: {
    list: { description: "List the users with their roles." },
    invite: {
      description: "Add a user, or invite one again, and show the one-time link that signs them in.",
      arguments: [["<email>", "email address of the person"]],
      options: [
        ["--role <role>", "owner, editor or viewer (default: editor)"],
        ["--name <name>", "name of the person (default: taken from the address)"],
      ],
    },
    role: {
      description: "Change the role of a user, effective immediately.",
      arguments: [USER, ["<role>", "owner, editor or viewer"]],
    },
    remove: {
      description: "Remove a user, sign them out everywhere and revoke their keys.",
      arguments: [USER],
      options: [
        ["--keep-keys", "keep the user's API keys as yours"],
        ["--yes", "remove without asking"],
      ],
    },
  },
});

/** What they did. */
export const AUDIT = defineCommands({
  load: () => import("./audit.ts"),
  commands: {
    audit: {
      description: "Show who signed in, and who changed users, keys, apps and settings or deleted something.",
      options: [["--action <action>", "only entries of this action, such as sign-in.failed"]],
    },
  },
});
