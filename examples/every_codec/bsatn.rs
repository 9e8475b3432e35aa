//! BSATN: every type into memory and into a stream, and out of any input.

use core::hint::black_box;
use core::marker::PhantomData;

use onewrite::bsatn::{
    AlgebraicType, Array, ArrayIter, ConnectionId, Decode, Element, Elements, Encode, I256,
    Identity, Output, RowList, RowListWriter, Rows, ScheduleAt, Tail, TimeDuration, Timestamp,
    TypedRows, U256, Uuid, Walker,
};
use onewrite::reader::Reader;
use onewrite::sink::{CountingSink, Sink, SliceSink};

#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
struct Fixed {
    id: u32,
    hp: i32,
    alive: bool,
    score: u64,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
enum Team {
    Red,
    Blue,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Mixed<'a> {
    id: u32,
    score: u64,
    name: &'a str,
    raw: &'a [u8],
    team: Team,
    owner: PhantomData<u8>,
    tags: Array<'a, &'a str>,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
enum Event<'a> {
    Joined(Fixed),
    Said { id: u32, loud: bool, text: &'a str },
    Closed,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Pair<T, const N: usize>(T, [T; N]);

/// Bytes that are a valid value of some types, and of the others what a damaged message may be.
const INPUT: [u8; 100] = {
    let mut input = [0; 100];
    input[0] = 1;
    input[4] = 3;
    input[8] = 1;
    input
};

#[inline(never)]
pub(crate) fn call() {
    let input: &[u8] = black_box(&INPUT);
    into_every_sink(&Everything { input });
    special();
    wide();
    out_of(input);
    lists(input);
    row_lists(input);
    walk(input);
}

/// Puts a value of every type.
struct Everything<'a> {
    input: &'a [u8],
}

impl Encode for Everything<'_> {
    const MIN_SIZE: usize = 0;
    const MAX_SIZE: usize = usize::MAX;
    type Scratch = [u8; 0];

    fn encoded_len(&self) -> usize {
        let mut len = 0;
        numbers(&mut |value| len += value);
        compounds(&mut |value| len += value);
        len
    }

