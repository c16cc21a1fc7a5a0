export const DEVICES = ["mobile", "tablet", "desktop"] as const;

export type Device = (typeof DEVICES)[number];

// Where common style sheets change their layout.
const TABLET_WIDTH = 768;
const DESKTOP_WIDTH = 1024;

/** The kind of device with a window of this width, in CSS pixels. */
export function deviceOf(width: number): Device {
  if (width < TABLET_WIDTH) return "mobile";
  return width < DESKTOP_WIDTH ? "tablet" : "desktop";
}
