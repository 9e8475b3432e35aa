// Made by `cargo xtask capi --bless` from the Rust sources: not to be edited.

/**
 * onewrite for C: render batches, BSATN rows and row lists, HTTP, LEB128, fields of records.
 *
 * Every function that can fail returns a status and writes its result through a pointer; the
 * result is zero where it fails. Nothing is allocated, nothing is kept between calls except in
 * handles, which are the caller's memory. A handle may move from thread to thread but serves one
 * call at a time; different handles have nothing to do with each other.
 *
 * Pointers: NULL with a length of 0 is empty. NULL with any other length, a length that no object
 * has (above `PTRDIFF_MAX`), a pointer that is not aligned for its type, and an output that
 * overlaps an input or another output are each a status of their own, and nothing is written then
 * except that zero, nor even that where a result would go over something else. What cannot be
 * checked, the caller promises: that a pointer leads to as many
 * bytes as its length says, and that what a handle borrows stays in place, unchanged, until the
 * handle is finished with. Bytes of a handle are never changed by hand.
 *
 * Where numbers are stored in single bytes, as records and buffers are, no alignment is asked for.
 */
#ifndef ONEWRITE_H
#define ONEWRITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What a call came to. A number keeps its meaning; later versions may add some.
 *
 * From 1 on the caller made a mistake, from 16 on something cannot be written, from 32 on the input
 * is no encoding, from 64 on a browser could not apply a batch, from 96 on a response or a path cannot
 * be served.
 */
typedef int32_t ow_status;
enum {
    /** Done. */
    OW_STATUS_OK = 0,
    /** A pointer is NULL where it must not be. */
    OW_STATUS_NULL_POINTER = 1,
    /** A length is larger than any object. */
    OW_STATUS_LENGTH_TOO_LARGE = 2,
    /** A pointer is not aligned for its type. */
    OW_STATUS_UNALIGNED = 3,
    /** An output overlaps an input, a handle or another output. */
    OW_STATUS_OVERLAP = 4,
    /** The size in a struct is not the one this library has for it. */
    OW_STATUS_WRONG_STRUCT_SIZE = 5,
    /** A handle was not begun, has ended, or was moved. */
    OW_STATUS_BAD_HANDLE = 6,
    /** An argument or a field has a value that it may not have. */
    OW_STATUS_BAD_ARGUMENT = 7,
    /** The buffer is smaller than what is to be written. */
    OW_STATUS_BUFFER_TOO_SMALL = 16,
    /** The workspace is smaller than its capacities need. */
    OW_STATUS_WORKSPACE_TOO_SMALL = 17,
    /** More components, edits, frames or paths than the workspace was made for. */
    OW_STATUS_CAPACITY_EXCEEDED = 18,
    /** More distinct shared strings than the workspace was made for. */
    OW_STATUS_STRING_TABLE_FULL = 19,
    /** A string is longer than its format allows. */
    OW_STATUS_STRING_TOO_LONG = 20,
    /** A batch is longer than its format allows. */
    OW_STATUS_BATCH_TOO_LONG = 21,
    /** An event handler id is above 2^53 - 1. */
    OW_STATUS_EVENT_ID_TOO_LARGE = 22,
    /** An edit comes before any component. */
    OW_STATUS_NO_COMPONENT = 23,
    /** A value has more bytes, or a list more rows, than its format can count. */
    OW_STATUS_VALUE_TOO_LONG = 24,
    /** The input ends before the item does. */
    OW_STATUS_END_OF_INPUT = 32,
    /** Bytes are left after the value. */
    OW_STATUS_TRAILING_BYTES = 33,
    /** Padding is not zero. */
    OW_STATUS_BAD_PADDING = 34,
    /** A position is none of the table's. */
    OW_STATUS_BAD_POSITION = 35,
    /** A count does not fit the input. */
    OW_STATUS_COUNT_TOO_LARGE = 36,
    /** An index is past the end of its table, or a row past the last one. */
    OW_STATUS_INDEX_OUT_OF_RANGE = 37,
    /** A bool is neither 0 nor 1. */
    OW_STATUS_INVALID_BOOL = 38,
    /** A string is not UTF-8. */
    OW_STATUS_INVALID_UTF8 = 39,
    /** Positions do not ascend. */
    OW_STATUS_NOT_ASCENDING = 40,
    /** A varint is longer than it needs to be. */
    OW_STATUS_OVERLONG_VARINT = 41,
    /** A varint does not fit its type. */
    OW_STATUS_VARINT_TOO_LONG = 42,
    /** The input ends before a table does. */
    OW_STATUS_TABLE_TRUNCATED = 43,
    /** Rows do not cover their data. */
    OW_STATUS_UNEVEN_ROWS = 44,
    /** No variant has this number. */
    OW_STATUS_UNKNOWN_DISCRIMINANT = 45,
    /** A string that must be null is not. */
    OW_STATUS_UNUSED_NOT_NULL = 46,
    /** A field that must be zero is not. */
    OW_STATUS_UNUSED_NOT_ZERO = 47,
    /** The input is wrong in some other way. */
    OW_STATUS_MALFORMED = 48,
    /** An attribute follows a child that is none, or its parent can have none. */
    OW_STATUS_ATTRIBUTE_NOT_LEADING = 64,
    /** An attribute has an event handler and a name that does not start with `on`. */
    OW_STATUS_EVENT_NAME_WITHOUT_ON = 65,
    /** An edit refers to a frame that is not there. */
    OW_STATUS_FRAME_OUT_OF_RANGE = 66,
    /** An edit counts its sibling from below 0. */
    OW_STATUS_NEGATIVE_SIBLING = 67,
    /** A frame stands where a browser inserts none of its kind. */
    OW_STATUS_NOT_INSERTABLE = 68,
    /** A list of permutations is not ended. */
    OW_STATUS_PERMUTATION_NOT_ENDED = 69,
    /** A list of permutations is ended that has no entry. */
    OW_STATUS_PERMUTATION_WITHOUT_ENTRIES = 70,
    /** Edits step out of their component. */
    OW_STATUS_STEP_OUT_OF_ROOT = 71,
    /** Edits step in more often than out. */
    OW_STATUS_STEPS_NOT_BALANCED = 72,
    /** A subtree length is below 1. */
    OW_STATUS_SUBTREE_EMPTY = 73,
    /** A subtree reaches past the one around it. */
    OW_STATUS_SUBTREE_TOO_LONG = 74,
    /** An edit refers to a frame of another kind than it needs. */
    OW_STATUS_WRONG_FRAME = 75,
    /** A browser could not apply the batch for some other reason. */
    OW_STATUS_BAD_TREE = 76,
    /** A response of status 204, 205 or 304 has a body. */
    OW_STATUS_BODY_NOT_ALLOWED = 96,
    /** A response of another status than 200 has an entity tag. */
    OW_STATUS_ETAG_NOT_ALLOWED = 97,
    /** An entity tag has a quote, a space or a control character in it. */
    OW_STATUS_ETAG_TEXT = 98,
    /** A header field is one that the library writes: `content-length` or `etag`. */
    OW_STATUS_FIELD_IS_DERIVED = 99,
    /** The name of a header field is empty, or has a byte that no name has. */
    OW_STATUS_FIELD_NAME = 100,
    /** The name of a header field has a capital letter. */
    OW_STATUS_FIELD_NAME_CASE = 101,
    /** A header field is about the connection. */
    OW_STATUS_FIELD_OF_CONNECTION = 102,
    /** A header field that can be there once is there twice. */
    OW_STATUS_FIELD_TWICE = 103,
    /** The value of a header field has a control character in it, or a space at an end. */
    OW_STATUS_FIELD_VALUE = 104,
    /** The header fields together are longer than a frame of HTTP/2. */
    OW_STATUS_HEAD_TOO_LONG = 105,
    /** A path has a byte that no path of a request has. */
    OW_STATUS_PATH_BYTE = 106,
    /** A path has a query or a fragment. */
    OW_STATUS_PATH_QUERY = 107,
    /** A path does not start with a slash. */
    OW_STATUS_PATH_SLASH = 108,
    /** A path, or the response for all others, is there already. */
    OW_STATUS_PATH_TWICE = 109,
    /** The status of a response is not 200 to 599. */
    OW_STATUS_RESPONSE_STATUS = 110,
};

