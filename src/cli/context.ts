import type { OpenRunRequest } from "../target/open-run.ts";

/** The environment of a command: passed in, so that a test can call a command as a function. */
export interface CliContext {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly out: OutputStream;
  readonly error: OutputStream;
  /** Stops the command, on an interrupt or at the end of a test. */
  readonly signal?: AbortSignal;
  /** Connection settings and clock of tests. Default: the client's. */
  readonly connection?: OpenRunRequest["connection"];
}

export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** 0: done. 1: failed. 2: invalid usage. */
export type ExitCode = 0 | 1 | 2;
