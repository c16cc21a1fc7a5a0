import { useStore } from "@nanostores/solid";
import { createSignal } from "solid-js";
import { formatPence, total } from "../../stores/basket";

export default function PostageMeter(props: { freeFrom: number }) {
  const sum = useStore(total);
  const [isFirstClass, setFirstClass] = createSignal(false);
  const missing = () => Math.max(0, props.freeFrom - sum());
  return (
    <div class="card">
      <button data-testid="solid-class" onClick={() => setFirstClass(!isFirstClass())}>
        Send it {isFirstClass() ? "second" : "first"} class
      </button>
      <p data-testid="solid-postage">
        {missing() === 0 ? "Postage is on us" : `${formatPence(missing())} more for free postage`},{" "}
        {isFirstClass() ? "first" : "second"} class
      </p>
    </div>
  );
}
