import type { z } from 'zod'
import {
  invalidRequest,
  missingParameter,
  type ProtocolError,
  unknownParameter,
  wrongType,
  wrongValue,
} from './protocol-error.js'

type Issue = z.core.$ZodIssue

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
}

/** Converts a schema issue to an error in the provider's format. The issue must carry its input. */
export function errorOfIssue(issue: Issue, parent = ''): ProtocolError {
  const param = joinPath(parent, issue.path)
  switch (issue.code) {
    case 'invalid_type':
      return missingOrWrongType(param, typeNames[issue.expected] ?? issue.expected, issue.input)
    case 'invalid_value':
      return chosenWrongly(param, issue.input, issue.values)
    case 'unrecognized_keys':
      return unknownParameter(joinPath(param, issue.keys.slice(0, 1)))
    case 'invalid_union':
      return errorOfUnion(issue, param)
    case 'too_small':
      return belowMinimum(issue, param)
    case 'too_big':
      return aboveMaximum(issue, param)
    default:
      return invalidRequest('invalid_value', issue.message, param)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function joinPath(parent: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>((joined, part) => {
    if (typeof part === 'number') return `${joined}[${part}]`
    return joined === '' ? String(part) : `${joined}.${String(part)}`
  }, parent)
}

function missingOrWrongType(param: string, expected: string, input: unknown): ProtocolError {
  return input === undefined ? missingParameter(param) : wrongType(param, expected, input)
}

function chosenWrongly(param: string, input: unknown, supported: readonly unknown[]): ProtocolError {
  return typeof input === 'string'
    ? wrongValue(param, input, supported.map(String))
    : missingOrWrongType(param, 'a string', input)
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** Unions without a tag: returns the error of the first member that accepts this type, or else of the last member. */
function errorOfUnion(issue: UnionIssue, param: string): ProtocolError {
  if (issue.discriminator !== undefined && 'options' in issue && isRecord(issue.input))
    return chosenWrongly(param, issue.input[issue.discriminator], issue.options ?? [])
  const firstIssues = issue.errors.flatMap((issues) => issues.slice(0, 1))
  const first = firstIssues.find((candidate) => !isAboutType(candidate)) ?? firstIssues.at(-1)
  return first === undefined
    ? invalidRequest('invalid_value', `Invalid value for '${param}'.`, param)
    : errorOfIssue(first, param)
}

function isAboutType({ code, path, input }: Issue): boolean {
  return (
    path.length === 0 && (code === 'invalid_type' || (code === 'invalid_value' && typeof input !== 'string'))
  )
}

/** The message of a number's bound is its kind, because the protocol has a different code for each. */
function belowMinimum(issue: Extract<Issue, { code: 'too_small' }>, param: string): ProtocolError {
  const message = `Invalid '${param}': ${issue.message} below minimum value. Expected a value >= ${issue.minimum}, but got ${issue.input} instead.`
  return invalidRequest(`${issue.message}_below_min_value`, message, param)
}

function aboveMaximum(issue: Extract<Issue, { code: 'too_big' }>, param: string): ProtocolError {
  if (typeof issue.input === 'string') {
    const message = `Invalid '${param}': string too long. Expected a string with maximum length ${issue.maximum}, but got a string with length ${issue.input.length} instead.`
    return invalidRequest('string_above_max_length', message, param)
  }
  const message = `Invalid '${param}': ${issue.message} above maximum value. Expected a value <= ${issue.maximum}, but got ${issue.input} instead.`
  return invalidRequest(`${issue.message}_above_max_value`, message, param)
}
