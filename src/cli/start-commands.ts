import { Argument } from "commander";
import { SHELLS } from "./completion/shells.ts";
import { defineCommands, type CommandGroup } from "./define-commands.ts";

const OVERVIEW = defineCommands({
  section: "start",
  load: () => import("./commands/overview.ts"),
  commands: {
    overview: {
      example: ["", "overview --json"],
      description: "Show where this project stands and what to do next. Also without a command.",
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
        "Set a site up, build it, publish it and open it. Asks what no flag says; changes nothing that is there.",
      options: [
        ["--service <address>", 'address of the service, or "embedded" for one on this machine'],
        ["--posts <folder>", "folder of the posts for the service's blog"],
        ["--no-posts", "publish no posts to the service's blog"],
        ["--ci <name>", "write a workflow: github or gitlab"],
        ["--no-ci", "write no workflow"],
        ["--no-publish", "only write files"],
        ["--open", "open the site afterwards; an embedded service runs until Ctrl+C"],
        ["-y, --yes", "take what is suggested without asking"],
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
      description: "Show whether the service answers, and what it holds.",
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
        "Check everything that publishing depends on, with remedies. Asks the library how it serves files, by uploading tiny ones and deleting them again where it can.",
    },
  },
});

const LOGIN = defineCommands({
  section: "start",
  load: () => import("./commands/login.ts"),
  commands: {
    login: {
      example: "login --service https://pages.example.org",
      description: "Log in at a service in the browser, to publish without an API key.",
      options: [["--no-browser", "only show the address to open"]],
    },
    logout: {
      example: "logout --service https://pages.example.org",
      description: "End the login at a service, here and there.",
    },
  },
});

const HELP = defineCommands({
  section: "help",
  load: () => import("./commands/explain.ts"),
  commands: {
    explain: {
      example: ["explain SLUG_TAKEN", "explain posts.settle", "explain hosts"],
      description: "Explain an error code, an option or a subject, from the docs in the package.",
      arguments: [["[topic]", "code of an error, name of an option, or page of the docs (default: list them)"]],
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
      description: "Print the completion script of a shell. Its first lines say where to put it.",
      arguments: [new Argument("<shell>", "your shell").choices(SHELLS)],
      flags: "none",
    },
  },
});

/** What the command line does to begin with, and to help. */
export const START_COMMANDS: readonly CommandGroup[] = [OVERVIEW, INIT, OPEN, STATUS, DOCTOR, LOGIN, HELP, COMPLETION];
