#!/usr/bin/env node
import { listenForInterrupts } from "./cli/interrupts.ts";
import { runCli } from "./cli/run-cli.ts";

process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  environment: process.env,
  out: process.stdout,
  error: process.stderr,
  signal: listenForInterrupts(),
});
