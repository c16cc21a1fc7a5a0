/** What is worked out for an element. Several properties can fill one slot. */
export type SlotName =
  | "color"
  | "background-color"
  | "background-image"
  | "border-color"
  | "font-family"
  | "font-weight"
  | "fill"
  | "display"
  | "visibility"
  | "color-scheme"
  | "accent-color";

const SLOTS: Readonly<Record<string, readonly SlotName[]>> = {
  color: ["color"],
  background: ["background-color", "background-image"],
  "background-color": ["background-color"],
  "background-image": ["background-image"],
  border: ["border-color"],
  "border-color": ["border-color"],
  "border-top": ["border-color"],
  "border-top-color": ["border-color"],
  "border-bottom": ["border-color"],
  "border-bottom-color": ["border-color"],
  font: ["font-family", "font-weight"],
  "font-family": ["font-family"],
  "font-weight": ["font-weight"],
  fill: ["fill"],
  display: ["display"],
  visibility: ["visibility"],
  "color-scheme": ["color-scheme"],
  "accent-color": ["accent-color"],
};

const NONE: readonly SlotName[] = [];

export function slotsOf(property: string): readonly SlotName[] {
  return SLOTS[property] ?? NONE;
}
