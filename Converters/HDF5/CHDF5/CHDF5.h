// libhdf5, and as functions what its headers spell as macros, which Swift does not see.
#pragma once
#include <hdf5.h>
#include <stdint.h>
#include <string.h>

static inline int mlc_h5_prepare(void) {
  if (H5open() < 0) return -1;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  // No filter is loaded from files: a plug-in is foreign code.
  return H5PLset_loading_state(0) < 0 ? -1 : 0;
}

static inline hid_t mlc_h5_open(const char *path) { return H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT); }

/// Identity of an object in its file, its kind, how many attributes it has. 0 when that can be read.
static inline int mlc_h5_object(hid_t object, uint64_t *identity, int *kind, uint64_t *attributes) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  if (H5Oget_info3(object, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) < 0) return -1;
  memcpy(identity, &info.token, sizeof *identity);
#else
  H5O_info_t info;
  if (H5Oget_info2(object, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) < 0) return -1;
  *identity = info.addr;
#endif
  *kind = (int)info.type;
  *attributes = info.num_attrs;
  return 0;
}
enum { mlc_h5_group = H5O_TYPE_GROUP, mlc_h5_dataset = H5O_TYPE_DATASET };

/// How many links a group has; negative when that cannot be read.
static inline int64_t mlc_h5_link_count(hid_t group) {
  H5G_info_t info;
  return H5Gget_info(group, &info) < 0 ? -1 : (int64_t)info.nlinks;
}
/// The name of link `index`, in the order of names; its length, or negative.
static inline int64_t mlc_h5_link_name(hid_t group, uint64_t index, char *name, size_t size) {
  return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, size, H5P_DEFAULT);
}
/// 0 a hard link, 1 a soft one, 2 one into another file or of a kind unknown; negative when it cannot be read.
static inline int mlc_h5_link_kind(hid_t group, const char *name) {
#if H5_VERSION_GE(1, 12, 0)
  H5L_info2_t info;
  if (H5Lget_info2(group, name, &info, H5P_DEFAULT) < 0) return -1;
#else
  H5L_info_t info;
  if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) return -1;
#endif
  return info.type == H5L_TYPE_HARD ? 0 : info.type == H5L_TYPE_SOFT ? 1 : 2;
}
static inline hid_t mlc_h5_open_object(hid_t group, const char *name) { return H5Oopen(group, name, H5P_DEFAULT); }

static inline hid_t mlc_h5_attribute(hid_t object, uint64_t index) {
  return H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, index, H5P_DEFAULT, H5P_DEFAULT);
}

/// Reads the whole dataset as elements of `type`.
static inline int mlc_h5_read(hid_t dataset, hid_t type, void *memory) {
  return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory);
}
/// The names and numbers of a dataset's creation properties: 1 compact, 2 contiguous, 3 chunked, 4 anything else.
static inline int mlc_h5_layout(hid_t properties) {
  switch (H5Pget_layout(properties)) {
    case H5D_COMPACT: return 1;
    case H5D_CONTIGUOUS: return 2;
    case H5D_CHUNKED: return 3;
    default: return 4;
  }
}
static inline int64_t mlc_h5_filter_name(hid_t properties, unsigned index, char *name, size_t size) {
  unsigned flags;
  size_t values = 0;
  return H5Pget_filter2(properties, index, &flags, &values, NULL, size, name, NULL);
}
/// The dataset's place in the file, or -1 when its storage is not allocated.
static inline int64_t mlc_h5_offset(hid_t dataset) {
  haddr_t offset = H5Dget_offset(dataset);
  return offset == HADDR_UNDEF || offset > INT64_MAX ? -1 : (int64_t)offset;
}

enum { mlc_h5_integer, mlc_h5_float, mlc_h5_string, mlc_h5_enumeration, mlc_h5_compound, mlc_h5_other };
static inline int mlc_h5_class(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return mlc_h5_integer;
    case H5T_FLOAT: return mlc_h5_float;
    case H5T_STRING: return mlc_h5_string;
    case H5T_ENUM: return mlc_h5_enumeration;
    case H5T_COMPOUND: return mlc_h5_compound;
    default: return mlc_h5_other;
  }
}
static inline int mlc_h5_is_little_endian(hid_t type) { return H5Tget_order(type) == H5T_ORDER_LE; }
static inline int mlc_h5_is_signed(hid_t type) { return H5Tget_sign(type) == H5T_SGN_2; }

/// The type of this machine for integers or floats of `size` bytes; negative when there is none.
static inline hid_t mlc_h5_native(int is_float, size_t size, int is_signed) {
  if (is_float) return size <= 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  switch (size) {
    case 1: return is_signed ? H5T_NATIVE_INT8 : H5T_NATIVE_UINT8;
    case 2: return is_signed ? H5T_NATIVE_INT16 : H5T_NATIVE_UINT16;
    case 4: return is_signed ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT32;
    case 8: return is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    default: return -1;
  }
}

/// Whether a little-endian float is IEEE's of 2, 4 or 8 bytes, or bfloat16: 1, 2, or 0 for neither.
static inline int mlc_h5_float_format(hid_t type) {
  size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
  if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) < 0) return 0;
  if (H5Tget_norm(type) != H5T_NORM_IMPLIED || H5Tget_offset(type) != 0 || mantissa != 0) return 0;
  size_t bits = 8 * H5Tget_size(type), bias = H5Tget_ebias(type);
  if (H5Tget_precision(type) != bits || sign != bits - 1 || exponent != mantissa_bits) return 0;
  if (bits == 16 && exponent_bits == 5 && mantissa_bits == 10 && bias == 15) return 1;
  if (bits == 16 && exponent_bits == 8 && mantissa_bits == 7 && bias == 127) return 2;
  if (bits == 32 && exponent_bits == 8 && mantissa_bits == 23 && bias == 127) return 1;
  if (bits == 64 && exponent_bits == 11 && mantissa_bits == 52 && bias == 1023) return 1;
  return 0;
}

/// Strings of an attribute whose length each says itself; free them with `mlc_h5_free_strings`.
static inline hid_t mlc_h5_variable_string(hid_t file_type) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0) return type;
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5Tget_cset(file_type));
  return type;
}
static inline void mlc_h5_free_strings(hid_t type, hid_t space, void *strings) {
#if H5_VERSION_GE(1, 12, 0)
  H5Treclaim(type, space, H5P_DEFAULT, strings);
#else
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, strings);
#endif
}
