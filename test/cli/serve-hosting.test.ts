import { describe, expect, it } from "vitest";
import { describeData, readHosting } from "../../src/cli/serve-flags.ts";

const S3 = {
  IMPRINT_S3_BUCKET: "files",
  IMPRINT_S3_ENDPOINT: "https://s3.example.org",
  IMPRINT_S3_ACCESS_KEY_ID: "id",
  IMPRINT_S3_SECRET_ACCESS_KEY: "secret",
};

describe("the hosting settings", () => {
  it("come from the environment", () => {
    const environment = {
      ...S3,
      DATABASE_URL: "postgresql://ann@db/app",
      IMPRINT_HOST: "0.0.0.0",
      IMPRINT_APP_URL: "https://app.example.org",
      IMPRINT_PAGES_URL: "https://pages.example.org",
      IMPRINT_TRUST_PROXY: "1",
    };
    expect(readHosting({}, environment)).toEqual({
      databaseUrl: "postgresql://ann@db/app",
      hostname: "0.0.0.0",
      appUrl: "https://app.example.org",
      pagesUrl: "https://pages.example.org",
      trustProxy: true,
      blobs: {
        s3: { endpoint: "https://s3.example.org", bucket: "files", accessKeyId: "id", secretAccessKey: "secret" },
      },
    });
  });

  it("use the loopback interface only if the environment or a flag sets an empty interface", () => {
    expect(readHosting({}, { IMPRINT_HOST: "" }).hostname).toBeUndefined();
    expect(readHosting({ host: "" }, {}).hostname).toBeUndefined();
  });

  it.each(["yes", "on", "TRUE"])("reject IMPRINT_TRUST_PROXY=%s", (text) => {
    expect(() => readHosting({}, { IMPRINT_TRUST_PROXY: text })).toThrow("accepts 1 or 0");
  });

  it.each([
    ["", false],
    ["0", false],
    ["true", true],
  ])("accept IMPRINT_TRUST_PROXY=%j", (text, expected) => {
    expect(readHosting({}, { IMPRINT_TRUST_PROXY: text }).trustProxy).toBe(expected);
  });

  it("come from flags first", () => {
    const environment = { DATABASE_URL: "postgres://env/app", IMPRINT_APP_URL: "https://env.example.org" };
    const flags = { databaseUrl: "postgres://flag/app", appUrl: "https://flag.example.org" };
    expect(readHosting(flags, environment)).toMatchObject(flags);
  });

  it("ignore another kind of database, and any storage if the service is ephemeral", () => {
    expect(readHosting({}, { DATABASE_URL: "mysql://ann@db/app" }).databaseUrl).toBeUndefined();
    const forgetful = readHosting({ ephemeral: true }, { ...S3, DATABASE_URL: "postgres://db/app" });
    expect([forgetful.databaseUrl, forgetful.blobs]).toEqual([undefined, undefined]);
  });

  it("are described briefly, without the password", () => {
    const hosting = readHosting({}, { ...S3, DATABASE_URL: "postgres://ann:hush@db:5433/app" });
    expect(describeData(hosting, { data: ".imprint" })).toBe("PostgreSQL at db:5433, files in the bucket files");
    expect(describeData(readHosting({}, {}), { data: ".imprint" })).toBe(".imprint");
    expect(describeData(readHosting({}, {}), { data: ".imprint", ephemeral: true })).toBe("memory, until it stops");
  });

  it.each([
    [{ IMPRINT_S3_BUCKET: "files", IMPRINT_S3_ENDPOINT: "https://s3.example.org" }, "IMPRINT_S3_ACCESS_KEY_ID"],
    [{ IMPRINT_APP_URL: "app.example.org" }, "--app-url accepts an address"],
  ])("are rejected if incomplete: %j", (environment, message) => {
    expect(() => readHosting({}, environment)).toThrow(message);
  });
});
