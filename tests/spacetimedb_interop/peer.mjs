// Values through the public TypeScript package of SpacetimeDB, which stands in the folder that is
// the argument. One JSON request a line, one JSON answer a line:
//
//   {"ty", "value"}    -> {"hex"}          the package has encoded the value
//   {"ty", "hex"}      -> {"value"}        the package has decoded all of the bytes
//   {"random": seed}   -> {"ty", "value"}  made up here
//
// or {"error"}. Types and values have the form of tests/data/README.md. Nothing of the package's
// sources is here, only calls of what it exports.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(join(process.argv[2], 'package.json'));
const { AlgebraicType, BinaryReader, BinaryWriter, ...classes } = require('spacetimedb');
const { ConnectionId, Identity, TimeDuration, Timestamp, Uuid } = classes;

// Products of one field that are classes there.
const special = new Map([
  ['__identity__', Identity],
  ['__connection_id__', ConnectionId],
  ['__timestamp_micros_since_unix_epoch__', Timestamp],
  ['__time_duration_micros__', TimeDuration],
  ['__uuid__', Uuid],
]);

const primitives = ['bool', 'string', 'f32', 'f64'].concat(
  [8, 16, 32, 64, 128, 256].flatMap(bits => [`i${bits}`, `u${bits}`])
);

// The package's type for one of ours.
function typeOf(ty) {
  const parts = list => list.map(([name, part]) => ({ name, algebraicType: typeOf(part) }));
  if (typeof ty === 'string') {
    if (!primitives.includes(ty)) throw new Error(`unknown type ${ty}`);
    return AlgebraicType[ty[0].toUpperCase() + ty.slice(1)];
  }
  if (ty.array) return AlgebraicType.Array(typeOf(ty.array));
  if (ty.product) return AlgebraicType.Product({ elements: parts(ty.product) });
  return AlgebraicType.Sum({ variants: parts(ty.sum) });
}

const named = (list, ...names) =>
  list.length === names.length && list.every(([name], at) => name === names[at]);

// The JavaScript value that the package wants for a value as the vectors write it.
function build(ty, json) {
  if (ty === 'f32' || ty === 'f64') {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(json));
    return ty === 'f32' ? view.getFloat32(4) : view.getFloat64(0);
  }
  if (ty === 'bool' || ty === 'string') return json;
  if (typeof ty === 'string') return Number(ty.slice(1)) > 32 ? BigInt(json) : Number(json);
  if (ty.array === 'u8') return new Uint8Array(Buffer.from(json.hex, 'hex'));
  if (ty.array) return json.map(item => build(ty.array, item));
  if (ty.product) {
    const Special = ty.product.length === 1 && special.get(ty.product[0][0]);
    if (Special) return new Special(BigInt(json[0]));
    return Object.fromEntries(ty.product.map(([name, part], at) => [name, build(part, json[at])]));
  }
  const [name, part] = ty.sum[json.tag];
  const value = build(part, json.value);
  if (named(ty.sum, 'some', 'none')) return name === 'some' ? value : undefined;
  if (named(ty.sum, 'ok', 'err')) return { [name]: value };
  return { tag: name, value };
}

// The other way: a value of the package as the vectors write it.
function describe(ty, value) {
  if (ty === 'f32' || ty === 'f64') {
    const view = new DataView(new ArrayBuffer(8));
    ty === 'f32' ? view.setFloat32(4, value) : view.setFloat64(0, value);
    return `0x${view.getBigUint64(0).toString(16)}`;
  }
  if (ty === 'bool' || ty === 'string') return value;
  if (typeof ty === 'string') return value.toString();
  if (ty.array === 'u8') return { hex: Buffer.from(value).toString('hex') };
  if (ty.array) return value.map(item => describe(ty.array, item));
  if (ty.product) {
    const Special = ty.product.length === 1 && special.get(ty.product[0][0]);
    if (Special && !(value instanceof Special)) throw new Error(`no ${Special.name}`);
    return ty.product.map(([name, part]) => describe(part, value[name]));
  }
  const found = tag => ({ tag, value: describe(ty.sum[tag][1], payload(tag)) });
  let payload = () => value.value;
  if (named(ty.sum, 'some', 'none')) {
    payload = tag => (tag === 0 ? value : {});
    return found(value === undefined ? 1 : 0);
  }
  if (named(ty.sum, 'ok', 'err')) {
    payload = tag => (tag === 0 ? value.ok : value.err);
    return found('ok' in value ? 0 : 1);
  }
  const tag = ty.sum.findIndex(([name]) => name === value.tag);
  if (tag < 0) throw new Error(`no variant ${value.tag}`);
  return found(tag);
}

