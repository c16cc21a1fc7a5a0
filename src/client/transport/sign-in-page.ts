const SIGN_IN_PAGE = /<input[^>]*type=["']?password|<(?:title|h1)\b[^>]*>[^<]*(?:sign|log)[ -]?in\b/i;
const SIGN_IN_PATH = /(?:log|sign)[-_]?in\b|\/(?:auth|sso|session)\b/i;

/** Whether a page is a form to sign in. */
export function isSignInPage(html: string): boolean {
  return SIGN_IN_PAGE.test(html);
}

/** Whether a redirect leads to a form to sign in. */
export function isSignInPath(address: string): boolean {
  return SIGN_IN_PATH.test(address);
}
