const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Turns the first Ctrl+C (or SIGTERM) into an aborted signal, so that a command can finish what is on the way. The second
 * ends the process as if nobody listened.
 */
export function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.once(name, () => {
      for (const other of SIGNALS) process.removeAllListeners(other);
      controller.abort();
    });
  }
  return controller.signal;
}