/**
 * A sentence about `status`, without a full stop: static, never NULL, NUL at its end.
 *
 * For a number that is no status it says so.
 */
const char *ow_error_text(int32_t status);

/** Major version of the library that the header belongs to. */
#define OW_VERSION_MAJOR 0

/** Minor version; where the major one is 0, another one means another interface. */
#define OW_VERSION_MINOR 1

/** Patch version. */
#define OW_VERSION_PATCH 0

/** The version as one number, which `ow_version()` of the same library returns. */
#define OW_VERSION (((OW_VERSION_MAJOR * 1000000) + (OW_VERSION_MINOR * 1000)) + OW_VERSION_PATCH)

/** The version of the linked library: compare it with `OW_VERSION`, that of the header. */
uint32_t ow_version(void);

/** Bytes that are somewhere: a string of C++ or Rust, a row. There is no NUL behind them. */
typedef struct ow_bytes {
    /** The first byte; may be NULL where there is none. */
    const void *start;
    /** How many there are. */
    size_t len;
} ow_bytes;

/** Most bytes that a `uint32_t` takes as LEB128. */
#define OW_LEB128_MAX_U32 5

/** Most bytes that a `uint64_t` takes as LEB128. */
#define OW_LEB128_MAX_U64 10

/** Bytes that `value` takes: 1 to 5. */
size_t ow_leb128_len_u32(uint32_t value);

/** Bytes that `value` takes: 1 to 10. */
size_t ow_leb128_len_u64(uint64_t value);

/**
 * Writes the shortest form of `value` to the front of `out` and its length to `written`.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where `len` is less than `ow_leb128_len_u32(value)`; `out` is
 * unchanged then.
 */
ow_status ow_leb128_put_u32(uint8_t *out, size_t len, uint32_t value, size_t *written);

/**
 * Writes the shortest form of `value` to the front of `out` and its length to `written`.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where `len` is less than `ow_leb128_len_u64(value)`; `out` is
 * unchanged then.
 */
ow_status ow_leb128_put_u64(uint8_t *out, size_t len, uint64_t value, size_t *written);

/**
 * Reads the value at the front of `bytes`, in its shortest form only, and its length.
 *
 * `OW_STATUS_END_OF_INPUT`, `OW_STATUS_OVERLONG_VARINT` where it has a shorter form,
 * `OW_STATUS_VARINT_TOO_LONG` where it does not fit.
 *
 * `value` and `read` may lie in `bytes`, but not in each other.
 */
ow_status ow_leb128_get_u32(const uint8_t *bytes, size_t len, uint32_t *value, size_t *read);

/**
 * The same; also takes forms that zero bits make longer, up to the longest of the type.
 *
 * `OW_STATUS_END_OF_INPUT`, `OW_STATUS_VARINT_TOO_LONG`.
 *
 * `value` and `read` may lie in `bytes`, but not in each other.
 */
ow_status ow_leb128_get_u32_lenient(
    const uint8_t *bytes,
    size_t len,
    uint32_t *value,
    size_t *read);

/**
 * Reads the value at the front of `bytes`, in its shortest form only, and its length.
 *
 * `OW_STATUS_END_OF_INPUT`, `OW_STATUS_OVERLONG_VARINT` where it has a shorter form,
 * `OW_STATUS_VARINT_TOO_LONG` where it does not fit.
 *
 * `value` and `read` may lie in `bytes`, but not in each other.
 */