function encode(ty, json) {
  const writer = new BinaryWriter(16);
  AlgebraicType.makeSerializer(typeOf(ty))(writer, build(ty, json));
  return Buffer.from(writer.getBuffer()).toString('hex');
}

function decode(ty, hex) {
  const reader = new BinaryReader(new Uint8Array(Buffer.from(hex, 'hex')));
  const value = AlgebraicType.makeDeserializer(typeOf(ty))(reader);
  if (reader.remaining !== 0) throw new Error(`${reader.remaining} bytes are left`);
  return describe(ty, value);
}

// splitmix64: the same values on every machine.
class Random {
  constructor(seed) {
    this.state = BigInt(seed);
  }

  next() {
    const wrap = number => BigInt.asUintN(64, number);
    this.state = wrap(this.state + 0x9e3779b97f4a7c15n);
    let mixed = this.state;
    mixed = wrap((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = wrap((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  }

  below(end) {
    return Number(this.next() % BigInt(end));
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  list(longest, make) {
    return Array.from({ length: this.below(longest + 1) }, (_, at) => make(at));
  }

  type(depth) {
    const unit = { product: [] };
    const inner = () => this.type(depth - 1);
    switch (depth === 0 ? 0 : this.below(10)) {
      case 1: return { array: inner() };
      case 2: return { array: 'u8' };
      case 3:
      case 4: return { product: this.list(5, at => [`field_${at}`, inner()]) };
      case 5: return { sum: [['first', inner()], ...this.list(6, at => [`other_${at}`, inner()])] };
      case 6: return { sum: [['some', inner()], ['none', unit]] };
      case 7: return { sum: [['ok', inner()], ['err', inner()]] };
      case 8: {
        const [name] = this.pick([...special]);
        const ty = { __identity__: 'u256', __connection_id__: 'u128', __uuid__: 'u128' }[name];
        return { product: [[name, ty ?? 'i64']] };
      }
      default: return this.pick(primitives);
    }
  }

  value(ty) {
    if (ty === 'bool') return this.below(2) === 1;
    if (ty === 'string') {
      const parts = ['', 'a', 'Z', ' ', '\n', '\0', '"', 'é', '漢', '😀', '\ufeff', 'word '];
      return this.list(9, () => this.pick(parts)).join('');
    }
    if (ty === 'f32') return `0x${BigInt.asUintN(32, this.next()).toString(16)}`;
    if (ty === 'f64') return `0x${this.next().toString(16)}`;
    if (typeof ty === 'string') {
      const bits = Number(ty.slice(1));
      const wide = [64n, 128n, 192n].reduce((sum, at) => sum | (this.next() << at), this.next());
      const wrap = ty[0] === 'i' ? BigInt.asIntN : BigInt.asUintN;
      return wrap(bits, this.pick([wide, wide & 0xffn, -1n, 1n << BigInt(bits - 1)])).toString();
    }
    if (ty.array === 'u8') {
      return { hex: this.list(40, () => this.below(256).toString(16).padStart(2, '0')).join('') };
    }
    if (ty.array) return this.list(6, () => this.value(ty.array));
    if (ty.product) return ty.product.map(([, part]) => this.value(part));
    const tag = this.below(ty.sum.length);
    return { tag, value: this.value(ty.sum[tag][1]) };
  }
}

function answer(request) {
  if ('random' in request) {
    const random = new Random(request.random);
    const ty = random.type(4);
    return { ty, value: random.value(ty) };
  }
  if ('hex' in request) return { value: decode(request.ty, request.hex) };
  return { hex: encode(request.ty, request.value) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let found;
  try {
    found = answer(JSON.parse(line));
  } catch (error) {
    found = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
