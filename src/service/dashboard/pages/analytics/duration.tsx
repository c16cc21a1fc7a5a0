/** A time that people spend, in minutes and seconds; a dash where nobody did. */
export function Duration({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return <span class="number">–</span>;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return <span class="number">{minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`}</span>;
}
