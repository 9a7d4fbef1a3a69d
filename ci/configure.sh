# Sourced by audit.sh and test.sh: configures build/release only when that is due. Expects `root`,
# the source folder.
#
# Once configured, ninja itself runs cmake again when a CMakeLists.txt changes; here are the cases
# that it cannot see: no build files yet, another CXX, a folder that was moved, an option changed.

# cached NAME: the value of a variable in CMake's cache; empty if there is none.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$root/build/release/CMakeCache.txt" 2>/dev/null || true; }

# same_program A B: two spellings of one program's path.
same_program() { [[ $(realpath -q "$1" || true) == "$(realpath -q "$2" || true)" ]]; }

# configure_release [-DNAME=VALUE]: at most one option, which has to hold from then on.
configure_release() {
  local option=${1-} name value fresh=()
  if [[ -f $root/build/release/CMakeCache.txt ]]; then
    if [[ -n ${CXX:-} ]] &&
      ! same_program "$(cached CMAKE_CXX_COMPILER)" "$(command -v "${CXX%% *}")"; then
      echo "Another compiler than before ($CXX): configuring afresh"
      fresh=(--fresh)
    elif [[ $(cached CMAKE_HOME_DIRECTORY) != "$(cd "$root" && pwd -P)" ]]; then
      echo "The folder was moved: configuring afresh"
      fresh=(--fresh)
    fi
  fi
  name=${option#-D}
  value=${name#*=}
  name=${name%%=*}
  if [[ -f $root/build/release/build.ninja && ${#fresh[@]} -eq 0 ]] &&
    [[ -z $option || $(cached "$name") == "$value" ]]; then
    return 0
  fi
  echo "Configuring build/release"
  (cd "$root" && cmake --preset release "${fresh[@]}" ${option:+"$option"})
}
