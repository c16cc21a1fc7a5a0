import { useMemo, useState } from "react";

const ADVICE = ["Acid: add lime in autumn.", "Neutral: sow what you like.", "Chalky: cornflowers love it."];

/** Drawn in the browser only, because it starts from the width of the window. */
export default function SoilTest() {
  const width = useMemo(() => window.innerWidth, []);
  const [step, setStep] = useState(0);
  return (
    <div className="card">
      <button data-testid="soil-next" onClick={() => setStep(step + 1)}>
        Try another soil
      </button>
      <p data-testid="soil-advice">
        {ADVICE[step % ADVICE.length]} Window: {width}.
      </p>
    </div>
  );
}
