// Libraries of kernels that are good, broken, or dangerous to load.
#include "audit/worker/plugins.h"

#include <filesystem>
#include <fstream>

#include "audit/options.h"
#include "audit/testing/folder.h"
#include "audit/worker/fp_environment.h"
#include "audit/worker/pool.h"
#include "contracts/testing/catch.h"
#include "kernels/abi/plugin.h"

namespace assay {
namespace {

/// A library built beside the tests.
std::string library(const std::string& name) {
  return std::string(ASSAY_PLUGINS) + "/" + name + ".so";
}

/// Why a library cannot be used.
std::string refusal(const std::string& path) {
  try {
    plugin_kernels(path);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a library's kernels are listed by entry point, with their variants") {
  const std::vector<Kernel> kernels = plugin_kernels(library("faulty_plugin"));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].entry_point == "fuel_reference_backend::ops::cast_f32_to_f16");
  CHECK(kernels[0].inputs == std::vector{Dtype::kF32});
  CHECK(kernels[0].outputs == std::vector{Dtype::kF16});
  REQUIRE(kernels[0].variants.size() == 17);
  CHECK(kernels[0].variants[0].name == "healthy");
  CHECK(kernels[0].variants[0].function == nullptr);
  CHECK(kernels[0].load_effect.empty());
}

TEST_CASE("what a library does to the environment when it is loaded is noted") {
  const FpEnvironment before = FpEnvironment::current();
  const std::vector<Kernel> kernels = plugin_kernels(library("faulty_start"));
  REQUIRE(kernels.size() == 1);
  CHECK(has(kernels[0].load_effect, "flush"));
  CHECK(FpEnvironment::current() == before);
}

TEST_CASE("a library's kernel takes the place of the built-in one") {
  const Registry registry = registry_with_plugins({library("faulty_plugin")});
  CHECK(registry.kernels().size() == built_in_registry().kernels().size());
  CHECK(registry.find("fuel_reference_backend::ops::cast_f32_to_f16")->variants.size() == 17);
  CHECK(registry.find("fuel_reference_backend::ops::cast_f32_to_f64")->variants[0].library.empty());
  CHECK_THROWS_AS(registry_with_plugins({library("faulty_plugin"), library("faulty_start")}),
                  UsageError);
}

/// What a fresh process says that calls the library's first kernel.
enum class Said : std::uint8_t { kNothing, kCalled, kOther };

Said call_in_child(const KernelVariant& variant) {
  SharedArray<Said> said(1);
  CHECK(run_in_child(
      [&] {
        KernelCall call;  // without operands, which is refused
        try {
          variant(call);
          said[0] = Said::kCalled;
        } catch (const PluginError&) {
          said[0] = Said::kOther;
        }
      },
      std::chrono::seconds(20)));
  return said[0];
}

TEST_CASE("a library is read with what it depends on, and no other is called in its place") {
  const testing::Folder folder;
  const std::filesystem::path plugin = folder.path() / "dependent.so";
  const std::filesystem::path dependency = folder.path() / "libdependency.so";
  for (const std::filesystem::path& file : {plugin, dependency}) {
    std::filesystem::copy_file(std::filesystem::path(ASSAY_PLUGINS) / file.filename(), file);
  }
  const KernelLibrary library = read_library(plugin.string());
  REQUIRE(library.dependencies.size() == 1);
  CHECK(library.dependencies[0].path == dependency);
  CHECK(library.file.sum == digest_of(plugin).sum);
  CHECK(library.changed_file(true).empty());
  const KernelVariant& variant = library.kernels.at(0).variants.at(0);
  CHECK(call_in_child(variant) == Said::kCalled);
  const std::filesystem::path replaced = GENERATE_COPY(plugin, dependency);
  CAPTURE(replaced);
  const std::filesystem::path aside = folder.path() / "aside";
  // The same contents in its place are the same library.
  std::filesystem::copy_file(replaced, aside);
  std::filesystem::rename(aside, replaced);
  CHECK(call_in_child(variant) == Said::kCalled);
  CHECK(library.changed_file(false).empty());
  std::filesystem::copy_file(replaced, aside);
  std::ofstream(aside, std::ios::app) << "another version";
  std::filesystem::rename(aside, replaced);
  CHECK(call_in_child(variant) == Said::kOther);
  CHECK(library.changed_file(false) == replaced);
  CHECK(library.changed_file(true) == replaced);
}

TEST_CASE("a table that is broken is told by what is wrong with it") {
  struct Row {
    const char* name;
    const char* words;
  };
  const Row row = GENERATE(
      Row{"broken_1", "no kernels for this machine"}, Row{"broken_2", "version 2"},
      Row{"broken_3", "empty"},
      Row{"broken_4", "row 0 of its table (demo::kernel) has no function"},
      Row{"broken_5", "row 0 of its table has no entry point"},
      Row{"broken_6", "row 1 of its table: dtype 0 of the inputs is not known (code 77, bits 13"},
      Row{"broken_7", "a variant 'one' already"}, Row{"broken_8", "other dtypes than row 0"},
      Row{"broken_9", "unknown flags 0x40"}, Row{"broken_10", "crashed, ended"},
      Row{"broken_11", "crashed, ended"}, Row{"broken_12", "crashed, ended"},
      Row{"broken_13", "longer than 255 bytes"}, Row{"broken_14", "printable ASCII"},
      Row{"broken_15", "4000000000 rows; at most 1024"});
  const std::string why = refusal(library(row.name));
  INFO(row.name << ": " << why);
  CHECK(has(why, row.words));
  CHECK(has(why, row.name));
}

TEST_CASE("a file that is no library of kernels is refused with a reason") {
  CHECK(has(refusal("/nowhere/kernels.so"), "there is no such file"));
  CHECK(has(refusal(ASSAY_SOURCE_DIR "/README.md"), "cannot load it"));
  // Some library that knows nothing of kernels.
  CHECK(has(refusal(library("no_kernels")), "does not export assay_kernel_table()"));
}

}  // namespace
}  // namespace assay
