self.onmessage = async ({ data }: MessageEvent<string>) => {
  const { mix } = await import("./mix");
  self.postMessage(`lazy: ${mix(data, "lampblack")}`);
};
