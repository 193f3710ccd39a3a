#include "CProtobufScan.h"

#include <climits>
#include <google/protobuf/io/coded_stream.h>
#include <memory>
#include <string>
#include <vector>

using google::protobuf::io::CodedInputStream;

struct MLCScan {
  std::string rest;
  std::vector<MLCScanPayload> payloads;
};

namespace {

constexpr uint32_t kMessageTypes = 256;
constexpr uint32_t kReservedFirst = 19000, kReservedLast = 19999;
/// Lengths of copied messages are written at this width, so that they can be filled in afterwards.
constexpr size_t kLengthBytes = 5;

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kDelimited = 2, kFixed32 = 5 };

class Scanner {
 public:
  Scanner(const uint8_t *bytes, size_t size, MLCScanLimits limits, MLCScan &result)
      : bytes_(bytes), input_(bytes, static_cast<int>(size)), limits_(limits), result_(result), rules_(kMessageTypes) {
    input_.SetTotalBytesLimit(INT_MAX);
  }

  void add(const MLCScanRule &rule) {
    if (rule.message < kMessageTypes) rules_[rule.message].push_back(rule);
  }

  /// Reads fields up to the current limit.
  MLCScanStatus walk(uint32_t message, uint32_t depth) {
    if (depth > limits_.maximum_depth) return MLC_SCAN_TOO_DEEP;
    while (uint32_t tag = input_.ReadTag()) {
      MLCScanStatus status = field(message, tag, depth);
      if (status != MLC_SCAN_OK) return status;
      if (result_.rest.size() > limits_.maximum_rest) return MLC_SCAN_TOO_LARGE;
    }
    return input_.ConsumedEntireMessage() ? MLC_SCAN_OK : MLC_SCAN_MALFORMED;
  }

 private:
  MLCScanStatus field(uint32_t message, uint32_t tag, uint32_t depth) {
    const uint32_t number = tag >> 3;
    if (number == 0) return MLC_SCAN_MALFORMED;
    const bool keep = number < kReservedFirst || number > kReservedLast;
    switch (tag & 7) {
      case kVarint: {
        uint64_t value;
        if (!input_.ReadVarint64(&value)) return MLC_SCAN_MALFORMED;
        if (keep) put(tag), put(value);
        return MLC_SCAN_OK;
      }
      case kFixed64: return copy(tag, 8, keep);
      case kFixed32: return copy(tag, 4, keep);
      case kDelimited: return delimited(message, tag, keep, depth);
      default: return MLC_SCAN_MALFORMED;
    }
  }

  MLCScanStatus delimited(uint32_t message, uint32_t tag, bool keep, uint32_t depth) {
    int length;
    if (!input_.ReadVarintSizeAsInt(&length) || length > input_.BytesUntilLimit()) return MLC_SCAN_MALFORMED;
    const MLCScanRule *rule = find(message, tag >> 3);
    if (rule && rule->next != MLC_SCAN_PAYLOAD) return descend(rule->next, tag, length, depth);
    if (rule && static_cast<size_t>(length) >= limits_.minimum_length) {
      put(uint64_t{MLC_SCAN_MARKER} << 3 | kVarint), put(result_.payloads.size());
      result_.payloads.push_back(
          {static_cast<size_t>(input_.CurrentPosition()), static_cast<size_t>(length), message, tag >> 3});
      return input_.Skip(length) ? MLC_SCAN_OK : MLC_SCAN_MALFORMED;
    }
    if (keep) put(tag), put(static_cast<uint64_t>(length));
    return copy(0, length, keep);
  }

  MLCScanStatus descend(uint32_t message, uint32_t tag, int length, uint32_t depth) {
    put(tag);
    const size_t start = result_.rest.size();
    result_.rest.append(kLengthBytes, '\0');
    const CodedInputStream::Limit limit = input_.PushLimit(length);
    const MLCScanStatus status = walk(message, depth + 1);
    input_.PopLimit(limit);
    uint64_t size = result_.rest.size() - start - kLengthBytes;
    for (size_t i = 0; i < kLengthBytes; ++i, size >>= 7) {
      const uint8_t more = i + 1 < kLengthBytes ? 0x80 : 0;
      result_.rest[start + i] = static_cast<char>((size & 0x7f) | more);
    }
    return status;
  }

  /// Copies `length` bytes after `tag`, or skips them; a tag of 0 is not written.
  MLCScanStatus copy(uint32_t tag, int length, bool keep) {
    if (length > input_.BytesUntilLimit()) return MLC_SCAN_MALFORMED;
    if (keep) {
      if (result_.rest.size() + static_cast<size_t>(length) > limits_.maximum_rest) return MLC_SCAN_TOO_LARGE;
      if (tag != 0) put(tag);
      result_.rest.append(reinterpret_cast<const char *>(bytes_ + input_.CurrentPosition()), length);
    }
    return input_.Skip(length) ? MLC_SCAN_OK : MLC_SCAN_MALFORMED;
  }

  const MLCScanRule *find(uint32_t message, uint32_t number) const {
    if (message >= kMessageTypes) return nullptr;
    for (const MLCScanRule &rule : rules_[message])
      if (rule.field == number) return &rule;
    return nullptr;
  }

  /// Appends a varint.
  void put(uint64_t value) {
    for (; value >= 0x80; value >>= 7) result_.rest.push_back(static_cast<char>((value & 0x7f) | 0x80));
    result_.rest.push_back(static_cast<char>(value));
  }

  const uint8_t *bytes_;
  CodedInputStream input_;
  MLCScanLimits limits_;
  MLCScan &result_;
  std::vector<std::vector<MLCScanRule>> rules_;
};

}  // namespace

MLCScanStatus mlc_scan(
    const uint8_t *bytes, size_t size, const MLCScanRule *rules, size_t rule_count, MLCScanLimits limits,
    MLCScan **out) {
  *out = nullptr;
  if (size > INT_MAX) return MLC_SCAN_TOO_LARGE;
  try {
    auto result = std::make_unique<MLCScan>();
    Scanner scanner(bytes, size, limits, *result);
    for (size_t i = 0; i < rule_count; ++i) scanner.add(rules[i]);
    const MLCScanStatus status = scanner.walk(0, 0);
    if (status == MLC_SCAN_OK) *out = result.release();
    return status;
  } catch (...) {
    return MLC_SCAN_OUT_OF_MEMORY;
  }
}

const uint8_t *mlc_scan_rest(const MLCScan *scan, size_t *length) {
  *length = scan->rest.size();
  return reinterpret_cast<const uint8_t *>(scan->rest.data());
}

const MLCScanPayload *mlc_scan_payloads(const MLCScan *scan, size_t *count) {
  *count = scan->payloads.size();
  return scan->payloads.data();
}

void mlc_scan_free(MLCScan *scan) { delete scan; }
