/** A declaration as written: values are read when an element needs them, since they may hold `var()`. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

/** The part of a selector by which rules are looked up: something that every matching element has. */
export interface SelectorKey {
  readonly kind: "id" | "class" | "tag" | "any";
  readonly name: string;
}

/** What has to stand on an element for a theme to be switched on: `[data-theme=dark]`, `.dark`. */
export interface ThemeToggle {
  readonly kind: "attribute" | "class";
  /** Attribute name or class name. */
  readonly name: string;
  /** Attribute value; empty for a class. */
  readonly value: string;
}

/** One complex selector of a rule. */
export interface SelectorEntry {
  readonly text: string;
  readonly specificity: number;
  readonly key: SelectorKey;
  readonly toggles: readonly ThemeToggle[];
}

export interface Condition {
  readonly kind: "media" | "supports" | "container";
  readonly text: string;
}

export interface StyleRule {
  readonly selectors: readonly SelectorEntry[];
  readonly declarations: readonly Declaration[];
  /** All of them have to hold. */
  readonly conditions: readonly Condition[];
  /** Name of the cascade layer with dots between the levels; empty outside of layers. */
  readonly layer: string;
}

export interface FontFace {
  readonly family: string;
  /** Addresses as written, in order of preference. */
  readonly addresses: readonly string[];
  /** The descriptor as written: `400`, `100 900`. */
  readonly weight: string;
  /** The descriptors as written; empty where they are absent. */
  readonly style: string;
  readonly unicodeRange: string;
}

export interface SheetImport {
  readonly address: string;
  readonly conditions: readonly Condition[];
  readonly layer: string;
}

/** A style sheet cut down to what tells about a brand. */
export interface StyleSheet {
  /** Where relative addresses of the sheet start. */
  readonly address: string;
  readonly rules: readonly StyleRule[];
  /** Names of layers in the order in which the sheet mentions them. */
  readonly layers: readonly string[];
  readonly fontFaces: readonly FontFace[];
  /** Initial values of registered custom properties (`@property`). */
  readonly initialValues: ReadonlyMap<string, string>;
  readonly imports: readonly SheetImport[];
  readonly problems: readonly string[];
}
