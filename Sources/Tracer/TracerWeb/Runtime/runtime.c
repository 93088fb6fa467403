// The functions that Swift expects of a C library, for a WebAssembly module without one.

#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base;

static const size_t page = 65536;
// A block has a power of two bytes, at least 32; its header precedes what the caller gets.
struct block {
    struct block *next;
    uint32_t class;
    uint32_t padding[2];
};
_Static_assert(sizeof(struct block) == 16, "what the caller gets has the alignment of the block");
static struct block *unused[32];
static uintptr_t heap_end;

static void *allocate(size_t size) {
    uint32_t class = 5;
    while (((size_t)1 << class) < size + sizeof(struct block)) {
        if (++class == 31) return NULL;
    }
    struct block *block = unused[class];
    if (block) {
        unused[class] = block->next;
        return block + 1;
    }
    if (!heap_end) heap_end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    size_t bytes = (size_t)1 << class;
    size_t present = __builtin_wasm_memory_size(0) * page;
    if (heap_end + bytes > present) {
        size_t more = (heap_end + bytes - present + page - 1) / page;
        if (__builtin_wasm_memory_grow(0, more) == (size_t)-1) return NULL;
    }
    block = (struct block *)heap_end;
    heap_end += bytes;
    block->class = class;
    return block + 1;
}

// Blocks are aligned to 16 bytes, the most that Tracer's types need.
int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment > 16) return 22;
    *result = allocate(size);
    return *result ? 0 : 12;
}

void free(void *pointer) {
    if (!pointer) return;
    struct block *block = (struct block *)pointer - 1;
    block->next = unused[block->class];
    unused[block->class] = block;
}

int memcmp(const void *one, const void *other, size_t count) {
    const unsigned char *a = one, *b = other;
    for (; count; count--, a++, b++) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

// Compiled with bulk memory operations, each of these is one instruction and calls nothing.
void *memcpy(void *target, const void *source, size_t count) { return __builtin_memcpy(target, source, count); }
void *memmove(void *target, const void *source, size_t count) { return __builtin_memmove(target, source, count); }
void *memset(void *target, int byte, size_t count) { return __builtin_memset(target, byte, count); }

// Seeds for hashing. Nothing in a page attacks its own dictionaries.
void arc4random_buf(void *buffer, size_t count) { memset(buffer, 0x5A, count); }

// The product of two 128-bit numbers, from products of 32 bits.
struct wide {
    uint64_t low, high;
};
void __multi3(struct wide *result, uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high) {
    uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
    uint64_t middle = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
    uint64_t other = (a & 0xFFFFFFFF) * (b >> 32) + (middle & 0xFFFFFFFF);
    result->low = other << 32 | (low & 0xFFFFFFFF);
    result->high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32) + a * b_high + a_high * b;
}
