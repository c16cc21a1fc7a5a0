/** The parts of a path between its slashes, decoded; the first one is empty. */
export function splitPath(path: string): readonly string[] {
  const segments = path.split("/");
  return path.includes("%") ? segments.map(decodeSegment) : segments;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // What encodes no text is a name that nothing has.
    return segment;
  }
}
