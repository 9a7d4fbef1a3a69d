#include "audit/worker/fp_environment.h"

#include <cfenv>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {

#if defined(__x86_64__)

namespace {
constexpr std::uint32_t kMxcsrFlags = 0x3f;
constexpr std::uint32_t kMxcsrRounding = 0x6000;
constexpr std::uint32_t kMxcsrFlush = 0x8040;  // FTZ and DAZ
constexpr std::uint32_t kMxcsrMasks = 0x1f80;
constexpr unsigned kX87Rounding = 0x0c00;

const char* rounding_name(std::uint32_t mxcsr) {
  constexpr const char* names[] = {"to nearest", "downward", "upward", "toward zero"};
  return names[(mxcsr & kMxcsrRounding) >> 13];
}
}  // namespace

FpEnvironment FpEnvironment::current() {
  FpEnvironment now;
  now.sse_control = _mm_getcsr() & ~kMxcsrFlags;
  asm volatile("fnstcw %0" : "=m"(now.x87_control));
  return now;
}

void FpEnvironment::restore() const {
  _mm_setcsr(sse_control);
  asm volatile("fldcw %0" : : "m"(x87_control));
}

std::string describe_change(const FpEnvironment& before, const FpEnvironment& after) {
  std::string text;
  const std::uint32_t changed = before.sse_control ^ after.sse_control;
  if ((changed & kMxcsrRounding) != 0) {
    text += std::string("MXCSR rounding ") + rounding_name(before.sse_control) + " became " +
            rounding_name(after.sse_control) + "; ";
  }
  if ((changed & kMxcsrFlush) != 0) text += "MXCSR flush-to-zero or denormals-are-zero changed; ";
  if ((changed & kMxcsrMasks) != 0) text += "MXCSR exception masks changed; ";
  if (before.x87_control != after.x87_control) text += "the x87 control word changed; ";
  if (!text.empty()) text.resize(text.size() - 2);
  return text;
}

FpEnvironment fp_setting(int index, const FpEnvironment& base) {
  FpEnvironment setting = base;
  setting.sse_control &= ~(kMxcsrRounding | kMxcsrFlush);
  setting.sse_control |= static_cast<std::uint32_t>(index % 4) << 13;
  if (index >= 4) setting.sse_control |= kMxcsrFlush;
  // Both units alike, as fesetround() leaves them: a kernel that saves the mode with fegetround(),
  // which reads the x87 one, must not seem to change the other when it puts it back.
  setting.x87_control = static_cast<std::uint16_t>((setting.x87_control & ~kX87Rounding) |
                                                   static_cast<unsigned>(index % 4) << 10);
  return setting;
}

