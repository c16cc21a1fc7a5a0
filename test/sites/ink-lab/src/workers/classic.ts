self.onmessage = ({ data }) => self.postMessage(`classic: ${data} with oak gall`);