ow_status ow_leb128_get_u64(const uint8_t *bytes, size_t len, uint64_t *value, size_t *read);

/**
 * The same; also takes forms that zero bits make longer, up to the longest of the type.
 *
 * `OW_STATUS_END_OF_INPUT`, `OW_STATUS_VARINT_TOO_LONG`.
 *
 * `value` and `read` may lie in `bytes`, but not in each other.
 */
ow_status ow_leb128_get_u64_lenient(
    const uint8_t *bytes,
    size_t len,
    uint64_t *value,
    size_t *read);

/**
 * Stores `value` in the 1 byte of `record` from `at` on.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u8_le(uint8_t *record, size_t len, size_t at, uint8_t value);

/**
 * Stores `value` in the 1 byte of `record` from `at` on. The same as `ow_record_put_u8_le`.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u8_be(uint8_t *record, size_t len, size_t at, uint8_t value);

/**
 * Stores `value` in the 2 bytes of `record` from `at` on, least significant byte first.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u16_le(uint8_t *record, size_t len, size_t at, uint16_t value);

/**
 * Stores `value` in the 2 bytes of `record` from `at` on, most significant byte first.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u16_be(uint8_t *record, size_t len, size_t at, uint16_t value);

/**
 * Stores `value` in the 4 bytes of `record` from `at` on, least significant byte first.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u32_le(uint8_t *record, size_t len, size_t at, uint32_t value);

/**
 * Stores `value` in the 4 bytes of `record` from `at` on, most significant byte first.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u32_be(uint8_t *record, size_t len, size_t at, uint32_t value);

/**
 * Stores `value` in the 8 bytes of `record` from `at` on, least significant byte first.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u64_le(uint8_t *record, size_t len, size_t at, uint64_t value);

/**
 * Stores `value` in the 8 bytes of `record` from `at` on, most significant byte first.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL` where the field reaches past the record of `len` bytes, which is
 * unchanged then.
 */
ow_status ow_record_put_u64_be(uint8_t *record, size_t len, size_t at, uint64_t value);

/**
 * Reads the 1 byte of `record` from `at` on.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u8_le(const uint8_t *record, size_t len, size_t at, uint8_t *value);

/**
 * Reads the 1 byte of `record` from `at` on. The same as `ow_record_get_u8_le`.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u8_be(const uint8_t *record, size_t len, size_t at, uint8_t *value);

/**
 * Reads the 2 bytes of `record` from `at` on, least significant byte first.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u16_le(const uint8_t *record, size_t len, size_t at, uint16_t *value);

/**
 * Reads the 2 bytes of `record` from `at` on, most significant byte first.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u16_be(const uint8_t *record, size_t len, size_t at, uint16_t *value);

/**
 * Reads the 4 bytes of `record` from `at` on, least significant byte first.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u32_le(const uint8_t *record, size_t len, size_t at, uint32_t *value);

/**
 * Reads the 4 bytes of `record` from `at` on, most significant byte first.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u32_be(const uint8_t *record, size_t len, size_t at, uint32_t *value);

/**
 * Reads the 8 bytes of `record` from `at` on, least significant byte first.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u64_le(const uint8_t *record, size_t len, size_t at, uint64_t *value);

/**
 * Reads the 8 bytes of `record` from `at` on, most significant byte first.
 *
 * `OW_STATUS_END_OF_INPUT` where the field reaches past the record of `len` bytes. `value` may lie
 * in the record.
 */
ow_status ow_record_get_u64_be(const uint8_t *record, size_t len, size_t at, uint64_t *value);

/** Kinds of frames: `RenderTreeFrameType` of ASP.NET Core. */
typedef uint32_t ow_render_frame_kind;
enum {
    /** An element: `name`, `subtree`. */
    OW_RENDER_FRAME_KIND_ELEMENT = 1,
    /** A text node: `text`. */
    OW_RENDER_FRAME_KIND_TEXT = 2,
    /** An attribute of the element or component before it: `name`, its value in `text`, `event`. */
    OW_RENDER_FRAME_KIND_ATTRIBUTE = 3,
    /** A child component: `component`, `subtree`. */
    OW_RENDER_FRAME_KIND_COMPONENT = 4,
    /** A region: `subtree`. */
    OW_RENDER_FRAME_KIND_REGION = 5,
    /** A request for a reference to the element: its id in `text`. */
    OW_RENDER_FRAME_KIND_ELEMENT_REFERENCE_CAPTURE = 6,
    /** A request for a reference to the component. */
    OW_RENDER_FRAME_KIND_COMPONENT_REFERENCE_CAPTURE = 7,
    /** A block of markup: `text`. */
    OW_RENDER_FRAME_KIND_MARKUP = 8,
    /** A render mode. */
    OW_RENDER_FRAME_KIND_COMPONENT_RENDER_MODE = 9,
    /** A named event. */
    OW_RENDER_FRAME_KIND_NAMED_EVENT = 10,
};

/** Kinds of edits: `RenderTreeEditType` of ASP.NET Core. */
typedef uint32_t ow_render_edit_kind;
enum {
    /** Insert the subtree of frame `index` before `sibling`. */
    OW_RENDER_EDIT_KIND_PREPEND_FRAME = 1,
    /** Remove `sibling`. */
    OW_RENDER_EDIT_KIND_REMOVE_FRAME = 2,
    /** Set on `sibling` the attribute that frame `index` holds. */
    OW_RENDER_EDIT_KIND_SET_ATTRIBUTE = 3,
    /** Remove the attribute `name` of `sibling`. */
    OW_RENDER_EDIT_KIND_REMOVE_ATTRIBUTE = 4,
    /** Replace the text of `sibling` by that of frame `index`. */
    OW_RENDER_EDIT_KIND_UPDATE_TEXT = 5,
    /** Make `sibling` the current parent. */
    OW_RENDER_EDIT_KIND_STEP_IN = 6,
    /** Go back to the parent's parent. */
    OW_RENDER_EDIT_KIND_STEP_OUT = 7,
    /** Replace the markup of `sibling` by that of frame `index`. */
    OW_RENDER_EDIT_KIND_UPDATE_MARKUP = 8,
    /** Move the child at `sibling` to `index`, once the list ends. */
    OW_RENDER_EDIT_KIND_PERMUTATION_LIST_ENTRY = 9,
    /** Carry out the moves since the last end. */
    OW_RENDER_EDIT_KIND_PERMUTATION_LIST_END = 10,
};

