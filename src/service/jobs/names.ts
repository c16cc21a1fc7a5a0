/** The job that deletes files that no record names; a backup holds it up while it copies files. */
export const BLOB_SWEEP = "blob-sweep";
