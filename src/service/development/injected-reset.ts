/** Thrown in the middle of a transaction by a fault that a test ordered: the change is undone and no answer is sent. */
export class InjectedReset extends Error {
  override readonly name = "InjectedReset";
}
