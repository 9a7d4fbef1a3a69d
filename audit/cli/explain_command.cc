// assay explain
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "audit/bind.h"
#include "audit/cli/commands.h"
#include "audit/cli/print_error.h"
#include "audit/cli/print_out.h"
#include "audit/cli/shipped_contracts.h"
#include "audit/explain/cast_text.h"
#include "audit/explain/npy.h"
#include "audit/explain/window.h"
#include "audit/machine.h"
#include "audit/repro/repeat.h"
#include "audit/token/token.h"
#include "audit/token/whole_number.h"
#include "audit/window/call_token.h"
#include "audit/worker/plugins.h"
#include "audit/worker/stop_signals.h"
#include "contracts/command_words.h"
#include "contracts/unicode.h"
#include "oracles/value_read.h"

namespace assay::cli {

namespace {

struct Arguments {
  std::string kernel;
  std::string input;
  std::string value;
  std::string token;
  std::vector<std::string> npy;
  std::vector<std::string> params;
  std::string at;
  std::vector<std::string> contracts;
  std::vector<std::string> kernels;
  std::vector<std::string> variants;
  std::string report = "build/audit";
  std::string format = "text";
};

/// A pattern of --input.
Bits bits_from(const std::string& text, Dtype dtype) {
  const auto digits = static_cast<std::size_t>(traits(dtype).width / 4);
  Bits bits = 0;
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (!hexadecimal || text.size() != digits + 2 ||
      !read_whole_number(std::string_view(text).substr(2), bits, 16)) {
    throw UsageError(fmt::format(
        "--input takes the bits of one {}: 0x and {} digits of hex, not '{}'; --value takes a "
        "number",
        traits(dtype).name, digits, one_line(text)));
  }
  return bits;
}

Bits value_from(const std::string& text, Dtype dtype) {
  const std::optional<oracle::ReadValue> value = oracle::read_value(text, dtype);
  if (!value) {
    throw UsageError(
        fmt::format("--value takes a number of {}: a decimal, a hex float, inf or nan; not '{}'",
                    traits(dtype).name, one_line(text.substr(0, 60))));
  }
  if (!value->exact) {
    print_error("assay: '{}' is no value of {}; the nearest is explained\n", one_line(text),
                traits(dtype).name);
  }
  return value->bits;
}

/// NAME=REST.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) {
    throw UsageError(fmt::format("{} takes NAME=..., not '{}'", option, one_line(text)));
  }
  return {text.substr(0, sign), text.substr(sign + 1)};
}

std::map<std::string, NpyArray> arrays_from(const std::vector<std::string>& options) {
  std::map<std::string, NpyArray> arrays;
  for (const std::string& option : options) {
    const auto [name, path] = named("--npy", option);
    if (!arrays.emplace(name, read_npy(path)).second) {
      throw UsageError(fmt::format("--npy {} is given twice", one_line(name)));
    }
  }
  return arrays;
}

std::map<std::string, std::int64_t> parameters_from(const std::vector<std::string>& options) {
  std::map<std::string, std::int64_t> parameters;
  for (const std::string& option : options) {
    const auto [name, text] = named("--param", option);
    std::int64_t number = 0;
    if (!read_whole_number(text, number) || !parameters.emplace(name, number).second) {
      throw UsageError(fmt::format("--param {} takes one whole number, once", one_line(name)));
    }
  }
  return parameters;
}

/// A linear index from --at, whose numbers lie within these extents.
std::size_t index_from(const std::string& text, const std::vector<std::int64_t>& extents) {
  std::string_view rest = text;
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::size_t comma = rest.find(',');
    const bool last = axis + 1 == extents.size();
    std::int64_t number = 0;
    if ((comma == std::string_view::npos) != last ||
        !read_whole_number(rest.substr(0, comma), number) || number < 0 ||
        number >= extents[axis]) {
      throw UsageError(fmt::format("--at takes {} numbers from 0, within {}; not '{}'",
                                   extents.size(), window::shape_text(extents), one_line(text)));
    }
    index = index * static_cast<std::size_t>(extents[axis]) + static_cast<std::size_t>(number);
    rest.remove_prefix(last ? rest.size() : comma + 1);
  }
  return index;
}

template <class Explanation>
int print(const Arguments& arguments, const Explanation& explanation) {
  write_out(arguments.format == "json" ? to_json(explanation) : to_text(explanation));
  for (const auto& given : explanation.given) {
    if (!given.failure.empty()) return 3;
  }
  return 0;
}

int explain_cast_of(const Arguments& arguments, const std::vector<Job>& jobs,
                    const std::optional<Token>& token, const AuditOptions& options) {
  const Job& job = jobs.front();
  const Dtype from = job.oracle->operation().from;
  Bits input = 0;
  if (!arguments.input.empty()) {
    input = bits_from(arguments.input, from);
  } else if (!arguments.value.empty()) {
    input = value_from(arguments.value, from);
  } else if (token) {
    const TokenCall& call = *token->call;
    if (call.dtype != from || call.operands.size() != 1 || call.at >= call.operands[0].size()) {
      throw UsageError("the token's call is none of this cast");
    }
    input = call.operands[0][static_cast<std::size_t>(call.at)];
  } else {
    const std::map<std::string, NpyArray> arrays = arrays_from(arguments.npy);
    const std::string& name = job.contract->inputs[0].name.value;
    const auto array = arrays.find(name);
    if (arrays.size() != 1 || array == arrays.end()) {
      throw UsageError(fmt::format("the cast has one operand: --npy {}=FILE", one_line(name)));
    }
    if (array->second.dtype != from) {
      throw UsageError(fmt::format("--npy {}: its elements are of {}, the kernel's of {}",
                                   one_line(name), traits(array->second.dtype).name,
                                   traits(from).name));
    }
    input = array->second.elements[index_from(arguments.at, array->second.shape)];
  }
  return print(arguments, explain_cast(jobs, input, options));
}

