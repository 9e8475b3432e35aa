//! Responses as C describes them.

#[cfg(target_pointer_width = "64")]
use core::mem::offset_of;
use core::slice;

use onewrite::http::{Header, Parts, PartsError, Response};

use crate::Status;
use crate::memory::{Bytes, Span, Stop, attempt, input, read_sized, span, store};

/// Most header fields of one response, without those that the library writes itself.
pub const HTTP_FIELDS: u32 = 32;

/// In `flags`: an entity tag that follows from the body, and status 304 for who has that body already.
///
/// There is none where the status is not 200, the body is empty, or it has more than 65,536 bytes.
pub const HTTP_ETAG_OF_BODY: u32 = 1;

/// A header field.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HttpField {
    /// Its name, in lower case. `content-length`, `etag`, and fields about the connection are not
    /// among them: the library writes those itself.
    pub name: Bytes,
    /// Its value, in UTF-8, without a control character and with no space at either end.
    pub value: Bytes,
}

/// A response. What is not used is zero.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HttpResponse {
    /// `sizeof(ow_http_response)`.
    pub size: u32,
    /// `OW_HTTP_ETAG_OF_BODY` or 0.
    pub flags: u32,
    /// 200 to 599.
    pub status: u32,
    /// Zero.
    pub reserved: u32,
    /// Header fields, at most `OW_HTTP_FIELDS`.
    pub fields: *const HttpField,
    /// How many there are.
    pub field_count: usize,
    /// The body.
    pub body: Bytes,
    /// An entity tag without its quotes, in place of one that follows from the body. Where none is
    /// set there is none.
    pub etag: Bytes,
}

/// What `capi/tests/header.c` asserts of the header.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<HttpField>() == 32
        && offset_of!(HttpField, value) == 16
        && size_of::<HttpResponse>() == 64
        && offset_of!(HttpResponse, status) == 8
        && offset_of!(HttpResponse, fields) == 16
        && offset_of!(HttpResponse, field_count) == 24
        && offset_of!(HttpResponse, body) == 32
        && offset_of!(HttpResponse, etag) == 48,
    "structs for C are not laid out as tests/header.c says"
);

/// Bytes that a response takes in the workspace of a site, without its path.
///
/// Over both protocols, and with its twin of status 304 where it has a tag. The statuses of
/// `ow_http_site_add` that are about a response.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_response_len(
    response: *const HttpResponse,
    len: *mut usize,
) -> Status {
    let result = attempt(|| {
        let place = span(len, 1)?;
        // SAFETY: the caller's promise about `response`.
        unsafe {
            with_parts(response, &[], place, |parts| {
                parts.check()?;
                let twin = parts.not_modified().map_or(0, |twin| twin.len());
                Ok(parts.len().saturating_add(twin))
            })
        }
    });
    // SAFETY: the caller's promise about `len`.
    unsafe { store(len, result) }
}

