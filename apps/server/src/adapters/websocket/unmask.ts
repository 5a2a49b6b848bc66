import { Buffer } from 'node:buffer'
import { copyInto } from './copy-into.js'
import { unmaskCode } from './unmask-code.js'

/** What `unmask.wat` exports. */
interface UnmaskExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly unmask: (at: number, end: number) => number
}

/** As much of it as is used here: the types of the language have it only together with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (code: Buffer) => object
  readonly Instance: new (module: object) => { readonly exports: UnmaskExports }
}

const { memory, unmask } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(unmaskCode, 'base64')))
  .exports
const readBytes = 64 * 1024

/** Where masks are taken off: the read memory, and behind it room for a frame that lies elsewhere. */
export const unmaskMemory = Buffer.from(memory.buffer)

/** All connections read into the same memory, one after the other: it stays in the processor's cache, and none has its own. */
export const readMemory = Buffer.from(memory.buffer, 0, readBytes)

/** Returns where the frame begins in `unmaskMemory`: what was just read lies there already. */
export function bringToUnmask(source: Buffer, at: number, end: number): number {
  if (source === readMemory) return at
  copyInto(unmaskMemory, source.subarray(at, end), readBytes)
  return readBytes
}

/**
 * Takes the mask off a payload in `unmaskMemory`, and makes zeros of the key before it: so it is still a frame, of the same
 * payload. Returns whether that is ASCII without control characters and backslashes, which is all the reading that audio
 * needs. In WebAssembly, since the library's native code is not there for every processor, its loop goes byte by byte, and
 * JavaScript takes four times as long (docs/experiments.md).
 */
export function takeMaskOff(from: number, end: number): boolean {
  return unmask(from, end) === 1
}
