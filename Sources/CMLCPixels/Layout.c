#include "CMLCPixels.h"

#include <math.h>

static uint8_t luma(const uint8_t *pixel, mlc_pixel_places places) {
  return (uint8_t)((299 * pixel[places.red] + 587 * pixel[places.green] + 114 * pixel[places.blue] + 500) / 1000);
}

void mlc_lay_out(
    const uint8_t *source, ptrdiff_t x_step, ptrdiff_t y_step, mlc_pixel_places places, uint8_t *target,
    size_t target_row, int32_t width, int32_t height, int32_t bytes, const int32_t map[4]) {
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *pixel = source + y * y_step;
    uint8_t *out = target + target_row * (size_t)y;
    for (int32_t x = 0; x < width; x++, pixel += x_step, out += bytes) {
      for (int32_t i = 0; i < bytes; i++) {
        out[i] = map[i] >= 0 ? pixel[map[i]] : map[i] == MLC_PIXEL_LUMA ? luma(pixel, places) : 255;
      }
    }
  }
}

void mlc_premultiply(uint8_t *pixels, size_t count, int32_t channels, int32_t alpha) {
  for (size_t i = 0; i < count; i++, pixels += channels) {
    for (int32_t c = 0; c < channels; c++) {
      if (c != alpha) pixels[c] = (uint8_t)((pixels[c] * pixels[alpha] + 127) / 255);
    }
  }
}

void mlc_blend(
    const uint8_t *source, size_t source_row, int32_t source_bytes, uint8_t *target, size_t target_row, int32_t bytes,
    int32_t width, int32_t height, const int32_t map[4]) {
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *pixel = source + source_row * (size_t)y;
    uint8_t *out = target + target_row * (size_t)y;
    for (int32_t x = 0; x < width; x++, pixel += source_bytes, out += bytes) {
      const int32_t rest = 255 - pixel[source_bytes - 1];
      for (int32_t i = 0; i < bytes; i++) {
        if (map[i] < 0) continue;
        const int32_t sum = pixel[map[i]] + (out[i] * rest + 127) / 255;
        out[i] = sum > 255 ? 255 : (uint8_t)sum;
      }
    }
  }
}

void mlc_planes_from_pixels(
    const uint8_t *source, size_t source_row, int32_t width, int32_t height, int32_t bytes, const int32_t places[3],
    int32_t channels, float *planes) {
  const size_t plane = (size_t)width * height;
  for (int32_t y = 0; y < height; y++) {
    for (int32_t c = 0; c < channels; c++) {
      const uint8_t *pixel = source + source_row * (size_t)y + places[c];
      float *out = planes + plane * (size_t)c + (size_t)width * y;
      for (int32_t x = 0; x < width; x++) out[x] = pixel[(size_t)x * bytes];
    }
  }
}

static uint8_t byte_of(float value) {
  // NaN is not greater than 0.
  return value > 0 ? value < 255 ? (uint8_t)lrintf(value) : 255 : 0;
}

void mlc_pixels_from_planes(
    const float *planes, int32_t width, int32_t height, uint8_t *target, size_t target_row, int32_t bytes,
    const int32_t map[4]) {
  const size_t plane = (size_t)width * height;
  for (int32_t y = 0; y < height; y++) {
    const float *in = planes + (size_t)width * y;
    uint8_t *out = target + target_row * (size_t)y;
    for (int32_t x = 0; x < width; x++, out += bytes) {
      for (int32_t i = 0; i < bytes; i++) out[i] = map[i] < 0 ? 255 : byte_of(in[plane * (size_t)map[i] + x]);
    }
  }
}

void mlc_bgra_from_biplanar(
    const uint8_t *luma, size_t luma_row, const uint8_t *chroma, size_t chroma_row, int32_t width, int32_t height,
    int32_t is_full_range, uint8_t *target, size_t target_row) {
  const float black = is_full_range ? 0 : 16, light = is_full_range ? 1 : 255.0f / 219;
  const float colour = is_full_range ? 1 : 255.0f / 224;
  for (int32_t y = 0; y < height; y++) {
    uint8_t *out = target + target_row * (size_t)y;
    const uint8_t *pairs = chroma + chroma_row * (size_t)(y / 2);
    for (int32_t x = 0; x < width; x++, out += 4) {
      const float grey = light * (luma[luma_row * (size_t)y + x] - black);
      const float blue = colour * (pairs[x / 2 * 2] - 128), red = colour * (pairs[x / 2 * 2 + 1] - 128);
      out[0] = byte_of(grey + 1.772f * blue);
      out[1] = byte_of(grey - 0.344136f * blue - 0.714136f * red);
      out[2] = byte_of(grey + 1.402f * red);
      out[3] = 255;
    }
  }
}
