import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const maxProblems = 5
const maxKeptValidators = 500

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true, logger: false })
addFormats.default(ajv)

const validators = new Map<string, ValidateFunction | null>()

/** Whether arguments fit a schema, both as JSON text; what is wrong is said so that the model can correct it. */
export type Fit = { readonly ok: true } | { readonly ok: false; readonly problem: string }

/** Takes as long as the schema wants it to: only to be called where it can be ended. */
export function fitSchema(schemaText: string, argumentsText: string): Fit {
  const validate = validatorOf(schemaText)
  // A schema that nobody can compile must not let anything through.
  if (validate === null) return { ok: false, problem: "The tool's schema of its arguments is not valid." }
  if (validate(JSON.parse(argumentsText))) return { ok: true }
  const problems = new Set<string>()
  for (const { instancePath, message } of validate.errors ?? []) {
    problems.add(`${instancePath.slice(1).replaceAll('/', '.') || 'arguments'} ${message}`)
    if (problems.size === maxProblems) break
  }
  return { ok: false, problem: `The arguments do not fit the tool's schema: ${[...problems].join('; ')}.` }
}

/** Compiling takes milliseconds, so what was compiled is kept, the most recently used of it. */
function validatorOf(schemaText: string): ValidateFunction | null {
  const known = validators.get(schemaText)
  const validate = known === undefined ? compile(JSON.parse(schemaText)) : known
  validators.delete(schemaText)
  validators.set(schemaText, validate)
  const [oldest] = validators.keys()
  if (validators.size > maxKeptValidators && oldest !== undefined) validators.delete(oldest)
  return validate
}

function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction | null {
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
