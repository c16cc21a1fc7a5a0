import { useState } from "react";

/** Persists over ClientRouter navigations: the count has to survive a change of the page. */
export default function StampBook() {
  const [stamps, setStamps] = useState(0);
  return (
    <aside className="stamps">
      <button data-testid="stamp" onClick={() => setStamps(stamps + 1)}>
        Stamp my book
      </button>
      <output data-testid="stamps">{stamps} stamps</output>
    </aside>
  );
}