/** In `strings`: the item has a name. Without it the name is the null string. */
#define OW_RENDER_HAS_NAME 1

/** In `strings`: the frame has a text or value. Without it that is the null string. */
#define OW_RENDER_HAS_TEXT 2

/**
 * A reference frame. What its kind does not use is zero.
 *
 * The null string and the empty one differ: `strings` says which are there. The value of an
 * attribute that is `true` is the empty string, of one that is `false`, a number or an object the
 * null string.
 */
typedef struct ow_render_frame {
    /** `sizeof(ow_render_frame)`. */
    uint32_t size;
    /** One of `OW_RENDER_FRAME_KIND_`. */
    uint32_t kind;
    /** `OW_RENDER_HAS_NAME`, `OW_RENDER_HAS_TEXT`, both or neither. */
    uint32_t strings;
    /** Frames in the subtree, this one included. */
    int32_t subtree;
    /** Id of a child component. */
    int32_t component;
    /** Zero. */
    uint32_t reserved;
    /** Id of the event handler that an attribute calls, or 0. */
    uint64_t event;
    /** Name of an element or attribute. */
    ow_bytes name;
    /** Text, markup, value of an attribute, id of a reference capture. */
    ow_bytes text;
} ow_render_frame;

/** An edit. What its kind does not use is zero. */
typedef struct ow_render_edit {
    /** `sizeof(ow_render_edit)`. */
    uint32_t size;
    /** One of `OW_RENDER_EDIT_KIND_`. */
    uint32_t kind;
    /** `OW_RENDER_HAS_NAME` or 0. */
    uint32_t strings;
    /** Which child of the current parent, from 0. */
    int32_t sibling;
    /** Which of the batch's frames, or where a permutation moves to. */
    int32_t index;
    /** Zero. */
    uint32_t reserved;
    /** Name of the attribute that is removed. */
    ow_bytes name;
} ow_render_edit;

/** In `flags`: leave out components without edits, which ASP.NET Core writes. */
#define OW_RENDER_SKIP_EMPTY 1

/** In `flags`: refuse event handler ids above 2^53 - 1, which a browser cannot hold. */
#define OW_RENDER_JS_SAFE 2

/**
 * A batch that is being built: 192 bytes with the alignment of a `uint64_t`, the caller's.
 *
 * Its bytes are nobody else's. It holds its own address, so it is not copied or moved.
 */
typedef struct ow_render_batch {
    /** Not to be touched. */
    uint64_t words[24];
} ow_render_batch;

/** What a batch may hold. */
typedef struct ow_render_batch_options {
    /** `sizeof(ow_render_batch_options)`. */
    uint32_t size;
    /** `OW_RENDER_SKIP_EMPTY`, `OW_RENDER_JS_SAFE`, both or neither. */
    uint32_t flags;
    /** Most components. */
    uint32_t components;
    /** Most edits, of all components together. */
    uint32_t edits;
    /** Most frames. */
    uint32_t frames;
    /**
     * Most distinct strings among those that a batch shares: names of elements and attributes,
     * the empty value, and texts that are empty or white space only.
     */
    uint32_t strings;
} ow_render_batch_options;

/** Bytes of workspace that are enough for these capacities, on every machine. */
#define OW_RENDER_BATCH_WORKSPACE(components, edits, frames, strings) \
    (((((size_t)(components) * 24) + ((size_t)(edits) * 40)) + ((size_t)(frames) * 56)) + ((((size_t)(strings) + ((size_t)(strings) / 4)) + 1) * 12))

/**
 * Begins a batch in `batch`, whatever was there before.
 *
 * Its items go to `workspace`, which is aligned to 8 bytes, has at least
 * `OW_RENDER_BATCH_WORKSPACE` of the capacities in `options`, and belongs to the batch until that
 * has ended. A batch that is not wanted any more need not be finished.
 *
 * `OW_STATUS_WORKSPACE_TOO_SMALL`; `OW_STATUS_BAD_ARGUMENT` for an unknown flag.
 */
ow_status ow_render_batch_begin(
    ow_render_batch *batch,
    const ow_render_batch_options *options,
    void *workspace,
    size_t workspace_len);

/**
 * Adds a component; the edits that follow are its own.
 *
 * `OW_STATUS_CAPACITY_EXCEEDED`; the batch is unchanged then.
 */
ow_status ow_render_batch_component(ow_render_batch *batch, int32_t id);

/**
 * Adds an edit to the last component.
 *
 * Its name stays in place, unchanged, until the batch has ended.
 *
 * `OW_STATUS_NO_COMPONENT`; `OW_STATUS_CAPACITY_EXCEEDED`; `OW_STATUS_INVALID_UTF8`;
 * `OW_STATUS_BAD_ARGUMENT` for an unknown kind, or a field that the kind does not use and that is
 * not zero. The batch is unchanged then.
 */
ow_status ow_render_batch_edit(ow_render_batch *batch, const ow_render_edit *edit);

/**
 * Adds a frame.
 *
 * Its strings stay in place, unchanged, until the batch has ended.
 *
 * `OW_STATUS_CAPACITY_EXCEEDED`; `OW_STATUS_INVALID_UTF8`; `OW_STATUS_BAD_ARGUMENT` for an unknown
 * kind, or a field that the kind does not use and that is not zero. The batch is unchanged then.
 */
