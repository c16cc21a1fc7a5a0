const INKS = [
  { name: "Iron gall", route: "/about/", picture: "/textures/paper.png" },
  { name: "Sepia", route: "/deep/page/", picture: "/textures/paper.png" },
];
export const GET = () => Response.json(INKS);
