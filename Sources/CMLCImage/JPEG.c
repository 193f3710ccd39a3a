#include "CMLCImage.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

/// More scans than any encoder writes: every scan revisits the whole picture, so their number bounds the work.
enum { maximum_scans = 64 };

/// What the library calls back into: `error.error_exit` leaves through `escape`, and no call frame but those of the
/// library and of this file lies between.
typedef struct {
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr error;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  /// What is answered after `escape`.
  int status;
  mlc_image_message *message;
} context;

static void leave(j_common_ptr common) {
  context *c = common->client_data;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  snprintf(c->message->text, sizeof c->message->text, "%s", text);
  longjmp(c->escape, 1);
}

/// The library patches damaged data up and warns (level -1). Bytes between markers are harmless; the rest is an error.
static void warn(j_common_ptr common, int level) {
  if (level < 0 && common->err->msg_code != JWRN_EXTRANEOUS_DATA) leave(common);
}

static void watch(j_common_ptr common) {
  context *c = common->client_data;
  if (c->decoder.input_scan_number <= maximum_scans) return;
  snprintf(c->message->text, sizeof c->message->text, "more than %d scans", maximum_scans);
  longjmp(c->escape, 1);
}

static void start(context *c, mlc_image_message *message) {
  memset(c, 0, sizeof *c);
  c->message = message;
  c->status = 1;
  c->decoder.err = jpeg_std_error(&c->error);
  c->error.error_exit = leave;
  c->error.emit_message = warn;
  c->progress.progress_monitor = watch;
  c->decoder.client_data = c;
}

static void read_header(context *c, const void *bytes, size_t count) {
  jpeg_create_decompress(&c->decoder);
  c->decoder.client_data = c;
  c->decoder.progress = &c->progress;
  jpeg_mem_src(&c->decoder, bytes, count);
  jpeg_read_header(&c->decoder, TRUE);
  const J_COLOR_SPACE colours = c->decoder.jpeg_color_space;
  if (colours != JCS_CMYK && colours != JCS_YCCK) return;
  snprintf(
      c->message->text, sizeof c->message->text,
      "its colours are CMYK, those of print; save it as RGB, as 'convert IN.jpg -colorspace sRGB OUT.jpg' does");
  c->status = MLC_IMAGE_UNSUPPORTED;
  longjmp(c->escape, 1);
}

int mlc_jpeg_size(const void *bytes, size_t count, mlc_image_size *size, mlc_image_message *message) {
  context c;
  start(&c, message);
  if (setjmp(c.escape)) {
    jpeg_destroy_decompress(&c.decoder);
    return c.status;
  }
  read_header(&c, bytes, count);
  size->width = c.decoder.image_width;
  size->height = c.decoder.image_height;
  size->channels = c.decoder.num_components == 1 ? 1 : 3;
  jpeg_destroy_decompress(&c.decoder);
  return 0;
}

void mlc_jpeg_reduce(mlc_image_size *size, uint32_t reduction) {
  size->width = (size->width + reduction - 1) / reduction;
  size->height = (size->height + reduction - 1) / reduction;
}

int mlc_jpeg_decode(
    const void *bytes, size_t count, const mlc_image_size *size, uint8_t *pixels, mlc_image_message *message) {
  return mlc_jpeg_decode_reduced(bytes, count, 1, size, pixels, message);
}

int mlc_jpeg_decode_reduced(
    const void *bytes, size_t count, uint32_t reduction, const mlc_image_size *size, uint8_t *pixels,
    mlc_image_message *message) {
  context c;
  start(&c, message);
  if (setjmp(c.escape)) {
    jpeg_destroy_decompress(&c.decoder);
    return c.status;
  }
  read_header(&c, bytes, count);
  c.decoder.out_color_space = size->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  c.decoder.scale_num = 1;
  c.decoder.scale_denom = reduction;
  jpeg_start_decompress(&c.decoder);
  if (c.decoder.output_width != size->width || c.decoder.output_height != size->height
      || (uint32_t)c.decoder.output_components != size->channels) {
    snprintf(message->text, sizeof message->text, "extents differ from the buffer's");
    longjmp(c.escape, 1);
  }
  while (c.decoder.output_scanline < c.decoder.output_height) {
    JSAMPROW row = pixels + (size_t)c.decoder.output_scanline * size->width * size->channels;
    jpeg_read_scanlines(&c.decoder, &row, 1);
  }
  jpeg_finish_decompress(&c.decoder);
  jpeg_destroy_decompress(&c.decoder);
  return 0;
}
