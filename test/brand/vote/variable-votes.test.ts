import { describe, expect, it } from "vitest";
import { readVariableName } from "../../../src/brand/vote/variable-votes.ts";

describe("readVariableName", () => {
  it.each([
    ["--primary", 1],
    ["--brand", 1],
    ["--color-primary", 1],
    ["--brand-500", 1],
    ["--primaryColor", 1],
    ["--bs-primary-rgb", 1],
    ["--ifm-color-primary", 1],
    ["--vp-c-brand-1", 1],
    ["--wp--preset--color--primary", 1],
    ["--md-primary-fg-color", 0.6],
    ["--acme-primary", 0.7],
    ["--theme-color", 0.6],
    ["--main-color", 0.45],
  ])("interprets %s as the primary color", (name, strength) => {
    expect(readVariableName(name)).toEqual({ meaning: "primary", strength });
  });

  it.each(["--accent", "--sl-color-accent", "--color-accent"])("interprets %s as an accent", (name) => {
    expect(readVariableName(name)?.meaning).toBe("accent");
  });

  it.each([
    ["--card", "surface"],
    ["--color-surface", "surface"],
    ["--border-color", "border"],
  ])("interprets %s as a %s", (name, meaning) => {
    expect(readVariableName(name)?.meaning).toBe(meaning);
  });

  it.each([
    "--primary-hover",
    "--on-primary",
    "--text-primary",
    "--primary-100",
    "--primary-foreground",
    "--background-primary",
    "--sidebar-primary",
    "--swiper-theme-color",
    "--docsearch-primary-color",
    "--cc-btn-primary-bg",
    "--font-size",
    "--",
    "--x",
  ])("ignores %s", (name) => {
    expect(readVariableName(name)).toBeUndefined();
  });
});
