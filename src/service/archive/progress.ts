/** How much of a service was saved or put back. */
export interface ArchiveProgress {
  readonly rows: number;
  readonly blobs: number;
}

export type OnProgress = (done: ArchiveProgress, total: ArchiveProgress) => void;
