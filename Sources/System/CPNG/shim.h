#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

// libpng reports errors by a jump, which must not pass frames of Swift. Each of these wrappers sets
// the place of the jump itself, and returns 0 or NULL after an error.

/// A reader of one image, by rows.
struct offshore_png_reader {
  png_structp png;
  png_infop info;
  const unsigned char *rest;
  size_t count;
  int passes;
};

/// Bytes that the caller frees by `free`.
struct offshore_png_bytes {
  unsigned char *bytes;
  size_t count;
  size_t capacity;
};

static void offshore_png_fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void offshore_png_ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void offshore_png_supply(png_structp png, png_bytep bytes, size_t count) {
  struct offshore_png_reader *reader = (struct offshore_png_reader *)png_get_io_ptr(png);
  if (count > reader->count) png_error(png, "The image ends early.");
  memcpy(bytes, reader->rest, count);
  reader->rest += count;
  reader->count -= count;
}

/// Frees a reader.
static inline void offshore_png_close(struct offshore_png_reader *reader) {
  if (!reader) return;
  if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

/// Makes rows of blue, green, red and alpha, 8 bits each, in the gamma of sRGB.
static inline void offshore_png_set_format(struct offshore_png_reader *reader) {
  png_structp png = reader->png;
  png_infop info = reader->info;
  png_fixed_point gamma = 0;
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_set_bgr(png);
  if (!png_get_valid(png, info, PNG_INFO_iCCP) && !png_get_valid(png, info, PNG_INFO_sRGB) &&
      png_get_gAMA_fixed(png, info, &gamma))
    png_set_gamma_fixed(png, PNG_DEFAULT_sRGB, gamma);
}

/// Reads the chunks before the pixels, whose bytes have to stay in memory; returns NULL if the image
/// is damaged or has more pixels on a side.
static inline struct offshore_png_reader *offshore_png_open(
  const unsigned char *bytes, size_t count, unsigned side) {
  // Texts, which can be compressed, are neither decompressed nor stored.
  static const png_byte ignored[] = "tEXt\0zTXt\0iTXt\0eXIf\0sPLT";
  struct offshore_png_reader *reader = (struct offshore_png_reader *)calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->rest = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(
    PNG_LIBPNG_VER_STRING, NULL, offshore_png_fail, offshore_png_ignore);
  reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
  if (!reader->info) {
    offshore_png_close(reader);
    return NULL;
  }
  if (setjmp(png_jmpbuf(reader->png))) {
    offshore_png_close(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, offshore_png_supply);
  png_set_user_limits(reader->png, side, side);
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, ignored, 5);
  png_read_info(reader->png, reader->info);
  return reader;
}

/// Returns the width in pixels.
static inline unsigned offshore_png_width(const struct offshore_png_reader *reader) {
  return png_get_image_width(reader->png, reader->info);
}

/// Returns the height in pixels.
static inline unsigned offshore_png_height(const struct offshore_png_reader *reader) {
  return png_get_image_height(reader->png, reader->info);
}

/// Returns whether pixels can be transparent.
static inline int offshore_png_has_alpha(const struct offshore_png_reader *reader) {
  return (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
    png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
}

/// Returns whether the pixels are shades of gray.
static inline int offshore_png_is_gray(const struct offshore_png_reader *reader) {
  return (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_COLOR) == 0;
}

/// Returns the color profile, which belongs to the reader, or NULL.
static inline const unsigned char *offshore_png_profile(
  struct offshore_png_reader *reader, unsigned *count) {
  png_charp name = NULL;
  png_bytep profile = NULL;
  png_uint_32 length = 0;
  int compression = 0;
  if (!png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &length)) return NULL;
  *count = length;
  return profile;
}

/// Starts decoding; returns the number of passes over all rows, or 0 if the image is damaged.
static inline int offshore_png_start(struct offshore_png_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  offshore_png_set_format(reader);
  reader->passes = png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  size_t expected = (size_t)png_get_image_width(reader->png, reader->info) * 4;
  return png_get_rowbytes(reader->png, reader->info) == expected ? reader->passes : 0;
}

/// Reads the next row of a pass, four bytes a pixel; returns 0 if the image is damaged. A later pass
/// needs the bytes of the row from the pass before.
static inline int offshore_png_read_row(struct offshore_png_reader *reader, unsigned char *row) {
  if (setjmp(png_jmpbuf(reader->png))) return 0;
  png_read_row(reader->png, row, NULL);
  return 1;
}

static void offshore_png_append(png_structp png, png_bytep bytes, size_t count) {
  struct offshore_png_bytes *result = (struct offshore_png_bytes *)png_get_io_ptr(png);
  if (result->capacity - result->count < count) {
    size_t capacity = (result->capacity + count) * 2;
    unsigned char *larger = (unsigned char *)realloc(result->bytes, capacity);
    if (!larger) png_error(png, "There is not enough memory.");
    result->bytes = larger;
    result->capacity = capacity;
  }
  memcpy(result->bytes + result->count, bytes, count);
  result->count += count;
}

static void offshore_png_flush(png_structp png) { (void)png; }

/// Encodes pixels of blue, green, red and alpha; returns 0 if that fails. The alpha is ignored if
/// pixels cannot be transparent.
static inline int offshore_png_write(
  const void *pixels, unsigned width, unsigned height, int has_alpha,
  struct offshore_png_bytes *result) {
  png_structp png = png_create_write_struct(
    PNG_LIBPNG_VER_STRING, NULL, offshore_png_fail, offshore_png_ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return 0;
  }
  png_set_write_fn(png, result, offshore_png_append, offshore_png_flush);
  png_set_IHDR(
    png, info, width, height, 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  png_set_bgr(png);
  if (!has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (size_t y = 0; y < height; y++)
    png_write_row(png, (const unsigned char *)pixels + y * width * 4);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 1;
}
