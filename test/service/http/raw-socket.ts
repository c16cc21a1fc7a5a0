import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Opens a connection for sending what no HTTP client would. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  // Some tests expect the server to close the connection.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Sends bytes and returns everything that is received until the connection is closed. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = await openSocket(port);
  socket.write(text);
  return await readAll(socket);
}

export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(chunks).toString("latin1");
}

/** Waits until the received data contains a text. */
export async function readUntil(socket: Socket, text: string): Promise<string> {
  let received = "";
  while (!received.includes(text)) {
    const [chunk]: readonly unknown[] = await once(socket, "data");
    received += Buffer.isBuffer(chunk) ? chunk.toString("latin1") : "";
  }
  return received;
}
