/** How long each thing that the authorization server gives out is good for. */
export const LIFETIMES = {
  codeSeconds: 60,
  accessTokenSeconds: 60 * 60,
  /** Counts anew with each refresh. */
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  /** How long a person can look at the consent page before they answer. */
  consentSeconds: 15 * 60,
  /** A registration that nobody has let in. */
  registrationSeconds: 24 * 60 * 60,
} as const;
