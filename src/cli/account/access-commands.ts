import { defineCommands, type CommandGroup } from "../define-commands.ts";

const WEBHOOK = ["<id>", "ID of the webhook, as `webhooks list` shows it"] as const;

const KEYS = defineCommands({
  section: "manage",
  name: "keys",
  description: "Manage the account's API keys.",
  load: () => import("./keys.ts"),
  commands: {
    list: { example: "keys list", description: "List the keys, without their secrets." },
    create: {
      example: "keys create ci --scope pages:write",
      description: "Create a key and show it once.",
      arguments: [["<name>", "what the key is for"]],
      options: [
        ["--scope <scope...>", "permissions of the key, such as pages:write (default: those of your own key)"],
        ["--expires <date>", "when the key expires (default: never)"],
      ],
    },
    revoke: {
      example: "keys revoke key_1",
      description: "Revoke a key, effective immediately.",
      arguments: [["<id>", "ID of the key, as `keys list` shows it"]],
    },
  },
});

const WEBHOOKS = defineCommands({
  section: "manage",
  name: "webhooks",
  description: "Manage webhooks, which notify other programs of events.",
  load: () => import("./webhooks.ts"),
  commands: {
    list: { example: "webhooks list", description: "List the webhooks with their state." },
    add: {
      example: "webhooks add https://example.org/hook --event form.submitted",
      description: "Create a webhook and show its secret once.",
      arguments: [["<url>", "URL that receives the messages"]],
      options: [
        ["--event <type...>", "types of events, such as form.submitted (default: all)"],
        ["--description <text>", "what the webhook is for"],
      ],
    },
    remove: {
      example: "webhooks remove wh_1",
      description: "Delete a webhook and cancel its pending deliveries.",
      arguments: [WEBHOOK],
    },
    deliveries: {
      example: "webhooks deliveries wh_1",
      description: "Show the newest deliveries with their results.",
      arguments: [WEBHOOK],
    },
    retry: {
      example: "webhooks retry del_1",
      description: "Send a delivery again and wait for the response.",
      arguments: [["<delivery>", "ID of the delivery, as `webhooks deliveries` shows it"]],
    },
    test: {
      example: "webhooks test wh_1",
      description: "Send a test message and wait for the response.",
      arguments: [WEBHOOK],
    },
  },
});

const DASHBOARD = defineCommands({
  section: "manage",
  load: () => import("./keys.ts"),
  commands: {
    dashboard: { example: "dashboard", description: "Create a one-time dashboard link (valid for 10 minutes)." },
  },
});

const API = defineCommands({
  section: "manage",
  load: () => import("./api.ts"),
  commands: {
    api: {
      example: ["api", "api pages.list", "api pages.get -f slug=about"],
      description: "Call any API operation and print the response. Without an operation, list them all.",
      arguments: [["[operation]", "name of the operation, such as pages.list"]],
      options: [
        [
          "-f, --field <name=value...>",
          "path parameter, or field of the query or body; @file reads a file, repeat a name for a list",
        ],
      ],
      help: async () => (await import("./api.ts")).renderOperations(),
    },
  },
});

export const ACCESS_COMMANDS: readonly CommandGroup[] = [KEYS, WEBHOOKS, DASHBOARD, API];
