/** A part of a message: code if the message has it between backticks. */
export interface CodeSpan {
  readonly text: string;
  readonly isCode: boolean;
}

/** Splits a message at its backticks, which only terminals show as they are. */
export function splitCode(message: string): readonly CodeSpan[] {
  return message
    .split(/`([^`]+)`/)
    .map((text, index) => ({ text, isCode: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
