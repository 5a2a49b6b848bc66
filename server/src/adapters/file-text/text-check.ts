import type { TextCheck } from '../../ports/file-text.js'
import { encodingOf } from './text-encoding.js'

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
