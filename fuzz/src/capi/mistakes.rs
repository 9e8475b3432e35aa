//! What no program may hand over, and what a status says.
//!
//! A call below has pointers and lengths that are right, or is refused before it looks at what they lead to.

use std::ffi::{CStr, c_void};
use std::ptr;

use onewrite_capi::{BsatnRowList, BsatnWriter, Bytes, HttpSite, HttpSiteOptions, Status};

/// The first byte is a status; the second one says what is done wrong, and what is refused for it.
pub(super) fn mistakes(data: &[u8]) {
    let [number, what, rest @ ..] = data else { return };
    let version = onewrite_capi::ow_version();
    assert_eq!(version, onewrite_capi::VERSION);
    // SAFETY: it is static, and has a NUL at its end.
    let text = |number| unsafe { CStr::from_ptr(onewrite_capi::ow_error_text(number)) };
    let known = text((*number).into()).to_str().expect("a text");
    assert!(!known.is_empty() && !known.ends_with('.'));
    assert!(text(-1) == text(i32::MAX) && text(-1) != text(0));
    let (mut count, mut value) = (7usize, 7u32);
    let (bytes, half) = (rest.as_ptr(), usize::MAX / 2 + 1);
    let mut words = [0u64; 4];
    let odd = words.as_mut_ptr().cast::<u8>().wrapping_add(1);
    let mut writer = BsatnWriter { words: [0xa5; 6] };
    let mut list = BsatnRowList { words: [0xa5; 12] };
    let mut site = HttpSite { words: [0xa5; 32] };
    let mut options = HttpSiteOptions {
        size: size_of::<HttpSiteOptions>() as u32 + u32::from(what % 13 == 9),
        paths: 1 + 65_000 * u32::from(what % 13 == 8),
        head: 0,
        fields: 0,
        target: 0,
        header_list: 0,
        body: 0,
        continuations: 0,
        resets: 0,
        idle_frames: 0,
        reserved: 0,
    };
    let mut workspace = [0u64; 200];
    let memory: *mut c_void = workspace.as_mut_ptr().cast();
    let len = size_of_val(&workspace);
    let refused = match what % 13 {
        0 => (call!(ow_record_get_u32_le(ptr::null(), 4, 0, &mut value)), Status::NullPointer),
        1 => (call!(ow_record_get_u32_le(bytes, half, 0, &mut value)), Status::LengthTooLarge),
        2 => (call!(ow_record_get_u32_le(bytes, rest.len(), 0, odd.cast())), Status::Unaligned),
        3 => {
            // The result would lie over what is read.
            let mut rows = [Bytes::default(); 2];
            let (from, to) = (rows.as_mut_ptr(), rows.as_mut_ptr().cast());
            (call!(ow_bsatn_row_list_encoded_len(from, 2, to)), Status::Overlap)
        }
        4 => (call!(ow_record_put_u32_le(ptr::null_mut(), 4, 0, 7)), Status::NullPointer),
        5 => {
            (call!(ow_http_site_begin(&mut site, &options, memory, 100)), Status::WorkspaceTooSmall)
        }
        6 => {
            let odd = memory.wrapping_byte_add(1);
            (call!(ow_http_site_begin(&mut site, &options, odd, len - 1)), Status::Unaligned)
        }
        7 => {
            options.reserved = 1;
            (call!(ow_http_site_begin(&mut site, &options, memory, len)), Status::BadArgument)
        }
        8 => (call!(ow_http_site_begin(&mut site, &options, memory, len)), Status::BadArgument),
        9 => (call!(ow_http_site_begin(&mut site, &options, memory, len)), Status::WrongStructSize),
        10 => (call!(ow_http_site_min_output(&site, &mut count)), Status::BadHandle),
        11 => (call!(ow_bsatn_row_list_len(&list, &mut count)), Status::BadHandle),
        _ => (call!(ow_bsatn_writer_finish(&mut writer, &mut count)), Status::BadHandle),
    };
    assert_eq!(refused.0, refused.1, "{}", what % 13);
    // A result that nobody asked for is zero, unless it would lie over something else.
    assert!([7, 0].contains(&value) && [7, 0].contains(&count));
    let nowhere = ptr::null_mut();
    let status = call!(ow_bsatn_row_list_read(&mut list, bytes, rest.len(), nowhere));
    assert_eq!(status, Status::NullPointer);
}
