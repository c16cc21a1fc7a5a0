import type { Socket } from "node:net";
import { loadUndiciParts, type UndiciParts } from "./undici-parts.ts";

/**
 * All shared connections of this process to one host. Some hosts, such as small development servers, serve one
 * connection at a time, and wait for its next request while it is kept alive: requests on other connections get no
 * response until it closes. If a connection waits in vain beside an idle one, the connections are renewed; after a few
 * times, requests are sent one after the other, each on a connection of its own.
 */
export interface HostConnections {
  opened(socket: Socket): void;
  /**
   * Registers an owner of connections. `renew` closes its idle connections now, and others after their response. Returns
   * a function that removes it.
   */
  addOwner(renew: () => void): () => void;
  /** Sends one request, and reads its response. `isLast`: whether its connection has to be closed afterwards. */
  send<T>(request: (isLast: boolean) => Promise<T>): Promise<T>;
}

const PATIENCE_MS = 500;
// An ordinary host may be slow once, until two connections have received data.
const MOST_RENEWALS = 3;

const hosts = new Map<string, HostConnections>();

export function connectionsTo(origin: string): HostConnections {
  const known = hosts.get(origin) ?? createHostConnections();
  hosts.set(origin, known);
  return known;
}

function createHostConnections(): HostConnections {
  const openedAt = new Map<Socket, number>();
  const owners = new Set<() => void>();
  let pending = 0;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let renewals = 0;
  let servesSeveral = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function noteServed(): void {
    servesSeveral ||= countHeard() > 1;
  }

  function countHeard(): number {
    return [...openedAt.keys()].filter(({ bytesRead, destroyed }) => bytesRead > 0 && !destroyed).length;
  }

  function isKeptWaiting(): boolean {
    const isOneIdle = pending < openedAt.size;
    return [...openedAt].some(
      ([{ bytesRead }, at]) =>
        bytesRead === 0 && performance.now() - at >= PATIENCE_MS && (isOneIdle || answeredAt > at),
    );
  }

  function watch(): void {
    if (!servesSeveral && pending > 0) timer ??= setTimeout(check, PATIENCE_MS).unref();
  }

  function check(): void {
    timer = undefined;
    noteServed();
    if (countHeard() === 1 && isKeptWaiting()) {
      renewals += 1;
      for (const renew of owners) renew();
    }
    watch();
  }

  function inTurn<T>(request: () => Promise<T>): Promise<T> {
    const sent = last.then(request);
    last = sent.catch(() => undefined);
    return sent;
  }

  return {
    opened(socket) {
      openedAt.set(socket, performance.now());
      socket.once("close", () => openedAt.delete(socket));
    },
    addOwner(renew) {
      owners.add(renew);
      return () => owners.delete(renew);
    },
    async send(request) {
      if (renewals >= MOST_RENEWALS && !servesSeveral) return await inTurn(() => request(true));
      pending += 1;
      watch();
      try {
        return await request(false);
      } finally {
        pending -= 1;
        answeredAt = performance.now();
        noteServed();
      }
    },
  };
}

type Connector = ReturnType<UndiciParts["buildConnector"]>;

/** Builds a connector of undici that registers what it opens. */
export function buildHostConnector(
  options: Parameters<UndiciParts["buildConnector"]>[0],
  onError: (error: Error) => void = () => undefined,
): Connector {
  const connect = loadUndiciParts().buildConnector(options);
  return (place, callback) => {
    connect(place, (...[error, socket]) => {
      if (error !== null) {
        onError(error);
        return callback(error, null);
      }
      connectionsTo(`${place.protocol}//${place.host ?? place.hostname}`).opened(socket);
      callback(null, socket);
    });
  };
}
