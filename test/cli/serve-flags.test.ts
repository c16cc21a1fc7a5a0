import { describe, expect, it } from "vitest";
import { domainOptions, readMail, type DomainFlags } from "../../src/cli/serve-flags.ts";

describe("imprint serve for custom domains", () => {
  it("uses the system's DNS servers and requests no certificates by default", () => {
    expect(domainOptions({})).toEqual({ domains: { dnsServers: [], addresses: [] } });
  });

  it("accepts DNS servers, addresses, and a certificate authority", () => {
    const flags: DomainFlags = {
      ...{ dnsServer: ["1.1.1.1"], publicAddress: ["203.0.113.7"], acme: "me@example.org", agreeTerms: true },
    };
    expect(domainOptions(flags)).toEqual({
      httpsPort: 4402,
      domains: { dnsServers: ["1.1.1.1"], addresses: ["203.0.113.7"] },
      acme: { email: "me@example.org", agree: true, publicPort: 443 },
    });
  });

  it.each([
    [{ acme: "me@example.org" }, "--agree-terms"],
    [{ agreeTerms: true }, "--agree-terms needs --acme"],
    [{ acmeDirectory: "https://ca.example.org" }, "--acme-directory needs --acme"],
    [{ httpsPort: "443" }, "--https-port needs --acme"],
    [{ httpsPublicPort: "443" }, "--https-public-port needs --acme"],
    [{ acme: "me@example.org", agreeTerms: true, httpsPort: "no" }, "--https-port accepts a number"],
  ])("rejects %j as invalid usage", (flags, message) => {
    expect(() => domainOptions(flags)).toThrow(message);
  });
});

describe("imprint serve with mail", () => {
  const environment = { IMPRINT_SMTP_URL: "smtp://a:b@mail.example.org", IMPRINT_MAIL_FROM: "imprint@example.org" };

  it("reads the mail server from the environment, and flags take precedence", () => {
    expect(readMail({}, {})).toBeUndefined();
    expect(readMail({}, { IMPRINT_SMTP_URL: "" })).toBeUndefined();
    expect(readMail({}, environment)).toEqual({ smtpUrl: environment.IMPRINT_SMTP_URL, from: "imprint@example.org" });
    const flags = { smtpUrl: "smtps://other.example.org", mailFrom: "b@example.org" };
    expect(readMail(flags, environment)).toEqual({ smtpUrl: flags.smtpUrl, from: "b@example.org" });
  });

  it("doesn't ignore a sender without a mail server", () => {
    expect(() => readMail({ mailFrom: "b@example.org" }, {})).toThrow("--mail-from needs --smtp-url");
    expect(readMail({}, { IMPRINT_MAIL_FROM: "b@example.org" })).toBeUndefined();
  });

  it("requires a sender, and doesn't repeat the password", () => {
    const read = () => readMail({}, { IMPRINT_SMTP_URL: "smtp://a:hush@mail.example.org" });
    expect(read).toThrow("--smtp-url needs --mail-from");
    expect(read).not.toThrow("hush");
  });
});
