import { type ErrorCode, errorStatus, Problem } from '@parley/contract'
import { expect } from 'vitest'
import type { RawAnswer } from './send.js'

const StrictProblem = Problem.strict()
const mediaType = 'application/problem+json; charset=utf-8'

/** Expects an error response with this code that matches the contract exactly. */
export function expectProblem(answer: RawAnswer, code: ErrorCode): Problem {
  expect(outcomeOf(answer)).toBe(code)
  return readProblem(answer)
}

/** Returns the code of an error response, or a description of any other response. */
export function outcomeOf(answer: RawAnswer): string {
  const { status, headers, text } = answer
  if (headers.get('content-type') !== mediaType) return `${status} ${text.slice(0, 200)}`
  return readProblem(answer).errorCode
}

/** Reads an error response and checks that its body matches its status and headers. */
export function readProblem({ status, headers, text }: RawAnswer): Problem {
  const problem = StrictProblem.parse(JSON.parse(text))
  const isWhole =
    problem.status === status &&
    errorStatus[problem.errorCode] === status &&
    problem.requestId === headers.get('x-request-id') &&
    /\S.*\.$/s.test(problem.detail)
  if (!isWhole) throw new Error(`${status} ${headers.get('x-request-id')} does not match ${text}`)
  return problem
}
