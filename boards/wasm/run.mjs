// Runs an example that was built for wasm32-unknown-unknown: node run.mjs FILE.wasm
//
// The example imports two functions: `write` takes a part of its memory to standard output, `exit`
// ends the run. A trap ends it with 102, the exit code of an exception of a processor.
import { readFileSync, writeSync } from "node:fs";

const file = process.argv[2];
if (file === undefined) {
  console.error("usage: node run.mjs FILE.wasm");
  process.exit(2);
}

const imports = {
  onewrite: {
    write(start, length) {
      const bytes = new Uint8Array(instance.exports.memory.buffer, start, length);
      for (let done = 0; done < length; ) done += writeSync(1, bytes, done);
    },
    exit: (code) => process.exit(code),
  },
};
const { instance } = await WebAssembly.instantiate(readFileSync(file), imports);
try {
  instance.exports.main(0, 0);
} catch (error) {
  console.error(`${file}: ${error}`);
  process.exit(102);
}
console.error(`${file}: main returned`);
process.exit(1);
