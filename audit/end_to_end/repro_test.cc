// Tokens of reports run again, by the program and in this process.
#include "audit/repro/repeat.h"

#include <cfenv>

#include "audit/end_to_end/testing/program.h"
#include "audit/end_to_end/testing/quick_audit.h"
#include "audit/end_to_end/testing/report.h"
#include "audit/token/word.h"
#include "audit/worker/plugins.h"
#include "contracts/testing/catch.h"

namespace {

using namespace assay;
using namespace assay::testing;

constexpr const char* kF32ToF16 = "fuel_reference_backend::ops::cast_f32_to_f16";
const std::string kContract = ASSAY_SOURCE_DIR "/contracts/reference/cast.fkc.md";

AuditOptions options() {
  AuditOptions chosen;
  chosen.threads = 2;
  chosen.hang_after = std::chrono::seconds(3);
  return chosen;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A token of one call of f32 to f16, whose only element is 1 + 2^-11: a tie.
Token tie(const std::string& variant) {
  Token token;
  token.kernel = "cast_f32_to_f16";
  token.contract = kContract;
  for (const fkc::KernelContract& contract : shipped_contracts()[0].kernels) {
    if (contract.kernel == token.kernel) token.revision = contract_revision(contract);
  }
  token.variant = variant;
  token.claim = ClaimKind::kRounding;
  token.effort = Effort::kQuick;
  token.call = TokenCall{Dtype::kF32, {{0x3f801000}}, {}, 0};
  return token;
}

Repeated repeated(const Token& token) {
  return repeat(token, shipped_contracts(), built_in_registry(), options());
}

/// The message with which a token is refused.
std::string refusal(const Token& token) {
  try {
    static_cast<void>(repeated(token));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("one call runs again and holds, with what came and what was due") {
  const Repeated now = repeated(tie("scalar"));
  CHECK(now.outcome == Repeated::Outcome::kHolds);
  CHECK(has(now.ran, "64 times"));
  REQUIRE(now.example);
  CHECK(now.example->got.bits == std::vector<std::string>{"0x3c00"});
  CHECK(now.example->expected.bits == std::vector<std::string>{"0x3c00"});
  CHECK(now.notes.empty());
}

TEST_CASE("a token that fits no kernel, claim or call is refused with the reason") {
  const auto with = [](auto&& change) {
    Token token = tie("scalar");
    change(token);
    return refusal(token);
  };
  CHECK(has(with([](Token& t) { t.kernel = "cast_*"; }), "has no kernel 'cast_*'"));
  CHECK(has(with([](Token& t) { t.kernel = "cast_f32_to_f1[6]"; }), "has no kernel"));
  CHECK(has(with([](Token& t) { t.claim = ClaimKind::kErrorBound; }), "does not claim"));
  CHECK(has(with([](Token& t) { t.claim = ClaimKind::kInBounds; }), "cannot show anything"));
  CHECK(has(with([](Token& t) { t.call->dtype = Dtype::kF64; }), "of f64, the kernel's of f32"));
  CHECK(has(with([](Token& t) { t.call->at = 1; }), "element 1"));
  CHECK(has(with([](Token& t) { t.call->operands[0].clear(); }), "1 to 2048 elements"));
  CHECK(has(with([](Token& t) { t.call->operands[0].resize(2049); }), "1 to 2048 elements"));
  CHECK(has(with([](Token& t) { t.call->operands.emplace_back(); }), "one tensor"));
  CHECK(has(with([](Token& t) { t.call->geometry = {1}; }), "one tensor"));
  CHECK(has(with([](Token& t) { t.kernel = "conv2d"; }), "does not claim"));
  CHECK(has(with([](Token& t) { t.claim = ClaimKind::kBitwise; }), "compared with"));
  CHECK(has(with([](Token& t) {
              t.claim = ClaimKind::kBitwise;
              t.reference = t.variant;
            }),
            "compared with"));
}

TEST_CASE("a window's token with another geometry than its tensors is refused") {
  Token token = tie("scalar");
  token.kernel = "conv2d_f32";
  token.claim = ClaimKind::kAccumulator;
  // 1 image of 1 x 2 with 1 channel, a filter of 1 x 1, neutral parameters, no bias.
  token.call = TokenCall{Dtype::kF32,
                         {{0x3f800000, 0x40000000}, {0x3f800000}, {}},
                         {1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0},
                         1};
  const Repeated now = repeated(token);
  CHECK(now.outcome == Repeated::Outcome::kHolds);
  CHECK(now.example->got.bits == std::vector<std::string>{"0x40000000"});
  const auto with = [&](auto&& change) {
    Token changed = token;
    change(changed);
    return refusal(changed);
  };
  CHECK(has(with([](Token& t) { t.call->at = 2; }), "result 2"));
  CHECK(has(with([](Token& t) { t.call->dtype = Dtype::kF64; }), "of f64, the kernel's of f32"));
  CHECK(has(with([](Token& t) { t.call->geometry.pop_back(); }), "16 numbers, and not 17"));
  CHECK(has(with([](Token& t) { t.call->geometry[0] = std::int64_t{1} << 40; }), "none is above"));
  CHECK(has(with([](Token& t) { t.call->geometry[3] = 0; }), "does not admit"));
  CHECK(has(with([](Token& t) { t.call->geometry[8] = 0; }), "does not admit"));
  CHECK(has(with([](Token& t) { t.call->geometry[4] = t.call->geometry[5] = 4000000; }),
            "does not admit"));
  CHECK(has(with([](Token& t) { t.call->geometry[5] = 3; }), "2 elements of `x`"));
  CHECK(has(with([](Token& t) { t.call->operands[2] = {0}; }), "that the call has not"));
  CHECK(has(with([](Token& t) { t.kernel = "conv2d"; }), "stands for more than one kernel"));
  CHECK(has(with([](Token& t) { t.claim = ClaimKind::kPaddingSkipped; }), "cannot show anything"));
}

TEST_CASE("a variant that is not there, and a kernel that is not, could not be run") {
  const Repeated missing = repeated(tie("no*such"));
  CHECK(missing.outcome == Repeated::Outcome::kNotRun);
  CHECK(has(missing.why, "no variant 'no*such'"));
  const Repeated kernel =
      repeat(tie("scalar"), shipped_contracts(), Registry(std::vector<Kernel>{}), options());
  CHECK(kernel.outcome == Repeated::Outcome::kNotRun);
  CHECK(has(kernel.why, "no kernel is registered"));
}

TEST_CASE("another contract than the report's is noticed") {
  std::string text = contract_text("cast_f32_to_f16");
  replace_line(text, "  overflow: infinity", "  overflow: saturate\n");
  const fkc::Document changed = fkc::parse_document(text, "changed.fkc.md");
  const Repeated now = repeat(tie("scalar"), {changed}, built_in_registry(), options());
  CHECK(now.outcome == Repeated::Outcome::kHolds);
  REQUIRE(now.notes.size() == 1);
  CHECK(has(now.notes[0], "another one than the report's"));
}

KernelStatus refuses(KernelCall&) {
  return KernelStatus::kFailed;
}

int calls_made = 0;

/// Wrong in every seventh call.
KernelStatus wrong_now_and_then(KernelCall& call) {
  const KernelStatus status = healthy_as(call, kF32ToF16, "faulty");
  if (++calls_made % 7 == 0 && elements(call) > 0) {
    static_cast<std::uint16_t*>(call.outputs[0].data)[0] ^= 1;
  }
  return status;
}

TEST_CASE("a call that is refused was not run; one that is wrong now and then is repeated") {
  const Repeated refused = repeat(tie("faulty"), shipped_contracts(),
                                  registry_of(kF32ToF16, {{"faulty", refuses}}), options());
  CHECK(refused.outcome == Repeated::Outcome::kNotRun);
  CHECK_FALSE(refused.why.empty());
  const Repeated flaky =
      repeat(tie("faulty"), shipped_contracts(),
             registry_of(kF32ToF16, {{"faulty", wrong_now_and_then}}), options());
  CHECK(flaky.outcome == Repeated::Outcome::kFails);
  CHECK(has(flaky.ran, "7 times in one process, of which the last one fails"));
}

/// Leaves the rounding direction upward after calls of 33 elements, which are made to judge other
/// claims than that about the environment.
KernelStatus rounds_upward_afterwards(KernelCall& call) {
  const KernelStatus status = healthy_as(call, kF32ToF16, "faulty");
  if (status == KernelStatus::kOk && elements(call) == 33) std::fesetround(FE_UPWARD);
  return status;
}

/// Another payload of NaNs, which no contract promises.
KernelStatus other_bits(KernelCall& call) {
  const KernelStatus status = healthy_as(call, kF32ToF16, "faulty");
  const auto* in = static_cast<const std::uint32_t*>(call.inputs[0].data);
  auto* out = static_cast<std::uint16_t*>(call.outputs[0].data);
  for (std::int64_t i = 0; status == KernelStatus::kOk && i < elements(call); ++i) {
    if ((in[i] & 0x7fffffff) > 0x7f800000) out[i] ^= 1;
  }
  return status;
}

/// Repeats the tokens of a quick audit; how many there are.
std::size_t repeat_all(const Registry& registry) {
  const KernelRecord kernel = quick_audit(registry);
  std::size_t tokens = 0;
  for (const VariantRecord& variant : kernel.variants) {
    for (const ClaimRecord& claim : variant.claims) {
      if (!claim.counterexample && claim.token.empty()) continue;
      INFO(variant.name << " " << claim.id);
      ++tokens;
      const std::string word = claim.counterexample ? claim.counterexample->token : claim.token;
      const Repeated now =
          repeat(token_from(word, "/nowhere"), shipped_contracts(), registry, options());
      INFO(now.ran << " " << now.why);
      CHECK(now.outcome == Repeated::Outcome::kFails);
    }
  }
  return tokens;
}

TEST_CASE("what calls made for other claims showed is shown by them again") {
  CHECK(repeat_all(registry_of(kF32ToF16, {{"faulty", rounds_upward_afterwards}})) >= 1);
}

TEST_CASE("a variant that differs from the first one does so again") {
  const Registry built_in = built_in_registry();
  const KernelVariant scalar = *built_in.find(kF32ToF16)->variant("scalar");
  CHECK(repeat_all(registry_of(kF32ToF16, {scalar, {"faulty", other_bits}})) >= 1);
}

/// Tokens of an audit of the faulty library, by variant and claim.
class Library {
 public:
  Library() {
    const Outcome audited = run_program(
        "audit " + kContract + " --only cast_f32_to_f16 --kernels " + file() +
        " --variant wrong_last_lane --variant crashes --effort quick --hang-after 3 --format json "
        "--quiet --out " +
        folder_.path().string());
    REQUIRE(audited.status == 1);
  }

  static std::string file() { return ASSAY_PLUGINS "/faulty_plugin.so"; }

  std::string token(const std::string& variant, const std::string& claim) const {
    const nlohmann::json all = report(folder_.path());
    for (const auto& each : all["kernels"][0]["variants"]) {
      for (const auto& judged : each["claims"]) {
        if (each["name"] != variant || judged["id"] != claim) continue;
        if (judged.contains("token")) return judged["token"];
        return judged["counterexample"]["token"];
      }
    }
    throw std::runtime_error("no such claim");
  }

 private:
  Folder folder_;
};

TEST_CASE("the program repeats tokens of a library's report, with the exit status of each end") {
  const Library library;
  const std::string rounding = library.token("wrong_last_lane", "rounding");

  const Outcome fails = run_program("repro " + rounding);
  INFO(fails.text);
  CHECK(fails.status == 1);
  CHECK(has(fails.text, "cast_f32_to_f16, variant wrong_last_lane: rounding"));
  CHECK(has(fails.text, Library::file()));
  CHECK(has(fails.text, "expected"));
  CHECK(has(fails.text, "still fails\n"));

  Token healthy = token_from(rounding, "/nowhere");
  healthy.variant = "healthy";
  const Outcome holds = run_program("repro " + to_text(healthy).word);
  INFO(holds.text);
  CHECK(holds.status == 0);
  CHECK(has(holds.text, "no longer fails\n"));

  Token crashing = healthy;
  crashing.variant = "crashes";  // in calls of five elements
  crashing.call->operands[0].assign(5, 0);
  const Outcome crash = run_program("repro " + to_text(crashing).word);
  INFO(crash.text);
  CHECK(crash.status == 3);
  CHECK(has(crash.text, "could not be run to its end: killed by SIGSEGV in call 1"));

  const Outcome error = run_program("repro " + library.token("crashes", "bit_stable"));
  INFO(error.text);
  CHECK(error.status == 1);
  CHECK(has(error.text, "still cannot be judged: killed by SIGSEGV"));

  const Outcome no_library = run_program("repro " + rounding + " --kernels /no/such.so");
  CHECK(no_library.status == 2);
  CHECK(has(no_library.text, "/no/such.so: there is no such file"));
  const Outcome no_contract = run_program("repro " + rounding + " --contract /no/such.fkc.md");
  CHECK(no_contract.status == 2);
  CHECK(has(no_contract.text, "--contract"));
  const Outcome pipe = run_program("repro " + rounding + " --contract /dev/null");
  CHECK(pipe.status == 2);
  CHECK(has(pipe.text, "the contract '/dev/null' is not there"));
  const Outcome mistyped = run_program("repro " + rounding.substr(1));
  CHECK(mistyped.status == 2);
  CHECK(has(mistyped.text, "no token of a report"));
}

TEST_CASE("the program explains an input of a shipped contract, a value and a token") {
  const Outcome bits = run_program("explain cast_f32_to_f16 --input 0x3f801000");
  INFO(bits.text);
  CHECK(bits.status == 0);
  CHECK(has(bits.text, "a tie"));
  CHECK(has(bits.text, "scalar"));
  const Outcome value = run_program("explain cast_f32_to_f16 --value 1.00048828125");
  CHECK(value.text == bits.text);
  const Outcome token = run_program("explain --token " + to_text(tie("scalar")).word);
  CHECK(token.text == bits.text);
  const Outcome json = run_program("explain cast_f32_to_f16 --input 0x3f801000 --format json");
  CHECK(nlohmann::json::parse(json.text)["due"]["bits"] == "0x3c00");

  for (const char* wrong :
       {"explain cast_f32_to_f16", "explain --input 0x3f801000",
        "explain cast_f32_to_f16 --input 0x3f80", "explain cast_f32_to_f16 --input 3f801000",
        "explain cast_f32_to_f16 --value one", "explain cast_f32_to_f1 --value 1",
        "explain 'cast_f32_*' --value 1", "explain cast_f32_to_f16 --token x",
        "explain cast_f32_to_f16 --value 1 --input 0x3f801000", "explain conv2d_f32 --value 1",
        "explain conv2d --value 1", "explain cast_f32_to_f16 --npy src=/no/such.npy",
        "explain cast_f32_to_f16 --npy src",
        "explain cast_f32_to_f16 --value 1 --contract /no.md"}) {
    const Outcome refused = run_program(wrong);
    CAPTURE(wrong, refused.text);
    CHECK(refused.status == 2);
  }
}

/// A .npy file of binary32 elements.
void write_npy(const std::filesystem::path& path, const std::string& shape,
               const std::vector<float>& elements) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  file.write(reinterpret_cast<const char*>(elements.data()),
             static_cast<std::streamsize>(elements.size() * sizeof(float)));
}

TEST_CASE("the program explains a result of a convolution from arrays") {
  const Folder folder;
  const std::string path = folder.path().string();
  write_npy(folder.path() / "x.npy", "(1, 1, 2, 2)", {1, 2, 3, 4});
  write_npy(folder.path() / "w.npy", "(1, 1, 2, 2)", {10, 20, 30, 0.5});
  write_npy(folder.path() / "b.npy", "(1,)", {7});
  const std::string call = "explain conv2d_f32 --npy x=" + path + "/x.npy --npy weight=" + path +
                           "/w.npy --npy bias=" + path + "/b.npy ";
  // 10 + 40 + 90 + 2, and the bias.
  const Outcome whole = run_program(call + "--at 0,0,0,0");
  INFO(whole.text);
  CHECK(whole.status == 0);
  CHECK(has(whole.text, "4 products"));
  CHECK(has(whole.text, "exact sum  0x43150000 = 149"));
  CHECK(has(whole.text, "x[1] 0x40000000 = 2"));
  CHECK(has(whole.text, "looks like the exact sum, rounded once"));
  // With padding 1 the corner meets one element: 1 * 0.5 + 7.
  const Outcome padded =
      run_program(call + "--param padding_h=1 --param padding_w=1 --at 0,0,0,0 --format json");
  INFO(padded.text);
  const nlohmann::json json = nlohmann::json::parse(padded.text);
  CHECK(json["terms"].size() == 1);
  CHECK(json["exact"]["bits"] == "0x40f00000");
  for (const char* wrong : {"", "--at 0,0,0", "--at 0,0,0,1", "--at 0,0,0,0,0", "--at 0,0,0,x",
                            "--at 0,0,0,-1", "--at 0,0,0,0 --param stride_h=0",
                            "--at 0,0,0,0 --param strides=1", "--at 0,0,0,0 --param stride_h=x"}) {
    const Outcome refused = run_program(call + wrong);
    CAPTURE(wrong, refused.text);
    CHECK(refused.status == 2);
  }
  const Outcome pool = run_program("explain max_pool2d_f32 --npy x=" + path +
                                   "/x.npy --param kernel_size=2 --param stride=2 --at 0,0,0,0");
  INFO(pool.text);
  CHECK(pool.status == 0);
  CHECK(has(pool.text, "4 elements of the window"));
  CHECK(has(pool.text, "greatest   0x40800000 = 4"));
  CHECK(has(pool.text, "looks like the greatest number of the window"));
  const Outcome other = run_program("explain conv2d_f32 --npy x=" + path +
                                    "/w.npy --npy weight=" + path + "/b.npy --at 0,0,0,0");
  CHECK(other.status == 2);
  CHECK(has(other.text, "its rank is 1, and not 4"));
}

}  // namespace
