/* What a library of kernels depends on, for tests that put another version in its place. */
int assay_test_dependency(void);

int assay_test_dependency(void) {
  return 1;
}