ow_status ow_render_batch_frame(ow_render_batch *batch, const ow_render_frame *frame);

/**
 * Says which components and event handlers are gone, in place of what was said before.
 *
 * Both arrays stay in place, unchanged, until the batch has ended.
 */
ow_status ow_render_batch_disposed(
    ow_render_batch *batch,
    const int32_t *components,
    size_t component_count,
    const uint64_t *events,
    size_t event_count);

/**
 * Bytes that the batch would take now; it goes on as before.
 *
 * Walks the batch twice. The statuses of `ow_render_batch_finish`, except
 * `OW_STATUS_BUFFER_TOO_SMALL`.
 */
ow_status ow_render_batch_encoded_len(ow_render_batch *batch, size_t *len);

/**
 * Writes the batch to the front of `out`, its length to `written`, and ends the handle.
 *
 * On any other status than `OW_STATUS_OK` the batch goes on as before, so it can be finished again
 * into a larger buffer; what `out` holds is then not specified.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL`; `OW_STATUS_STRING_TABLE_FULL`; `OW_STATUS_STRING_TOO_LONG` for a
 * string of more than 2^28 - 1 bytes; `OW_STATUS_BATCH_TOO_LONG` for a batch of more than 2^31 - 1;
 * `OW_STATUS_EVENT_ID_TOO_LARGE` where `OW_RENDER_JS_SAFE` is set.
 */
ow_status ow_render_batch_finish(
    ow_render_batch *batch,
    uint8_t *out,
    size_t out_len,
    size_t *written);

/**
 * In `flags`: take three things that carry no meaning and that ASP.NET Core never writes: unused
 * bytes of any value, length prefixes longer than they need to be, strings in another order.
 */
#define OW_RENDER_LENIENT 1

/** In `flags`: look at the encoding alone and not whether a browser could apply the batch. */
#define OW_RENDER_ENCODING_ONLY 2

/**
 * Looks at a whole batch: at every byte of its encoding, and whether a browser could apply it.
 *
 * Where the batch is refused `at` becomes the offset of the item that is wrong, else 0; it may lie
 * in `bytes`.
 *
 * The statuses from `OW_STATUS_END_OF_INPUT` on; `OW_STATUS_EVENT_ID_TOO_LARGE`.
 */
ow_status ow_render_batch_validate(
    const uint8_t *bytes,
    size_t len,
    uint32_t flags,
    size_t *at);

/**
 * A writer of one value, such as a row: 48 bytes with the alignment of a `uint64_t`, the caller's.
 *
 * Its bytes are nobody else's. It holds its own address, so it is not copied or moved.
 *
 * A product is its fields, one after the other. A sum is a tag and its payload; an option is a sum
 * of tag 0 with the value, or tag 1 alone. An array is a count and its elements. Integers of 128
 * and 256 bits, identities, connection ids and UUIDs are raw bytes, least significant first.
 *
 * The first call that fails writes nothing, and neither does any call after it: each returns the
 * first one's status. So it is enough to look at what `ow_bsatn_writer_finish` returns.
 */
typedef struct ow_bsatn_writer {
    /** Not to be touched. */
    uint64_t words[6];
} ow_bsatn_writer;

/** Begins to write to `out`, which belongs to the writer until that has finished. */
ow_status ow_bsatn_writer_begin(ow_bsatn_writer *writer, uint8_t *out, size_t len);

/** Ends the writer and says how many bytes were written; 0 where a call had failed. */
ow_status ow_bsatn_writer_finish(ow_bsatn_writer *writer, size_t *written);

/** Writes a bool: 0 or 1. */
ow_status ow_bsatn_put_bool(ow_bsatn_writer *writer, uint8_t value);

/** Writes a `uint8_t`. */
ow_status ow_bsatn_put_u8(ow_bsatn_writer *writer, uint8_t value);

/** Writes an `int8_t`. */
ow_status ow_bsatn_put_i8(ow_bsatn_writer *writer, int8_t value);

/** Writes a `uint16_t`. */
ow_status ow_bsatn_put_u16(ow_bsatn_writer *writer, uint16_t value);

/** Writes an `int16_t`. */
ow_status ow_bsatn_put_i16(ow_bsatn_writer *writer, int16_t value);

/** Writes a `uint32_t`. */
ow_status ow_bsatn_put_u32(ow_bsatn_writer *writer, uint32_t value);

/** Writes an `int32_t`. */
ow_status ow_bsatn_put_i32(ow_bsatn_writer *writer, int32_t value);

/** Writes a `uint64_t`. */
ow_status ow_bsatn_put_u64(ow_bsatn_writer *writer, uint64_t value);

/** Writes an `int64_t`. */
ow_status ow_bsatn_put_i64(ow_bsatn_writer *writer, int64_t value);

/** Writes a `float`, its exact bits. */
ow_status ow_bsatn_put_f32(ow_bsatn_writer *writer, float value);

/** Writes a `double`, its exact bits. */
ow_status ow_bsatn_put_f64(ow_bsatn_writer *writer, double value);

/** Writes the tag of a sum; the payload follows. */
ow_status ow_bsatn_put_tag(ow_bsatn_writer *writer, uint8_t tag);

/** Writes how many elements an array has; they follow. */
ow_status ow_bsatn_put_count(ow_bsatn_writer *writer, uint32_t count);

/** Writes a string of `len` bytes, with its length in front; it is UTF-8. */
ow_status ow_bsatn_put_string(ow_bsatn_writer *writer, const void *text, size_t len);

/** Writes an array of `len` bytes, with its length in front. */
ow_status ow_bsatn_put_bytes(ow_bsatn_writer *writer, const void *bytes, size_t len);

/** Writes `len` bytes as they are: values that were encoded elsewhere, and long integers. */
ow_status ow_bsatn_put_raw(ow_bsatn_writer *writer, const void *bytes, size_t len);

