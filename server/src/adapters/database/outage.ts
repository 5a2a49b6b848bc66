/** A server that is not there, was lost, takes no more connections or takes no changes, as systems and PostgreSQL say it. */
const outageCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|57P0[1-5]|25006)$/

/** A server that is there and lacks something: room on its disk, memory, connections; or its disk fails. */
const fullCodes = /^(53...|58030)$/

/** The client's own words for the same; they come without a code. */
const outageWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/**
 * What ends a connection without a reason of its own: that of a server whose disk is full cannot write the file that a new
 * connection begins with, and says no more than that.
 */
const endingSeverities = /^(FATAL|PANIC)$/
const internalCode = 'XX000'

/** As after a failover, when the old server has become a copy of the new one. */
const readOnlyCode = '25006'

/** Whether an error, or what caused it, is that the database is away, and not that it refused something. */
export function isOutage(error: unknown): boolean {
  return (
    isFull(error) ||
    causesOf(error).some(
      ({ message, code, severity }) =>
        outageWords.test(message) ||
        outageCodes.test(code) ||
        (code === internalCode && endingSeverities.test(severity)),
    )
  )
}

/** Whether an error, or what caused it, is that the server lacks what it takes, though it may answer other questions. */
export function isFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => fullCodes.test(code))
}

/** Whether an error, or what caused it, is that the server can only be read. */
export function takesNoChanges(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === readOnlyCode)
}

/** All that follows a statement that failed, in its transaction, fails of this. */
const abortedCode = '25P02'

/** Whether an error, or what caused it, is that an earlier statement of the transaction had failed. */
export function isAftermath(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === abortedCode)
}

interface Cause {
  readonly message: string
  readonly code: string
  readonly severity: string
}

function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = []
  for (let each = error; each instanceof Error; each = each.cause)
    causes.push({
      message: each.message,
      code: 'code' in each ? String(each.code) : '',
      severity: 'severity' in each ? String(each.severity) : '',
    })
  return causes
}

/** What the operator reads where the server cannot be reached at a start: which setting it is, and what to do. */
export function explainUnreachable(error: unknown, url: string): unknown {
  if (!isOutage(error)) return error
  const { hostname, port } = new URL(url)
  return new Error(
    `nothing answers at ${hostname}:${port || '5432'}; is it running? The address comes from DATABASE_URL.`,
    { cause: error },
  )
}
