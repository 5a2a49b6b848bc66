/** The number of digits of a timestamp. */
export const stampDigits = 16

const zero = '0'.charCodeAt(0)

/** Microseconds of a clock that all processes of this machine share. */
export const microseconds = () => Number(process.hrtime.bigint() / 1000n)

/** Writes the current time at a position. */
export function writeStamp(bytes: Buffer, at: number): void {
  let left = microseconds()
  for (let index = at + stampDigits - 1; index >= at; index -= 1) {
    bytes[index] = zero + (left % 10)
    left = Math.floor(left / 10)
  }
}

/** Reads the timestamp at a position, or returns null if there are no digits. */
export function readStamp(bytes: Buffer, at: number): number | null {
  let stamp = 0
  for (let index = at; index < at + stampDigits; index += 1) {
    const digit = (bytes[index] as number) - zero
    if (digit < 0 || digit > 9) return null
    stamp = stamp * 10 + digit
  }
  return stamp
}
