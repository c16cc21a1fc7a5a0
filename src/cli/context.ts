/** What a command may touch: passed in, so that a test can call a command like a function. */
export interface CliContext {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly out: OutputStream;
  readonly error: OutputStream;
  /** Ends the command: an interrupt, or the end of a test. */
  readonly signal?: AbortSignal;
}

export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** 0: done. 1: failed. 2: called in a wrong way. */
export type ExitCode = 0 | 1 | 2;
