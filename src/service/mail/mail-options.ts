import { ImprintError } from "../../base/error.ts";

/** How the service sends mail. */
export interface MailOptions {
  /** The mail server, as `smtp://user:password@host:587` or `smtps://…`. The password is never shown. */
  readonly smtpUrl: string;
  /** The sender, as `Imprint <imprint@example.org>`. */
  readonly from: string;
}

/** Checks how mail is sent; throws `OPTIONS_INVALID` without repeating what was given, which holds a password. */
export function resolveMail(mail: MailOptions | undefined): MailOptions | undefined {
  if (mail === undefined) return undefined;
  const url = URL.parse(mail.smtpUrl);
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") {
    throw new ImprintError("OPTIONS_INVALID", "The address of the mail server is not valid.", {
      hint: "Write it as smtp://user:password@mail.example.org:587, special characters percent-encoded.",
    });
  }
  if (!/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(mail.from)) {
    throw new ImprintError("OPTIONS_INVALID", "The sender of mail is no email address.", {
      hint: "Write it as imprint@example.org or Imprint <imprint@example.org>.",
    });
  }
  return mail;
}
