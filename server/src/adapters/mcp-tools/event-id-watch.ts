/** Notices whether a stream of events carries ids, which means that it can be resumed. */
export interface EventIdWatch {
  readonly hasSeenId: boolean
  read(chunk: Uint8Array): void
}

/** Enough of a line to know its field. */
const fieldLength = 3

export function watchEventIds(): EventIdWatch {
  const decoder = new TextDecoder()
  let lineBeginning = ''
  let hasSeenId = false
  return {
    get hasSeenId() {
      return hasSeenId
    },
    read(chunk) {
      const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split(/[\r\n]/)
      const lines = [`${lineBeginning}${first.slice(0, fieldLength)}`, ...others]
      hasSeenId ||= lines.some((line) => line.startsWith('id:'))
      lineBeginning = (lines.at(-1) ?? '').slice(0, fieldLength)
    },
  }
}
