import type { BrandKitBody } from "../../../src/contract/operations/content.ts";

export const KIT: BrandKitBody = {
  name: "Tern & Quire",
  colors: [
    { role: "background", hex: "#f2f3ef", name: "Background" },
    { role: "text", hex: "#13232b", name: "Text" },
    { role: "link", hex: "#0d4658", name: "Link" },
    { role: "primary", hex: "#0d4658", name: "Primary" },
    { role: "dark-background", hex: "#0c171d", name: "Background (dark)" },
    { role: "dark-text", hex: "#e7ebe8", name: "Text (dark)" },
    { role: "dark-primary", hex: "#0b3644", name: "Primary (dark)" },
  ],
  fonts: [
    { family: "Bitter", role: "heading", weights: [400, 700], source: "google", url: null },
    {
      family: "Inter Tight",
      role: "body",
      weights: [400],
      source: "self-hosted",
      url: "https://site.example/inter.woff2",
    },
  ],
  logos: [
    { kind: "logo", url: "https://site.example/logo.svg", contentType: "image/svg+xml", width: 356, height: 56 },
    { kind: "icon", url: "https://site.example/gone.png" },
  ],
};
