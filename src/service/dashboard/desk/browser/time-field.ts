/** A field for a time, shown in the browser's time zone, and submitted in UTC. */
export interface TimeField {
  /** The time in UTC, to the minute; empty if there is none. */
  read(): string;
  /** Shows the time in UTC that the input has, such as one just filled in. */
  show(): void;
}

export function createTimeField(input: HTMLInputElement): TimeField {
  const label = input.labels?.[0];
  const shown = { local: "", utc: "" };
  const read = () => (input.value === shown.local ? shown.utc : toUtc(input.value));
  const describe = () => {
    if (label !== undefined) label.textContent = `Publish date (${describeZone(read())})`;
  };
  const show = () => {
    shown.utc = input.value;
    input.value = toLocal(shown.utc);
    // At the end of summer time, two times have this local one, so converting it back could change the time.
    shown.local = input.value;
    describe();
  };
  input.addEventListener("input", describe);
  show();
  return { read, show };
}

function minuteOf(time: Date): string {
  return time.toISOString().slice(0, 16);
}

/** Converts a local time, the first one if there are two. */
function toUtc(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : minuteOf(time);
}

function toLocal(utc: string): string {
  const time = new Date(`${utc}Z`);
  if (Number.isNaN(time.getTime())) return utc;
  return minuteOf(new Date(time.getTime() - time.getTimezoneOffset() * 60_000));
}

/** Formats the time zone, with its offset at the time: `America/New_York, GMT-4`. */
function describeZone(utc: string): string {
  const format = new Intl.DateTimeFormat("en-US", { timeZoneName: "shortOffset" });
  const { timeZone } = format.resolvedOptions();
  const time = new Date(`${utc}Z`);
  if (Number.isNaN(time.getTime())) return timeZone;
  const offset = format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${timeZone}, ${offset}`;
}