int explain_window_of(const Arguments& arguments, const window::Job& job,
                      const std::optional<Token>& token, const AuditOptions& options) {
  if (!token && arguments.npy.empty()) {
    throw UsageError(
        "a kernel of tensors is explained from --token, or from --npy NAME=FILE for each operand "
        "with --at n,c,i,j");
  }
  window::Specimen specimen = token ? window::specimen_of(job.operation, *token->call)
                                    : specimen_from(job.operation, arrays_from(arguments.npy),
                                                    parameters_from(arguments.params));
  if (!token || !arguments.at.empty()) {
    specimen.result = index_from(arguments.at, window::output_shape(specimen.geometry));
  }
  return print(arguments, explain_window(job, specimen, options));
}

/// The token, where there is one, whose contract and library then stand in for those not given.
std::optional<Token> token_of(Arguments& arguments) {
  if (arguments.token.empty()) return std::nullopt;
  Token token = token_from(arguments.token, arguments.report);
  if (!token.call) {
    throw UsageError(
        "the token is not about one call, so there is nothing to explain; `assay repro` runs it "
        "again");
  }
  if (arguments.contracts.empty()) arguments.contracts = {token.contract};
  if (arguments.kernels.empty() && !token.library.empty()) arguments.kernels = {token.library};
  if (!arguments.kernel.empty() && arguments.kernel != token.kernel) {
    throw UsageError(fmt::format("the token is about '{}'", one_line(token.kernel)));
  }
  arguments.kernel = token.kernel;
  return token;
}

void check_sources(const Arguments& arguments) {
  const int sources = !arguments.input.empty() + !arguments.value.empty() +
                      !arguments.token.empty() + !arguments.npy.empty();
  if (sources != 1) {
    throw UsageError("explain takes one of --input, --value, --token and --npy");
  }
  // What the source has no use for was meant for another.
  const bool arrays = !arguments.npy.empty();
  if (!arguments.at.empty() && !arrays && arguments.token.empty()) {
    throw UsageError("--at goes with --npy or --token, which have more than one result");
  }
  if (!arguments.params.empty() && !arrays) {
    throw UsageError("--param goes with --npy; a token has its own parameters");
  }
  if (arguments.kernel.empty() && arguments.token.empty()) {
    throw UsageError("explain takes the name of a kernel, as its contract has it");
  }
}

int run_explain(Arguments arguments) {
  const StopSignals signals;
  check_sources(arguments);
  const std::optional<Token> token = token_of(arguments);
  for (const std::string& contract : arguments.contracts) require_contract(contract);
  bool faulty = false;
  const std::vector<fkc::Document> documents =
      read_documents(contracts_or_shipped(arguments.contracts), true, faulty);
  if (faulty) {
    print_error("assay: nothing is explained, because a contract is missing or faulty (above)\n");
    return 2;
  }
  AuditOptions options;
  options.only = {exact_pattern(arguments.kernel)};
  options.variants = arguments.variants;
  options.threads = available_processors();
  const Registry registry = registry_with_plugins(arguments.kernels);
  Bound bound = assay::bind(documents, registry, options);
  if (bound.order.size() != 1) {
    throw UsageError(fmt::format("'{}' stands for {} kernels of the contracts; name one of them",
                                 one_line(arguments.kernel), bound.order.size()));
  }
  const bool is_cast = bound.order.front().family == Bound::Family::kCast;
  const std::string& not_run =
      is_cast ? bound.casts.front().not_run : bound.windows.front().not_run;
  if (!not_run.empty()) {
    print_error("assay: {} cannot be explained here: {}\n", one_line(arguments.kernel),
                one_line(not_run));
    return 3;
  }
  return is_cast ? explain_cast_of(arguments, bound.casts, token, options)
                 : explain_window_of(arguments, bound.windows.front(), token, options);
}

}  // namespace

void add_explain_command(CLI::App& app, std::function<int()>& run) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* explain = app.add_subcommand(
      "explain", "Show one input or result step by step: what is exact, what each variant gives");
  explain->add_option("KERNEL", arguments->kernel, "a kernel, as its contract names it");
  explain->add_option("--input", arguments->input, "of a cast: the input's bits, as 0x3f800000")
      ->type_name("BITS");
  explain->add_option("--value", arguments->value, "of a cast: the input, as 0.1 or 0x1.8p-3")
      ->type_name("NUMBER");
  explain->add_option("--token", arguments->token, "the call of a report's token");
  explain->add_option("--npy", arguments->npy, "an operand's array in NumPy's format (repeatable)")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  explain->add_option("--param", arguments->params, "a parameter of the call (repeatable)")
      ->type_name("NAME=NUMBER")
      ->allow_extra_args(false);
  explain->add_option("--at", arguments->at, "which element: of the output, n,c,i,j")
      ->type_name("INDEX");
  explain
      ->add_option("--contract", arguments->contracts,
                   "contract document or folder of them (default: those shipped)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  explain->add_option("--kernels", arguments->kernels, "a shared library of kernels (repeatable)")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  explain->add_option("--variant", arguments->variants, "only variants that match (repeatable)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  explain
      ->add_option("--report", arguments->report,
                   "folder of the report, where the token names a file beside it")
      ->type_name("DIR")
      ->capture_default_str();
  explain->add_option("--format", arguments->format, "how to print")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  explain->callback([arguments, &run] { run = [arguments] { return run_explain(*arguments); }; });
}

}  // namespace assay::cli
