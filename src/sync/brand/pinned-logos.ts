import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { ImprintError, messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { PinnedBrand } from "../../brand/kit.ts";
import { findPngSize, findSvgSize } from "../../brand/logo/image-size.ts";
import type { Options } from "../../options/schema.ts";
import { contentTypeOf } from "../../site/content-type.ts";
import type { SiteAsset } from "../../site/model.ts";

/** A logo that is set in the options. */
export interface PinnedLogoFile {
  /** Its kind in the kit. */
  readonly kind: string;
  /** Path as in the options. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly asset: SiteAsset;
}

const KINDS = { light: "logo", dark: "logo-dark", icon: "icon" } as const;

/**
 * Reads the logos that the options pin.
 *
 * @throws ImprintError `OPTIONS_INVALID` with one line for each file that is missing or not an image
 */
export async function readPinnedLogos(
  projectRoot: string,
  { brandKit }: Pick<Options, "brandKit">,
): Promise<readonly PinnedLogoFile[]> {
  if (brandKit === false) return [];
  const problems: string[] = [];
  const files: PinnedLogoFile[] = [];
  for (const name of ["light", "dark", "icon"] as const) {
    const path = brandKit.logos[name];
    if (path === undefined) continue;
    const option = `brandKit.logos.${name}`;
    const file = await readPin(resolve(projectRoot, path), { option, path, kind: KINDS[name] });
    if (typeof file === "string") problems.push(`\`${option}\` names ${path}, ${file}.`);
    else files.push(file);
  }
  if (problems.length > 0) {
    throw new ImprintError("OPTIONS_INVALID", problems.join("\n"), {
      hint: "Set each logo to an image file's path, relative to the project's folder.",
    });
  }
  return files;
}

/** Returns what the options pin, with logos at the addresses from `urlOf`. */
export function pinnedBrand(
  { brandKit }: Pick<Options, "brandKit">,
  logos: readonly PinnedLogoFile[],
  urlOf: (logo: PinnedLogoFile) => string,
): PinnedBrand {
  if (brandKit === false) return {};
  const { heading, body, mono } = brandKit.fonts === "library" ? {} : brandKit.fonts;
  const fonts = Object.entries({ heading, body, mono }).flatMap(([role, family]): [string, string][] =>
    family === undefined ? [] : [[role, family]],
  );
  return {
    colors: brandKit.colors,
    fonts: Object.fromEntries(fonts),
    logos: Object.fromEntries(
      logos.map((logo) => {
        const { kind, contentType, width, height } = logo;
        const size = width === undefined || height === undefined ? {} : { width, height };
        return [kind, { url: urlOf(logo), contentType, ...size }];
      }),
    ),
  };
}

interface Pin {
  readonly option: string;
  readonly path: string;
  readonly kind: string;
}

/** Returns the file, or the reason why it can't be used. */
async function readPin(file: string, { option, path, kind }: Pin): Promise<PinnedLogoFile | string> {
  const contentType = contentTypeOf(file);
  if (!contentType.startsWith("image/")) return "whose extension is not that of an image";
  const bytes = await readFile(file).catch((error: unknown) => error);
  if (!(bytes instanceof Uint8Array)) {
    return isMissing(bytes) ? "which doesn't exist" : `which can't be read: ${messageOf(bytes)}`;
  }
  const text = contentType === "image/svg+xml" ? new TextDecoder().decode(bytes) : undefined;
  if (text !== undefined && !/<svg[\s>]/i.test(text)) return "which contains no SVG";
  const size = text === undefined ? findPngSize(bytes) : findSvgSize(text);
  const asset: SiteAsset = {
    hash: sha256(`pinned\n${sha256(bytes)}\n${contentType}`),
    name: basename(file),
    contentType,
    kind: "image",
    source: { kind: "file", path: file, bytes: bytes.byteLength },
    optimize: "never",
    usedIn: option,
  };
  return { kind, path, bytes, contentType, width: size?.width, height: size?.height, asset };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
