/* A shared library that offers no kernels, for tests. */
int answer(void);
int answer(void) {
  return 42;
}
