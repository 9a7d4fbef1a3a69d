// XXH3-64 with the widest instructions of this CPU, where the library offers the choice.
#pragma once

#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>  // redirects the XXH3 functions to dispatching ones
#endif

#include <memory>

namespace assay {

/// A streaming digest, reset.
class DigestState {
 public:
  DigestState() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  XXH3_state_t* get() const { return state_.get(); }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

}  // namespace assay
