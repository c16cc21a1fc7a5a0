import type { Command } from "commander";
import type { CliContext, ExitCode } from "./context.ts";
import { withTargetFlags, type PublishFlags } from "./shared-flags.ts";
import type { CreateKeyFlags } from "./commands/keys.ts";
import type { AddWebhookFlags } from "./commands/webhooks.ts";

export interface CommandSetup {
  readonly context: CliContext;
  readonly onExit: (code: ExitCode) => void;
}

/** `imprint keys …` */
export function addKeys(program: Command, { context, onExit }: CommandSetup): void {
  const keys = program.command("keys").description("Manage the account's API keys.");
  withTargetFlags(keys.command("list").description("List the keys, without their text.")).action(
    async (flags: PublishFlags) => {
      const { listKeysCommand } = await import("./commands/keys.ts");
      onExit(await listKeysCommand(flags, context));
    },
  );
  const create = keys
    .command("create")
    .description("Make a key and show it once.")
    .argument("<name>", "what the key is for")
    .option("--scope <scope...>", "what the key may do, such as pages:write (default: all that your own key may)")
    .option("--expires <date>", "when the key ends (default: never)");
  withTargetFlags(create).action(async (name: string, flags: CreateKeyFlags) => {
    const { createKeyCommand } = await import("./commands/keys.ts");
    onExit(await createKeyCommand(name, flags, context));
  });
  const revoke = keys
    .command("revoke")
    .description("Refuse a key from now on.")
    .argument("<id>", "id of the key, as `keys list` shows it");
  withTargetFlags(revoke).action(async (id: string, flags: PublishFlags) => {
    const { revokeKeyCommand } = await import("./commands/keys.ts");
    onExit(await revokeKeyCommand(id, flags, context));
  });
}

/** `imprint webhooks …` */
export function addWebhooks(program: Command, { context, onExit }: CommandSetup): void {
  const webhooks = program.command("webhooks").description("Manage webhooks, which tell other programs what happened.");
  withTargetFlags(webhooks.command("list").description("List the webhooks and whether they are on.")).action(
    async (flags: PublishFlags) => {
      const { listWebhooksCommand } = await import("./commands/webhooks.ts");
      onExit(await listWebhooksCommand(flags, context));
    },
  );
  const add = webhooks
    .command("add")
    .description("Make a webhook and show its secret once.")
    .argument("<url>", "where messages are sent")
    .option("--event <type...>", "types of events, such as form.submitted (default: all)")
    .option("--description <text>", "what the webhook is for");
  withTargetFlags(add).action(async (url: string, flags: AddWebhookFlags) => {
    const { addWebhookCommand } = await import("./commands/webhooks.ts");
    onExit(await addWebhookCommand(url, flags, context));
  });
  addDeliveries(webhooks, { context, onExit });
}

function addDeliveries(webhooks: Command, { context, onExit }: CommandSetup): void {
  const id = ["<id>", "id of the webhook, as `webhooks list` shows it"] as const;
  const remove = webhooks.command("remove").description("Delete a webhook and what it was still to get.");
  withTargetFlags(remove.argument(...id)).action(async (id: string, flags: PublishFlags) => {
    const { removeWebhookCommand } = await import("./commands/webhooks.ts");
    onExit(await removeWebhookCommand(id, flags, context));
  });
  const deliveries = webhooks.command("deliveries").description("Show the newest messages and how they went.");
  withTargetFlags(deliveries.argument(...id)).action(async (id: string, flags: PublishFlags) => {
    const { listDeliveriesCommand } = await import("./commands/webhooks.ts");
    onExit(await listDeliveriesCommand(id, flags, context));
  });
  const retry = webhooks.command("retry").description("Send a message again and wait for the answer.");
  withTargetFlags(retry.argument("<delivery>", "id of the message, as `webhooks deliveries` shows it")).action(
    async (id: string, flags: PublishFlags) => {
      const { retryDeliveryCommand } = await import("./commands/webhooks.ts");
      onExit(await retryDeliveryCommand(id, flags, context));
    },
  );
  const test = webhooks.command("test").description("Send a message that tells nothing and wait for the answer.");
  withTargetFlags(test.argument(...id)).action(async (id: string, flags: PublishFlags) => {
    const { testWebhookCommand } = await import("./commands/webhooks.ts");
    onExit(await testWebhookCommand(id, flags, context));
  });
}
