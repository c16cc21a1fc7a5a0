self.onmessage = async () => {
  const [inks, notes] = await Promise.all([fetch("/inks.json"), fetch("/data/notes.csv")]);
  const { length } = (await inks.json()) as readonly unknown[];
  self.postMessage(`fetching: ${length} inks, ${(await notes.text()).trim().split("\n").length} notes`);
};