/**
 * A reader of one value, such as a row: 48 bytes with the alignment of a `uint64_t`, the caller's.
 *
 * Its bytes are nobody else's. It holds its own address, so it is not copied or moved.
 *
 * The first call that fails takes nothing from the input, and neither does any call after it: each
 * returns the first one's status and stores zero. So it is enough to look at what
 * `ow_bsatn_reader_finish` returns; `ow_bsatn_reader_position` says where it went wrong.
 */
typedef struct ow_bsatn_reader {
    /** Not to be touched. */
    uint64_t words[6];
} ow_bsatn_reader;

/** Begins to read `bytes`, which stay in place, unchanged, until the reader has finished. */
ow_status ow_bsatn_reader_begin(ow_bsatn_reader *reader, const uint8_t *bytes, size_t len);

/**
 * Ends the reader; `OW_STATUS_TRAILING_BYTES` where bytes are left.
 *
 * To go on behind the value, ask for the position instead of finishing.
 */
ow_status ow_bsatn_reader_finish(ow_bsatn_reader *reader);

/** How many bytes were read: the offset of the next item, or of the one that is wrong. */
ow_status ow_bsatn_reader_position(const ow_bsatn_reader *reader, size_t *position);

/** Reads a bool: 0 or 1. */
ow_status ow_bsatn_get_bool(ow_bsatn_reader *reader, uint8_t *value);

/** Reads a `uint8_t`. */
ow_status ow_bsatn_get_u8(ow_bsatn_reader *reader, uint8_t *value);

/** Reads an `int8_t`. */
ow_status ow_bsatn_get_i8(ow_bsatn_reader *reader, int8_t *value);

/** Reads a `uint16_t`. */
ow_status ow_bsatn_get_u16(ow_bsatn_reader *reader, uint16_t *value);

/** Reads an `int16_t`. */
ow_status ow_bsatn_get_i16(ow_bsatn_reader *reader, int16_t *value);

/** Reads a `uint32_t`. */
ow_status ow_bsatn_get_u32(ow_bsatn_reader *reader, uint32_t *value);

/** Reads an `int32_t`. */
ow_status ow_bsatn_get_i32(ow_bsatn_reader *reader, int32_t *value);

/** Reads a `uint64_t`. */
ow_status ow_bsatn_get_u64(ow_bsatn_reader *reader, uint64_t *value);

/** Reads an `int64_t`. */
ow_status ow_bsatn_get_i64(ow_bsatn_reader *reader, int64_t *value);

/** Reads a `float`, its exact bits. */
ow_status ow_bsatn_get_f32(ow_bsatn_reader *reader, float *value);

/** Reads a `double`, its exact bits. */
ow_status ow_bsatn_get_f64(ow_bsatn_reader *reader, double *value);

/**
 * Reads the tag of a sum of `variants` variants, up to 256; the payload follows.
 *
 * `OW_STATUS_UNKNOWN_DISCRIMINANT` for a tag that is not below `variants`.
 */
ow_status ow_bsatn_get_tag(ow_bsatn_reader *reader, uint32_t variants, uint8_t *tag);

/**
 * Reads how many elements an array has, of at least `element` bytes each; they follow.
 *
 * `OW_STATUS_COUNT_TOO_LARGE` where they cannot all be there; of elements that take no bytes there
 * may be 4,096.
 */
ow_status ow_bsatn_get_count(ow_bsatn_reader *reader, size_t element, uint32_t *count);

/** Reads a string, which is UTF-8 and stays where it is in the input; there is no NUL behind it. */
ow_status ow_bsatn_get_string(ow_bsatn_reader *reader, ow_bytes *text);

/** Reads an array of bytes, which stay where they are in the input. */
ow_status ow_bsatn_get_bytes(ow_bsatn_reader *reader, ow_bytes *bytes);

/** Reads the next `len` bytes as they are; they stay where they are in the input. */
ow_status ow_bsatn_get_raw(ow_bsatn_reader *reader, size_t len, ow_bytes *bytes);

/**
 * A list that was looked at once: 96 bytes with the alignment of a `uint64_t`, the caller's.
 *
 * Its bytes are nobody else's. It holds its own address, so it is not copied or moved. It borrows
 * the input, which stays in place, unchanged, as long as the list is used.
 */
typedef struct ow_bsatn_row_list {
    /** Not to be touched. */
    uint64_t words[12];
} ow_bsatn_row_list;

/**
 * Looks at the row list at the front of `bytes`, and says how many bytes it takes.
 *
 * The hint and every offset are checked; what is in the rows is not looked at. On any other status
 * than `OW_STATUS_OK` the handle `list` is not one.
 *
 * `OW_STATUS_END_OF_INPUT`, `OW_STATUS_UNKNOWN_DISCRIMINANT`, `OW_STATUS_COUNT_TOO_LARGE`,
 * `OW_STATUS_UNEVEN_ROWS`, `OW_STATUS_BAD_POSITION`, `OW_STATUS_NOT_ASCENDING`.
 */
ow_status ow_bsatn_row_list_read(
    ow_bsatn_row_list *list,
    const uint8_t *bytes,
    size_t len,
    size_t *read);

/** Number of rows in the list. */
ow_status ow_bsatn_row_list_len(const ow_bsatn_row_list *list, size_t *rows);

/**
 * Where row `index` is in the input; takes the same time for every row.
 *
 * `OW_STATUS_INDEX_OUT_OF_RANGE` past the last one.
 */
ow_status ow_bsatn_row_list_get(const ow_bsatn_row_list *list, size_t index, ow_bytes *row);

/**
 * Writes `count` rows that are encoded already as a row list, with the hint that the server would
 * choose, and its length to `written`.
 *
 * `OW_STATUS_BUFFER_TOO_SMALL`; `OW_STATUS_VALUE_TOO_LONG` for rows of more than 2^32 - 1 bytes.
 * `out` is unchanged then.
 */
