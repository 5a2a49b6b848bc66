/** Whether a frame begins with these bytes. They are few, so a loop is faster than any call that leaves JavaScript. */
export function startsWith(frame: Buffer, start: Buffer): boolean {
  for (let at = 0; at < start.length; at += 1) if (frame[at] !== start[at]) return false
  return true
}
