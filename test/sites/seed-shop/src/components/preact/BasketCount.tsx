import { useStore } from "@nanostores/preact";
import { useState } from "preact/hooks";
import { packets } from "../../stores/basket";

export default function BasketCount() {
  const list = useStore(packets);
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="card">
      <button data-testid="preact-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide" : "Show"} the basket
      </button>
      <p data-testid="preact-count">Packets in the basket: {list.length}</p>
      {isOpen && (
        <ul data-testid="preact-list">
          {list.length === 0 ? <li>Nothing yet</li> : list.map(({ name }) => <li>{name}</li>)}
        </ul>
      )}
    </div>
  );
}
