/** Status of a redirect: 301 and 308 are permanent, the others temporary. */
export type RedirectStatus = 301 | 302 | 303 | 307 | 308;

const STATUSES: readonly number[] = [301, 302, 303, 307, 308] satisfies readonly RedirectStatus[];

export function isRedirectStatus(status: number): status is RedirectStatus {
  return STATUSES.includes(status);
}
