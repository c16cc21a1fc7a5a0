// The parts of nodemailer that we use; it includes no types, and third-party ones are for an older version.
declare module "nodemailer" {
  export interface Transporter {
    sendMail(mail: {
      readonly from: string;
      readonly to: { readonly name: string; readonly address: string };
      readonly subject: string;
      readonly text: string;
    }): Promise<unknown>;
    close(): void;
  }

  export interface TransportOptions {
    readonly host: string;
    readonly port: number;
    readonly secure: boolean;
    readonly requireTLS: boolean;
    readonly auth?: { readonly user: string; readonly pass: string };
    readonly connectionTimeout: number;
    readonly greetingTimeout: number;
    readonly socketTimeout: number;
    readonly disableFileAccess: boolean;
    readonly disableUrlAccess: boolean;
  }

  export function createTransport(options: TransportOptions): Transporter;
}