/// Calls `work` with the parts of a response.
///
/// No byte of them belongs to any of `own`, nor to `place`, where a result goes.
///
/// # Safety
///
/// As for [`read_sized`] and [`input`].
pub(super) unsafe fn with_parts<T>(
    response: *const HttpResponse,
    own: &[Span],
    place: Span,
    work: impl FnOnce(&Parts<'_>) -> Result<T, Status>,
) -> Result<T, Stop> {
    let own_span = span(response, 1)?;
    place.is_free_of(&[own_span])?;
    own_span.apart_from(own)?;
    // SAFETY: as this function's own.
    let response = unsafe { read_sized(response) }?;
    let fields_span = span(response.fields, response.field_count);
    let strings =
        [response.body, response.etag].map(|bytes| span(bytes.start.cast::<u8>(), bytes.len));
    // Before anything else can stop this: a stop stores zero unless the place is wrong.
    place.is_free_of(&strings.map(Result::unwrap_or_default))?;
    let fields_span = fields_span?;
    place.is_free_of(&[fields_span])?;
    fields_span.apart_from(own)?;
    // SAFETY: as this function's own.
    let fields = unsafe { input(response.fields, response.field_count) }?;
    let of_fields = fields.iter().flat_map(|field| [field.name, field.value]);
    let of_fields = of_fields.map(|bytes| span(bytes.start.cast::<u8>(), bytes.len));
    for string in of_fields.clone() {
        place.is_free_of(&[string.unwrap_or_default()])?;
    }
    for string in of_fields.chain(strings) {
        string?.apart_from(own)?;
    }
    let mut headers = [Header::new("", ""); MAX_FIELDS];
    // SAFETY: as this function's own.
    let parts = unsafe { parts(&response, fields, &mut headers) }?;
    Ok(work(&parts)?)
}

/// The parts of a response, whose header fields go to `headers`.
///
/// # Safety
///
/// As for [`input`].
unsafe fn parts<'a>(
    response: &HttpResponse,
    fields: &[HttpField],
    headers: &'a mut [Header<'a>; MAX_FIELDS],
) -> Result<Parts<'a>, Status> {
    let has_etag = !response.etag.is_unset();
    if response.flags & !HTTP_ETAG_OF_BODY != 0
        || response.reserved != 0
        || (response.flags != 0 && has_etag)
    {
        return Err(Status::BadArgument);
    }
    let headers = headers.get_mut(..fields.len()).ok_or(Status::CapacityExceeded)?;
    for (header, field) in headers.iter_mut().zip(fields) {
        // SAFETY: as this function's own.
        let name = unsafe { field.name.text() }?;
        // SAFETY: the same.
        let value = unsafe { field.value.text() }?;
        *header = Header::new(name, value);
    }
    let status = u16::try_from(response.status).map_err(|_| Status::ResponseStatus)?;
    // SAFETY: as this function's own.
    let parts = Parts::new(status).headers(headers).body(unsafe { response.body.get() }?);
    if has_etag {
        // SAFETY: the same.
        return Ok(parts.etag(unsafe { response.etag.text() }?));
    }
    Ok(if response.flags & HTTP_ETAG_OF_BODY != 0 { parts.etag_of_body() } else { parts })
}

/// The bytes of a response, and those of its twin of status 304, at the start of `room`.
///
/// The second is how many bytes they take.
pub(super) fn make<'a>(
    parts: &Parts<'_>,
    room: &'a mut [u8],
) -> Result<(Response<'a>, Option<Response<'a>>, usize), Status> {
    // Before `len` is asked for: what is not checked may have any length.
    parts.check()?;
    let len = parts.len();
    let (own, rest) = room.split_at_mut_checked(len).ok_or(Status::WorkspaceTooSmall)?;
    let Some(twin) = parts.not_modified() else {
        return Ok((parts.response_in(own, &mut [])?, None, len));
    };
    let all = len.saturating_add(twin.len());
    let twin = twin.response_in(rest, &mut [])?;
    Ok((parts.response_in(own, &mut [])?, Some(twin), all))
}

const MAX_FIELDS: usize = HTTP_FIELDS as usize;

/// A slice of one.
pub(super) const fn alone<T>(item: &T) -> &[T] {
    slice::from_ref(item)
}

impl From<PartsError> for Status {
    fn from(error: PartsError) -> Self {
        match error {
            PartsError::Block => Self::HeadTooLong,
            PartsError::Body => Self::BodyNotAllowed,
            PartsError::Case => Self::FieldNameCase,
            PartsError::Connection => Self::FieldOfConnection,
            PartsError::Control | PartsError::Edge => Self::FieldValue,
            PartsError::Etag | PartsError::Length => Self::FieldIsDerived,
            PartsError::EtagBody | PartsError::EtagStatus => Self::EtagNotAllowed,
            PartsError::EtagText => Self::EtagText,
            PartsError::Full { .. } => Self::WorkspaceTooSmall,
            PartsError::Interim | PartsError::Status => Self::ResponseStatus,
            PartsError::Pseudo | PartsError::Token => Self::FieldName,
            PartsError::Twice => Self::FieldTwice,
            // Those of holes and of dynamic bodies, which are not used here.
            _ => Self::BadArgument,
        }
    }
}
