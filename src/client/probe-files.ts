import { sha256 } from "../base/hash.ts";
import type { LibraryKind } from "../contract/dialect.ts";

export type { LibraryKind };

/** A tiny file that shows how the library treats its kind. */
export interface ProbeFile {
  readonly kind: LibraryKind;
  /** Holds the hash of the bytes, by which a later probing finds it again. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const WHO = "astro-imprint asks how this library serves its files";

// One dot.
const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>${WHO}</title></svg>\n`;

// A whole font, "Imprint Probe", in which A is a triangle. Browsers load it.
const FONT =
  "d09GMgABAAAAAAEoAAoAAAAAApQAAADgAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAALMoeATYCJAMIywYEIAWBEAcgG+EBAB4F7p6GSRk/w9D2c7FGqHSef1v+zn0zv3RLVq1EKIIF24VCSeKRukqUJL41cxsNTGUhmw0uWk2aRGGI8HJoE0HW8tLJIZ0D8UAjKfBIDh7gBdtSKVTIHT1Gr5xIlQl6XqIJdVMJOYHnivUFCJzCeJ0npPH/IW30hEBeaoyCaIK1bkTXBUf//0n/H4X7qyIJvnxRt7+gIFzflcvOvWrtGQDgx8xcgeAx8oJsALHyQl4AO0HxTQlQ0B1o0hdiQI+yNaAb7P92as+xYLlg2B52CY5GRar7pgq7dZqjbxQAAAA=";

export const PROBE_FILES: Readonly<Record<LibraryKind, ProbeFile>> = {
  images: probeFile("images", { ending: "png", contentType: "image/png", bytes: Buffer.from(IMAGE, "base64") }),
  drawings: probeFile("drawings", { ending: "svg", contentType: "image/svg+xml", bytes: text(DRAWING) }),
  scripts: probeFile("scripts", {
    ending: "js",
    contentType: "text/javascript",
    bytes: text(`export default "${WHO}";\n`),
  }),
  styles: probeFile("styles", { ending: "css", contentType: "text/css", bytes: text(`/* ${WHO} */\n`) }),
  fonts: probeFile("fonts", { ending: "woff2", contentType: "font/woff2", bytes: Buffer.from(FONT, "base64") }),
  files: probeFile("files", { ending: "xml", contentType: "text/xml", bytes: text(`<!-- ${WHO} --><probe/>\n`) }),
};

function probeFile(
  kind: LibraryKind,
  { ending, ...file }: { readonly ending: string; readonly contentType: string; readonly bytes: Uint8Array },
): ProbeFile {
  return { kind, name: `imprint-probe.${sha256(file.bytes).slice(0, 16)}.${ending}`, ...file };
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
