/** As map libraries do: points are fetched and read in a worker. */
self.onmessage = async ({ data }: MessageEvent<string>) => {
  const response = await fetch(data);
  const { features } = response.ok ? await response.json() : { features: [] };
  self.postMessage(features.map(({ properties }: { properties: { name: string } }) => properties.name).join(", "));
};
