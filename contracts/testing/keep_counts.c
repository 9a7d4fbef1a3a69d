// What a worker process executed counts as well: linked to the programs of a coverage build only, in
// place of the C library's `_exit` and `fork` (the linker's --wrap). A process that a signal ends
// still takes its counts with it.

void __gcov_dump(void);
void __gcov_reset(void);
void __real__exit(int status);
int __real_fork(void);

void __wrap__exit(int status);
int __wrap_fork(void);

void __wrap__exit(int status) {
  __gcov_dump();
  __real__exit(status);
}

// A child begins at nothing: what its parent has counted so far would else be counted twice.
int __wrap_fork(void) {
  const int child = __real_fork();
  if (child == 0) __gcov_reset();
  return child;
}
