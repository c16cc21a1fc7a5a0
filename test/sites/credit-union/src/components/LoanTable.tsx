import { useState } from "react";

const TERMS = [12, 24, 36];

export default function LoanTable({ pounds, yearlyRate }: { readonly pounds: number; readonly yearlyRate: number }) {
  const [index, setIndex] = useState(0);
  const months = TERMS[index % TERMS.length] ?? 12;
  const rate = yearlyRate / 12;
  const payment = (pounds * rate) / (1 - (1 + rate) ** -months);
  return (
    <div className="panel">
      <button data-testid="term" onClick={() => setIndex(index + 1)}>
        Another term
      </button>
      <p data-testid="payment">
        {months} payments of £{payment.toFixed(2)}
      </p>
    </div>
  );
}
