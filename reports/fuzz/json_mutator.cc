// Mutations of JSON that leave it JSON: a value in its tree is taken away, doubled, moved, or
// becomes another one. Every other time, and where the bytes are no JSON, libFuzzer's own on the
// bytes.
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::ordered_json;

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  void mutate(Json& root) {
    std::vector<Json*> parents;
    collect(root, parents);
    if (parents.empty()) return;
    Json& parent = *parents[below(parents.size())];
    const auto victim = static_cast<std::ptrdiff_t>(below(parent.size()));
    const auto at = std::next(parent.begin(), victim);
    switch (below(6)) {
      case 0:
        parent.erase(at);
        break;
      case 1:
        if (parent.is_array()) parent.push_back(*at);
        break;
      case 2: {
        // Another value of the same tree.
        const Json& other = *parents[below(parents.size())];
        Json copy = *std::next(other.begin(), static_cast<std::ptrdiff_t>(below(other.size())));
        *at = std::move(copy);
        break;
      }
      case 3:
        std::swap(*at,
                  *std::next(parent.begin(), static_cast<std::ptrdiff_t>(below(parent.size()))));
        break;
      default:
        *at = changed(*at);
        break;
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  static void collect(Json& value, std::vector<Json*>& parents) {
    if (!value.is_structured() || value.empty()) return;
    parents.push_back(&value);
    for (Json& child : value) collect(child, parents);
  }

  Json changed(const Json& value) {
    if (value.is_string() && below(3) != 0) return text(value.get<std::string>());
    static const std::vector<Json> kValues = {nullptr,
                                              true,
                                              false,
                                              0,
                                              1,
                                              -1,
                                              2,
                                              0.5,
                                              -0.0,
                                              1e308,
                                              1e-320,
                                              18446744073709551615u,
                                              INT64_MIN,
                                              INT64_MAX,
                                              4294967296,
                                              "",
                                              "0x",
                                              "0x7e01",
                                              "upheld",
                                              "refuted",
                                              "unclaimed",
                                              "undecided",
                                              "error",
                                              "exhaustive",
                                              "sampled",
                                              "NaN",
                                              "inf",
                                              Json::array(),
                                              Json::object()};
    return kValues[below(kValues.size())];
  }
  std::string text(std::string value) {
    static const char* const kParts[] = {"\n", "\x1b[2J", "\xe2\x80\xae", "<b>", "|", "`", "&",
                                         "\"", "\\",      "]]>",          "../", "0", "a", "%1f"};
    const std::string part = kParts[below(std::size(kParts))];
    const std::size_t at = below(value.size() + 1);
    if (below(2) == 0 || value.empty()) return value.insert(at, part);
    return value.erase(at);
  }

  std::minstd_rand random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 2 == 1) return LLVMFuzzerMutate(data, size, most);
  Json json = Json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return LLVMFuzzerMutate(data, size, most);
  Mutator(seed / 2).mutate(json);
  const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
