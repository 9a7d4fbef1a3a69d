#include "audit/fuzz/scratch.h"

#include <stdlib.h>

#include <fstream>
#include <string>
#include <system_error>

#include "contracts/fuzz/demand.h"

namespace assay::fuzz {

namespace fs = std::filesystem;

const fs::path& scratch_folder() {
  struct Folder {
    Folder() {
      std::error_code none;
      const fs::path memory = "/dev/shm";
      const fs::path parent = fs::is_directory(memory, none) ? memory : fs::temp_directory_path();
      std::string name = (parent / "assay-fuzz-XXXXXX").string();
      demand(mkdtemp(name.data()) != nullptr, "a folder for files");
      path = name;
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
    fs::path path;
  };
  static const Folder folder;
  return folder.path;
}

void write_scratch(const fs::path& path, std::string_view bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  demand(stream.good(), "a file that can be written");
}

}  // namespace assay::fuzz
