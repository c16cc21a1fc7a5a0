import { once } from "node:events";
import { createServer } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/** A mail as received by a real mail server. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly user: string | undefined;
  /** Headers and body, with unfolded lines. */
  readonly text: string;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  readonly mails: ReceivedMail[];
}

export const PASSWORD = "s3cret/&word";

/** Starts a mail server that accepts mail from one user, for everybody except `nobody@…`. */
export async function startMailServer(port = 0, host = "127.0.0.1"): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (password === PASSWORD) done(null, { user: username ?? "" });
      else done(new Error(`Wrong password ${password ?? ""}`));
    },
    onRcptTo({ address }, _, done) {
      if (address.startsWith("nobody@")) done(Object.assign(new Error("No such user"), { responseCode: 550 }));
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const text = Buffer.concat(chunks)
          .toString("utf8")
          .split(/(?=^--)/m)
          .map(decodePart)
          .join("");
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), user: session.user, text });
        done();
      });
    },
  });
  const listening = server.listen(port, host);
  await once(listening, "listening");
  onTestFinished(() => new Promise((end) => server.close(end)));
  const address = listening.address();
  const taken = typeof address === "object" && address !== null ? address.port : 0;
  return { port: taken, url: urlOf(taken).replace("127.0.0.1", host), mails };
}

/** Unfolds a part only if it is encoded: in a plain one, a token may start with `3D`. */
function decodePart(part: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(part)) return part;
  return part.replaceAll("=\r\n", "").replaceAll("=3D", "=");
}

export function urlOf(port: number, password = PASSWORD): string {
  return `smtp://imprint:${encodeURIComponent(password)}@127.0.0.1:${port}`;
}

/** Returns a port that nothing listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
