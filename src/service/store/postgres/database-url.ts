import { ImprintError } from "../../../base/error.ts";

/** Where a PostgreSQL database is. */
export interface DatabaseAddress {
  /** What the driver connects to. Holds the password. */
  readonly connectionString: string;
  /** The schema that holds the tables. */
  readonly schema: string;
  /** The address without user and password, to be shown. */
  readonly label: string;
}

const DEFAULT_SCHEMA = "imprint";

/**
 * Reads `postgres://user:password@host:port/database?schema=name`; throws `OPTIONS_INVALID` for anything else, without
 * repeating it. Other parameters go to the driver. `ownSchema` takes the place of the schema that is named.
 */
export function parseDatabaseUrl(text: string, ownSchema?: string): DatabaseAddress {
  const url = URL.parse(text);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new ImprintError("OPTIONS_INVALID", "The database URL is none of PostgreSQL.", {
      hint: "Write it as `postgres://user:password@host:5432/database`.",
    });
  }
  const schema = ownSchema ?? url.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new ImprintError("OPTIONS_INVALID", `The schema "${schema}" of the database URL is not valid.`, {
      hint: "A schema has lower-case letters, digits and underscores, and begins with no digit.",
    });
  }
  url.searchParams.delete("schema");
  const options = [url.searchParams.get("options") ?? "", `-c search_path=${schema}`].join(" ").trim();
  url.searchParams.set("options", options);
  const host = url.host === "" ? (url.searchParams.get("host") ?? "localhost") : url.host;
  return { connectionString: url.href, schema, label: `${host}${url.pathname}, schema ${schema}` };
}
