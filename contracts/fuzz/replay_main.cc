// Gives files to a fuzzer's harness without libFuzzer, so that any compiler can.
//
//   NAME_replay PATH...      files, and folders with all that is in them
//
// Prints each file before it is run: the last one is the one that a crash is about. Exit status: 0
// when all ran, 2 when there was no file or one cannot be read; a broken promise ends in a signal.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

int fail(const std::string& path, const char* why) {
  std::fprintf(stderr, "%s: %s\n", path.c_str(), why);
  return 2;
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::vector<fs::path> files;
  if (fs::is_directory(path)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && entry.path().filename().string().front() != '.') {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  return files;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t ran = 0;
  for (int i = 1; i < count; ++i) {
    std::error_code error;
    if (!fs::exists(arguments[i], error)) return fail(arguments[i], "no such file or folder");
    for (const fs::path& path : files_of(arguments[i])) {
      std::ifstream stream(path, std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
      if (!stream.good() && !stream.eof()) return fail(path, "cannot be read");
      std::printf("%s\n", path.c_str());
      std::fflush(stdout);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++ran;
    }
  }
  if (ran == 0) return fail("replay", "no files were given");
  std::printf("%zu files\n", ran);
  return 0;
}
