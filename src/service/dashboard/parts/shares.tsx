import { Count } from "./values.tsx";

export interface SharesProps {
  readonly rows: readonly { readonly name: string; readonly count: number }[];
  /** What is said where there are none. */
  readonly empty: string;
}

/** Names with how often each came, as bars whose length can be compared. */
export function Shares({ rows, empty }: SharesProps) {
  const top = Math.max(1, ...rows.map(({ count }) => count));
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  return (
    <ul class="shares">
      {rows.map(({ name, count }) => (
        <li>
          <span class="name">{name}</span>
          <Count value={count} />
          <ShareBar share={count / top} />
        </li>
      ))}
    </ul>
  );
}

/** A share of the longest one, from 0 to 1; nothing for none. */
export function ShareBar({ share }: { readonly share: number }) {
  if (share === 0) return <></>;
  return (
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="1" class="rest" />
      <rect width={Math.round(share * 1000) / 10} height="1" />
    </svg>
  );
}
