#include "CMLCPixels.h"

/// Defined by the module `ImageIO`.
extern void *mlc_picture_reader(void) __attribute__((weak));

void *mlc_linked_picture_reader(void) { return mlc_picture_reader ? mlc_picture_reader() : NULL; }
