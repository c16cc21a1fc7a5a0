/** Facts about the studio for all pages. */
export const studio = {
  name: "Tern & Quire",
  tagline: "Letterpress and bookbinding",
  description:
    "Tern & Quire prints by letterpress and binds books by hand in a net loft above Eyemouth harbour.",
  email: "loft@ternandquire.example",
  phone: "+44 18907 50123",
  street: "The Net Loft, 3 Harbour Road",
  town: "Eyemouth",
  postcode: "TD14 5HT",
  hours: "Thursday to Saturday, 10 until 5",
} as const;

export const nav = [
  { href: "/work/", label: "Work" },
  { href: "/services/", label: "Services" },
  { href: "/prices/", label: "Prices" },
  { href: "/blog/", label: "Notes" },
  { href: "/about/", label: "About" },
  { href: "/contact/", label: "Contact" },
] as const;
