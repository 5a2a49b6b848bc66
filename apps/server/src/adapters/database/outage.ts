/**
 * Error codes of the system and of PostgreSQL that mean that the server is unreachable, was lost, or accepts
 * no connections or writes.
 */
const outageCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|57P0[1-5]|25006)$/

/** The server is available but lacks disk space, memory or connections, or its disk fails. */
const fullCodes = /^(53...|58030)$/

/** The socket of a local server is a file, which does not exist while the server is down. */
const socketIsGone = (code: string, syscall: string) => code === 'ENOENT' && syscall === 'connect'

/** The client's messages for the same failures, because it sets no codes for them. */
const outageWords =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/**
 * Severities that end a connection without a specific code. A server with a full disk cannot write the first
 * file of a new connection and reports no other reason.
 */
const endingSeverities = /^(FATAL|PANIC)$/
const internalCode = 'XX000'

/** After a failover, the old server may be a read-only replica of the new one. */
const readOnlyCode = '25006'

/**
 * Returns whether an error or one of its causes means that the database is unavailable, rather than that it
 * rejected a statement.
 */
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

/**
 * Returns whether an error or one of its causes means that the server lacks resources. It may still answer
 * other queries.
 */
export function isFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => fullCodes.test(code))
}

/** PostgreSQL's codes for a server that is available but cannot store anything. */
const diskCodes = /^(53100|58030)$/

/** Returns whether an error or one of its causes means that the server's disk is full or fails. */
export function isDiskFull(error: unknown): boolean {
  return causesOf(error).some(({ code }) => diskCodes.test(code))
}

/** Returns whether an error or one of its causes means that the server is read-only. */
export function isReadOnly(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === readOnlyCode)
}

/** The code with which all later statements of a transaction fail after the first failure. */
const abortedCode = '25P02'

/**
 * Returns whether an error or one of its causes means that an earlier statement in the transaction failed.
 */
export function isAbortedTransaction(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === abortedCode)
}

interface Cause {
  readonly name: string
  readonly message: string
  readonly code: string
  readonly severity: string
  readonly syscall: string
}

/** Returns the error and its causes, the outermost first. */
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