namespace {

__attribute__((target("avx512f"))) void dirty_512() {
  asm volatile(
      "vpternlogd $0xff, %%zmm0, %%zmm0, %%zmm0\n vmovdqa64 %%zmm0, %%zmm1\n"
      "vmovdqa64 %%zmm0, %%zmm2\n vmovdqa64 %%zmm0, %%zmm3\n vmovdqa64 %%zmm0, %%zmm4\n"
      "vmovdqa64 %%zmm0, %%zmm5\n vmovdqa64 %%zmm0, %%zmm6\n vmovdqa64 %%zmm0, %%zmm7\n"
      "vmovdqa64 %%zmm0, %%zmm8\n vmovdqa64 %%zmm0, %%zmm9\n vmovdqa64 %%zmm0, %%zmm10\n"
      "vmovdqa64 %%zmm0, %%zmm11\n vmovdqa64 %%zmm0, %%zmm12\n vmovdqa64 %%zmm0, %%zmm13\n"
      "vmovdqa64 %%zmm0, %%zmm14\n vmovdqa64 %%zmm0, %%zmm15\n vmovdqa64 %%zmm0, %%zmm16\n"
      "vmovdqa64 %%zmm0, %%zmm24\n vmovdqa64 %%zmm0, %%zmm31\n"
      :
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm24", "xmm31");
}

__attribute__((target("avx2"))) void dirty_256() {
  asm volatile(
      "vpcmpeqd %%ymm0, %%ymm0, %%ymm0\n vmovdqa %%ymm0, %%ymm1\n vmovdqa %%ymm0, %%ymm2\n"
      "vmovdqa %%ymm0, %%ymm3\n vmovdqa %%ymm0, %%ymm4\n vmovdqa %%ymm0, %%ymm5\n"
      "vmovdqa %%ymm0, %%ymm6\n vmovdqa %%ymm0, %%ymm7\n vmovdqa %%ymm0, %%ymm8\n"
      "vmovdqa %%ymm0, %%ymm9\n vmovdqa %%ymm0, %%ymm10\n vmovdqa %%ymm0, %%ymm11\n"
      "vmovdqa %%ymm0, %%ymm12\n vmovdqa %%ymm0, %%ymm13\n vmovdqa %%ymm0, %%ymm14\n"
      "vmovdqa %%ymm0, %%ymm15\n"
      :
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void dirty_128() {
  asm volatile(
      "pcmpeqd %%xmm0, %%xmm0\n movdqa %%xmm0, %%xmm1\n movdqa %%xmm0, %%xmm2\n"
      "movdqa %%xmm0, %%xmm3\n movdqa %%xmm0, %%xmm4\n movdqa %%xmm0, %%xmm5\n"
      "movdqa %%xmm0, %%xmm6\n movdqa %%xmm0, %%xmm7\n movdqa %%xmm0, %%xmm8\n"
      "movdqa %%xmm0, %%xmm9\n movdqa %%xmm0, %%xmm10\n movdqa %%xmm0, %%xmm11\n"
      "movdqa %%xmm0, %%xmm12\n movdqa %%xmm0, %%xmm13\n movdqa %%xmm0, %%xmm14\n"
      "movdqa %%xmm0, %%xmm15\n"
      :
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

}  // namespace

void dirty_vector_registers() {
  if (__builtin_cpu_supports("avx512f")) {
    dirty_512();
  } else if (__builtin_cpu_supports("avx2")) {
    dirty_256();
  } else {
    dirty_128();
  }
}

namespace {

__attribute__((target("avx"))) void clear_256() {
  asm volatile("vzeroall"
               :
               :
               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                 "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void clear_128() {
  asm volatile(
      "pxor %%xmm0, %%xmm0\n pxor %%xmm1, %%xmm1\n pxor %%xmm2, %%xmm2\n"
      "pxor %%xmm3, %%xmm3\n pxor %%xmm4, %%xmm4\n pxor %%xmm5, %%xmm5\n"
      "pxor %%xmm6, %%xmm6\n pxor %%xmm7, %%xmm7\n pxor %%xmm8, %%xmm8\n"
      "pxor %%xmm9, %%xmm9\n pxor %%xmm10, %%xmm10\n pxor %%xmm11, %%xmm11\n"
      "pxor %%xmm12, %%xmm12\n pxor %%xmm13, %%xmm13\n pxor %%xmm14, %%xmm14\n"
      "pxor %%xmm15, %%xmm15\n"
      :
      :
      : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

}  // namespace

void clear_vector_registers() {
  if (__builtin_cpu_supports("avx")) {
    clear_256();
  } else {
    clear_128();
  }
}

#else

FpEnvironment FpEnvironment::current() {
  FpEnvironment now;
  now.sse_control = static_cast<std::uint32_t>(std::fegetround());
  return now;
}

void FpEnvironment::restore() const {
  std::fesetround(static_cast<int>(sse_control));
}

std::string describe_change(const FpEnvironment& before, const FpEnvironment& after) {
  return before == after ? "" : "the rounding mode changed";
}

FpEnvironment fp_setting(int index, const FpEnvironment& base) {
  constexpr int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  FpEnvironment setting = base;
  setting.sse_control = static_cast<std::uint32_t>(modes[index % 4]);
  return setting;
}

void dirty_vector_registers() {}

void clear_vector_registers() {}

#endif

}  // namespace assay
