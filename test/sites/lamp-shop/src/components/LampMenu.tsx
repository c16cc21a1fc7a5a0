import { useState } from "preact/hooks";
import lantern from "../assets/lantern.png";

const ENTRIES = [
  { label: "The brass one", href: "/product/brass/", icon: "/lamps/brass.png" },
  { label: "The glass one", href: "/product/glass/?from=menu#top", icon: "/lamps/glass.png" },
  { label: "All sizes", href: "/sizes", icon: lantern.src },
];

export default function LampMenu() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div data-testid="island-menu">
      <button onClick={() => setOpen(!isOpen)}>Menu</button>
      {isOpen && (
        <ul>
          {ENTRIES.map(({ label, href, icon }) => (
            <li>
              <a href={href}>
                <img src={icon} alt="" width={24} height={24} />
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      <button onClick={() => location.assign(ENTRIES[0]!.href)}>Take me there</button>
    </div>
  );
}
