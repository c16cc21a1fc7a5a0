import { useId, useState } from "react";
import styles from "./PrintRun.module.css";

interface Piece {
  readonly label: string;
  readonly paper: number;
  readonly impression: number;
}

const SETUP = 38;
const STEP = 25;
const LEAST = 25;
const MOST = 1000;

/** Pounds a sheet, and pounds each time that it passes through the press. */
const PIECES: Readonly<Record<string, Piece>> = {
  card: { label: "Card, 5 by 7 inches", paper: 0.42, impression: 0.46 },
  folded: { label: "Folded invitation", paper: 0.78, impression: 0.62 },
  broadside: { label: "Broadside, 14 by 20 inches", paper: 2.2, impression: 1.9 },
};

const pounds = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

export default function PrintRun() {
  const id = useId();
  const [piece, setPiece] = useState("card");
  const [quantity, setQuantity] = useState(100);
  const [colours, setColours] = useState(1);

  const { paper, impression } = PIECES[piece]!;
  const total = SETUP * colours + quantity * (paper + impression * colours);

  return (
    <div className={styles.island} data-testid="island">
      <div className={styles.fields}>
        <p className={styles.field}>
          <label htmlFor={`${id}-piece`}>What are we printing?</label>
          <select id={`${id}-piece`} value={piece} onChange={(event) => setPiece(event.target.value)}>
            {Object.entries(PIECES).map(([key, { label }]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </p>
        <div className={styles.field} role="group" aria-labelledby={`${id}-run`}>
          <span id={`${id}-run`}>How many?</span>
          <div className={styles.stepper}>
            <button
              type="button"
              aria-label={`${STEP} fewer`}
              disabled={quantity <= LEAST}
              onClick={() => setQuantity(quantity - STEP)}
            >
              −
            </button>
            <output data-testid="quantity">{quantity}</output>
            <button
              type="button"
              data-testid="more"
              aria-label={`${STEP} more`}
              disabled={quantity >= MOST}
              onClick={() => setQuantity(quantity + STEP)}
            >
              +
            </button>
          </div>
        </div>
        <fieldset className={styles.field}>
          <legend>In how many colours?</legend>
          <div className={styles.colours}>
            {[1, 2, 3].map((count) => (
              <label key={count}>
                <input
                  type="radio"
                  name={`${id}-colours`}
                  checked={colours === count}
                  onChange={() => setColours(count)}
                />
                {count}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
      <p className={styles.result} aria-live="polite">
        <strong data-testid="total">{pounds.format(total)}</strong>
        <span>
          {pounds.format(total / quantity)} each. Of that, {pounds.format(SETUP * colours)} is setting up.
        </span>
      </p>
    </div>
  );
}
