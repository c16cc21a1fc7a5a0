import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";

const loginSchema = z.object({
  issuer: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().optional(),
  resource: z.string(),
  clientId: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.iso.datetime(),
  scopes: z.array(z.string()).optional(),
});

const fileSchema = z.object({ version: z.literal(1), logins: z.record(z.string(), loginSchema) });

/** A login at one service, as it is kept. */
export type Login = z.infer<typeof loginSchema>;

/** Logins by the address of the service before `/api`. */
export type Logins = Readonly<Record<string, Login>>;

/** The logins in a file; none when there is no such file. Throws `STATE_UNREADABLE`. */
export async function readLogins(file: string): Promise<Logins> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return {};
    throw unreadable(file, messageOf(error), error);
  }
  const parsed = parseFile(text);
  if (parsed === undefined) throw unreadable(file, "it is no list of logins of this version", undefined);
  return parsed.logins;
}

function parseFile(text: string): z.infer<typeof fileSchema> | undefined {
  try {
    return fileSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function unreadable(file: string, reason: string, cause: unknown): ImprintError {
  return new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${reason}.`, {
    cause,
    hint: "Delete the file and log in again with `imprint login`.",
  });
}

/** Replaces the file as a whole, readable for its owner alone. Throws `STATE_UNWRITABLE`. */
export async function writeLogins(file: string, logins: Logins): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify({ version: 1, logins }, undefined, 2)}\n`);
      // A refresh token that is lost in a power cut is gone for good: the service has replaced the one before it.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

/** The variables that say where a person's configuration is kept. */
export interface ConfigEnvironment {
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly APPDATA?: string | undefined;
  readonly HOME?: string | undefined;
}

/** The file that holds a person's logins; `undefined` where the environment names no place for it. */
export function findLoginFile({ XDG_CONFIG_HOME, APPDATA, HOME }: ConfigEnvironment): string | undefined {
  const folder = [XDG_CONFIG_HOME, APPDATA, HOME === undefined || HOME === "" ? undefined : join(HOME, ".config")];
  const found = folder.find((each) => each !== undefined && each !== "");
  return found === undefined ? undefined : join(found, "imprint", "logins.json");
}
