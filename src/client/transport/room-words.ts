// About the account or the number of pages, but not about the size of this page or file.
const FIXED = [
  String.raw`\bpage (?:limit|quota|count)\b`,
  String.raw`\b(?:account|plan|storage|workspace|library|disk)\b.{0,40}\b(?:limit|maximum|full|exceed\w*|exhausted|allows|at most)\b`,
  String.raw`\b(?:limit of|at most|up to|more than|too many|maximum(?: number)? of|number of|holds?)\s(?:\d+\s)?(?:\w+\s)?pages\b`,
  String.raw`\bno (?:more )?(?:space|room)\b`,
];

const SPEAKS_OF_ROOM = new RegExp([String.raw`\bquota\b`, ...FIXED].join("|"), "i");
const SPEAKS_OF_FIXED_LIMIT = new RegExp(FIXED.join("|"), "i");
const SPEAKS_OF_RATE =
  /\b(?:requests?|calls?|writes?|operations?|rate|throttl\w*|slow|concurren\w*|retry|later|again|wait|sec(?:ond)?s?|min(?:ute)?s?|hours?|hourly|days?|daily|weekly|months?|monthly|tomorrow|resets?)\b/i;

/** Whether the words of a refusal say that an account is full. */
export function speaksOfRoom(said: string): boolean {
  return SPEAKS_OF_ROOM.test(said);
}

/** Whether the words of a refusal name a quota, which no other form of the same content meets. */
export function speaksOfQuota(said: string): boolean {
  return /\bquota\b/i.test(said);
}

/** Whether the words of a response with status 429 are about what a plan holds, and not about how fast or often. */
export function speaksOfFixedLimit(said: string): boolean {
  return SPEAKS_OF_FIXED_LIMIT.test(said) && !SPEAKS_OF_RATE.test(said);
}
