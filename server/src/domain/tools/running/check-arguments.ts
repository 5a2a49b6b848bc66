import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { boundedRegExp } from './bounded-reg-exp.js'

type Arguments = Readonly<Record<string, unknown>>

export type CheckedArguments =
  | { readonly ok: true; readonly arguments: Arguments }
  | { readonly ok: false; readonly problem: string }

const maxProblems = 5
const maxKeptValidators = 500

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  validateFormats: true,
  logger: false,
  code: { regExp: boundedRegExp },
})
addFormats.default(ajv)

const validators = new Map<string, ValidateFunction | null>()

/**
 * Reads a model's arguments and checks them against the tool's schema. What is wrong is said so that the model can
 * correct it.
 */
export function checkArguments(schema: Arguments, text: string): CheckedArguments {
  const value = parse(text)
  if (value === null) return { ok: false, problem: 'The arguments are not a JSON object.' }
  const validate = validatorOf(schema)
  // A schema that nobody can compile must not let anything through.
  if (validate === null) return { ok: false, problem: "The tool's schema of its arguments is not valid." }
  try {
    if (validate(value)) return { ok: true, arguments: value }
  } catch {
    return { ok: false, problem: "The arguments take too long to check against the tool's schema." }
  }
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath.slice(1).replaceAll('/', '.') || 'arguments'} ${message}`,
  )
  const said = [...new Set(problems)].slice(0, maxProblems)
  return { ok: false, problem: `The arguments do not fit the tool's schema: ${said.join('; ')}.` }
}

function parse(text: string): Arguments | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : null
  } catch {
    return null
  }
}

/** Compiling takes milliseconds, so what was compiled is kept, the most recently used of it. */
function validatorOf(schema: Arguments): ValidateFunction | null {
  const key = JSON.stringify(schema)
  const known = validators.get(key)
  const validate = known === undefined ? compile(schema) : known
  validators.delete(key)
  validators.set(key, validate)
  const [oldest] = validators.keys()
  if (validators.size > maxKeptValidators && oldest !== undefined) validators.delete(oldest)
  return validate
}

function compile(schema: Arguments): ValidateFunction | null {
  // Without its name: two tools may have schemas of one name that differ. And never asynchronous: the promise that such
  // a validator returns would pass for a yes.
  const { $id: _id, id: _oldId, $schema: _draft, $async: _isAsynchronous, ...plain } = schema
  try {
    return ajv.compile(plain)
  } catch {
    return null
  } finally {
    // The library would keep it for good, also after we have dropped it.
    ajv.removeSchema(plain)
  }
}
