#!/usr/bin/env node
import { listenForInterrupts, runCli } from "./cli/run-cli.ts";
import { complainOfNode } from "./cli/node-version.ts";

const complaint = complainOfNode(process.versions.node);
if (complaint !== undefined) {
  process.stderr.write(complaint);
  process.exit(2);
}
process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  environment: process.env,
  out: process.stdout,
  error: process.stderr,
  signal: listenForInterrupts(),
});
