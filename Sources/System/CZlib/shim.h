#pragma once

#include <zlib.h>

// Swift does not import macros with arguments, by which zlib checks that header and library match.

/// Starts compression in the gzip format; returns Z_OK or an error code.
static inline int offshore_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Starts decompression of the gzip format; returns Z_OK or an error code.
static inline int offshore_inflate_init(z_stream *stream) {
  return inflateInit2(stream, MAX_WBITS + 16);
}
