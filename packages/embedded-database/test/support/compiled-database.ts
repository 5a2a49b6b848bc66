import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

declare global {
  // Node has it, but its types include it only with those of the browser.
  namespace WebAssembly {
    function compile(bytes: Uint8Array): Promise<unknown>
  }
}

let compiled: Promise<unknown> | undefined

/** Keeps the compiled database in memory, so that every thread that opens one finds its code. That takes half the time. */
export function keepCompiled(): Promise<unknown> {
  const program = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  compiled ??= readFile(fileURLToPath(program)).then((bytes) => WebAssembly.compile(bytes))
  return compiled
}
