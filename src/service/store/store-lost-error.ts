/** The database or the file storage is unreachable or doesn't respond. Retrying may succeed. */
export class StoreLostError extends Error {
  override readonly name = "StoreLostError";
}
