/** What is computed for an element, each with the properties that fill it: they set colors, fonts, and boxes. */
const PROPERTIES = {
  color: "color",
  "background-color": "background background-color",
  "background-image": "background background-image",
  "mask-image": "mask mask-image -webkit-mask -webkit-mask-image",
  "border-color": "border border-color border-top border-top-color border-bottom border-bottom-color",
  "font-family": "font font-family",
  "font-weight": "font font-weight",
  "font-size": "font font-size",
  fill: "fill",
  display: "display",
  "flex-direction": "flex-direction flex-flow",
  visibility: "visibility",
  "color-scheme": "color-scheme",
  "accent-color": "accent-color",
  "box-sizing": "box-sizing",
  "padding-block": "padding padding-top padding-block padding-block-start",
  "padding-inline": "padding padding-left padding-inline padding-inline-start",
  "border-radius": "border-radius border-top-left-radius border-start-start-radius",
  "radius-top-right": "border-radius border-top-right-radius border-start-end-radius",
  "radius-bottom-right": "border-radius border-bottom-right-radius border-end-end-radius",
  "radius-bottom-left": "border-radius border-bottom-left-radius border-end-start-radius",
  "border-width": "border border-width",
  "box-shadow": "box-shadow",
  "max-width": "max-width max-inline-size",
  width: "width inline-size",
  "flex-basis": "flex flex-basis",
  tracks: "grid grid-template grid-template-columns",
  height: "height block-size",
  "min-height": "min-height min-block-size",
  position: "position",
  "container-type": "container container-type",
} as const;

export type SlotName = keyof typeof PROPERTIES;

const PAIRS = (Object.keys(PROPERTIES) as SlotName[]).flatMap((slot) =>
  PROPERTIES[slot].split(" ").map((property) => ({ property, slot })),
);

/** The slots that a property fills. */
export const SLOTS: ReadonlyMap<string, readonly SlotName[]> = new Map(
  [...Map.groupBy(PAIRS, ({ property }) => property)].map(([property, pairs]) => [
    property,
    pairs.map(({ slot }) => slot),
  ]),
);
