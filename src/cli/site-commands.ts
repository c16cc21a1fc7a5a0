import type { Command } from "commander";
import type { CommandSetup } from "./account-commands.ts";
import type { ChangeSiteFlags, HomeFlags, RemoveSiteFlags } from "./commands/sites.ts";
import { withTargetFlags, type PublishFlags } from "./shared-flags.ts";

const SITE = ["<site>", "id, slug or name of the site"] as const;
const CHANGE_ANYWAY = ["--yes", "change it even where the service hides what that takes away (route set B)"] as const;

/** `imprint sites …` */
export function addSites(program: Command, { context, onExit }: CommandSetup): void {
  const sites = program.command("sites").description("Manage sites, which hold pages together.");
  withTargetFlags(sites.command("list").description("List the sites.")).action(async (flags: PublishFlags) => {
    const { listSitesCommand } = await import("./commands/sites.ts");
    onExit(await listSitesCommand(flags, context));
  });
  const show = sites.command("show").description("Show what is known of a site.");
  withTargetFlags(show.argument(...SITE)).action(async (site: string, flags: PublishFlags) => {
    const { showSiteCommand } = await import("./commands/sites.ts");
    onExit(await showSiteCommand(site, flags, context));
  });
  const rename = sites.command("rename").description("Give a site another name.");
  withTargetFlags(
    rename
      .argument(...SITE)
      .argument("<name>", "the new name")
      .option(...CHANGE_ANYWAY),
  ).action(async (site: string, name: string, flags: ChangeSiteFlags) => {
    const { renameSiteCommand } = await import("./commands/sites.ts");
    onExit(await renameSiteCommand({ site, name }, flags, context));
  });
  addHome(sites, { context, onExit });
  const remove = sites
    .command("remove")
    .description("Delete a site (route set A). Its pages stay.")
    .argument(...SITE)
    .option("--with-pages", "delete its pages too, whoever published them")
    .option("--yes", "do not ask");
  withTargetFlags(remove).action(async (site: string, flags: RemoveSiteFlags) => {
    const { removeSiteCommand } = await import("./commands/sites.ts");
    onExit(await removeSiteCommand(site, flags, context));
  });
}

function addHome(sites: Command, { context, onExit }: CommandSetup): void {
  const home = sites
    .command("home")
    .description("Say which page a site's address leads to.")
    .argument(...SITE)
    .argument("[page]", "slug of the page")
    .option("--none", "take the home page away")
    .option(...CHANGE_ANYWAY);
  withTargetFlags(home).action(async (site: string, slug: string | undefined, flags: HomeFlags) => {
    const { setHomeCommand } = await import("./commands/sites.ts");
    onExit(await setHomeCommand({ site, slug }, flags, context));
  });
}
