/** Whether a path leads to a route that only tests use, such as `/api/_reset`. */
export function isControlPath(path: string): boolean {
  return /^(?:\/[ab])?\/api\/_/.test(path);
}
