// assay list
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "audit/cli/commands.h"
#include "audit/cli/dtype_names.h"
#include "audit/cli/print_out.h"
#include "contracts/unicode.h"
#include "kernels/registry.h"

namespace assay::cli {

namespace {

std::string output_dtype(const fkc::KernelContract& contract) {
  if (contract.outputs.empty()) return "?";
  const fkc::OutputOperand& output = contract.outputs[0];
  return output.fixed_dtype ? std::string(traits(*output.fixed_dtype).name)
                            : output.dtype_rule.value;
}

void print_claim(const Claim& claim, std::string_view standing) {
  print_out("  {:<24} {:<30} {} line {}{}\n", row(claim.kind).id, one_line(claim.declared),
            to_string(claim.source.kind), claim.source.line, standing);
  // A field says itself what it is; a sentence has to be shown.
  if (claim.source.kind == SourceKind::kProse) {
    print_out("  {:<24} \"{}\"\n", "", one_line(claim.source.text));
  }
}

void print_text(const std::vector<fkc::Document>& documents, const Registry& registry) {
  for (const fkc::Document& document : documents) {
    print_out("{}: {} kernels\n", one_line(document.file), document.kernels.size());
    for (const fkc::KernelContract& contract : document.kernels) {
      const std::string& operation =
          contract.op_kind.empty() ? contract.fused_op : contract.op_kind;
      print_out("\n{} ({}; {} -> {}) {}:{}\n", one_line(contract.kernel), one_line(operation),
                contract.inputs.empty() ? "?" : dtype_names(contract.inputs[0].dtypes),
                one_line(output_dtype(contract)), one_line(contract.file), contract.line);
      const std::vector<fkc::Binding> names = contract.signatures();
      if (names.size() > 1) {
        std::string text;
        for (const fkc::Binding& name : names) text += " " + one_line(name.kernel);
        print_out("  kernels:{}\n", text);
      }
      const Kernel* kernel = registry.find(contract.entry_point.value);
      std::string variants;
      if (kernel != nullptr) {
        for (const KernelVariant& variant : kernel->variants) variants += " " + variant.name;
      } else {
        variants =
            " none (no kernel under entry point '" + one_line(contract.entry_point.value) + "')";
      }
      print_out("  variants:{}\n", variants);
      for (const Claim& claim : contract.claims) print_claim(claim, "");
      for (const Claim& claim : contract.disputed) print_claim(claim, ", disputed: not judged");
    }
  }
}

nlohmann::ordered_json to_json(const Claim& claim, bool disputed) {
  return {{"id", row(claim.kind).id},
          {"statement", row(claim.kind).statement},
          {"declared", claim.declared},
          {"disputed", disputed},
          {"source",
           {{"file", claim.source.file},
            {"line", claim.source.line},
            {"column", claim.source.column},
            {"kind", to_string(claim.source.kind)},
            {"text", claim.source.text}}}};
}

void print_json(const std::vector<fkc::Document>& documents, const Registry& registry) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const fkc::Document& document : documents) {
    for (const fkc::KernelContract& contract : document.kernels) {
      nlohmann::ordered_json entry;
      entry["kernel"] = contract.kernel;
      entry["entry_point"] = contract.entry_point.value;
      entry["op_kind"] = contract.op_kind;
      entry["fused_op"] = contract.fused_op;
      entry["bindings"] = nlohmann::ordered_json::array();
      for (const fkc::Binding& name : contract.signatures()) {
        entry["bindings"].push_back({{"kernel", name.kernel}, {"entry_point", name.entry_point}});
      }
      entry["file"] = contract.file;
      entry["line"] = contract.line;
      entry["registrable"] = contract.registrable;
      entry["inputs"] = nlohmann::ordered_json::array();
      for (const fkc::InputOperand& input : contract.inputs) {
        entry["inputs"].push_back(
            {{"name", input.name.value}, {"dtypes", dtype_names(input.dtypes)}});
      }
      entry["output"] = output_dtype(contract);
      entry["variants"] = nlohmann::ordered_json::array();
      if (const Kernel* kernel = registry.find(contract.entry_point.value)) {
        for (const KernelVariant& variant : kernel->variants) {
          entry["variants"].push_back(variant.name);
        }
      }
      entry["claims"] = nlohmann::ordered_json::array();
      for (const Claim& claim : contract.claims) entry["claims"].push_back(to_json(claim, false));
      for (const Claim& claim : contract.disputed) entry["claims"].push_back(to_json(claim, true));
      kernels.push_back(std::move(entry));
    }
  }
  print_out("{}\n", nlohmann::ordered_json{{"kernels", kernels}}.dump(
                        2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

struct Arguments {
  std::vector<std::string> contracts;
  std::string format = "text";
};

}  // namespace

void add_list_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* list = app.add_subcommand(
      "list", "List kernels, their claims with sources, and their variants here");
  list->add_option("CONTRACT", arguments->contracts, "contract documents, or folders of them")
      ->required();
  list->add_option("--format", arguments->format, "how to print")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  list->callback([arguments, &run] {
    run = [arguments] {
      bool faulty = false;
      const std::vector<fkc::Document> documents =
          read_documents(arguments->contracts, false, faulty);
      const Registry registry = built_in_registry();
      if (arguments->format == "json") {
        print_json(documents, registry);
      } else {
        print_text(documents, registry);
      }
      return faulty ? 2 : 0;
    };
  });
}

}  // namespace assay::cli
