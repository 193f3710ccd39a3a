/// PNG and JPEG decoding and PNG encoding between memory buffers. Pixels are 8 bits a channel, rows top down, channels
/// interleaved: grey, grey + alpha, RGB or RGB + alpha for 1, 2, 3 or 4 channels.
///
/// Functions answer 0 for success, `MLC_IMAGE_UNSUPPORTED` for files that are sound and not read, 1 for others. On
/// failure `message` holds one line of text and nothing else has been promised.
#ifndef CMLC_IMAGE_H
#define CMLC_IMAGE_H
#include <stddef.h>
#include <stdint.h>

enum { MLC_IMAGE_UNSUPPORTED = 2 };

typedef struct {
  uint32_t width, height, channels;
} mlc_image_size;

typedef struct {
  char text[256];
} mlc_image_message;

/// Extents and the channel count that the file itself has. JPEG files have 1 or 3 channels.
int mlc_png_size(const void *bytes, size_t count, mlc_image_size *size, mlc_image_message *message);
int mlc_jpeg_size(const void *bytes, size_t count, mlc_image_size *size, mlc_image_message *message);

/// Decodes into `pixels`, which holds `width * height * channels` bytes and whose extents must be the file's. Where
/// alpha is dropped, pixels are laid over white. A file that is cut short or damaged is an error, not a partly grey
/// picture.
int mlc_png_decode(
    const void *bytes, size_t count, const mlc_image_size *size, uint8_t *pixels, mlc_image_message *message);
int mlc_jpeg_decode(
    const void *bytes, size_t count, const mlc_image_size *size, uint8_t *pixels, mlc_image_message *message);

/// `size` as a picture has it of which about each `reduction`-th pixel along rows and columns is decoded.
void mlc_jpeg_reduce(mlc_image_size *size, uint32_t reduction);
/// Decodes as `mlc_jpeg_decode` does, reduced by 1, 2, 4 or 8 as libjpeg means it, into the extents that
/// `mlc_jpeg_reduce` says: blocks of 8 × 8 pixels become so much smaller, each a mean.
int mlc_jpeg_decode_reduced(
    const void *bytes, size_t count, uint32_t reduction, const mlc_image_size *size, uint8_t *pixels,
    mlc_image_message *message);

/// An upper bound for the encoded bytes of a picture.
size_t mlc_png_bound(const mlc_image_size *size);
/// Encodes into `bytes`, which holds `*count` bytes, and sets `*count` to the bytes used.
int mlc_png_encode(
    const uint8_t *pixels, const mlc_image_size *size, void *bytes, size_t *count, mlc_image_message *message);

#endif
