/** A server that is not there, was lost, takes no more connections or takes no changes, as systems and PostgreSQL say it. */
const outageCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|57P0[1-5]|25006)$/

/** A server that is there and lacks something: room on its disk, memory, connections; or its disk fails. */
const fullCodes = /^(53...|58030)$/

/** The socket of a server on this machine is a file, which is gone while the server is. */
const socketIsGone = (code: string, syscall: string) => code === 'ENOENT' && syscall === 'connect'

/** The client's own words for the same; they come without a code. */
const outageWords =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

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
      ({ message, code, severity, syscall }) =>
        outageWords.test(message) ||
        outageCodes.test(code) ||
        socketIsGone(code, syscall) ||
        (code === internalCode && endingSeverities.test(severity)),
    )
  )
}

/** Whether an error, or what caused it, is that the server lacks what it takes, though it may answer other questions. */
export function isFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => fullCodes.test(code))
}

/** A server that is there and cannot store anything, as PostgreSQL says it. */
const diskCodes = /^(53100|58030)$/

/** Whether an error, or what caused it, is that the disk of the server is full or fails. */
export function isDiskFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => diskCodes.test(code))
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
  readonly name: string
  readonly message: string
  readonly code: string
  readonly severity: string
  readonly syscall: string
}

/** The error and its causes, the outermost first. */
export function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = []
  for (let each = error; each instanceof Error; each = each.cause)
    causes.push({
      name: each.name,
      message: each.message,
      code: 'code' in each ? String(each.code) : '',
      severity: 'severity' in each ? String(each.severity) : '',
      syscall: 'syscall' in each ? String(each.syscall) : '',
    })
  return causes
}
