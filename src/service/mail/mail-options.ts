import { ImprintError } from "../../base/error.ts";

/** Mail settings. */
export interface MailOptions {
  /** URL of the mail server, such as `smtp://user:password@host:587` or `smtps://…`. The password is never shown. */
  readonly smtpUrl: string;
  /** The sender, such as `Imprint <imprint@example.org>`. */
  readonly from: string;
}

/** Validates the mail settings. Throws `OPTIONS_INVALID` without repeating the values, which contain a password. */
export function resolveMail(mail: MailOptions | undefined): MailOptions | undefined {
  if (mail === undefined) return undefined;
  const url = URL.parse(mail.smtpUrl);
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") {
    throw new ImprintError("OPTIONS_INVALID", "The URL of the mail server is invalid.", {
      hint: "Write it as smtp://user:password@mail.example.org:587, with special characters percent-encoded.",
    });
  }
  if (!/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(mail.from)) {
    throw new ImprintError("OPTIONS_INVALID", "The mail sender is not an email address.", {
      hint: "Write it as imprint@example.org or Imprint <imprint@example.org>.",
    });
  }
  return mail;
}
