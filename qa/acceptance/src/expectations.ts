import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '@parley/sdk'
import type { Answer } from './answer.js'

export class Unmet extends Error {
  override readonly name = 'Unmet'
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

const maxShownCharacters = 400

/** Formats a value for a report. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)} …` : text
}

export function expectThat(isSo: boolean, expected: string, got: unknown): asserts isSo {
  if (!isSo) throw new Unmet(expected, show(got))
}

export function expectEqual(got: unknown, expected: unknown, what: string): void {
  expectThat(isDeepStrictEqual(got, expected), `${what}: ${show(expected)}`, got)
}

/** Expects this error on the wire, in the service's common error format. */
export function expectProblem(
  { status, headers, text }: Answer,
  expectedStatus: number,
  errorCode: string,
): void {
  const expected = `HTTP ${expectedStatus} with errorCode ${errorCode}, from Parley itself`
  const type = headers.get('content-type') ?? 'no content type'
  expectThat(type.startsWith('application/problem+json'), expected, `HTTP ${status}, ${type}: ${text}`)
  const problem: { readonly errorCode?: string } = JSON.parse(text)
  expectThat(status === expectedStatus && problem.errorCode === errorCode, expected, text)
}

/** Expects an SDK call to fail with this error. */
export async function expectRejection(
  call: PromiseLike<unknown>,
  status: number,
  errorCode: string,
): Promise<ApiError> {
  const expected = `an error: HTTP ${status}, ${errorCode}`
  const error = await call.then(
    (answer): unknown => {
      throw new Unmet(expected, `an answer: ${show(answer)}`)
    },
    (rejection: unknown) => rejection,
  )
  if (!(error instanceof ApiError)) throw error
  expectThat(
    error.status === status && error.errorCode === errorCode,
    expected,
    `HTTP ${error.status}, ${error.errorCode}: ${error.message}`,
  )
  return error
}
