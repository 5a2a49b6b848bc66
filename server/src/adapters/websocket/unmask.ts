import { Buffer } from 'node:buffer'
import { keyBytes } from './frame-header.js'
import { PartView } from './part-view.js'
import { unmaskCode } from './unmask-code.js'

/** What `unmask.wat` exports. */
interface UnmaskExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly unmask: (at: number, end: number, key: number) => number
}

/** As much of it as is used here: the types of the language have it only together with those of browsers. */
declare const WebAssembly: {
  readonly Module: new (code: Buffer) => object
  readonly Instance: new (module: object) => { readonly exports: UnmaskExports }
}

const { memory, unmask } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(unmaskCode, 'base64')))
  .exports

/** Where masks are taken off. The longest payload that is read here, of 64 KiB, fits in with room behind it. */
const workspace = Buffer.from(memory.buffer)
const [masked, unmasked] = [new PartView(), new PartView()]

/** A payload that lies behind its key, and where it is copied to. */
export interface MaskedCopy {
  readonly source: Buffer
  readonly from: number
  readonly to: number
  readonly target: Buffer
  readonly at: number
}

/**
 * Copies a payload, and takes its mask off on the way. Returns whether it is ASCII without control characters and backslashes,
 * which is all the reading that audio needs. In WebAssembly, since the library's native code is not there for every processor,
 * its loop goes byte by byte, and JavaScript takes four times as long (docs/experiments.md).
 */
export function copyUnmasked({ source, from, to, target, at }: MaskedCopy): boolean {
  const length = to - from
  workspace.set(masked.of(source, from, to))
  const isPlain = unmask(0, length, keyBefore(source, from)) === 1
  target.set(unmasked.of(workspace, 0, length), at)
  return isPlain
}

/** The four bytes before the payload, the first of them lowest. */
function keyBefore(source: Buffer, payloadAt: number): number {
  const at = payloadAt - keyBytes
  return (
    (source[at] as number) |
    ((source[at + 1] as number) << 8) |
    ((source[at + 2] as number) << 16) |
    ((source[at + 3] as number) << 24)
  )
}
