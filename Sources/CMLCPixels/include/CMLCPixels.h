/// Pixels of 8 bits a channel: resampled, laid out anew, to and from planes of floats. Rows lie `row` bytes apart, in
/// which pixels follow each other. All are pure; those that need memory answer 1 where there is none, else 0.
#ifndef CMLC_PIXELS_H
#define CMLC_PIXELS_H
#include <stddef.h>
#include <stdint.h>

/// A rectangle in pixels of the source, rows counted downwards; it lies within the source.
typedef struct {
  double left, top, right, bottom;
} mlc_pixel_box;

/// Resamples `box` of `width × height` pixels of 1 to 4 `channels` to all of the target.
///
/// Each target pixel is the mean of source pixels under a triangle around its centre, which reaches to the neighbours'
/// centres where the picture grows and as much further as it shrinks, rows first, each pass rounded to 8 bits: what
/// Pillow's `Image.resize(…, BILINEAR, box)` gives.
int mlc_resample(
    const uint8_t *source, size_t source_row, int32_t width, int32_t height, int32_t channels, mlc_pixel_box box,
    uint8_t *target, size_t target_row, int32_t target_width, int32_t target_height);

/// What a byte of a target pixel is.
enum { MLC_PIXEL_OPAQUE = -1, MLC_PIXEL_LUMA = -2 };

/// Where a source pixel has its channels; grey ones have the same place thrice.
typedef struct {
  int32_t red, green, blue;
} mlc_pixel_places;

/// Lays pixels out anew: those at `source + x · x_step + y · y_step` go to `(x, y)` of the target. Byte `i` of
/// `bytes` a target pixel is byte `map[i]` of the source's, 255 for `MLC_PIXEL_OPAQUE`, or for `MLC_PIXEL_LUMA`
/// 0.299 R + 0.587 G + 0.114 B of `places`, rounded to nearest.
void mlc_lay_out(
    const uint8_t *source, ptrdiff_t x_step, ptrdiff_t y_step, mlc_pixel_places places, uint8_t *target,
    size_t target_row, int32_t width, int32_t height, int32_t bytes, const int32_t map[4]);

/// Lays colours over black: `colour · alpha / 255`, rounded to nearest, in place, of `count` pixels of `channels`
/// whose alpha is channel `alpha` and stays.
void mlc_premultiply(uint8_t *pixels, size_t count, int32_t channels, int32_t alpha);

/// Lays pixels over others: byte `i` of `bytes` a target pixel becomes `s + t · (255 − a) / 255`, rounded to nearest,
/// `s` being byte `map[i]` of the source's `source_bytes`, of which `a` is the last, and `t` what it was. It
/// stays where `map[i]` is negative.
void mlc_blend(
    const uint8_t *source, size_t source_row, int32_t source_bytes, uint8_t *target, size_t target_row, int32_t bytes,
    int32_t width, int32_t height, const int32_t map[4]);

/// Pixels of `bytes` each as `channels` planes of `width · height` floats 0 to 255, of the bytes at `places`.
void mlc_planes_from_pixels(
    const uint8_t *source, size_t source_row, int32_t width, int32_t height, int32_t bytes, const int32_t places[3],
    int32_t channels, float *planes);

/// Planes of floats as pixels: byte `i` of `bytes` each is of plane `map[i]`, rounded to nearest, halves to even, what
/// lies outside of 0 to 255 to its end and NaN to 0; or 255 for `MLC_PIXEL_OPAQUE`.
void mlc_pixels_from_planes(
    const float *planes, int32_t width, int32_t height, uint8_t *target, size_t target_row, int32_t bytes,
    const int32_t map[4]);

/// Rows of luma and, half as wide and high, pairs of blue and red differences as `BGRA`, by ITU-R BT.601, of full or
/// of video range.
void mlc_bgra_from_biplanar(
    const uint8_t *luma, size_t luma_row, const uint8_t *chroma, size_t chroma_row, int32_t width, int32_t height,
    int32_t is_full_range, uint8_t *target, size_t target_row);

/// What reads picture files, a retained object, where the module `ImageIO` is linked; else `NULL`.
void *mlc_linked_picture_reader(void);

#endif
