/* checksum.h: the checksum of images and texts (checksum.c). */
#ifndef CUPEL_MCP_CHECKSUM_H
#define CUPEL_MCP_CHECKSUM_H

#include <cupel/catalog.h>
#include <stdint.h>

/* Adds a word to a checksum.  Each step is a bijection of the checksum and of the word, so a change
 * within one word is always detected. */
static inline uint64_t cupel__mcp_mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 29;
}

#endif
