import { Argument, Option } from "commander";
import { SHELLS } from "./completion/shells.ts";
import { defineCommands, type CommandGroup } from "./define-commands.ts";
import type { CiName } from "./init/inspect-project.ts";

const OVERVIEW = defineCommands({
  section: "start",
  load: () => import("./commands/overview.ts"),
  commands: {
    overview: {
      example: ["", "overview --json"],
      description: "Show the project's status and your next steps. `imprint` without a command does the same.",
      options: [["--json", "print it as JSON"]],
      flags: "project",
    },
  },
});

const INIT = defineCommands({
  section: "start",
  load: () => import("./commands/init.ts"),
  commands: {
    init: {
      example: ["init", "init --yes", "init --service https://pages.example.org --ci github"],
      description:
        "Set up a site, build it, publish it, and open it. Asks for anything that flags don't specify; keeps existing settings.",
      options: [
        ["--service <address>", 'address of the service, or "embedded" for one on this machine'],
        ["--posts <folder>", "folder of the posts for the service's blog"],
        ["--no-posts", "publish no posts to the service's blog"],
        new Option("--ci <name>", "write a workflow").choices(["github", "gitlab"] satisfies readonly CiName[]),
        ["--no-ci", "write no workflow"],
        ["--no-publish", "only write files"],
        ["--open", "open the site afterwards; an embedded service runs until Ctrl+C"],
        ["-y, --yes", "accept the suggestions without asking"],
      ],
      flags: "project",
    },
  },
});

const OPEN = defineCommands({
  section: "start",
  load: () => import("./commands/open.ts"),
  commands: {
    open: {
      example: ["open", "open about"],
      description: "Open the published site in a browser, or one page of it.",
      arguments: [["[page]", "slug or route of a page (default: the home page)"]],
      options: [["--no-browser", "only show the address"]],
      flags: "pages-url",
    },
  },
});

const STATUS = defineCommands({
  section: "start",
  load: () => import("./commands/status.ts"),
  commands: {
    status: {
      example: ["status", "status --all"],
      description: "Show whether the service responds, and what is on it.",
      options: [["--all", "also list the projects that have published to the account, with their pages"]],
    },
  },
});

const DOCTOR = defineCommands({
  section: "start",
  load: () => import("./commands/doctor.ts"),
  commands: {
    doctor: {
      example: "doctor",
      description:
        "Check your setup and suggest fixes. Uploads tiny files to see how the library serves them, and deletes them if the service allows it.",
    },
  },
});

const LOGIN = defineCommands({
  section: "start",
  load: () => import("./commands/login.ts"),
  commands: {
    login: {
      example: "login --service https://pages.example.org",
      description: "Log in to a service in the browser, to publish without an API key.",
      options: [["--no-browser", "only show the address to open"]],
    },
    logout: {
      example: "logout --service https://pages.example.org",
      description: "Log out of a service, and revoke the login there.",
    },
  },
});

const HELP = defineCommands({
  section: "help",
  load: () => import("./commands/explain.ts"),
  commands: {
    explain: {
      example: ["explain SLUG_TAKEN", "explain posts.settle", "explain hosts"],
      description: "Explain an error code, an option, or a topic, from the docs in the package.",
      arguments: [["[topic]", "error code, option, or page of the docs (default: list them)"]],
      flags: "none",
    },
  },
});

const COMPLETION = defineCommands({
  section: "help",
  load: () => import("./commands/completion.ts"),
  commands: {
    completion: {
      example: ["completion bash", "completion zsh", "completion fish", "completion powershell"],
      description: "Print a shell's completion script. Its first lines explain how to install it.",
      arguments: [new Argument("<shell>", "your shell").choices(SHELLS)],
      flags: "none",
    },
  },
});

export const START_COMMANDS: readonly CommandGroup[] = [OVERVIEW, INIT, OPEN, STATUS, DOCTOR, LOGIN, HELP, COMPLETION];
