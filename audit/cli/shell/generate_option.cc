// assay --generate man|bash|zsh|fish
#include <fmt/format.h>

#include <memory>

#include "audit/build_info.h"
#include "audit/cli/commands.h"
#include "audit/cli/print_out.h"
#include "audit/cli/shell/forms.h"

namespace assay::cli {

namespace {

std::string generated(const CommandText& program, const std::string& form) {
  if (form == "man") return manual_page(program, kVersion);
  if (form == "bash") return bash_completion(program);
  if (form == "zsh") return zsh_completion(program);
  return fish_completion(program);
}

}  // namespace

void add_generate_option(CLI::App& app, std::function<int()>& run) {
  auto form = std::make_shared<std::string>();
  app.add_option_function<std::string>(
         "--generate",
         [form, &app, &run](const std::string& given) {
           *form = given;
           run = [form, &app] {
             write_out(generated(describe(app), *form));
             return 0;
           };
         },
         "print the manual page, or the completions of a shell, and end")
      ->check(CLI::IsMember({"man", "bash", "zsh", "fish"}));
}

}  // namespace assay::cli
