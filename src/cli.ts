#!/usr/bin/env node
// Old Node versions lack the named export, and must get far enough to print the error message.
import module from "node:module";
import { VERSION } from "./base/version.ts";
import { complete } from "./cli/completion/complete.ts";
import { complainOfNode } from "./cli/node-version.ts";

const complaint = complainOfNode(process.versions.node);
if (complaint !== undefined) {
  process.stderr.write(complaint);
  process.exit(2);
}

// A closed pipe, as in `imprint publish | head`, must not stop a run halfway.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else if (argv[0] === "complete" && argv[1] === "--") {
  module.enableCompileCache();
  process.stdout.write(await complete(argv.slice(2), process.cwd()));
} else {
  // Must precede loading the modules that it caches.
  module.enableCompileCache();
  const { listenForInterrupts, runCli } = await import("./cli/run-cli.ts");
  process.exitCode = await runCli(argv, {
    cwd: process.cwd(),
    environment: process.env,
    out: process.stdout,
    error: process.stderr,
    signal: listenForInterrupts(),
  });
}
