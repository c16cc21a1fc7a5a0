let visits = 0;
(self as unknown as SharedWorkerGlobalScope).onconnect = ({ ports: [port] }) => {
  visits += 1;
  port?.postMessage(`shared: tab ${visits}`);
};
