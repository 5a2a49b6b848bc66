const { set } = Uint8Array.prototype

/** As `target.set` does, whose method V8 looks up at every call, however often it was: a buffer's always, and no other object's. */
export function copyInto(target: Buffer, part: Buffer, at: number): void {
  set.call(target, part, at)
}
