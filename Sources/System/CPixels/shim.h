#pragma once

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "A pixel is 0xAARRGGBB, whose first byte has to be the blue one."
#endif

// The loops over pixels. In a debug build of Swift, each access to a pixel would be a call.

/// The four bytes of a pixel, as sums.
typedef float offshore_sums __attribute__((vector_size(16), aligned(4)));

static inline offshore_sums offshore_pixel(const uint8_t *bytes, int has_alpha) {
  offshore_sums pixel = {bytes[0], bytes[1], bytes[2], bytes[3]};
  if (!has_alpha) return pixel;
  // A color counts as much as it is visible.
  offshore_sums weight = {bytes[3], bytes[3], bytes[3], 255};
  return pixel * weight;
}

/// Adds the pixels of a row to cells of equal width, which start at zero. A pixel on the border of two
/// cells counts in both by its parts. There are at most as many cells as pixels.
static inline void offshore_shrink_row(
  const uint8_t *row, size_t width, float *cells, size_t cell_count, int has_alpha) {
  offshore_sums *cell = (offshore_sums *)cells;
  for (size_t x = 0; x < cell_count; x++) cell[x] = (offshore_sums){0, 0, 0, 0};
  // A pixel is as wide as there are cells, and a cell as wide as there are pixels.
  size_t rest = width;
  for (size_t x = 0; x < width; x++) {
    offshore_sums pixel = offshore_pixel(row + x * 4, has_alpha);
    if (rest > cell_count) {
      *cell += pixel * (float)cell_count;
      rest -= cell_count;
      continue;
    }
    *cell += pixel * (float)rest;
    if (x + 1 < width) {
      cell++;
      *cell += pixel * (float)(cell_count - rest);
      rest += width - cell_count;
    }
  }
}

/// Adds cells by a weight to sums.
static inline void offshore_add_cells(
  const float *cells, float weight, float *sums, size_t cell_count) {
  const offshore_sums *from = (const offshore_sums *)cells;
  offshore_sums *to = (offshore_sums *)sums;
  for (size_t x = 0; x < cell_count; x++) to[x] += from[x] * weight;
}

static inline uint32_t offshore_byte(float value) {
  return value <= 0 ? 0 : value >= 255 ? 255 : (uint32_t)(value + 0.5f);
}

/// Stores sums as the pixels of a row, and sets them to zero.
/// @param weight The weight of all pixels of a cell.
static inline void offshore_store_sums(
  float *sums, size_t cell_count, float weight, int has_alpha, uint32_t *pixels, size_t row) {
  offshore_sums *sum = (offshore_sums *)sums;
  for (size_t x = 0; x < cell_count; x++) {
    offshore_sums mean = sum[x] / weight;
    float alpha = mean[3];
    if (has_alpha) {
      // Of colors times alpha, and of alpha times 255.
      float visible = mean[3] / 255;
      alpha = visible;
      mean = visible > 0 ? mean / visible : mean;
    }
    pixels[row * cell_count + x] = offshore_byte(mean[0]) | offshore_byte(mean[1]) << 8 |
      offshore_byte(mean[2]) << 16 | offshore_byte(alpha) << 24;
    sum[x] = (offshore_sums){0, 0, 0, 0};
  }
}

/// Removes the colors of transparent pixels, and returns whether any pixel is not opaque.
static inline int offshore_clear_transparent(uint32_t *pixels, size_t count) {
  uint32_t least = 0xFF;
  for (size_t index = 0; index < count; index++) {
    uint32_t alpha = pixels[index] >> 24;
    if (alpha < least) least = alpha;
    if (alpha == 0) pixels[index] = 0;
  }
  return least < 0xFF;
}

/// Makes all pixels opaque.
static inline void offshore_make_opaque(uint32_t *pixels, size_t count) {
  for (size_t index = 0; index < count; index++) pixels[index] |= 0xFF000000;
}

/// Puts pixels on white.
static inline void offshore_flatten(uint32_t *pixels, size_t count) {
  for (size_t index = 0; index < count; index++) {
    uint32_t pixel = pixels[index], alpha = pixel >> 24, result = 0xFF000000;
    for (int shift = 0; shift < 24; shift += 8) {
      uint32_t value = (pixel >> shift) & 0xFF;
      result |= ((value * alpha + 255 * (255 - alpha) + 127) / 255) << shift;
    }
    pixels[index] = result;
  }
}

/// Converts cyan, magenta, yellow and black to blue, green and red without a profile.
/// @param is_inverted Whether 255 is no ink.
static inline void offshore_mix_inks(uint32_t *pixels, size_t count, int is_inverted) {
  for (size_t index = 0; index < count; index++) {
    uint32_t inks = is_inverted ? pixels[index] : ~pixels[index];
    uint32_t black = inks >> 24, result = 0xFF000000;
    for (int shift = 0; shift < 24; shift += 8)
      result |= (((inks >> shift) & 0xFF) * black + 127) / 255 << (16 - shift);
    pixels[index] = result;
  }
}

/// Copies pixels in another order: across a row by one step, and down to the next row by another.
static inline void offshore_turn(
  const uint32_t *pixels, long start, long across, long down, uint32_t *turned, long width,
  long height) {
  for (long y = 0; y < height; y++)
    for (long x = 0; x < width; x++) turned[y * width + x] = pixels[start + x * across + y * down];
}
