// assay --list-entry-points LIB.so
#include <fmt/format.h>

#include <memory>

#include "audit/cli/commands.h"
#include "audit/cli/dtype_names.h"
#include "audit/cli/print_out.h"
#include "audit/worker/plugins.h"

namespace assay::cli {

namespace {

int list_entry_points(const std::string& path) {
  for (const Kernel& kernel : plugin_kernels(path)) {
    std::string variants;
    for (const KernelVariant& variant : kernel.variants) {
      variants += " " + variant.name + (variant.threads ? " (threads)" : "");
    }
    print_out("{}  {} -> {}  variants:{}\n", kernel.entry_point, dtype_names(kernel.inputs),
              dtype_names(kernel.outputs), variants);
    if (!kernel.load_effect.empty()) {
      print_out("  loading the library changes the floating-point environment: {}\n",
                kernel.load_effect);
    }
  }
  return 0;
}

}  // namespace

void add_entry_points_option(CLI::App& app, std::function<int()>& run) {
  auto path = std::make_shared<std::string>();
  app.add_option_function<std::string>(
         "--list-entry-points",
         [path, &run](const std::string& given) {
           *path = given;
           run = [path] { return list_entry_points(*path); };
         },
         "list the kernels that a shared library offers, and end")
      ->type_name("LIB.so");
}

}  // namespace assay::cli
