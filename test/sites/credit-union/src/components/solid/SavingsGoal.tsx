import { createSignal } from "solid-js";

export default function SavingsGoal(props: { goal: number }) {
  const [saved, setSaved] = createSignal(0);
  return (
    <div class="panel">
      <button data-testid="save" onClick={() => setSaved(saved() + 25)}>
        Put £25 aside
      </button>
      <progress value={saved()} max={props.goal} />
      <p data-testid="saved">
        £{saved()} of £{props.goal}
      </p>
    </div>
  );
}
