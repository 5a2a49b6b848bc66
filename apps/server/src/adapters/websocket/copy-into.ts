const { set } = Uint8Array.prototype

/** As `target.set` does; Node 20 looks a buffer's methods up at every call, however often it was (24 does not). */
export function copyInto(target: Buffer, part: Buffer, at: number): void {
  set.call(target, part, at)
}
