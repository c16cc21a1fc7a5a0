/** Where a process of the benchmark finds the service. */
export interface Address {
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
}

/** The job of a publishing process. */
export interface Job {
  /** Project folder, with the built site in `dist/`. */
  readonly root: string;
  readonly host: Address;
  /** Whether to publish the brand kit too. Default: false. */
  readonly hasBrandKit?: boolean;
}

/** The job of a bare client. */
export interface BareJob extends Job {
  /** `send`: reads and hashes everything, requests one list and sends changes. `look`: the same without sending. */
  readonly what: "send" | "look";
  /** For `send`: the changed files, relative to the dist folder. Default: all. */
  readonly only?: readonly string[];
  /** Number of concurrent requests. */
  readonly slots: number;
  /** Maximum number of requests per second; 0 for no limit. */
  readonly perSecond: number;
}

/** The report of a finished process. */
export interface Published {
  readonly requests: number;
  readonly writes: number;
  /** Peak memory of the process. */
  readonly peakBytes: number;
  /** Time from the first write request to the last response. */
  readonly sendingMs: number;
  /** Processor time of the whole process, which doesn't depend on the load of the machine. */
  readonly cpuMs: number;
}
