#include "contracts/fkc/revision_hash.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string>

#include "contracts/fkc/text.h"

namespace assay::fkc {

namespace {

constexpr char kRecordEnd = '\x1E';
constexpr char kUnitEnd = '\x1F';

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  return hash;
}

std::string_view text_of(const Node* map, std::string_view key) {
  const Node* node = map == nullptr ? nullptr : map->find(key);
  return node != nullptr && node->is_scalar() ? trim(node->text) : std::string_view();
}

const Node* child(const Node* map, std::string_view key) {
  return map == nullptr ? nullptr : map->find(key);
}

std::string joined(const Node* map, std::initializer_list<std::string_view> keys) {
  std::string text;
  for (const std::string_view key : keys) {
    if (key != *keys.begin()) text += '|';
    text += text_of(map, key);
  }
  return text;
}

class Records {
 public:
  void add(std::string_view key, std::string_view value) {
    text_ += key;
    text_ += '=';
    text_ += value;
    text_ += kRecordEnd;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_input(const Node& input, std::size_t index, Records& records) {
  const std::string prefix = fmt::format("in{}.", index);
  records.add(prefix + "name", text_of(&input, "name"));
  std::string dtypes;
  if (const Node* list = input.find("dtypes"); list != nullptr) {
    for (const Node& item : list->items) {
      if (!dtypes.empty()) dtypes += ',';
      dtypes += trim(item.text);
    }
  }
  records.add(prefix + "dtypes", dtypes);
  records.add(prefix + "dtype_class", text_of(&input, "dtype_class"));
  if (const Node* layout = input.find("layout"); layout != nullptr && layout->is_mapping()) {
    records.add(prefix + "layout", joined(layout, {"contiguous", "strided", "broadcast_stride0",
                                                   "start_offset", "reverse_strides"}));
  }
  const Node* quant = child(input.find("fdx"), "quant");
  if (quant != nullptr && quant->is_mapping()) {
    records.add(prefix + "quant",
                joined(quant, {"family", "ggml_dtype", "granularity", "role", "scale_operand"}));
  }
}

}  // namespace

std::uint64_t revision_hash_of_records(const Node& block, std::string_view revision_base) {
  Records records;
  for (const std::string_view key :
       {"op_kind", "fused_op", "backend", "kernel_source", "entry_point", "determinism"}) {
    records.add(key, text_of(&block, key));
  }
  const Node* accept = block.find("accept");
  if (const Node* inputs = child(accept, "inputs"); inputs != nullptr) {
    for (std::size_t i = 0; i < inputs->items.size(); ++i) {
      add_input(inputs->items[i], i, records);
    }
  }
  records.add("op_params.variant", text_of(child(accept, "op_params"), "variant"));
  const Node* cost = block.find("cost");
  for (const std::string_view key : {"flops", "bytes_moved", "class", "provenance"}) {
    records.add("cost." + std::string(key), text_of(cost, key));
  }
  return revision_hash_of_bytes(records.text(), text_of(&block, "entry_point"), revision_base);
}

std::uint64_t revision_hash_of_bytes(std::string_view bytes, std::string_view entry_point,
                                     std::string_view revision_base) {
  std::string text(entry_point);
  text += kUnitEnd;
  text += revision_base;
  text += kUnitEnd;
  text += bytes;
  return fnv1a(text);
}

}  // namespace assay::fkc
