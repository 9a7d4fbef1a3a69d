#include "audit/worker/loaded_objects.h"

#include <link.h>

namespace assay {

std::vector<std::string> loaded_objects() {
  std::vector<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        // The program has no name, and the kernel's object one without a folder.
        const std::string path = object->dlpi_name != nullptr ? object->dlpi_name : "";
        if (path.find('/') != std::string::npos) {
          static_cast<std::vector<std::string>*>(to)->push_back(path);
        }
        return 0;
      },
      &paths);
  return paths;
}

}  // namespace assay
