import { ImprintError } from "../../../base/error.ts";

/** Address of a PostgreSQL database. */
export interface DatabaseAddress {
  /** Passed to the driver. Contains the password. */
  readonly connectionString: string;
  /** The schema of the tables. */
  readonly schema: string;
  /** The address without user and password, for display. */
  readonly label: string;
}

const DEFAULT_SCHEMA = "imprint";

/**
 * Parses `postgres://user:password@host:port/database?schema=name`. Throws `OPTIONS_INVALID` for anything else, without
 * repeating it. Passes other parameters to the driver. `ownSchema` overrides the schema in the URL.
 */
export function parseDatabaseUrl(text: string, ownSchema?: string): DatabaseAddress {
  const url = URL.parse(text);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new ImprintError("OPTIONS_INVALID", "The database URL isn't a PostgreSQL URL.", {
      hint: "Write it as `postgres://user:password@host:5432/database`.",
    });
  }
  const schema = ownSchema ?? url.searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new ImprintError("OPTIONS_INVALID", `The schema "${schema}" of the database URL is not valid.`, {
      hint: "Use lowercase letters, digits and underscores, and don't start with a digit.",
    });
  }
  url.searchParams.delete("schema");
  const options = [url.searchParams.get("options") ?? "", `-c search_path=${schema}`].join(" ").trim();
  url.searchParams.set("options", options);
  const host = url.host === "" ? (url.searchParams.get("host") ?? "localhost") : url.host;
  return { connectionString: url.href, schema, label: `${host}${url.pathname}, schema ${schema}` };
}
