//! Sites: which path has which response, in the caller's memory.

use core::ffi::c_void;
#[cfg(target_pointer_width = "64")]
use core::mem::offset_of;

use onewrite::http::{Limits, NOT_FOUND, Response, Route, Routes, RoutesError};

use super::response::{self, HttpResponse, alone};
use crate::Status;
use crate::handle::{self, State};
use crate::list::List;
use crate::memory::{Bytes, Span, Stop, attempt, output, read_sized, span, store};

/// Paths and their responses: 256 bytes with the alignment of a `uint64_t`, the caller's.
///
/// Its bytes are nobody else's. It holds its own address, so it is not copied or moved. Connections
/// only look at it: any number of them, in any number of threads, may be served from one site at the
/// same time, as long as nothing is added meanwhile.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HttpSite {
    /// Not to be touched.
    pub words: [u64; 32],
}

/// How much a site holds, and what its clients may do. Every limit that is 0 has the value that
/// stands beside it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HttpSiteOptions {
    /// `sizeof(ow_http_site_options)`.
    pub size: u32,
    /// Most paths, up to 65,000.
    pub paths: u32,
    /// Bytes in the head of a request over HTTP/1.1; more is status 431. 8,192.
    pub head: u32,
    /// Header fields of a request; more is status 431. 100.
    pub fields: u32,
    /// Bytes in the target of a request; more is status 414. 4,096.
    pub target: u32,
    /// Bytes of a header list over HTTP/2 (RFC 9113 section 10.5.1); more is status 431. 16,384.
    pub header_list: u32,
    /// Bytes in the body of a request, which is read and dropped; more is status 413. 65,536.
    pub body: u64,
    /// CONTINUATION frames of one header block. 16.
    pub continuations: u32,
    /// Streams that end in a reset, more than answered requests pay for. 200.
    pub resets: u32,
    /// Frames that ask for nothing, more than answered requests pay for. 500.
    pub idle_frames: u32,
    /// Zero.
    pub reserved: u32,
}

/// What `capi/tests/header.c` asserts of the header.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(
    size_of::<HttpSiteOptions>() == 48
        && offset_of!(HttpSiteOptions, body) == 24
        && offset_of!(HttpSiteOptions, idle_frames) == 40,
    "structs for C are not laid out as tests/header.c says"
);

/// Bytes of workspace that are enough for so many paths, on every machine, where `bytes` is the length
/// of all paths, and of all responses by `ow_http_response_len`.
#[must_use]
pub const fn http_site_workspace(paths: usize, bytes: usize) -> usize {
    (paths + 1) * 384 + bytes
}

const _: () = assert!(
    size_of::<Route<'_>>() + 2 * size_of::<Response<'_>>() <= 384
        && align_of::<Response<'_>>() <= 8
        && align_of::<Route<'_>>() <= align_of::<Response<'_>>(),
    "OW_HTTP_SITE_WORKSPACE is too small, or items would not be aligned one behind the other"
);

/// What a connection is served from.
pub(super) struct Open {
    pub(super) routes: Routes<'static>,
    pub(super) workspace: Span,
    /// The paths, in order.
    list: List<Route<'static>>,
    /// Responses, and their twins of status 304 where they have some. What was pushed stays.
    responses: List<Response<'static>>,
    /// What is left of the workspace for bytes.
    rest: *mut u8,
    rest_len: usize,
    has_not_found: bool,
}

impl State for Open {
    const KIND: u64 = 0x4774_b5e1_0000_0000;
    type Memory = HttpSite;
}

/// Begins a site in `site`, whatever was there before: it has no path yet.
///
/// All that is added is copied to `workspace`, which is aligned to 8 bytes, has at least
/// `OW_HTTP_SITE_WORKSPACE` bytes, and belongs to the site as long as connections are served from it.
///
/// `OW_STATUS_WORKSPACE_TOO_SMALL`; `OW_STATUS_BAD_ARGUMENT` for more than 65,000 paths.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_site_begin(
    site: *mut HttpSite,
    options: *const HttpSiteOptions,
    workspace: *mut c_void,
    workspace_len: usize,
) -> Status {
    let result = attempt(|| {
        let place = span(site, 1)?;
        let workspace = workspace.cast::<u8>();
        let memory = span(workspace, workspace_len)?;
        memory.apart_from(&[place, span(options, 1)?])?;
        place.apart_from(&[span(options, 1)?])?;
        // SAFETY: the caller's promise about `options`.
        let options = unsafe { read_sized(options) }?;
        // SAFETY: the caller's promise about `workspace`, which lies apart from all else.
        let open = unsafe { lay_out(&options, workspace, memory, workspace_len) }?;
        // SAFETY: the caller's promise about `site`.
        unsafe { handle::begin(site, open) }
    });
    result.err().unwrap_or(Status::Ok)
}

