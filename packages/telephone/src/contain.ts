const warned = new Set<string>()
const maxWarnings = 20

/**
 * Runs an action for one packet or one call. An exception becomes a warning of the process, because all calls of all lines
 * share this thread. The same error warns once: a peer could otherwise fill the log. The warning leaves the message of the
 * error out, because that may quote a packet.
 */
export function contain(action: () => void): void {
  try {
    action()
  } catch (error) {
    const text = error instanceof Error ? [error.name, ...framesOf(error)].join('\n') : 'unknown error'
    if (warned.has(text) || warned.size >= maxWarnings) return
    warned.add(text)
    process.emitWarning(text, 'TelephoneWarning')
  }
}

const framesOf = ({ stack = '' }: Error) => stack.split('\n').filter((line) => /^ +at /.test(line))
