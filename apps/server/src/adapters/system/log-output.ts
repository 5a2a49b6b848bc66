import { type DestinationStream, pino } from 'pino'

/** What writing to standard output fails with once nobody reads it: a pipe, a socket, a terminal that is gone. */
const readerIsGone: readonly string[] = ['EPIPE', 'ECONNRESET', 'ENOTCONN', 'EIO', 'EBADF']

/** What waits for a disk that is full; lines beyond are dropped. */
const maxWaitingBytes = 1024 * 1024

/**
 * Standard output, for as long as somebody reads it. A log that nobody reads is no reason to stop serving; pino's own
 * destination would throw out of whatever logs next, and wait for ever in the last line before an exit.
 */
export function makeLogOutput(onReaderGone: () => void): DestinationStream {
  const output = pino.destination({ dest: process.stdout.fd, sync: true, maxLength: maxWaitingBytes })
  let isRead = true
  output.removeAllListeners('error')
  output.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (!isRead || !readerIsGone.includes(code)) return
    isRead = false
    onReaderGone()
  })
  return {
    write(line) {
      if (isRead) output.write(line)
    },
  }
}
