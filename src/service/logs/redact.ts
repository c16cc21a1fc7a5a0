/**
 * A text in which nothing that could be a secret of this service stands any more: keys, webhook secrets, OAuth tokens
 * and codes, and tokens of preview links. Logs hold no such thing on purpose; this is for what a caller put into a path or a message.
 */
export function redactSecrets(text: string): string {
  return text.replaceAll(SECRET, "$1…");
}

const SECRET = /\b(imp_[a-z]+_|whsec_|(?:at|rt|ac|pv)_|Bearer\s+)[\w+/=~.-]{8,}/gi;
