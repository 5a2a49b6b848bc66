import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { BoundedMap } from '../../concurrency/bounded-map.js'

/** The input of a check, as JSON text. Only this thread parses it. */
export interface CheckOrder {
  readonly schemaText: string
  readonly argumentsText: string
}

/** Whether arguments match a schema. The problem is worded so that the model can correct its arguments. */
export type Fit = { readonly ok: true } | { readonly ok: false; readonly problem: string }

export type CheckMessage = { readonly type: 'ready' } | { readonly type: 'fit'; readonly fit: Fit }

/** A malicious schema occupies a core until its time limit, so all other threads take precedence. */
const workerPriority = 5
const maxProblems = 5
const maxKeptValidators = 500

// On Linux, the priority applies to the calling thread. Elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(Math.max(workerPriority, getPriority()))

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true, logger: false })
addFormats.default(ajv)

const validators = new BoundedMap<string, ValidateFunction | null>(maxKeptValidators)

const send = (message: CheckMessage) => parentPort?.postMessage(message)

parentPort?.on('message', (order: CheckOrder) => send({ type: 'fit', fit: checkFit(order) }))
send({ type: 'ready' })

function checkFit(order: CheckOrder): Fit {
  try {
    return fitSchema(order)
  } catch {
    // The schema refers to itself without end.
    return { ok: false, problem: 'The JSON cannot be checked against the schema.' }
  }
}

function fitSchema({ schemaText, argumentsText }: CheckOrder): Fit {
  const validate = validatorOf(schemaText)
  // A schema that does not compile must reject all arguments.
  if (validate === null) return { ok: false, problem: 'The schema is not valid.' }
  if (validate(JSON.parse(argumentsText))) return { ok: true }
  const problems = new Set<string>()
  for (const { instancePath, message } of validate.errors ?? []) {
    problems.add(`${instancePath.slice(1).replaceAll('/', '.') || 'the object'} ${message}`)
    if (problems.size === maxProblems) break
  }
  return { ok: false, problem: `The JSON does not match the schema: ${[...problems].join('; ')}.` }
}

/** Compiling takes milliseconds, so the most recently used validators are cached. */
function validatorOf(schemaText: string): ValidateFunction | null {
  const cached = validators.get(schemaText)
  const validate = cached === undefined ? compile(JSON.parse(schemaText)) : cached
  validators.set(schemaText, validate)
  return validate
}

function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction | null {
  // The id is removed because two tools may have different schemas with the same id. `$async` is removed because an
  // asynchronous validator returns a promise, which would count as valid.
  const { $id: _id, id: _oldId, $schema: _draft, $async: _isAsynchronous, ...plain } = schema
  try {
    return ajv.compile(plain)
  } catch {
    return null
  } finally {
    // Ajv would keep the schema permanently.
    ajv.removeSchema(plain)
  }
}
