// The part of smtp-server that tests use, for type checks if it is not installed.
declare module "smtp-server" {
  import type { Server } from "node:net";
  import type { Readable } from "node:stream";

  export interface Session {
    readonly user?: string;
    readonly envelope: { readonly rcptTo: readonly { readonly address: string }[] };
  }

  type Done = (error?: Error | null, answer?: { readonly user: string }) => void;

  export interface ServerOptions {
    readonly disabledCommands: readonly string[];
    readonly allowInsecureAuth: boolean;
    onAuth(sent: { readonly username?: string; readonly password?: string }, session: Session, done: Done): void;
    onRcptTo(to: { readonly address: string }, session: Session, done: Done): void;
    onData(stream: Readable, session: Session, done: Done): void;
  }

  export class SMTPServer {
    constructor(options: ServerOptions);
    listen(port: number, host: string): Server;
    close(done: () => void): void;
  }
}
