import { Option, type Command } from "commander";

/** Flags for what to publish and where; each overrides the option of the same name in the project's config. */
export interface PublishFlags {
  readonly root?: string;
  readonly service?: string;
  readonly routeSet?: string;
  readonly pagesUrl?: string;
  readonly prune?: boolean;
  readonly adopt?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly preview?: string;
  readonly branch?: string;
}

export function withTargetFlags(command: Command): Command {
  return command
    .option("--root <folder>", "folder of the project (default: the current folder)")
    .option("--service <address>", 'address of the service before /api, or "embedded" (default: IMPRINT_SERVICE)')
    .addOption(new Option("--route-set <set>", "route set of the service").choices(["auto", "a", "b"]))
    .option("--json", "print the report as JSON");
}

/** Flags that change what a run does. */
export function withPlanFlags(command: Command): Command {
  return withPagesUrlFlag(withTargetFlags(command))
    .option("--prune", "delete pages that imprint published and the site no longer has")
    .option("--adopt", "take over pages at the site's slugs that imprint didn't publish");
}

export function withPagesUrlFlag(command: Command): Command {
  return command.option(
    "--pages-url <address>",
    "where the service serves pages: the address before /p/, or a pattern with {slug}",
  );
}

export function withPreviewFlag(command: Command): Command {
  return command.option("--preview <name>", "use a preview beside the live site, such as pr-12 (or IMPRINT_PREVIEW)");
}

export function withVerifyFlag(command: Command): Command {
  const description = "fetch what was published at its public address; =browser also opens pages in a headless browser";
  return command.addOption(new Option("--verify [how]", description).choices(["browser"]));
}

export function withRunFlags(command: Command): Command {
  withPreviewFlag(command)
    .option("--page <page>", "publish only this page and its files (slug or route)")
    .option("--branch <name>", "branch of the build, for `publish.branches` (default: from the CI or .git/HEAD)")
    .option("--report <file>", "also write the report to a file, as JSON")
    .option("--code-quality <file>", "write failures and warnings to a file, for GitLab's merge requests");
  return withPlanFlags(command).option("--strict", "fail on warnings and blocked changes");
}

/** Returns the options that are set by flags. */
export function optionsFromFlags(flags: PublishFlags): Readonly<Record<string, unknown>> {
  const { routeSet, pagesUrl, prune, adopt, strict } = flags;
  // Empty embedded options, unlike "embedded", take precedence over IMPRINT_SERVICE.
  const service = flags.service === "embedded" ? {} : flags.service;
  const given = { service, routeSet, pagesUrl, prune, adopt, strict };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
