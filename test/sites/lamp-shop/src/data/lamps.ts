export interface Lamp {
  readonly id: string;
  readonly name: string;
  readonly story: string;
  readonly route: string;
  readonly image: string;
}

export const LAMPS: readonly Lamp[] = [
  {
    id: "brass",
    name: "Brass reading lamp",
    story: "Turned from one bar in a shed behind the station.",
    route: "/product/brass/",
    image: "/lamps/brass.png",
  },
  {
    id: "paper",
    name: "Paper lantern",
    story: "Mulberry paper on split bamboo, folded flat for the post.",
    route: "/product/paper/",
    image: "/lamps/paper.png",
  },
  {
    id: "glass",
    name: "Opal glass globe",
    story: "Blown in Murano, wired in Leeds, dusted never.",
    route: "/product/glass/",
    image: "/lamps/glass.png",
  },
];
