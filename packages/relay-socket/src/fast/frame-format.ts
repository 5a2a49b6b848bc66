/*
 * The header of a frame (RFC 6455, 5.2), as far as the fast path reads and writes it:
 *
 *   FIN, three reserved bits, opcode │ MASK, length │ length in two bytes, if the length above is 126 │ four bytes of key
 */
export const opcodes = { text: 0x81, binary: 0x82, ping: 0x89, pong: 0x8a } as const
export const maskBit = 0x80
/** A shorter length is in the header itself. */
export const twoByteLength = 126
export const maxPayloadBytes = 0xffff
export const keyBytes = 4
export const maxHeaderBytes = 8
