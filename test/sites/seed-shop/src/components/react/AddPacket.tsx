import { useStore } from "@nanostores/react";
import { useState } from "react";
import type { ImageMetadata } from "astro";
import { addPacket, formatPence, packets } from "../../stores/basket";

interface Props {
  readonly name: string;
  readonly pence: number;
  readonly picture: ImageMetadata;
}

/** Sets its picture again when it hydrates, so a picture address in the island's props has to be the published one. */
export default function AddPacket({ name, pence, picture }: Props) {
  const [added, setAdded] = useState(0);
  const list = useStore(packets);
  return (
    <article className="card">
      <img src={picture.src} width={160} height={160} alt={name} />
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
