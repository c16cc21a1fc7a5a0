/** From how many refusals on a service is taken to refuse because of how much it gets. */
export interface Limiting {
  readonly fewest: number;
  /** Of all answers. */
  readonly share: number;
}

/** Any service refuses a request now and then, one in twenty on a bad day: accidents are hardly ever so many. */
export const LIMITING: Limiting = { fewest: 7, share: 0.2 };

/** Whether refusals are a limit of the service rather than accidents. */
export function isLimiting(
  { done, refused }: { readonly done: number; readonly refused: number },
  { fewest, share }: Limiting = LIMITING,
): boolean {
  return refused >= fewest && refused >= share * (done + refused);
}
