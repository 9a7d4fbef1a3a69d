// Contract documents with a digest of what was read.
#pragma once

#include <string>
#include <vector>

#include "contracts/fkc/document.h"

namespace assay::cli {

/// How documents are read, and what came of it besides.
struct Reading {
  bool foreign = false;  ///< the paths are a stranger's words, not those of the command line
  std::string digest;    ///< out: of the contents of all that was read, in its order
};

/// As load_documents of commands.h. Where the paths are foreign, what is no regular file is a
/// document with the error Io; else the descriptors of this process (/dev/stdin, `<(command)`) may
/// be pipes.
std::vector<fkc::Document> load_documents(const std::vector<std::string>& paths,
                                          const fkc::ReadOptions& options, Reading& reading);

/// As read_documents of commands.h.
std::vector<fkc::Document> read_documents(const std::vector<std::string>& paths, bool quiet,
                                          bool& faulty, Reading& reading);

}  // namespace assay::cli
