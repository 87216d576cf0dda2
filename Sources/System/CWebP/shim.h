#pragma once

#include <stddef.h>
#include <stdint.h>

#include <webp/decode.h>
#include <webp/encode.h>

// The structures of libwebp are configured by macros and pointers into themselves. These wrappers
// give reading and writing the form of one call each.

/// Decodes an image to a smaller or the same size, as blue, green, red and alpha; returns 0 if it is
/// damaged or has another size than expected.
static inline int offshore_webp_read(
  const uint8_t *bytes, size_t count, int width, int height, void *pixels, int scaled_width,
  int scaled_height, int *has_alpha) {
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) return 0;
  if (WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) return 0;
  if (config.input.width != width || config.input.height != height) return 0;
  *has_alpha = config.input.has_alpha;
  config.options.use_scaling = scaled_width != width || scaled_height != height;
  config.options.scaled_width = scaled_width;
  config.options.scaled_height = scaled_height;
  config.output.colorspace = MODE_BGRA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = (uint8_t *)pixels;
  config.output.u.RGBA.stride = scaled_width * 4;
  config.output.u.RGBA.size = (size_t)scaled_width * 4 * (size_t)scaled_height;
  int is_whole = WebPDecode(bytes, count, &config) == VP8_STATUS_OK;
  WebPFreeDecBuffer(&config.output);
  return is_whole;
}

/// Encodes pixels of blue, green, red and alpha; returns NULL if that fails. The caller frees the
/// bytes by `WebPFree`. Colors of transparent pixels may change.
static inline uint8_t *offshore_webp_write(
  void *pixels, int width, int height, int quality, size_t *count) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return NULL;
  WebPMemoryWriterInit(&writer);
  config.quality = (float)quality;
  picture.use_argb = 1;
  picture.width = width;
  picture.height = height;
  picture.argb = (uint32_t *)pixels;
  picture.argb_stride = width;
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  int is_done = WebPEncode(&config, &picture);
  WebPPictureFree(&picture);
  if (!is_done) {
    WebPMemoryWriterClear(&writer);
    return NULL;
  }
  *count = writer.size;
  return writer.mem;
}
