// JSON itself may be nested without end. What walks through it afterwards mostly calls itself, and would run out of
// stack. No request of the protocol is nested more deeply than this.
const MAX_DEPTH = 64;

/** Whether a JSON text nests objects and arrays more deeply than any sensible request; does not parse it. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (isInText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
