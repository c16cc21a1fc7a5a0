import { double } from "double";
import { unit } from "./units.js";

export const name = `gauge in ${unit}`;
export const twice = (value) => String(double(value));