/// Divides the workspace.
///
/// # Safety
///
/// `workspace` leads to `len` bytes that nobody else uses as long as the site is used, or is null where
/// `len` is 0.
unsafe fn lay_out(
    options: &HttpSiteOptions,
    workspace: *mut u8,
    memory: Span,
    len: usize,
) -> Result<Open, Status> {
    let paths = usize::try_from(options.paths).unwrap_or(usize::MAX);
    if paths > MAX_PATHS || options.reserved != 0 {
        return Err(Status::BadArgument);
    }
    // One more, with its twin, for paths that are not there.
    let responses = paths.saturating_add(1).saturating_mul(2);
    let list_at = responses.saturating_mul(size_of::<Response<'_>>());
    let rest_at = list_at.saturating_add(paths.saturating_mul(size_of::<Route<'_>>()));
    let rest_len = len.checked_sub(rest_at).ok_or(Status::WorkspaceTooSmall)?;
    if !workspace.cast::<u64>().is_aligned() {
        return Err(Status::Unaligned);
    }
    // The parts lie one behind the other, in the order of their alignment, and end within `len`.
    // SAFETY: see above; the caller's promise about the workspace.
    let responses = unsafe { List::new(workspace.cast(), responses) };
    // SAFETY: the same.
    let list = unsafe { List::new(workspace.wrapping_add(list_at).cast(), paths) };
    Ok(Open {
        routes: Routes::new(&[])?.limits(limits(options)),
        workspace: memory,
        list,
        responses,
        rest: workspace.wrapping_add(rest_at),
        rest_len,
        has_not_found: false,
    })
}

fn limits(options: &HttpSiteOptions) -> Limits {
    let mut limits = Limits::DEFAULT;
    for (limit, option) in [
        (&mut limits.head, options.head),
        (&mut limits.fields, options.fields),
        (&mut limits.target, options.target),
        (&mut limits.header_list, options.header_list),
    ] {
        if option != 0 {
            *limit = usize::try_from(option).unwrap_or(usize::MAX);
        }
    }
    if options.body != 0 {
        limits.body = options.body;
    }
    for (limit, option) in [
        (&mut limits.continuations, options.continuations),
        (&mut limits.resets, options.resets),
        (&mut limits.idle_frames, options.idle_frames),
    ] {
        if option != 0 {
            *limit = option;
        }
    }
    limits
}

/// Adds a path, which starts with a slash and has no query, and its response to GET and HEAD.
///
/// Both are made into the bytes of both protocols in the workspace: nothing of them is borrowed. A body
/// above 16,384 bytes is there once, a shorter one twice. Each path is compared with those that are
/// there already, of which there are fewer than 65,000: all of N take N * N / 2 comparisons.
///
/// `OW_STATUS_CAPACITY_EXCEEDED`, also for more than `OW_HTTP_FIELDS` fields;
/// `OW_STATUS_WORKSPACE_TOO_SMALL`; `OW_STATUS_INVALID_UTF8`; `OW_STATUS_BAD_ARGUMENT` for an unknown
/// flag, or two tags; the statuses from `OW_STATUS_BODY_NOT_ALLOWED` on. The site is unchanged then.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_site_add(
    site: *mut HttpSite,
    path: *const c_void,
    path_len: usize,
    response: *const HttpResponse,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `site`.
        let open = unsafe { handle::open::<Open>(site) }?;
        let own = [span(site, 1)?, open.workspace];
        span(path.cast::<u8>(), path_len)?.apart_from(&own)?;
        // SAFETY: the caller's promise about `path`.
        let path = unsafe { Bytes { start: path, len: path_len }.text() }?;
        if open.list.is_full() {
            return Err(Status::CapacityExceeded);
        }
        // By itself first: where it is wrong, nothing is made.
        Routes::new(alone(&Route::new(path, &NOT_FOUND)))?;
        if open.routes.number(path).is_some() {
            return Err(Status::PathTwice);
        }
        // SAFETY: the caller's promise about `response`, which lies apart from `own`.
        let (path, response) = unsafe { open.make(path, response, &own) }?;
        open.list.push(Route::new(path, response))?;
        // SAFETY: paths that were pushed are not written again.
        open.routes = open.routes.of_checked(unsafe { open.list.items_from(0) });
        Ok(())
    });
    result.err().unwrap_or(Status::Ok)
}

