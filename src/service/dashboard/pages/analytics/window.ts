import type { Device } from "../../../resources/beacon.ts";

/** The window that a kind of device is drawn with, in CSS pixels. */
export interface DeviceWindow {
  readonly width: number;
  readonly height: number;
}

/** By the widths that preview frames have classes for. */
export const WINDOWS: Readonly<Record<Device, DeviceWindow>> = {
  mobile: { width: 390, height: 760 },
  tablet: { width: 820, height: 1100 },
  desktop: { width: 1280, height: 800 },
};