ow_status ow_bsatn_row_list_write(
    const ow_bytes *rows,
    size_t count,
    uint8_t *out,
    size_t len,
    size_t *written);

/** Bytes that `count` rows take as a row list. */
ow_status ow_bsatn_row_list_encoded_len(const ow_bytes *rows, size_t count, size_t *len);

/** Most header fields of one response, without those that the library writes itself. */
#define OW_HTTP_FIELDS 32

/**
 * In `flags`: an entity tag that follows from the body, and status 304 for who has that body already.
 *
 * There is none where the status is not 200, the body is empty, or it has more than 65,536 bytes.
 */
#define OW_HTTP_ETAG_OF_BODY 1

/** A header field. */
typedef struct ow_http_field {
    /**
     * Its name, in lower case. `content-length`, `etag`, and fields about the connection are not
     * among them: the library writes those itself.
     */
    ow_bytes name;
    /** Its value, in UTF-8, without a control character and with no space at either end. */
    ow_bytes value;
} ow_http_field;

/** A response. What is not used is zero. */
typedef struct ow_http_response {
    /** `sizeof(ow_http_response)`. */
    uint32_t size;
    /** `OW_HTTP_ETAG_OF_BODY` or 0. */
    uint32_t flags;
    /** 200 to 599. */
    uint32_t status;
    /** Zero. */
    uint32_t reserved;
    /** Header fields, at most `OW_HTTP_FIELDS`. */
    const ow_http_field *fields;
    /** How many there are. */
    size_t field_count;
    /** The body. */
    ow_bytes body;
    /**
     * An entity tag without its quotes, in place of one that follows from the body. Where none is
     * set there is none.
     */
    ow_bytes etag;
} ow_http_response;

/**
 * Bytes that a response takes in the workspace of a site, without its path.
 *
 * Over both protocols, and with its twin of status 304 where it has a tag. The statuses of
 * `ow_http_site_add` that are about a response.
 */
ow_status ow_http_response_len(const ow_http_response *response, size_t *len);

/**
 * Paths and their responses: 256 bytes with the alignment of a `uint64_t`, the caller's.
 *
 * Its bytes are nobody else's. It holds its own address, so it is not copied or moved. Connections
 * only look at it: any number of them, in any number of threads, may be served from one site at the
 * same time, as long as nothing is added meanwhile.
 */
typedef struct ow_http_site {
    /** Not to be touched. */
    uint64_t words[32];
} ow_http_site;

/**
 * How much a site holds, and what its clients may do. Every limit that is 0 has the value that
 * stands beside it.
 */
typedef struct ow_http_site_options {
    /** `sizeof(ow_http_site_options)`. */
    uint32_t size;
    /** Most paths, up to 65,000. */
    uint32_t paths;
    /** Bytes in the head of a request over HTTP/1.1; more is status 431. 8,192. */
    uint32_t head;
    /** Header fields of a request; more is status 431. 100. */
    uint32_t fields;
    /** Bytes in the target of a request; more is status 414. 4,096. */
    uint32_t target;
    /** Bytes of a header list over HTTP/2 (RFC 9113 section 10.5.1); more is status 431. 16,384. */
    uint32_t header_list;
    /** Bytes in the body of a request, which is read and dropped; more is status 413. 65,536. */
    uint64_t body;
    /** CONTINUATION frames of one header block. 16. */
    uint32_t continuations;
    /** Streams that end in a reset, more than answered requests pay for. 200. */
    uint32_t resets;
    /** Frames that ask for nothing, more than answered requests pay for. 500. */
    uint32_t idle_frames;
    /** Zero. */
    uint32_t reserved;
} ow_http_site_options;

/**
 * Bytes of workspace that are enough for so many paths, on every machine, where `bytes` is the length
 * of all paths, and of all responses by `ow_http_response_len`.
 */
#define OW_HTTP_SITE_WORKSPACE(paths, bytes) \
    ((((size_t)(paths) + 1) * 384) + (size_t)(bytes))

/**
 * Begins a site in `site`, whatever was there before: it has no path yet.
 *
 * All that is added is copied to `workspace`, which is aligned to 8 bytes, has at least
 * `OW_HTTP_SITE_WORKSPACE` bytes, and belongs to the site as long as connections are served from it.
 *
 * `OW_STATUS_WORKSPACE_TOO_SMALL`; `OW_STATUS_BAD_ARGUMENT` for more than 65,000 paths.
 */
ow_status ow_http_site_begin(
    ow_http_site *site,
    const ow_http_site_options *options,
    void *workspace,
    size_t workspace_len);

/**
 * Adds a path, which starts with a slash and has no query, and its response to GET and HEAD.
 *
 * Both are made into the bytes of both protocols in the workspace: nothing of them is borrowed. A body
 * above 16,384 bytes is there once, a shorter one twice. Each path is compared with those that are
 * there already, of which there are fewer than 65,000: all of N take N * N / 2 comparisons.
 *
 * `OW_STATUS_CAPACITY_EXCEEDED`, also for more than `OW_HTTP_FIELDS` fields;
 * `OW_STATUS_WORKSPACE_TOO_SMALL`; `OW_STATUS_INVALID_UTF8`; `OW_STATUS_BAD_ARGUMENT` for an unknown
 * flag, or two tags; the statuses from `OW_STATUS_BODY_NOT_ALLOWED` on. The site is unchanged then.
 */
ow_status ow_http_site_add(
    ow_http_site *site,
    const void *path,
    size_t path_len,
    const ow_http_response *response);

/**
 * Sets what answers a path that is not there, in place of a status 404 without a body.
 *
 * Before the first request, and once. As `ow_http_site_add`; `OW_STATUS_PATH_TWICE` the second time.
 */
ow_status ow_http_site_not_found(ow_http_site *site, const ow_http_response *response);

/** Length of the shortest output that `ow_http_feed` can always do something with. */
ow_status ow_http_site_min_output(const ow_http_site *site, size_t *len);