    fn put<O: Output>(&self, out: &mut O) {
        put_numbers(out);
        put_compounds(out);
        put_views(self.input, out);
        Output::array(out, black_box([1; 5]));
        Output::bytes(out, black_box(self.input));
        Output::headed(out, black_box([1; 5]), black_box(self.input));
        Output::items(out, black_box(&[(1u8, Fixed::default())][..]));
    }
}

#[inline(never)]
fn numbers(add: &mut dyn FnMut(usize)) {
    add(len::<u8>(&1));
    add(len::<u16>(&1));
    add(len::<u32>(&1));
    add(len::<u64>(&1));
    add(len::<u128>(&1));
    add(len::<i8>(&1));
    add(len::<i16>(&1));
    add(len::<i32>(&1));
    add(len::<i64>(&1));
    add(len::<i128>(&1));
    add(len::<f32>(&1.0));
    add(len::<f64>(&1.0));
    add(len::<bool>(&true));
    add(len::<U256>(&U256::default()));
    add(len::<I256>(&I256::default()));
    add(len::<Identity>(&Identity::default()));
    add(len::<ConnectionId>(&ConnectionId::default()));
    add(len::<Uuid>(&Uuid::default()));
    add(len::<Timestamp>(&Timestamp::default()));
    add(len::<TimeDuration>(&TimeDuration::default()));
    add(len::<ScheduleAt>(&ScheduleAt::Time(Timestamp::default())));
}

#[inline(never)]
fn put_numbers<O: Output>(out: &mut O) {
    put::<u8, O>(&1, out);
    put::<u16, O>(&1, out);
    put::<u32, O>(&1, out);
    put::<u64, O>(&1, out);
    put::<u128, O>(&1, out);
    put::<i8, O>(&1, out);
    put::<i16, O>(&1, out);
    put::<i32, O>(&1, out);
    put::<i64, O>(&1, out);
    put::<i128, O>(&1, out);
    put::<f32, O>(&1.0, out);
    put::<f64, O>(&1.0, out);
    put::<bool, O>(&true, out);
    put::<U256, O>(&U256::default(), out);
    put::<I256, O>(&I256::default(), out);
    put::<Identity, O>(&Identity::default(), out);
    put::<ConnectionId, O>(&ConnectionId::default(), out);
    put::<Uuid, O>(&Uuid::default(), out);
    put::<Timestamp, O>(&Timestamp::default(), out);
    put::<TimeDuration, O>(&TimeDuration::default(), out);
    put::<ScheduleAt, O>(&ScheduleAt::Time(Timestamp::default()), out);
    put::<ScheduleAt, O>(&ScheduleAt::Interval(TimeDuration::default()), out);
}

#[inline(never)]
fn compounds(add: &mut dyn FnMut(usize)) {
    add(len::<str>("some text"));
    add(len::<&str>(&"some text"));
    add(len::<[u8]>(&[1, 2]));
    add(len::<[&str]>(&["a", "b"]));
    add(len::<[u16; 3]>(&[1; 3]));
    add(len::<Option<u32>>(&Some(1)));
    add(len::<Result<u32, &str>>(&Err("no")));
    add(len::<()>(&()));
    add(len::<PhantomData<u8>>(&PhantomData));
    add(len::<(u8,)>(&(1,)));
    add(len::<(u8, u8)>(&(1, 2)));
    add(len::<(u8, u8, u8)>(&(1, 2, 3)));
    add(len::<(u8, u8, u8, u8)>(&(1, 2, 3, 4)));
    add(len::<(u8, u8, u8, u8, u8)>(&(1, 2, 3, 4, 5)));
    add(len::<(u8, u8, u8, u8, u8, u8)>(&(1, 2, 3, 4, 5, 6)));
    add(len::<(u8, u8, u8, u8, u8, u8, u8)>(&(1, 2, 3, 4, 5, 6, 7)));
    add(len::<(u8, u8, u8, u8, u8, u8, u8, &str)>(&(1, 2, 3, 4, 5, 6, 7, "8")));
    add(Fixed::encoded_len(black_box(&Fixed::default())));
    add(Event::encoded_len(black_box(&Event::Closed)));
}

#[inline(never)]
fn put_compounds<O: Output>(out: &mut O) {
    put::<str, O>("some text", out);
    put::<&str, O>(&"some text of more than sixteen bytes", out);
    put::<[u8], O>(&[1, 2], out);
    put::<[&str], O>(&["a", "b"], out);
    put::<[Fixed], O>(&[Fixed::default(); 2], out);
    put::<[u16; 3], O>(&[1; 3], out);
    put::<Option<u32>, O>(&Some(1), out);
    put::<Result<u32, &str>, O>(&Err("no"), out);
    put::<Result<u32, &str>, O>(&Ok(1), out);
    put::<(), O>(&(), out);
    put::<PhantomData<u8>, O>(&PhantomData, out);
    put::<(u8,), O>(&(1,), out);
    put::<(u8, u8), O>(&(1, 2), out);
    put::<(u8, u8, u8), O>(&(1, 2, 3), out);
    put::<(u8, u8, u8, u8), O>(&(1, 2, 3, 4), out);
    put::<(u8, u8, u8, u8, u8), O>(&(1, 2, 3, 4, 5), out);
    put::<(u8, u8, u8, u8, u8, u8), O>(&(1, 2, 3, 4, 5, 6), out);
    put::<(u8, u8, u8, u8, u8, u8, u8), O>(&(1, 2, 3, 4, 5, 6, 7), out);
    put::<(u8, u8, u8, u8, u8, u8, u8, &str), O>(&(1, 2, 3, 4, 5, 6, 7, "8"), out);
    Fixed::put(black_box(&Fixed::default()), out);
    Event::put(black_box(&Event::Said { id: 1, loud: true, text: "text" }), out);
    Event::put(black_box(&Event::Joined(Fixed::default())), out);
    Pair::put(black_box(&Pair(1u8, [2; 2])), out);
}

#[inline(never)]
fn put_views<O: Output>(input: &[u8], out: &mut O) {
    let array = Array::<'_, u8>::default();
    put::<Array<'_, u8>, O>(&array, out);
    if let Ok((list, _)) = RowList::take_from(input) {
        put::<RowList<'_>, O>(&list, out);
    }
    put::<RowListWriter<'_, u16>, O>(&RowListWriter::new(black_box(&[1, 2])), out);
    put::<RowListWriter<'_, &str>, O>(&RowListWriter::new(black_box(&["a", "bc"])), out);
    let mixed = Mixed {
        id: 1,
        score: 2,
        name: "name",
        raw: &[3],
        team: Team::Blue,
        owner: PhantomData,
        tags: Array::default(),
    };
    Mixed::put(black_box(&mixed), out);
}

#[inline(never)]
fn len<T: Encode + ?Sized>(value: &T) -> usize {
    black_box(<T as Encode>::encoded_len(black_box(value)))
}

#[inline(never)]
fn put<T: Encode + ?Sized, O: Output>(value: &T, out: &mut O) {
    <T as Encode>::put(black_box(value), out);
}

/// Memory that is long enough or not, a stream, and one that cannot be seen through.
#[inline(never)]
fn into_every_sink<T: Encode>(value: &T) {
    let value = black_box(value);
    let mut out = [0; 2048];
    black_box(<T as Encode>::encode_to_slice(value, black_box(&mut out))).ok();
    black_box(<T as Encode>::encode_to_slice(value, black_box(&mut [0; 8]))).ok();
    let mut slice = SliceSink::new(black_box(&mut out));
    black_box(<T as Encode>::encode(value, &mut slice)).ok();
    let mut count = CountingSink::new();
    black_box(<T as Encode>::encode(value, &mut count)).ok();
    let opaque: &mut dyn Sink<Error = core::convert::Infallible> = &mut count;
    black_box(<T as Encode>::encode(value, black_box(opaque))).ok();
}

#[inline(never)]
fn special() {
    into_every_sink::<ScheduleAt>(&ScheduleAt::Time(Timestamp { micros: 1 }));
    into_every_sink(&[Fixed::default(); 3]);
    into_every_sink(&[Fixed::default(); 3].as_slice());
    black_box(Fixed::to_bytes(black_box(&Fixed::default())));
    black_box(Team::to_bytes(black_box(&Team::Red)));

    let bytes = Identity::to_le_bytes(Identity::from_le_bytes(black_box([1; 32])));
    black_box(Identity::to_be_bytes(Identity::from_be_bytes(black_box(bytes))));
    let bytes = ConnectionId::to_le_bytes(ConnectionId::from_le_bytes(black_box([1; 16])));
    black_box(ConnectionId::to_be_bytes(ConnectionId::from_be_bytes(black_box(bytes))));
    let bytes = Uuid::to_le_bytes(Uuid::from_le_bytes(black_box([1; 16])));
    black_box(Uuid::to_be_bytes(Uuid::from_be_bytes(black_box(bytes))));
    black_box(Timestamp::to_le_bytes(Timestamp::from_le_bytes(black_box([1; 8]))));
    black_box(TimeDuration::to_le_bytes(TimeDuration::from_le_bytes(black_box([1; 8]))));
}

#[inline(never)]
fn wide() {
    let one = black_box(<U256 as From<u128>>::from(black_box(1)));
    let two = U256::from_le_bytes(black_box([2; 32]));
    black_box(<U256 as Ord>::cmp(black_box(&one), black_box(&two)));
    black_box(<U256 as PartialOrd>::partial_cmp(black_box(&one), black_box(&two)));
    black_box(U256::to_le_bytes(black_box(one)));
    black_box(U256::to_be_bytes(U256::from_be_bytes(black_box([1; 32]))));
    let one = black_box(<I256 as From<i128>>::from(black_box(-1)));
    let two = I256::from_le_bytes(black_box([2; 32]));
    black_box(<I256 as Ord>::cmp(black_box(&one), black_box(&two)));
    black_box(<I256 as PartialOrd>::partial_cmp(black_box(&one), black_box(&two)));
    black_box(I256::is_negative(black_box(one)));
    black_box(I256::to_le_bytes(black_box(one)));
    black_box(I256::to_be_bytes(I256::from_be_bytes(black_box([1; 32]))));
}

#[inline(never)]
fn out_of(input: &[u8]) {
    decode::<u8>(input);
    decode::<u16>(input);
    decode::<u32>(input);
    decode::<u64>(input);
    decode::<u128>(input);
    decode::<i8>(input);
    decode::<i16>(input);
    decode::<i32>(input);
    decode::<i64>(input);
    decode::<i128>(input);
    decode::<f32>(input);
    decode::<f64>(input);
    decode::<bool>(input);
    decode::<U256>(input);
    decode::<I256>(input);
    decode::<Identity>(input);
    decode::<ConnectionId>(input);
    decode::<Uuid>(input);
    decode::<Timestamp>(input);
    decode::<TimeDuration>(input);
    decode::<ScheduleAt>(input);
    decode::<&str>(input);
    decode::<&[u8]>(input);
    decode::<[u16; 1]>(input);
    decode::<Option<u32>>(input);
    decode::<Result<u32, &str>>(input);
    decode::<()>(input);
    decode::<PhantomData<u8>>(input);
    decode::<(u8,)>(input);
    decode::<(u8, u8)>(input);
    decode::<(u8, u8, u8)>(input);
    decode::<(u8, u8, u8, u8)>(input);
    decode::<(u8, u8, u8, u8, u8)>(input);
    decode::<(u8, u8, u8, u8, u8, u8)>(input);
    decode::<(u8, u8, u8, u8, u8, u8, u8)>(input);
    decode::<(u8, u8, u8, u8, u8, u8, u8, &str)>(input);
    decode::<Array<'_, u16>>(input);
    decode::<Array<'_, Mixed<'_>>>(input);
    decode::<RowList<'_>>(input);
    let mut reader = Reader::new(input);
    black_box(Fixed::decode(black_box(&mut reader))).ok();
    black_box(Mixed::decode(black_box(&mut reader))).ok();
    black_box(Event::decode(black_box(&mut reader))).ok();
    black_box(Team::decode(black_box(&mut reader))).ok();
    black_box(Pair::<u8, 2>::decode(black_box(&mut reader))).ok();
}

#[inline(never)]
fn decode<'a, T: Decode<'a>>(input: &'a [u8]) {
    let mut reader = Reader::new(black_box(input));
    black_box(<T as Decode<'a>>::decode(black_box(&mut reader))).ok();
    black_box(<T as Decode<'a>>::from_slice(black_box(input))).ok();
    black_box(<T as Decode<'a>>::take_from(black_box(input))).ok();
}

#[inline(never)]
fn lists(input: &[u8]) {
    array::<u16>(input);
    array::<bool>(input);
    array::<&str>(input);
    array::<()>(input);
    array::<Mixed<'_>>(input);
}

#[inline(never)]
fn array<'a, T: Decode<'a>>(input: &'a [u8]) {
    let array = <Array<'a, T> as Default>::default();
    black_box(<Array<'a, T> as Clone>::clone(&array));
    if let Ok((array, _)) = <Array<'a, T> as Decode<'a>>::take_from(input) {
        let array = black_box(&array);
        black_box(<Array<'a, T> as PartialEq>::eq(array, black_box(array)));
        black_box(Array::len(array));
        black_box(Array::is_empty(array));
        black_box(Array::as_bytes(array));
        black_box(Array::get(array, black_box(1)));
        black_box(<Array<'a, T> as Encode>::encoded_len(array));
        let mut items = Array::iter(array);
        black_box(<ArrayIter<'a, T> as Clone>::clone(black_box(&items)));
        black_box(<ArrayIter<'a, T> as Iterator>::size_hint(&items));
        black_box(<ArrayIter<'a, T> as Iterator>::next(&mut items));
        for item in <Array<'a, T> as IntoIterator>::into_iter(*array) {
            black_box(item);
        }
    }
    if let Ok(mut elements) = Elements::<'a, T>::new(Reader::new(input)) {
        black_box(<Elements<'a, T> as Iterator>::size_hint(&elements));
        black_box(<Elements<'a, T> as Iterator>::next(&mut elements));
        black_box(Elements::into_reader(black_box(elements)));
    }
}

#[inline(never)]
fn row_lists(input: &[u8]) {
    into_every_sink(&RowListWriter::new(black_box(&[1u32, 2][..])));
    into_every_sink(&RowListWriter::new(black_box(&["a", "bc"][..])));
    into_every_sink(&RowListWriter::new(black_box(&["a", "b"][..])));
    into_every_sink(&RowListWriter::new(black_box(&[Fixed::default(); 2][..])));
    let writer = RowListWriter::new(black_box(&[(); 2][..]));
    black_box(RowListWriter::len(black_box(&writer)));
    black_box(RowListWriter::is_empty(black_box(&writer)));
    black_box(len::<RowListWriter<'_, ()>>(&writer));
    let mut list = <RowList<'_> as Default>::default();
    if let Ok((found, _)) = RowList::take_from(input) {
        list = black_box(found);
    }
    let list = black_box(&list);
    black_box(<RowList<'_> as PartialEq>::eq(list, black_box(list)));
    black_box(len::<RowList<'_>>(list));
    black_box(RowList::len(list));
    black_box(RowList::is_empty(list));
    black_box(RowList::hint(list));
    black_box(RowList::data(list));
    black_box(RowList::get(list, black_box(1)));
    let mut rows = RowList::rows(list);
    black_box(<Rows<'_> as Iterator>::size_hint(&rows));
    black_box(<Rows<'_> as Iterator>::next(black_box(&mut rows)));
    black_box(<Rows<'_> as Iterator>::nth(black_box(&mut rows), black_box(1)));
    black_box(<Rows<'_> as DoubleEndedIterator>::next_back(black_box(&mut rows)));
    typed(RowList::typed::<Fixed>(list, black_box(Tail::AllowTail)));
    typed(RowList::typed::<Mixed<'_>>(list, black_box(Tail::Strict)));
}

#[inline(never)]
fn typed<'a, T: Decode<'a>>(mut rows: TypedRows<'a, T>) {
    black_box(<TypedRows<'a, T> as Iterator>::size_hint(&rows));
    black_box(<TypedRows<'a, T> as Iterator>::next(black_box(&mut rows)));
    black_box(<TypedRows<'a, T> as Iterator>::nth(black_box(&mut rows), black_box(1)));
    for row in black_box(rows) {
        black_box(row).ok();
    }
}

#[inline(never)]
fn walk(input: &[u8]) {
    let types = black_box(AlgebraicType::META_TYPES);
    let walker = Walker::new(types, black_box(AlgebraicType::Ref(0)), Reader::new(input));
    black_box(Walker::skip(black_box(walker))).ok();
    let field =
        Element::new(black_box("name"), black_box(AlgebraicType::Array(&AlgebraicType::I8)));
    let fields = [field, field];
    let row = black_box(AlgebraicType::Product(black_box(&fields)));
    let mut walker = Walker::<'_, '_, 7>::with_depth(types, row, Reader::new(input));
    black_box(<Walker<'_, '_, 7> as Iterator>::next(black_box(&mut walker)));
    for token in &mut walker {
        black_box(token).ok();
    }
    black_box(Walker::depth(black_box(&walker)));
    black_box(Walker::into_reader(black_box(walker)));
}
