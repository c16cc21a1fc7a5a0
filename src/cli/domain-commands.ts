import type { Command } from "commander";
import type { CommandSetup } from "./account-commands.ts";
import type { CheckDomainFlags } from "./commands/check-domain.ts";
import type { AddDomainFlags } from "./commands/domains.ts";
import type { DeletionFlags } from "./confirm.ts";
import { withTargetFlags, type PublishFlags } from "./shared-flags.ts";

/** `imprint domains …` */
export function addDomains(program: Command, { context, onExit }: CommandSetup): void {
  const domains = program.command("domains").description("Show sites under domains of your own.");
  withTargetFlags(domains.command("list").description("List the domains and how they stand.")).action(
    async (flags: PublishFlags) => {
      const { listDomainsCommand } = await import("./commands/domains.ts");
      onExit(await listDomainsCommand(flags, context));
    },
  );
  const add = domains
    .command("add")
    .description("Add a domain and show the DNS records to set.")
    .argument("<domain>", "the domain, such as www.example.org")
    .option("--site <site>", "id, slug or name of the site to show (default: the only one)")
    .option("--redirect <domain>", "send its visitors on to another domain (route set A)");
  withTargetFlags(add).action(async (name: string, flags: AddDomainFlags) => {
    const { addDomainCommand } = await import("./commands/domains.ts");
    onExit(await addDomainCommand(name, flags, context));
  });
  const check = domains
    .command("check")
    .description("Let the service look at a domain's DNS records now, and say what is missing.")
    .argument("<domain>", "the domain")
    .option("--wait [minutes]", "look again until it is active (30 minutes unless said otherwise)");
  withTargetFlags(check).action(async (name: string, flags: CheckDomainFlags) => {
    const { checkDomainCommand } = await import("./commands/check-domain.ts");
    onExit(await checkDomainCommand(name, flags, context));
  });
  const remove = domains
    .command("remove")
    .description("Remove a domain with its certificate.")
    .argument("<domain>", "the domain")
    .option("--yes", "do not ask");
  withTargetFlags(remove).action(async (name: string, flags: DeletionFlags) => {
    const { removeDomainCommand } = await import("./commands/domains.ts");
    onExit(await removeDomainCommand(name, flags, context));
  });
}
