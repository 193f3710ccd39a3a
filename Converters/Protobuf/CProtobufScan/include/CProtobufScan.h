#ifndef CPROTOBUFSCAN_H
#define CPROTOBUFSCAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Splits a serialised protobuf message into its large payloads, which stay where they are, and a small rest.
///
/// The scan walks the message types that `rules` names. A length-delimited field of a payload rule that is at least
/// `minimum_length` bytes long is recorded (offset and length in the input) and left out of the rest; everything else
/// is copied. In place of the n-th recorded payload the rest holds the varint field `MLC_SCAN_MARKER` with value n,
/// in the message that held the payload. No schema can declare that field number, so decoders keep it as an unknown
/// field. The scan drops every field of the input that uses a number reserved like it (19000 to 19999) from the
/// messages it walks: a marker in the rest is always the scan's own, and a file cannot forge one.

/// The field number of markers, from the range that protobuf reserves to its implementations.
enum { MLC_SCAN_MARKER = 19000 };

/// In `next`: the field is a payload, not a message.
static const uint32_t MLC_SCAN_PAYLOAD = 0xffffffffu;

/// In messages of type `message`, field `field` holds a message of type `next`, or a payload. The caller chooses the
/// numbers of message types, below 256; 0 is the root. Fields without a rule are copied whole.
typedef struct {
  uint32_t message;
  uint32_t field;
  uint32_t next;
} MLCScanRule;

/// Where a payload lies in the input, and which field of which message type it was.
typedef struct {
  size_t offset;
  size_t length;
  uint32_t message;
  uint32_t field;
} MLCScanPayload;

typedef enum {
  MLC_SCAN_OK = 0,
  /// Truncated, a length beyond its message, a group, a tag of zero.
  MLC_SCAN_MALFORMED = 1,
  /// Walked messages nest deeper than the limit.
  MLC_SCAN_TOO_DEEP = 2,
  /// The input is over 2 GiB - 1, protobuf's own limit, or the rest is over its limit.
  MLC_SCAN_TOO_LARGE = 3,
  /// The system is out of memory.
  MLC_SCAN_OUT_OF_MEMORY = 4,
} MLCScanStatus;

typedef struct {
  size_t minimum_length;
  size_t maximum_rest;
  uint32_t maximum_depth;
} MLCScanLimits;

/// The result of a scan; it owns the rest and the records, and does not refer to the input.
typedef struct MLCScan MLCScan;

/// Scans `bytes[0..<size]`. On `MLC_SCAN_OK` stores a result in `*out`, which `mlc_scan_free` releases; otherwise
/// stores null. Memory in use stays within the rest's limit plus one record per payload.
MLCScanStatus mlc_scan(
    const uint8_t *bytes, size_t size, const MLCScanRule *rules, size_t rule_count, MLCScanLimits limits,
    MLCScan **out);

const uint8_t *mlc_scan_rest(const MLCScan *scan, size_t *length);
const MLCScanPayload *mlc_scan_payloads(const MLCScan *scan, size_t *count);
void mlc_scan_free(MLCScan *scan);

#ifdef __cplusplus
}
#endif

#endif
