/** A client error, in the format of the protocol's `error` event. */
export interface ProtocolError {
  readonly type: 'invalid_request_error' | 'rate_limit_error' | 'server_error'
  readonly code: string
  readonly message: string
  readonly param: string | null
}

export function invalidRequest(code: string, message: string, param: string | null = null): ProtocolError {
  return { type: 'invalid_request_error', code, message, param }
}

export function unknownParameter(param: string): ProtocolError {
  return invalidRequest('unknown_parameter', `Unknown parameter: '${param}'.`, param)
}

export function missingParameter(param: string): ProtocolError {
  return invalidRequest('missing_required_parameter', `Missing required parameter: '${param}'.`, param)
}

export function wrongType(param: string, expected: string, value: unknown): ProtocolError {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${nameOfType(value)} instead.`
  return invalidRequest('invalid_type', message, param)
}

export function wrongValue(param: string, value: unknown, supported: readonly string[]): ProtocolError {
  const names = supported.map((name) => `'${name}'`).join(', ')
  const message = `Invalid value: '${String(value)}'. Supported values are: ${names}.`
  return invalidRequest('invalid_value', message, param)
}

/** The engine is at capacity. The same request may succeed shortly afterwards. */
export function rateLimited(message: string): ProtocolError {
  return { type: 'rate_limit_error', code: 'rate_limit_exceeded', message, param: null }
}

export function serverError(code: string, message: string): ProtocolError {
  return { type: 'server_error', code, message, param: null }
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
