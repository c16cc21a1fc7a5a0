/** Number of rejections from which a service is considered to limit requests. */
export interface Limiting {
  readonly fewest: number;
  /** Of all responses. */
  readonly share: number;
}

/** Any service rejects a request occasionally, one in twenty on a bad day: accidents hardly ever reach this number. */
export const LIMITING: Limiting = { fewest: 7, share: 0.2 };

/** Whether rejections indicate a limit of the service rather than accidents. */
export function isLimiting(
  { done, refused }: { readonly done: number; readonly refused: number },
  { fewest, share }: Limiting = LIMITING,
): boolean {
  return refused >= fewest && refused >= share * (done + refused);
}
