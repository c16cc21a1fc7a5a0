import { useState } from "preact/hooks";

interface Props {
  readonly area: number;
  readonly label: string;
}

export default function AreaSlider({ area, label }: Props) {
  const [isImperial, setImperial] = useState(false);
  return (
    <p>
      <button data-testid="unit" onClick={() => setImperial(!isImperial)}>
        {isImperial ? "m²" : "sq ft"}
      </button>{" "}
      <span data-testid="area">
        {label}: {isImperial ? `${Math.round(area * 10.7639)} sq ft` : `${area} m²`}
      </span>
    </p>
  );
}
