import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { findPackageManager, findRunCommand } from "../../target/package-manager.ts";
import { findRepository, liveBranch, type CiName } from "./inspect-project.ts";
import { setUpOnGitHub, setUpOnGitLab } from "./workflow-setup.ts";

/** A workflow to write, or why it can't be written and what to do instead. */
export interface Workflow {
  /** Path relative to the project. */
  readonly file: string;
  readonly content: { readonly text: string } | { readonly refusal: string };
}

const EXAMPLE_NAMES = { github: "publish.yml", gitlab: "gitlab-ci.yml" } as const satisfies Record<CiName, string>;

// The docs folder of the package for the built program, of the repository for the sources.
const EXAMPLES = new URL(
  import.meta.url.endsWith(".ts") ? "../../../docs/examples/" : "../docs/examples/",
  import.meta.url,
);

/** Adapts the example of the docs to the project's package manager, and to its folder in the repository. */
export function planWorkflow(root: string, ci: CiName): Workflow {
  const repository = findRepository(root);
  const project = pathBetween(repository ?? root, root);
  // Other projects of the repository have workflows of their own.
  const gitHubName = project === "" ? "publish" : `publish-${basename(project)}`;
  const place = join(repository ?? root, ci === "github" ? `.github/workflows/${gitHubName}.yml` : ".gitlab-ci.yml");
  const file = pathBetween(root, place);
  const example = `node_modules/astro-imprint/docs/examples/${EXAMPLE_NAMES[ci]}`;
  const refuse = (refusal: string): Workflow => ({ file, content: { refusal } });
  if (repository === undefined) {
    return refuse(`This folder is in no git repository. Run \`git init\`, then \`imprint init --ci ${ci}\` again.`);
  }
  if (existsSync(place)) return refuse(`It exists already. Add the steps of ${example} to it.`);
  if (ci === "gitlab" && project !== "") {
    return refuse(`The project is in a subfolder of the repository. Adapt ${example} to that folder.`);
  }
  const text = readFileSync(new URL(EXAMPLE_NAMES[ci], EXAMPLES), "utf8");
  const manager = findPackageManager(root);
  const folders = { project, install: pathBetween(repository, manager.folder) };
  const adapted = ci === "github" ? setUpOnGitHub(text, manager, folders) : setUpOnGitLab(text, manager);
  const named = adapted.replaceAll("npx ", `${findRunCommand(root)} `);
  return { file, content: { text: named.replaceAll("[main]", `[${liveBranch(root)}]`) } };
}

function pathBetween(from: string, to: string): string {
  return relative(from, to).replaceAll("\\", "/");
}
