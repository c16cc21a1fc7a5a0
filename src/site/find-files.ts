import fastGlob from "fast-glob";

/**
 * Paths of the files below a folder, with forward slashes and sorted. Hidden files count, and symbolic links are
 * neither followed nor listed. An ending counts in any case.
 *
 * The folder is never part of a pattern: its name may hold brackets or other signs with a meaning.
 *
 * @param pattern glob pattern below the folder; `**` for all
 */
export function findFiles(folder: string, pattern: string): readonly string[] {
  const found = fastGlob.sync(pattern, {
    cwd: folder,
    dot: true,
    followSymbolicLinks: false,
    caseSensitiveMatch: false,
    ignore: ["**/.git/**"],
  });
  return found.toSorted();
}
