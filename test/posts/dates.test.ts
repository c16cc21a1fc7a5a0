import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTimeZone, parseDate } from "../../src/posts/read/dates.ts";

function read(text: string, timeZone = "UTC"): string {
  const parsed = parseDate(text, timeZone);
  return parsed.kind === "date" ? parsed.date.toISOString() : parsed.message;
}

describe("parses a date:", () => {
  it.each([
    ["2024-01-02", "2024-01-02T00:00:00.000Z"],
    ["2024-1-2", "2024-01-02T00:00:00.000Z"],
    ["2024/01/02", "2024-01-02T00:00:00.000Z"],
    ["  2024-01-02  ", "2024-01-02T00:00:00.000Z"],
    ["2024-01-02 10:00", "2024-01-02T10:00:00.000Z"],
    ["2024-01-02 9:05:06", "2024-01-02T09:05:06.000Z"],
    ["2024-01-02T10:00:00", "2024-01-02T10:00:00.000Z"],
    ["2024-01-02T10:00:00Z", "2024-01-02T10:00:00.000Z"],
    ["2024-01-02t10:00:00z", "2024-01-02T10:00:00.000Z"],
    ["2024-01-02T10:00:00.123Z", "2024-01-02T10:00:00.123Z"],
    ["2024-01-02T10:00:00.123456789Z", "2024-01-02T10:00:00.123Z"],
    ["2024-01-02T10:00:00,5Z", "2024-01-02T10:00:00.500Z"],
    ["2013-05-05 12:34:56 +0800", "2013-05-05T04:34:56.000Z"],
    ["2013-05-05 12:34:56 +08:00", "2013-05-05T04:34:56.000Z"],
    ["2013-05-05 12:34:56 +8", "2013-05-05T04:34:56.000Z"],
    ["2013-05-05 12:34:56 -05", "2013-05-05T17:34:56.000Z"],
    ["2013-05-05 12:34 -0530", "2013-05-05T18:04:00.000Z"],
    ["2013-05-05 12:34:56 UTC", "2013-05-05T12:34:56.000Z"],
    ["2013-05-05 12:34:56 GMT", "2013-05-05T12:34:56.000Z"],
    ["2001-12-14t21:59:43.10-05:00", "2001-12-15T02:59:43.100Z"],
    ["Jul 08 2022", "2022-07-08T00:00:00.000Z"],
    ["July 8, 2022", "2022-07-08T00:00:00.000Z"],
    ["july 8th, 2022", "2022-07-08T00:00:00.000Z"],
    ["8 July 2022", "2022-07-08T00:00:00.000Z"],
    ["Sept 1, 2023", "2023-09-01T00:00:00.000Z"],
    ["Jan 1, 2022 15:30", "2022-01-01T15:30:00.000Z"],
    ["Sat, 01 Jan 2022 10:00:00 +0100", "2022-01-01T09:00:00.000Z"],
    ["Sat, 01 Jan 2022 10:00:00 GMT", "2022-01-01T10:00:00.000Z"],
    ["Sat Jan 01 2022 12:00:00 GMT+0200 (Central European Time)", "2022-01-01T10:00:00.000Z"],
    ["Sat Jan 01 2022 00:00:00 GMT+0000 (Coordinated Universal Time)", "2022-01-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("%s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  it.each([
    ["2024-01-02", "America/New_York", "2024-01-02T05:00:00.000Z"],
    ["2024-01-02 10:00:00", "Asia/Tokyo", "2024-01-02T01:00:00.000Z"],
    ["2024-07-02 10:00:00", "America/New_York", "2024-07-02T14:00:00.000Z"],
    ["2024-07-02T10:00:00Z", "America/New_York", "2024-07-02T10:00:00.000Z"],
    ["2024-07-02T10:00:00+02:00", "America/New_York", "2024-07-02T08:00:00.000Z"],
    ["2024-01-02 00:00", "Asia/Kathmandu", "2024-01-01T18:15:00.000Z"],
    // The clock jumps from 2:00 to 3:00: the nonexistent 2:30 is 3:30 in summer time.
    ["2024-03-31 02:30", "Europe/Berlin", "2024-03-31T01:30:00.000Z"],
    // The clock goes back from 3:00 to 2:00: the first 2:30 counts.
    ["2024-10-27 02:30", "Europe/Berlin", "2024-10-27T00:30:00.000Z"],
    // This day began at 1:00.
    ["2024-04-26", "Africa/Cairo", "2024-04-25T22:00:00.000Z"],
    // Samoa skipped December 30.
    ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s in %s", (text, timeZone, moment) => {
    expect(read(text, timeZone)).toBe(moment);
  });

  it("at the time that clocks in that zone show", () => {
    const zones = fc.constantFrom("Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "Australia/Lord_Howe", "UTC");
    const moments = fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(moments, zones, (moment, timeZone) => {
        const shown = wallText(moment, timeZone);
        expect(wallText(new Date(read(shown, timeZone)), timeZone)).toBe(shown);
      }),
    );
  });

  it("in every format that JavaScript prints", () => {
    const moments = fc.date({ min: new Date("1900-01-02"), max: new Date("2200-12-30"), noInvalidDate: true });
    fc.assert(
      fc.property(moments, (moment) => {
        const seconds = new Date(Math.floor(moment.getTime() / 1000) * 1000).toISOString();
        expect(read(moment.toISOString(), "Asia/Tokyo")).toBe(moment.toISOString());
        expect(read(moment.toUTCString(), "Asia/Tokyo")).toBe(seconds);
        expect(read(moment.toString(), "Asia/Tokyo")).toBe(seconds);
      }),
    );
  });
});

describe("rejects a date:", () => {
  it.each([
    ["2024-02-30", '"2024-02-30" is not a valid date: that month has 29 days.'],
    ["2023-02-29", '"2023-02-29" is not a valid date: that month has 28 days.'],
    ["2024-13-01", '"2024-13-01" is not a valid date: there is no month 13.'],
    ["2024-00-10", '"2024-00-10" is not a valid date: there is no month 0.'],
    ["2024-04-00", '"2024-04-00" is not a valid date: that month has 30 days.'],
    ["31 April 2024", '"31 April 2024" is not a valid date: that month has 30 days.'],
    ["0001-01-01", '"0001-01-01" is not a valid date: the year is not between 1900 and 2200.'],
    ["2024-01-02 24:00", '"2024-01-02 24:00" is not a valid date: there is no such time of day.'],
    ["2024-01-02 10:60", '"2024-01-02 10:60" is not a valid date: there is no such time of day.'],
    ["2024-01-02 10:00 +2500", '"2024-01-02 10:00 +2500" is not a valid date: there is no such offset from UTC.'],
  ])("%s, which doesn't exist", (text, message) => {
    expect(read(text)).toBe(message);
  });

  it.each([
    "01/02/2024",
    "2024-01/02",
    "20240102",
    "1704153600",
    "2014-07-26 09:22:00 0000 -0500",
    "2024-01-02 10:00 PM",
    "2024-01-02 10:00 +0575",
    "yesterday",
    "2024-01",
    "Foo 08 2022",
    "Mayor 8 2022x",
    "",
  ])("%s, which is ambiguous or unreadable", (text) => {
    expect(read(text)).toBe(`"${text}" can't be read as a date. Write it as 2024-01-31 or 2024-01-31T18:00:00+02:00.`);
  });

  it("an unfilled template", () => {
    expect(read("{{ .Date }}")).toContain("template");
  });

  it("without throwing, whatever the text", () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[\d:T+\-/ .Z]{0,30}$/));
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseDate(text, "Europe/Berlin");
        expect(parsed.kind === "refused" || !Number.isNaN(parsed.date.getTime())).toBe(true);
      }),
    );
  });
});

it("recognizes a time zone by its IANA name", () => {
  expect(["UTC", "Europe/Berlin", "Mars/Olympus", ""].map(isTimeZone)).toEqual([true, true, false, false]);
});

function wallText(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(moment);
}
