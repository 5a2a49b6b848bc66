import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

declare global {
  // Node has this API, but the types declare it only in the DOM library.
  namespace WebAssembly {
    function compile(bytes: Uint8Array): Promise<unknown>
  }
}

let compiled: Promise<unknown> | undefined

/**
 * Keeps the compiled database in memory, so that every thread reuses its code. Opening a database then takes
 * half the time.
 */
export function keepCompiled(): Promise<unknown> {
  const program = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  compiled ??= readFile(fileURLToPath(program)).then((bytes) => WebAssembly.compile(bytes))
  return compiled
}
