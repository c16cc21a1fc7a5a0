import { brokenImages, describeVisits, writtenText, type ScriptedVisit } from "./describe-visits.ts";

function writes(name: string, start: string, texts: Readonly<Record<string, string>>): ScriptedVisit {
  return {
    name,
    start,
    async act(page) {
      const seen: string[] = [];
      for (const id of Object.keys(texts)) seen.push(`${id}: ${await writtenText(page, id)}`);
      return [...seen, await brokenImages(page)];
    },
    sees: [...Object.entries(texts).map(([id, text]) => `${id}: ${text}`), "0 broken images"],
  };
}

const VISITS: readonly ScriptedVisit[] = [
  writes("pictures with addresses that start with the site's base from a variable", "/pictures/", {
    template: "40 pixels",
    joined: "56 pixels",
    variable: "56 pixels",
    helper: "72 pixels",
    tile: "64 pixels",
    library: "24 pixels",
  }),
  // The browser may have requested them at the old address before the route map redirected it.
  { ...writes("pictures in HTML that a script concatenates", "/markup/", { list: "2 pictures" }), isPart: true },
  writes("data with addresses that start with the site's base from a variable", "/readings/", {
    variable: "north 2.1",
    joined: "south 1.4",
    url: "south 1.4",
    helper: "all is low",
  }),
  writes("files whose relative names are in data that a script fetches", "/album/", {
    cover: "72 pixels",
    plate: "32 pixels",
    cut: "44 pixels",
    note: "The old pier",
    listed: "44 pixels",
  }),
  writes("a map's images, tiles, and points by addresses in its style, made whole by a script", "/map/", {
    sign: "buoy",
    image: "32 pixels",
    tile: "64 pixels",
    points: "Outer buoy",
  }),
  writes("modules in a folder of the page's own import map", "/parts/", {
    static: "gauge in metres",
    late: "metres",
    named: "42",
  }),
  writes("files beside a script, located with document.currentScript", "/widget/", {
    picture: "24 pixels",
    url: "24 pixels",
    data: "A widget",
    style: "rgb(10, 60, 120)",
    part: "A part of the widget",
  }),
  writes("the current entry of menus in data, in code, and in links", "/menu/", {
    data: "Menu",
    code: "Readings",
    variable: "Menu Menu",
    table: "the menu",
    switch: "the menu",
    links: "Menu",
  }),
];

describeVisits({
  title: "addresses that scripts concatenate",
  folder: "test/sites/tide-station",
  visits: VISITS,
});
