const warned = new Set<string>()
const maxWarnings = 20

/**
 * Runs an action for one packet or one call. An exception becomes a warning of the process, because all calls of all lines
 * share this thread.
 */
export function contain(action: () => void): void {
  try {
    action()
  } catch (error) {
    warn(error)
  }
}

/**
 * Turns a programming error into a warning of the process. The same error warns once: a peer could otherwise fill the log.
 * The warning leaves the message of the error out, because that may quote a packet.
 */
export function warn(error: unknown): void {
  const text = error instanceof Error ? [error.name, ...framesOf(error)].join('\n') : 'unknown error'
  if (warned.has(text) || warned.size >= maxWarnings) return
  warned.add(text)
  process.emitWarning(text, 'TelephoneWarning')
}

const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^ +at /.test(line))
