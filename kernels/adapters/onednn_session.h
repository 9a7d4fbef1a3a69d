// What the adapters of oneDNN share: its engine, and its errors as refusals.
#pragma once

#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "kernels/adapters/element_wise.h"

namespace assay_adapters::onednn {

/// Of the process: made by the first call, since worker processes are forked before that.
inline const dnnl::engine& engine() {
  static const dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

inline void run(const dnnl::primitive& primitive,
                const std::unordered_map<int, dnnl::memory>& arguments) {
  dnnl::stream stream(engine());
  primitive.execute(stream, arguments);
  stream.wait();
}

/// A tensor that stays where it is. oneDNN's memory objects take no constant addresses, and
/// sources are not written.
inline dnnl::memory view(const dnnl::memory::desc& description, const void* data) {
  return dnnl::memory(description, engine(), const_cast<void*>(data));
}

/// The kernel, with the library's exceptions as refusals.
template <std::int32_t (*kernel)(const assay_call*)>
std::int32_t guarded(const assay_call* call) {
  try {
    return kernel(call);
  } catch (const std::exception& error) {
    return refuse(*call, ASSAY_FAILED, error.what());
  }
}

}  // namespace assay_adapters::onednn
