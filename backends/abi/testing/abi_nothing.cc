// A library that is no backend.
extern "C" int nothing();

extern "C" int nothing() { return 0; }
