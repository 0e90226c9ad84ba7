/* Finds the MLIR modules that were linked into a program by 'rmlir embed', without any library.
 *
 *     rmlir_module module;
 *     if (rmlir_find("model", &module))
 *         use(module.data, module.length);
 *
 * C99 or C++11 or newer. The modules are in the memory of the program: nothing is copied or freed.
 * The format of the records is specified in spec/embedding.md of rmlir.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef RMLIR_EMBED_H
#define RMLIR_EMBED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The format of a module. */
enum { RMLIR_TEXT = 1, RMLIR_RMBC = 2, RMLIR_MLIRBC = 3 };

typedef struct {
    /* Not followed by a zero byte. */
    const char *name;
    size_t name_length;
    const unsigned char *data;
    size_t length;
    /* RMLIR_TEXT, RMLIR_RMBC or RMLIR_MLIRBC. */
    int format;
    /* The CRC-32 of the module; see rmlir_is_intact. */
    uint32_t checksum;
} rmlir_module;

static inline uint64_t rmlir_number(const unsigned char *bytes, int count) {
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

/* The CRC-32 of zip and PNG, of bytes that follow those with another one; first 0. A table of 64
 * bytes: small rather than fast. */
static inline uint32_t rmlir_crc32(uint32_t crc, const unsigned char *bytes, size_t length) {
    static const uint32_t steps[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    crc = ~crc;
    while (length-- > 0) {
        crc ^= *bytes++;
        crc = crc >> 4 ^ steps[crc & 15];
        crc = crc >> 4 ^ steps[crc & 15];
    }
    return ~crc;
}

/* Returns whether a module is what was embedded. Reads all of it; rmlir_find does not. */
static inline int rmlir_is_intact(const rmlir_module *module) {
    return rmlir_crc32(0, module->data, module->length) == module->checksum;
}

/* Reads the next record at or after *at, and moves *at behind it. The checksum of the header and
 * the name is checked, that of the module is not. Returns 0 if there is none before
 * end. *at must be a multiple of 8 from the start of the section. */
static inline int rmlir_next(const unsigned char **at, const unsigned char *end, rmlir_module *module) {
    static const unsigned char magic[8] = {0x8a, 'R', 'M', 'L', 'I', 'R', '\r', '\n'};
    const size_t header = 40;
    while (*at < end && (size_t)(end - *at) >= header) {
        const unsigned char *record = *at;
        size_t left = (size_t)(end - record);
        *at = record + 8;
        if (memcmp(record, magic, 8) != 0 || rmlir_number(record + 8, 2) != 1)
            continue;
        uint64_t offset = rmlir_number(record + 12, 4);
        uint64_t length = rmlir_number(record + 16, 8);
        uint64_t name_length = rmlir_number(record + 28, 4);
        if (offset > left || length > left - offset || offset < header || name_length > offset - header)
            continue;
        uint32_t crc = rmlir_crc32(0, record, 32);
        crc = rmlir_crc32(crc, record + header, (size_t)name_length);
        if (crc != (uint32_t)rmlir_number(record + 32, 4))
            continue;
        module->name = (const char *)record + header;
        module->name_length = (size_t)name_length;
        module->data = record + offset;
        module->length = (size_t)length;
        module->format = record[10];
        module->checksum = (uint32_t)rmlir_number(record + 24, 4);
        size_t used = (size_t)(offset + length);
        size_t padding = (8 - used % 8) % 8;
        *at = left - used < padding ? end : record + used + padding;
        return 1;
    }
    *at = end;
    return 0;
}

#if defined(__APPLE__)
#include <mach-o/getsect.h>
#include <mach-o/ldsyms.h>
#elif defined(_WIN32)
extern const unsigned char __ImageBase[];
#else
/* The linker defines these if there is a section 'rmlir'. Hidden: those of this program or library,
 * not those of another one that is loaded. */
extern const unsigned char __start_rmlir[] __attribute__((weak, visibility("hidden")));
extern const unsigned char __stop_rmlir[] __attribute__((weak, visibility("hidden")));
#endif

/* Finds the bounds of the modules of this program or library. Returns 0 if there are none. */
static inline int rmlir_own(const unsigned char **start, const unsigned char **end) {
#if defined(__APPLE__)
    unsigned long size = 0;
    *start = getsectiondata(&_mh_execute_header, "__DATA", "__rmlir", &size);
    *end = *start + size;
    return *start != NULL;
#elif defined(_WIN32)
    const unsigned char *base = __ImageBase;
    const unsigned char *pe = base + rmlir_number(base + 60, 4);
    const unsigned char *section = pe + 24 + rmlir_number(pe + 20, 2);
    for (uint64_t count = rmlir_number(pe + 6, 2); count > 0; count--, section += 40) {
        if (memcmp(section, ".rmlir\0", 8) == 0) {
            *start = base + rmlir_number(section + 12, 4);
            *end = *start + rmlir_number(section + 8, 4);
            return 1;
        }
    }
    return 0;
#else
    *start = __start_rmlir;
    *end = __stop_rmlir;
    return *start != NULL && *start < *end;
#endif
}

/* Finds a module of this program by its name. Returns 0 if there is none. */
static inline int rmlir_find(const char *name, rmlir_module *module) {
    const unsigned char *at, *end;
    if (!rmlir_own(&at, &end))
        return 0;
    while (rmlir_next(&at, end, module))
        if (module->name_length == strlen(name) && memcmp(module->name, name, module->name_length) == 0)
            return 1;
    return 0;
}

#endif
