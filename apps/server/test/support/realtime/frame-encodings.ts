/** How a message is spelled, and the frame that holds it: text or binary. */
export type Row = readonly [spelling: string, frame: string | Buffer]

export const utf16 = (text: string) => Buffer.from(text, 'utf16le')
export const utf16Swapped = (text: string) => utf16(text).swap16()
export const utf32 = (text: string) =>
  Buffer.from(Uint32Array.from(text, (one) => one.codePointAt(0) ?? 0).buffer)
export const utf32Swapped = (text: string) => utf32(text).swap32()
export const utf8 = (text: string) => Buffer.from(text)

/** Bytes written as Latin-1 characters. */
export const bytes = (text: string) => Buffer.from(text, 'latin1')

/** Every letter in two bytes instead of one: invalid UTF-8 that lenient decoders accept. */
export function overlong(text: string): Buffer {
  return Buffer.from([...Buffer.from(text)].flatMap((byte) => [0xc0 | (byte >> 6), 0x80 | (byte & 0x3f)]))
}

/** Every letter as an escape. */
export function escaped(text: string): string {
  return [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}
