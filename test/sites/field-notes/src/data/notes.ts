export const NOTES = [
  { id: "heron", title: "The heron", text: "It stood in the weir for an hour and swallowed one lamprey." },
  { id: "lichen", title: "Lichen on the north wall", text: "Xanthoria grows where the gulls sit." },
  { id: "ice", title: "First ice", text: "The pond sang when we threw pebbles over it." },
];
