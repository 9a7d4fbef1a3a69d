// What a report format produces: files as values. Only file_set.h touches the disk.
#pragma once

#include <string>

namespace assay {

struct RenderedFile {
  std::string name;  ///< a plain file name, no folder
  std::string content;
};

}  // namespace assay
