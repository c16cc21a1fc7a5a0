/** Splits a message into text and the code between backticks, which only terminals show as they are. */
export function splitCode(message: string) {
  return message
    .split(/`([^`]+)`/)
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
