self.onmessage = async () => {
  const [inks, notes] = await Promise.all([fetch("/inks.json"), fetch("/data/notes.csv")]);
  const { length } = (await inks.json()) as readonly unknown[];
  const name = ["sepia", "iron"].sort()[0];
  const { note } = (await (await fetch(`/api/${name}.json`)).json()) as { note: string };
  const again = (await (await fetch("/api/" + name + ".json", { cache: "no-store" })).json()) as { note: string };
  const isSame = note === again.note ? note : "two notes";
  self.postMessage(`fetching: ${length} inks, ${(await notes.text()).trim().split("\n").length} notes, ${isSame}`);
};
