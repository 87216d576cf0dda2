#pragma once

#include <stddef.h>

#include <lcms2.h>

// Swift does not import macros with arguments, of which the formats of pixels are made.

/// The meaning of the four bytes of a pixel.
enum offshore_lcms_channels {
  /// Blue, green, red and a byte that stays as it is.
  offshore_lcms_color,
  /// A shade of gray three times, and a byte that stays as it is.
  offshore_lcms_gray,
  /// Cyan, magenta, yellow and black.
  offshore_lcms_cmyk,
  /// The same, and 255 is no ink.
  offshore_lcms_inverted_cmyk
};

/// Returns the format of pixels if a profile describes them, or 0.
static inline cmsUInt32Number offshore_lcms_format(
  cmsHPROFILE profile, enum offshore_lcms_channels channels) {
  switch (cmsGetColorSpace(profile)) {
    case cmsSigRgbData: return channels == offshore_lcms_color ? TYPE_BGRA_8 : 0;
    case cmsSigGrayData:
      return channels == offshore_lcms_gray
        ? COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1) : 0;
    case cmsSigCmykData:
      if (channels == offshore_lcms_cmyk) return TYPE_CMYK_8;
      return channels == offshore_lcms_inverted_cmyk ? TYPE_CMYK_8_REV : 0;
    default: return 0;
  }
}

/// Converts pixels in place from a profile to sRGB, as blue, green and red; the fourth byte stays as
/// it is. Returns 0 if the profile is damaged or describes other pixels, which stay as they are.
static inline int offshore_lcms_convert(
  const void *bytes, size_t count, enum offshore_lcms_channels channels, void *pixels,
  size_t pixel_count) {
  cmsHPROFILE profile = cmsOpenProfileFromMem(bytes, (cmsUInt32Number)count);
  if (!profile) return 0;
  cmsUInt32Number format = offshore_lcms_format(profile, channels);
  cmsHPROFILE standard = format ? cmsCreate_sRGBProfile() : NULL;
  cmsHTRANSFORM transform = standard
    ? cmsCreateTransform(profile, format, standard, TYPE_BGRA_8, INTENT_PERCEPTUAL, 0) : NULL;
  if (transform) {
    cmsDoTransform(transform, pixels, pixels, (cmsUInt32Number)pixel_count);
    cmsDeleteTransform(transform);
  }
  if (standard) cmsCloseProfile(standard);
  cmsCloseProfile(profile);
  return transform != NULL;
}
