// A server in the page: what the script asks of one is answered here, so that thousands of batches take
// seconds. The batches come in chunks from /pairs/0, /pairs/1, ...: for each pair of pages the one that
// changes component 0, the one that renders component 1 anew, and what handlers do, each with its length.
"use strict";

const state = { pairs: 0, failed: null, done: false };
const legacy = location.search.includes("renderer=0");

window.WebSocket = class {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  readyState = 0;

  constructor() {
    setTimeout(() => {
      this.readyState = 1;
      this.onopen({});
    });
  }

  send(data) {
    if (typeof data === "string") {
      this.receive(new TextEncoder().encode("{}\x1e"));
      return;
    }
    const bytes = new Uint8Array(data.buffer ?? data);
    answer(this, new TextDecoder("latin1").decode(bytes), bytes);
  }

  close() {
    this.readyState = 3;
    this.onclose?.({ code: 1000, reason: "" });
  }

  receive(bytes) {
    queueMicrotask(() => this.onmessage({ data: bytes.buffer }));
  }
};

const text = (string) => [...new TextEncoder().encode(string)];
const u32 = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];

// A hub message with its length in front, in groups of seven bits.
function message(...parts) {
  const body = parts.flat();
  const length = [];
  let rest = body.length;
  for (; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  return new Uint8Array([...length, rest, ...body]);
}

function answer(socket, said, bytes) {
  if (said.includes("StartCircuit")) {
    const renderer = `[${legacy ? 0 : 1},{"__dotNetObject":1},{},{}]`;
    const attach = "Blazor._internal.attachWebRendererInterop";
    socket.receive(message([0x96, 1, 0x80, 0xc0, 0xb0], text("JS.BeginInvokeJS"), [0x95, 0, 0xd9, attach.length],
      text(attach), [0xa0 + renderer.length], text(renderer), [3, 0, 0x90]));
    socket.receive(message([0x95, 3, 0x80, 0xa1, 0x30, 3, 0xa1, 0x53]));
    if (said.includes('"sequence"')) begin(socket, ["0", "1"]);
  } else if (said.includes("UpdateRootComponents")) {
    const operations = JSON.parse(said.match(/\{"batchId".*\}/s)[0]).operations;
    const selectors = [];
    for (const { marker, ssrComponentId } of operations) selectors[marker.sequence] = String(ssrComponentId);
    begin(socket, selectors);
  } else if (said.includes("OnRenderCompleted")) {
    const at = said.indexOf("OnRenderCompleted");
    if (bytes[bytes.length - 1] !== 0xc0) fail(`refused: ${said.slice(at)}`);
    else acknowledged();
  }
}

let acknowledged = () => {};
const fail = (why) => { state.failed ??= `pair ${state.pairs}: ${why}`; };

async function begin(socket, selectors) {
  selectors.forEach((selector, component) => socket.receive(message([0x96, 1, 0x80, 0xc0, 0xb2],
    text("JS.AttachComponent"), [0x92, component, 0xa0 + selector.length], text(selector), [0x90])));
  let id = 1;
  const show = (batch) => {
    if (batch.length === 0) return Promise.resolve();
    const head = [0x96, 1, 0x80, 0xc0, 0xae, ...text("JS.RenderBatch"), 0x92, 0xce, ...u32(++id), 0xc6,
      ...u32(batch.length)];
    const length = head.length + batch.length + 1;
    const bytes = new Uint8Array(5 + length);
    bytes.set([(length & 127) | 128, ((length >>> 7) & 127) | 128, ((length >>> 14) & 127) | 128,
      ((length >>> 21) & 127) | 128, length >>> 28]);
    bytes.set(head, 5);
    bytes.set(batch, 5 + head.length);
    bytes[4 + length] = 0x90;
    const done = new Promise((resolve) => { acknowledged = resolve; });
    socket.receive(bytes);
    return done;
  };
  for (let chunk = 0; ; chunk++) {
    const bytes = new Uint8Array(await (await fetch(`/pairs/${chunk}`)).arrayBuffer());
    if (bytes.length === 0) break;
    let at = 0;
    const next = () => {
      const length = new DataView(bytes.buffer).getUint32(at);
      at += 4 + length;
      return bytes.subarray(at - length, at);
    };
    while (at < bytes.length) {
      await show(next());
      await show(next());
      compare(new Map(JSON.parse(new TextDecoder().decode(next()))));
      if (state.failed) return;
      state.pairs++;
    }
  }
  state.done = true;
}

function compare(actions) {
  const [changed, fresh] = ["changed", "fresh"].map((id) => [...document.getElementById(id).childNodes].slice(1));
  const describe = (nodes) => nodes.map((node) => node.outerHTML ?? `${node.nodeName}:${node.data}`).join("");
  const differ = (why) => fail(`${why}: ${describe(changed)} is not ${describe(fresh)}`);
  if (changed.length !== fresh.length) return differ("number of nodes");
  changed.forEach((node, n) => {
    if (!node.isEqualNode(fresh[n])) return differ("nodes");
    const inside = (root) => (root.querySelectorAll ? [root, ...root.querySelectorAll("*")] : []);
    const others = inside(fresh[n]);
    inside(node).forEach((element, m) => {
      for (const property of ["value", "checked"]) {
        // What is selected, and what an area holds, is the user's where no value is given.
        const keeps = element.nodeName === "SELECT" || element.nodeName === "TEXTAREA";
        if (keeps && !("controlled" in element.dataset)) continue;
        if (element[property] !== others[m][property]) {
          differ(`${property} of ${element.nodeName}: ${element[property]} and ${others[m][property]}`);
        }
      }
      const [ours, theirs] = [element, others[m]].map((of) => handlers(of, actions));
      if (ours !== theirs) differ(`handlers ${ours} and ${theirs}`);
    });
  });
}

// What the script keeps on an element: for each event the id of its handler.
function handlers(element, actions) {
  const key = Object.keys(element).find((name) => name.startsWith("_blazorEvents_"));
  if (!key) return "";
  const of = Object.entries(element[key].handlers ?? {});
  return of.map(([name, info]) => `${name}=${actions.get(info.eventHandlerId)}`).sort().join();
}
