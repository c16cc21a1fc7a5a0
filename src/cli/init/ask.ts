import { pluralize } from "../../base/pluralize.ts";
import type { Readable } from "node:stream";
import { confirm, isCancel, select, text } from "@clack/prompts";
import { ImprintError } from "../../base/error.ts";
import type { CliContext } from "../context.ts";
import { isWatched } from "../terminal.ts";
import { type CiName, type ProjectFacts } from "./inspect-project.ts";

/** The settings that a person chose, by flags or prompts. */
export interface SetupChoices {
  /** `embedded`, or the address of a hosted service. */
  readonly service: string;
  /** Folder of the posts; `undefined` publishes none. */
  readonly posts: string | undefined;
  readonly ci: CiName | undefined;
}

/** Flags that skip prompts. */
export interface InitFlags {
  readonly root?: string;
  readonly service?: string;
  /** `false`: none. */
  readonly posts?: string | false;
  /** `false`: none. */
  readonly ci?: CiName | false;
  /** `false`: neither. */
  readonly login?: boolean;
  readonly publish?: boolean;
  readonly open?: boolean;
  readonly yes?: boolean;
}

export interface Asking {
  readonly flags: InitFlags;
  readonly context: CliContext;
}

export function canAsk({ flags, context: { out, environment } }: Asking): boolean {
  const { stdin }: { readonly stdin: Readable & { readonly isTTY?: boolean } } = process;
  return flags.yes !== true && out === process.stdout && isWatched(out, environment) && stdin.isTTY === true;
}

/** Asks for what flags don't specify. Throws `USAGE` without a terminal or `--yes`, and `ABORTED`. */
export async function askChoices({ postFolders, ci: foundCi }: ProjectFacts, asking: Asking): Promise<SetupChoices> {
  const { flags } = asking;
  if (!canAsk(asking) && flags.yes !== true) {
    throw new ImprintError("USAGE", "Questions need a terminal.", {
      hint: "Add --yes to accept the suggestions; change them with --service, --posts, and --ci.",
    });
  }
  const service = flags.service ?? (await askService(asking));
  if (service !== "embedded" && !/^https?:\/\//.test(service)) {
    throw new ImprintError("USAGE", '--service accepts an address such as https://pages.example.org, or "embedded".');
  }
  const [suggested] = postFolders;
  const posts = flags.posts ?? (suggested && (await askPosts(suggested, asking)));
  const ci = flags.ci === undefined ? await askCi(service, foundCi, asking) : flags.ci || undefined;
  return { service: service.replace(/\/+$/, ""), posts: posts === false ? undefined : posts, ci };
}

async function askService(asking: Asking): Promise<string> {
  if (!canAsk(asking)) return "embedded";
  const kind = answered(
    await select({
      message: "Where do you want to publish?",
      options: [
        { value: "embedded", label: "On this machine", hint: "no account; you can move later" },
        { value: "hosted", label: "To a hosted service", hint: "you have its address" },
      ],
    }),
  );
  if (kind === "embedded") return kind;
  const validate = (value = "") =>
    /^https?:\/\/\S+$/.test(value) ? undefined : "Enter an address that starts with https://";
  return answered(
    await text({ message: "Address of the service", placeholder: "https://pages.example.org", validate }),
  );
}

async function askPosts({ path, count }: ProjectFacts["postFolders"][number], asking: Asking) {
  if (!canAsk(asking)) return path;
  const message = `${path} has ${pluralize(count, "post")}. Publish them to the service's blog too?`;
  return answered(await confirm({ message })) && path;
}

// CI keeps nothing between its runs, so it can't use an embedded service.
async function askCi(service: string, found: CiName | undefined, asking: Asking): Promise<CiName | undefined> {
  if (service === "embedded" || found === undefined || !canAsk(asking)) return undefined;
  const name = found === "github" ? "GitHub Actions" : "GitLab CI";
  return answered(await confirm({ message: `Publish from ${name} too?` })) ? found : undefined;
}

/** Returns the answer; throws `ABORTED` if the prompt was canceled. */
export function answered<Choice>(answer: Choice): Exclude<Choice, symbol> {
  if (!isCancel(answer)) return answer as Exclude<Choice, symbol>;
  throw new ImprintError("ABORTED", "Nothing was changed.", { hint: "Run `npx imprint init` again." });
}