/** Length of an output into which each response goes in one piece. */
ow_status ow_http_site_max_response(const ow_http_site *site, size_t *len);

/** Which protocol a connection speaks. */
typedef uint32_t ow_http_protocol;
enum {
    /** What the first bytes say: HTTP/2 if they are its preface. */
    OW_HTTP_PROTOCOL_AUTO = 0,
    /** HTTP/1.1 and 1.0. */
    OW_HTTP_PROTOCOL_HTTP1 = 1,
    /** HTTP/2 with prior knowledge. */
    OW_HTTP_PROTOCOL_HTTP2 = 2,
};

/** What to do after `ow_http_feed`. */
typedef uint32_t ow_http_next;
enum {
    /** Read more, put it behind what was not consumed, call again. */
    OW_HTTP_NEXT_READ = 1,
    /**
     * Send what was written, call again with what was not consumed, and with room for at least
     * `needed` bytes.
     */
    OW_HTTP_NEXT_FLUSH = 2,
    /** Send what was written, then close. */
    OW_HTTP_NEXT_CLOSE = 3,
};

/** What a connection waits for, so that its owner can set a time for it. */
typedef uint32_t ow_http_wait;
enum {
    /** For a request to begin. Nothing is owed. */
    OW_HTTP_WAIT_IDLE = 1,
    /**
     * For the rest of a request's head. This time and that of `IDLE` start when it begins to wait,
     * whatever arrives meanwhile.
     */
    OW_HTTP_WAIT_HEAD = 2,
    /** For the rest of a request's body. This time starts anew when the count of bytes received grows. */
    OW_HTTP_WAIT_BODY = 3,
    /**
     * For the client to take more of a response. This time starts anew when the count of bytes sent
     * grows.
     */
    OW_HTTP_WAIT_WINDOW = 4,
};

/**
 * One connection: 4,160 bytes with the alignment of a `uint64_t`, the caller's.
 *
 * Its bytes are nobody else's. It holds its own address, so it is not copied or moved. One that is not
 * wanted any more need not be ended. Where a pointer or a length is wrong it stays as it was.
 */
typedef struct ow_http_conn {
    /** Not to be touched. */
    uint64_t words[520];
} ow_http_conn;

/** What a call did. */
typedef struct ow_http_fed {
    /** Bytes of the input that are dealt with. The rest comes again, at the start of the next input. */
    size_t consumed;
    /** Bytes at the start of the output that are to be sent. */
    size_t written;
    /** After `OW_HTTP_NEXT_FLUSH` the length that the next output must have, else 0. */
    size_t needed;
    /** One of `OW_HTTP_NEXT_`, or 0 where the call failed. */
    uint32_t next;
    /** Zero. */
    uint32_t reserved;
} ow_http_fed;

/** What happened on a connection. No count goes down. */
typedef struct ow_http_counters {
    /** Bytes of input that were consumed. */
    uint64_t received;
    /** Bytes of output that were written. */
    uint64_t sent;
    /** Requests whose response was begun, refusals included. */
    uint64_t requests;
    /** Requests that were refused with a status from 400 up, other than 404 and 405. */
    uint64_t refused;
    /** Streams that the client reset. */
    uint64_t resets_received;
    /** Streams that we reset. */
    uint64_t resets_sent;
    /** Errors that ended the connection. */
    uint64_t errors;
} ow_http_counters;

/**
 * Begins a connection in `conn`, whatever was there before: nothing was received yet.
 *
 * `OW_STATUS_BAD_ARGUMENT` for an unknown protocol.
 */
ow_status ow_http_conn_begin(ow_http_conn *conn, uint32_t protocol);

/**
 * Takes `input`, and writes answers from `site`, which is the same in all calls, to `out`.
 *
 * Called when the client sent something, and after each `OW_HTTP_NEXT_FLUSH`. What goes out does not
 * depend on how the input was cut, nor on the length of the output; see `ow_http_site_output`. The
 * buffer of the input holds a frame of HTTP/2 if it has 16,393 bytes.
 */
ow_status ow_http_feed(
    ow_http_conn *conn,
    const ow_http_site *site,
    const uint8_t *bytes,
    size_t len,
    uint8_t *out,
    size_t out_len,
    ow_http_fed *fed);

/**
 * Refuses what the client is sending: the buffer of the input is full, and nothing was consumed.
 *
 * That is status 431 or 414, or over HTTP/2 a GOAWAY with `ENHANCE_YOUR_CALM`, and then
 * `OW_HTTP_NEXT_CLOSE`; after `OW_HTTP_NEXT_FLUSH` this is called again.
 */
ow_status ow_http_overflow(ow_http_conn *conn, uint8_t *out, size_t out_len, ow_http_fed *fed);

/**
 * Says good-bye to a client that took too long.
 *
 * That is status 408 where a request has begun, or over HTTP/2 a GOAWAY with `NO_ERROR`. As with
 * `ow_http_overflow` it is called again after `OW_HTTP_NEXT_FLUSH`.
 */
ow_status ow_http_time_out(ow_http_conn *conn, uint8_t *out, size_t out_len, ow_http_fed *fed);

/**
 * Lets the connection end as soon as what was begun is answered: `ow_http_feed` is called next, with
 * whatever input there is.
 */
ow_status ow_http_shutdown(ow_http_conn *conn);

/** What the client has to do next: one of `OW_HTTP_WAIT_`. */
ow_status ow_http_waiting(const ow_http_conn *conn, uint32_t *waiting);

/** What the connection speaks: one of `OW_HTTP_PROTOCOL_`, of which `AUTO` is not known yet. */
ow_status ow_http_conn_protocol(const ow_http_conn *conn, uint32_t *protocol);

/** What happened so far. */
ow_status ow_http_count(const ow_http_conn *conn, ow_http_counters *counters);

#ifdef __cplusplus
}
#endif

#endif
