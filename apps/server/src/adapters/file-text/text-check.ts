import type { TextCheck } from '../../ports/file-text.js'

export function makeTextCheck(): TextCheck {
  let decoder: InstanceType<typeof TextDecoder> | null = null

  function isText(decode: () => string): boolean {
    try {
      return !decode().includes('\0')
    } catch {
      return false
    }
  }

  return {
    accepts(piece) {
      const current = decoder ?? new TextDecoder(encodingOf(piece), { fatal: true })
      decoder = current
      return isText(() => current.decode(piece, { stream: true }))
    },
    acceptsEnd: () => isText(() => decoder?.decode() ?? ''),
  }
}

/** Returns the encoding of a text according to its byte order mark. Defaults to UTF-8. */
export function encodingOf(beginning: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = beginning
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
