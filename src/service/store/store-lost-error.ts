/** The database or the storage of files can't be reached or does not answer now; what was asked may work later. */
export class StoreLostError extends Error {
  override readonly name = "StoreLostError";
}
