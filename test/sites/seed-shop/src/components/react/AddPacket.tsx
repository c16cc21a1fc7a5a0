import { useStore } from "@nanostores/react";
import { useState } from "react";
import type { ImageMetadata } from "astro";
import { addPacket, formatPence, packets } from "../../stores/basket";

interface Props {
  readonly name: string;
  readonly pence: number;
  readonly picture: ImageMetadata;
}

/** Draws its picture anew with every press, from the island's props and not from the HTML that was there before. */
export default function AddPacket({ name, pence, picture }: Props) {
  const [added, setAdded] = useState(0);
  const list = useStore(packets);
  return (
    <article className="card">
      <img key={added} src={picture.src} width={160} height={160} alt={name} />
      <h3>{name}</h3>
      <button
        data-testid={`react-add-${name.toLowerCase()}`}
        onClick={() => {
          setAdded(added + 1);
          addPacket({ name, pence });
        }}
      >
        Add for {formatPence(pence)}
      </button>
      <p data-testid={`react-added-${name.toLowerCase()}`}>
        {added} of {list.length} packets
      </p>
    </article>
  );
}
