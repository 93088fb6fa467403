// The demangler of the Swift runtime, which has no header.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// The readable form of a mangled name, to be freed, or NULL if it is not one.
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *bufferSize, uint32_t flags);
