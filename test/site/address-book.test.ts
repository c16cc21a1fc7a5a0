import { expect, it } from "vitest";
import { createAddressBook } from "../../src/site/address-book.ts";
import { readBuiltSite } from "../../src/site/read-site.ts";
import { makeFolder, writeSiteFile } from "./rewrite/fixture.ts";

it.each(["NFC", "NFD"] as const)("finds a file whose name is in %s by an address in the other form", async (form) => {
  const dist = makeFolder();
  const name = "bäume.svg".normalize(form);
  writeSiteFile(dist, name, "<svg/>");
  writeSiteFile(dist, "index.html", "<!doctype html><title>Home</title>");
  const book = createAddressBook(await readBuiltSite(dist, { site: "https://example.com", base: "/" }));
  const written = name.normalize(form === "NFC" ? "NFD" : "NFC");
  for (const address of [`/${encodeURI(written)}`, written, `https://example.com/${written}`])
    expect(book.resolve(address, "index.html")).toEqual({ kind: "file", path: name, suffix: "" });
});
