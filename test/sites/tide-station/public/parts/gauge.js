import { unit } from "./units.js";

export const name = `gauge in ${unit}`;
export const twice = (value) => String(value * 2);