/// Sets what answers a path that is not there, in place of a status 404 without a body.
///
/// Before the first request, and once. As `ow_http_site_add`; `OW_STATUS_PATH_TWICE` the second time.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_site_not_found(
    site: *mut HttpSite,
    response: *const HttpResponse,
) -> Status {
    let result = attempt(|| {
        // SAFETY: the caller's promise about `site`.
        let open = unsafe { handle::open::<Open>(site) }?;
        let own = [span(site, 1)?, open.workspace];
        if open.has_not_found {
            return Err(Status::PathTwice);
        }
        // SAFETY: the caller's promise about `response`, which lies apart from `own`.
        let (_, response) = unsafe { open.make("", response, &own) }?;
        open.routes = open.routes.not_found(response);
        open.has_not_found = true;
        Ok(())
    });
    result.err().unwrap_or(Status::Ok)
}

/// Length of the shortest output that `ow_http_feed` can always do something with.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_site_min_output(site: *const HttpSite, len: *mut usize) -> Status {
    // SAFETY: as this function's own.
    unsafe { tell(site, len, Routes::min_output) }
}

/// Length of an output into which each response goes in one piece.
///
/// # Safety
///
/// As the crate says of pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ow_http_site_max_response(
    site: *const HttpSite,
    len: *mut usize,
) -> Status {
    // SAFETY: as this function's own.
    unsafe { tell(site, len, Routes::max_response) }
}

/// Stores a length that follows from a site.
///
/// # Safety
///
/// As for [`handle::look`] and [`store`].
unsafe fn tell(
    site: *const HttpSite,
    len: *mut usize,
    what: impl FnOnce(&Routes<'static>) -> usize,
) -> Status {
    let result = attempt(|| {
        let place = span(len, 1)?;
        place.is_free_of(&[span(site, 1)?])?;
        // SAFETY: as this function's own.
        let open = unsafe { handle::look::<Open>(site) }?;
        place.is_free_of(&[open.workspace])?;
        Ok(what(&open.routes))
    });
    // SAFETY: as this function's own.
    unsafe { store(len, result) }
}

impl Open {
    /// Copies a path to the workspace, and makes a response there.
    ///
    /// # Safety
    ///
    /// As for [`response::with_parts`].
    unsafe fn make(
        &mut self,
        path: &str,
        response: *const HttpResponse,
        own: &[Span],
    ) -> Result<(&'static str, &'static Response<'static>), Status> {
        // SAFETY: `begin` was promised that these bytes belong to the site; what was handed out of them
        // lies in front.
        let room = unsafe { output(self.rest, self.rest_len) }?;
        let (name, room) =
            room.split_at_mut_checked(path.len()).ok_or(Status::WorkspaceTooSmall)?;
        for (to, from) in name.iter_mut().zip(path.bytes()) {
            *to = from;
        }
        let name = str::from_utf8(name).map_err(|_| Status::InvalidUtf8)?;
        // SAFETY: as this function's own.
        let made = unsafe {
            response::with_parts(response, own, Span::default(), |parts| {
                response::make(parts, room)
            })
        };
        let (response, twin, len) = made.map_err(Stop::status)?;
        let response = match twin {
            None => response,
            Some(twin) => response.with_not_modified(self.keep(twin)?),
        };
        let response = self.keep(response)?;
        let taken = path.len().saturating_add(len);
        self.rest = self.rest.wrapping_add(taken);
        self.rest_len = self.rest_len.saturating_sub(taken);
        Ok((name, response))
    }

    /// Puts a response where it stays.
    fn keep(&mut self, response: Response<'static>) -> Result<&'static Response<'static>, Status> {
        self.responses.push(response)?;
        // SAFETY: responses that were pushed are not written again.
        unsafe { self.responses.items_from(0) }.last().ok_or(Status::CapacityExceeded)
    }
}

impl From<RoutesError> for Status {
    fn from(error: RoutesError) -> Self {
        match error {
            RoutesError::Byte => Self::PathByte,
            RoutesError::Count => Self::CapacityExceeded,
            RoutesError::Fragment | RoutesError::Query => Self::PathQuery,
            RoutesError::Slash => Self::PathSlash,
            RoutesError::Twice => Self::PathTwice,
            // That of responses which a handler writes, which are not used here.
            _ => Self::BadArgument,
        }
    }
}

/// The most that the library takes.
const MAX_PATHS: usize = 65_000;
