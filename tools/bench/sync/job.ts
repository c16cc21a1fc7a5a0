/** Where a process of the benchmark finds the service. */
export interface Address {
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
}

/** What a publishing process is told. */
export interface Job {
  /** Project folder, with the built site in `dist/`. */
  readonly root: string;
  readonly host: Address;
  /** Whether the brand kit is published, too. Default: false. */
  readonly hasBrandKit?: boolean;
}

/** What a bare client is told beside that. */
export interface BareJob extends Job {
  /** `send`: everything is read and hashed, what changed is sent, and one list is asked for. `look`: everything is read and hashed, and one list is asked for. */
  readonly what: "send" | "look";
  /** Of `send`: the files that changed, below the dist folder. Absent: all. */
  readonly only?: readonly string[];
  /** Requests on the way at a time. */
  readonly slots: number;
  /** At most so many requests are begun in a second; 0: any number. */
  readonly perSecond: number;
}

/** What a process tells when it is done. */
export interface Published {
  readonly requests: number;
  readonly writes: number;
  /** The most memory that the process held. */
  readonly peakBytes: number;
  /** From the first request that writes to the last answer. */
  readonly sendingMs: number;
  /** Processor time of the whole process, which does not grow with the load of the machine. */
  readonly cpuMs: number;
}
