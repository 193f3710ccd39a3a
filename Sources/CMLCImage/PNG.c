#include "CMLCImage.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

static int fail(png_image *image, mlc_image_message *message) {
  snprintf(message->text, sizeof message->text, "%s", image->message);
  png_image_free(image);
  return 1;
}

static png_uint_32 format_of(uint32_t channels) {
  switch (channels) {
    case 1: return PNG_FORMAT_GRAY;
    case 2: return PNG_FORMAT_GA;
    case 3: return PNG_FORMAT_RGB;
    default: return PNG_FORMAT_RGBA;
  }
}

/// 16-bit channels are taken to be as bright as 8-bit ones of the same fraction, which is what files hold; libpng's own
/// guess, without a word in the file, is light in linear steps.
static int begin(png_image *image, const void *bytes, size_t count, mlc_image_message *message) {
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(image, bytes, count)) return fail(image, message);
  image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  return 0;
}

int mlc_png_size(const void *bytes, size_t count, mlc_image_size *size, mlc_image_message *message) {
  png_image image;
  if (begin(&image, bytes, count, message)) return 1;
  size->width = image.width;
  size->height = image.height;
  size->channels = (image.format & PNG_FORMAT_FLAG_COLOR ? 3 : 1) + (image.format & PNG_FORMAT_FLAG_ALPHA ? 1 : 0);
  png_image_free(&image);
  return 0;
}

int mlc_png_decode(
    const void *bytes, size_t count, const mlc_image_size *size, uint8_t *pixels, mlc_image_message *message) {
  png_image image;
  if (begin(&image, bytes, count, message)) return 1;
  if (image.width != size->width || image.height != size->height) {
    snprintf(image.message, sizeof image.message, "extents differ from the buffer's");
    return fail(&image, message);
  }
  image.format = format_of(size->channels);
  const png_color white = {255, 255, 255};
  const png_int_32 stride = (png_int_32)(size->width * size->channels);
  if (!png_image_finish_read(&image, &white, pixels, stride, NULL)) return fail(&image, message);
  png_image_free(&image);
  return 0;
}

static png_image described(const mlc_image_size *size) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = size->width;
  image.height = size->height;
  image.format = format_of(size->channels);
  return image;
}

size_t mlc_png_bound(const mlc_image_size *size) {
  const png_image image = described(size);
  return PNG_IMAGE_PNG_SIZE_MAX(image);
}

int mlc_png_encode(
    const uint8_t *pixels, const mlc_image_size *size, void *bytes, size_t *count, mlc_image_message *message) {
  png_image image = described(size);
  png_alloc_size_t used = *count;
  if (!png_image_write_to_memory(&image, bytes, &used, 0, pixels, 0, NULL)) return fail(&image, message);
  *count = used;
  png_image_free(&image);
  return 0;
}
