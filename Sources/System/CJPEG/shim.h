#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// libjpeg-turbo reports errors by a jump, which must not pass frames of Swift. Each of these
// wrappers sets the place of the jump itself, and returns 0 or NULL after an error.

/// The errors of one image, with the place to continue at after one.
struct offshore_jpeg_errors {
  struct jpeg_error_mgr manager;
  jmp_buf place;
};

/// A reader of one image, by rows.
struct offshore_jpeg_reader {
  struct jpeg_decompress_struct info;
  struct offshore_jpeg_errors errors;
};

/// Bytes that the caller frees by `free`.
struct offshore_jpeg_bytes {
  unsigned char *bytes;
  unsigned long count;
};

/// The meaning of the four bytes of a pixel.
enum offshore_jpeg_kind {
  offshore_jpeg_color,
  offshore_jpeg_gray,
  offshore_jpeg_cmyk,
  offshore_jpeg_inverted_cmyk
};

static void offshore_jpeg_fail(j_common_ptr info) {
  longjmp(((struct offshore_jpeg_errors *)info->err)->place, 1);
}

/// Ends decoding at the first damaged place. Other warnings and traces are ignored.
static void offshore_jpeg_warn(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_ARITH_BAD_CODE:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_JPEG_EOF:
    case JWRN_MUST_RESYNC:
      offshore_jpeg_fail(info);
      break;
    default:
      break;
  }
}

static void offshore_jpeg_print_nothing(j_common_ptr info) { (void)info; }

static inline struct jpeg_error_mgr *offshore_jpeg_prepare(struct offshore_jpeg_errors *errors) {
  jpeg_std_error(&errors->manager);
  errors->manager.error_exit = offshore_jpeg_fail;
  errors->manager.emit_message = offshore_jpeg_warn;
  errors->manager.output_message = offshore_jpeg_print_nothing;
  return &errors->manager;
}

/// Frees a reader.
static inline void offshore_jpeg_close(struct offshore_jpeg_reader *reader) {
  if (!reader) return;
  jpeg_destroy_decompress(&reader->info);
  free(reader);
}

/// Reads the head of an image, whose bytes have to stay in memory; returns NULL if it is damaged.
static inline struct offshore_jpeg_reader *offshore_jpeg_open(
  const unsigned char *bytes, size_t count) {
  struct offshore_jpeg_reader *reader = (struct offshore_jpeg_reader *)calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->info.err = offshore_jpeg_prepare(&reader->errors);
  if (setjmp(reader->errors.place)) {
    offshore_jpeg_close(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->info);
  jpeg_mem_src(&reader->info, bytes, (unsigned long)count);
  // Color profiles are in these segments.
  jpeg_save_markers(&reader->info, JPEG_APP0 + 2, 0xFFFF);
  jpeg_read_header(&reader->info, TRUE);
  return reader;
}

/// Returns the width in pixels: before the start, that of the image, and then that of the rows.
static inline unsigned offshore_jpeg_width(const struct offshore_jpeg_reader *reader) {
  return reader->info.output_width ? reader->info.output_width : reader->info.image_width;
}

/// Returns the height in pixels: before the start, that of the image, and then the number of rows.
static inline unsigned offshore_jpeg_height(const struct offshore_jpeg_reader *reader) {
  return reader->info.output_height ? reader->info.output_height : reader->info.image_height;
}

/// Returns the meaning of a pixel's bytes.
static inline enum offshore_jpeg_kind offshore_jpeg_channels(
  const struct offshore_jpeg_reader *reader) {
  switch (reader->info.jpeg_color_space) {
    case JCS_GRAYSCALE: return offshore_jpeg_gray;
    case JCS_CMYK:
    case JCS_YCCK:
      // Programs that write the marker of Adobe also invert the values, as Photoshop does.
      return reader->info.saw_Adobe_marker ? offshore_jpeg_inverted_cmyk : offshore_jpeg_cmyk;
    default: return offshore_jpeg_color;
  }
}

/// Returns the color profile, or no bytes. Call it before the start.
static inline struct offshore_jpeg_bytes offshore_jpeg_profile(
  struct offshore_jpeg_reader *reader) {
  struct offshore_jpeg_bytes profile = {NULL, 0}, none = {NULL, 0};
  unsigned int count = 0;
  if (setjmp(reader->errors.place)) return none;
  if (jpeg_read_icc_profile(&reader->info, &profile.bytes, &count)) profile.count = count;
  return profile;
}

/// Starts decoding at a size of 1 to 8 eighths, rounded up; returns 0 if the image is damaged.
///
/// Pixels are blue, green, red and 255, or the four inks.
static inline int offshore_jpeg_start(struct offshore_jpeg_reader *reader, unsigned eighths) {
  if (setjmp(reader->errors.place)) return 0;
  enum offshore_jpeg_kind channels = offshore_jpeg_channels(reader);
  reader->info.scale_num = eighths;
  reader->info.scale_denom = 8;
  reader->info.out_color_space =
    channels == offshore_jpeg_cmyk || channels == offshore_jpeg_inverted_cmyk ? JCS_CMYK
                                                                             : JCS_EXT_BGRA;
  return jpeg_start_decompress(&reader->info) ? 1 : 0;
}

/// Reads the next row, four bytes a pixel; returns 0 if the image is damaged.
static inline int offshore_jpeg_read_row(struct offshore_jpeg_reader *reader, unsigned char *row) {
  if (setjmp(reader->errors.place)) return 0;
  return jpeg_read_scanlines(&reader->info, &row, 1) == 1;
}

/// Encodes pixels of blue, green, red and a byte that is ignored; returns no bytes if that fails.
static inline struct offshore_jpeg_bytes offshore_jpeg_write(
  const void *pixels, unsigned width, unsigned height, int quality) {
  struct jpeg_compress_struct info;
  struct offshore_jpeg_errors errors;
  struct offshore_jpeg_bytes result = {NULL, 0}, none = {NULL, 0};
  memset(&info, 0, sizeof info);
  info.err = offshore_jpeg_prepare(&errors);
  if (setjmp(errors.place)) {
    jpeg_destroy_compress(&info);
    return none;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &result.bytes, &result.count);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_BGRX;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  // The best code needs all coefficients in memory, and matters little for a large image.
  info.optimize_coding = (size_t)width * height <= 1 << 22;
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)info.next_scanline * width * 4;
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return result;
}
