// Words that the shell and the program read back as they were.
#include "contracts/command_words.h"

#include <fnmatch.h>

#include "contracts/testing/catch.h"

namespace assay {
namespace {

TEST_CASE("words are quoted for the shell") {
  CHECK(shell_quoted("cast_f32_f16") == "cast_f32_f16");
  CHECK(shell_quoted("--only=a,b") == "--only=a,b");
  CHECK(shell_quoted("=ls") == "'=ls'");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("a b;c$(d)") == "'a b;c$(d)'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("a\n1'\\") == "$'a\\0121\\'\\\\'");
  CHECK(shell_quoted("\xff") == "$'\\377'");
  CHECK(shell_quoted("~root") == "'~root'");
}

TEST_CASE("a name's pattern matches that name only, and is no option") {
  CHECK(exact_pattern("cast_f32_f16") == "cast_f32_f16");
  CHECK(exact_pattern("a-b") == "a-b");
  for (const std::string name : {"fast[fma]", "a*b?", "back\\slash", "--only", "-", "[-]x"}) {
    CAPTURE(name);
    const std::string pattern = exact_pattern(name);
    CHECK_FALSE(pattern.starts_with('-'));
    CHECK(fnmatch(pattern.c_str(), name.c_str(), 0) == 0);
    for (const char* other : {"fastf", "axbx", "backslash", "only", "x", "a*b?c"}) {
      CHECK(fnmatch(pattern.c_str(), other, 0) != 0);
    }
  }
}

TEST_CASE("a path is no option") {
  CHECK(path_word("-x/a.fkc.md") == "./-x/a.fkc.md");
  CHECK(path_word("a-b") == "a-b");
  CHECK(path_word("/-a") == "/-a");
}

}  // namespace
}  // namespace assay
