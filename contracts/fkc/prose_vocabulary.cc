#include "contracts/fkc/prose_vocabulary.h"

#include <algorithm>
#include <set>

#include "contracts/fkc/sentences.h"

namespace assay::fkc {

bool is_neutral(std::string_view word) {
  // Not "is" and "are": "Is NaN preserved" asks. Runs below have them behind a subject.
  static const std::set<std::string_view> kWords = {
      "a",        "all",     "always",     "an",         "and",
      "cast",     "casts",   "contiguous", "conversion", "deterministic",
      "each",     "element", "elements",   "every",      "754",
      "ieee",     "it",      "its",        "kernel",     "kernels",
      "lossless", "lossy",   "narrowing",  "output",     "outputs",
      "per",      "result",  "results",    "round",      "rounding",
      "rounds",   "single",  "so",         "the",        "this",
      "value",    "values",  "widening"};
  return kWords.count(word) > 0 || word.find(".rs:") != std::string_view::npos;
}

bool is_dtype_word(std::string_view word) {
  static const std::set<std::string_view> kWords = {"bf16", "f16", "f32", "f64", "i8",  "i16",
                                                    "i32",  "i64", "u8",  "u16", "u32", "u64"};
  return kWords.count(word) > 0;
}

const std::vector<std::string_view>& neutral_runs() {
  static const std::vector<std::string_view> runs = {
      "result|output|element|value|cast|conversion is",
      "results|outputs|elements|values are",
      "integer float",
      "float uint|int",
      "drops the? fractional part",
      "out of range is caller error",
      "f32 24 bit mantissa",
      "f64 53 bit mantissa covers u32",
      "preserves f32 exponent rounds 23 bit mantissa to bf16's 7 bits",
      "rounding follows the platform",
      "values outside f32's range saturate to inf",
      "clip to f16 range",
      "only the second leg loses precision",
      "direct nchw 2 d convolution with groups optional bias",
      "scatter form nchw 2 d transposed convolution with groups",
      "deterministic fixed summation order",
      "zero padding adds t::zero",
      "output region overlap accumulated into a fresh zero init buffer",
      "contributes 0",
      "per channel 2 d max pool square window no padding scalar stride",
      "result is bitwise stable",
      "max is exact",
  };
  return runs;
}

bool introduces(std::string_view text) {
  static const std::set<std::string_view> kWords = {
      "accuracy", "behavior",  "behaviour", "conversions", "details",   "guarantees", "notes",
      "numerics", "precision", "promises",  "properties",  "semantics", "special",    "guaranteed"};
  const std::vector<Sentence> sentences = sentences_of({{std::string(text), {1, 1}}});
  return std::all_of(sentences.begin(), sentences.end(), [](const Sentence& sentence) {
    return sentence.plain &&
           std::all_of(sentence.words.begin(), sentence.words.end(), [](const Word& word) {
             return is_neutral(word.text) || is_dtype_word(word.text) ||
                    kWords.count(word.text) > 0;
           });
  });
}

}  // namespace assay::fkc
