import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { confirm, password, select } from "@clack/prompts";
import { ImprintError } from "../../base/error.ts";
import { readEnvironment } from "../../target/environment.ts";
import { runImprint, runNode, SETUP_VARIABLE } from "../../target/own-program.ts";
import { findRunCommand } from "../../target/package-manager.ts";
import { installMissing } from "../../target/service-package.ts";
import { hasCredential } from "../../target/target.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { applyWishes, type Change } from "../init/apply.ts";
import { answered, askChoices, canAsk, type Asking, type InitFlags, type SetupChoices } from "../init/ask.ts";
import { inspectProject, readIfThere } from "../init/inspect-project.ts";
import { parseProjectOptions, readProject } from "../project.ts";
import type { Paint } from "../../sync/report/render-text.ts";

export { initCommand as init };

/** `imprint init`: asks for missing settings, writes them to the project, then builds, publishes and shows the site. */
async function initCommand({ flags, context, paint }: CommandRun<InitFlags>): Promise<CommandResult> {
  const asking = { flags, context };
  const root = resolve(context.cwd, flags.root ?? ".");
  const surroundings = inspectProject(root);
  const wishes = (await findWishes(root, flags)) ?? (await askChoices(surroundings, asking));
  await installMissing(root, wishes.service === "embedded");
  const changes = await applyWishes(root, wishes, surroundings);
  context.out.write(renderChanges(changes, paint));
  if (changes.some(({ kind, file }) => kind === "by hand" && file.startsWith("astro.config"))) {
    context.error.write(
      `Add these lines to the Astro config, then run \`${findRunCommand(root)} imprint init\` again.\n`,
    );
    return 1;
  }
  const isSignedIn = wishes.service === "embedded" || (await signIn(root, wishes.service, asking));
  if (!isSignedIn || flags.publish === false) return finish(root, isSignedIn, asking);
  const code = await build(root);
  return code === 0 ? await show(root, wishes, asking) : 1;
}

/** Returns the settings of a project that was set up before, and the workflow that a flag adds to it. */
async function findWishes(root: string, flags: InitFlags): Promise<SetupChoices | undefined> {
  const project = await readProject(root);
  if (Object.keys(project.options).length === 0) return undefined;
  const { service } = parseProjectOptions(project);
  return {
    service: typeof service === "string" ? service : "embedded",
    posts: undefined,
    ci: flags.ci || undefined,
  };
}

function renderChanges(changes: readonly Change[], paint: Paint): string {
  const signs = { written: paint("good", "+"), kept: paint("dim", "="), "by hand": paint("warn", "!") };
  const lines = changes.flatMap(({ file, kind, lines: inside }) => [
    `  ${signs[kind]} ${file}${kind === "kept" ? "  unchanged" : ""}`,
    ...inside.map((line) => `      ${line}`),
  ]);
  return `\n${lines.join("\n")}\n\n`;
}

/** Whether the project can publish to the service. A key is stored in `.env`, which git ignores. */
async function signIn(root: string, service: string, asking: Asking): Promise<boolean> {
  const { environment } = asking.context;
  if (await hasCredential(await readEnvironment(root, environment), service)) return true;
  if (!canAsk(asking)) return false;
  const options = [
    { value: "login", label: "Log in in the browser" },
    { value: "key", label: "Paste an API key", hint: "stored in .env" },
    { value: "later", label: "Later" },
  ];
  const way = answered(await select({ message: `How do you want to sign in to ${service}?`, options }));
  if (way === "login") return (await runImprint(["login", "--service", service], root)) === 0;
  if (way === "later") return false;
  const key = answered(await password({ message: "API key" })).trim();
  const file = join(root, ".env");
  const text = readIfThere(file) ?? "";
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}IMPRINT_API_KEY=${key}\n`, { mode: 0o600 });
  return key !== "";
}

function finish(root: string, isSignedIn: boolean, { context }: Asking): CommandResult {
  const run = findRunCommand(root);
  const lines = [
    ...(isSignedIn ? [] : [`Sign in with \`${run} imprint login\`, or set IMPRINT_API_KEY.`]),
    `Then run \`${run} astro build\` to build and publish the site.`,
  ];
  context.out.write(`${lines.join("\n")}\n`);
  return 0;
}

function build(root: string): Promise<number> {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("astro/package.json");
    return runNode([join(dirname(manifest), "bin/astro.mjs"), "build"], root, { [SETUP_VARIABLE]: "1" });
  } catch (error) {
    throw new ImprintError("DIST_MISSING", "Astro is not installed in this project.", {
      cause: error,
      hint: "Install the project's dependencies, such as with `npm install`, then run `npx imprint init` again.",
    });
  }
}

async function show(root: string, { service }: SetupChoices, asking: Asking): Promise<CommandResult> {
  const { flags, context } = asking;
  // The rules of `publish` may exclude the branch of this build, which has already reported it.
  if (readIfThere(join(root, "imprint.lock.json")) === undefined) return 0;
  context.out.write(COMMIT_LOCK);
  const command = service === "embedded" ? ["serve", "--open"] : ["open"];
  if (flags.open === true || (canAsk(asking) && (await wantsToSee(service)))) {
    return (await runImprint(command, root)) === 0 ? 0 : 1;
  }
  context.out.write(`To see your site, run \`${findRunCommand(root)} imprint ${command.join(" ")}\`.\n`);
  return 0;
}

const COMMIT_LOCK = "Commit imprint.lock.json, so that other checkouts and CI jobs know what was published.\n";

async function wantsToSee(service: string): Promise<boolean> {
  const until = service === "embedded" ? " The service runs until you press Ctrl+C." : "";
  return (await confirm({ message: `Open your site now?${until}` })) === true;
}
