import { describe, expect, it } from "vitest";
import { parseDatabaseUrl } from "../../../../src/service/store/postgres/database-url.ts";

describe("a database URL", () => {
  it("sets the schema of the tables, `imprint` by default", () => {
    const { schema, connectionString, label } = parseDatabaseUrl("postgres://ann:hush@db.example.org:5433/app");
    expect(schema).toBe("imprint");
    expect(new URL(connectionString).searchParams.get("options")).toBe("-c search_path=imprint");
    expect(label).toBe("db.example.org:5433/app, schema imprint");
  });

  it("keeps the driver's parameters, and adds to its options", () => {
    const text = "postgresql://ann@db/app?sslmode=require&schema=blog&options=-c%20work_mem%3D8MB";
    const url = new URL(parseDatabaseUrl(text).connectionString);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      sslmode: "require",
      options: "-c work_mem=8MB -c search_path=blog",
    });
  });

  it("can point to a socket", () => {
    expect(parseDatabaseUrl("postgres:///app?host=/run/postgresql").label).toBe("/run/postgresql/app, schema imprint");
  });

  it.each(["mysql://ann:hush@db/app", "file:./data.db", "no address with hush", "postgres://db/app?schema=A%20b;--"])(
    "is rejected without being repeated in the error: %s",
    (text) => {
      expect(() => parseDatabaseUrl(text)).toThrow(expect.objectContaining({ code: "OPTIONS_INVALID" }));
      expect(() => parseDatabaseUrl(text)).not.toThrow("hush");
    },
  );
});
